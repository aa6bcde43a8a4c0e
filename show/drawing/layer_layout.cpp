// SPDX-License-Identifier: Apache-2.0
// Switches in layers above their endpoints. The lowest switches of endpoints that hang on two fabrics (NVLink and NICs) stand
// below them. Each switch stands above the middle of what it serves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "heddle/errors.hpp"
#include "show/drawing/drawing.hpp"

namespace heddle::pictures {

namespace {

constexpr int kMostLines = 320;      // endpoints that each get a line of their own
constexpr int kMostStacked = 4'096;  // endpoints, as bars below their switches
constexpr int kMostLowest = 160;     // switches side by side
constexpr int kMostSwitches = 640;
constexpr std::size_t kMostApart = 3;  // parallel cables that are drawn one by one

/// What a switch is for.
struct Switch {
  VertexId vertex = 0;
  int level = 1;
  bool below = false;  ///< stands below the endpoints
  VertexId first = 0;  ///< endpoints that it serves: from the first …
  VertexId last = 0;   ///< … to the last
  Point center = {};
  double width = 0;
};

/// All links between two vertices, in one direction.
using Bundles = std::map<std::pair<VertexId, VertexId>, std::vector<LinkId>>;

class LayerLayout {
 public:
  LayerLayout(const Topology& topology, const std::vector<int>& rank) : topology_(topology), rank_(rank) {
    for (LinkId link = 0; link < topology.links(); ++link)
      bundles_[{topology.ends(link).from, topology.ends(link).to}].push_back(link);
    find_switches();
    require_drawable();
  }

  Drawing draw() {
    place_endpoints();
    place_switches();
    find_slenderness();
    drawing_.widest = std::clamp(stacked_ ? 2.2 : 0.38 * slot_, 1.8, 5.0);
    for (const auto& [ends, links] : bundles_) add_links(ends.first, ends.second, links);
    for (const Switch& each : switches_) add_switch(each);
    for (VertexId e = 0; e < topology_.endpoints(); ++e)
      if (!stacked_) add_endpoint(e);
    add_notes();
    return std::move(drawing_);
  }

 private:
  bool is_endpoint(VertexId vertex) const { return vertex < topology_.endpoints(); }
  Switch& at(VertexId vertex) { return switches_[static_cast<std::size_t>(vertex - topology_.endpoints())]; }

  // ---- what there is ----

  void find_switches() {
    const std::vector<int> level = levels(topology_);
    for (VertexId v = topology_.endpoints(); v < topology_.endpoints() + topology_.switches(); ++v) {
      switches_.push_back(
          {.vertex = v, .level = level[static_cast<std::size_t>(v)], .first = topology_.endpoints(), .last = -1});
      top_ = std::max(top_, switches_.back().level);
    }
    if (std::ranges::any_of(switches_, [](const Switch& each) { return each.level < 0; }))
      throw InputError("a switch has no way to any endpoint");
    for (const auto& [ends, links] : bundles_) {
      const auto [from, to] = ends;
      if (level[static_cast<std::size_t>(to)] - level[static_cast<std::size_t>(from)] == 1) rising_.push_back(ends);
      if (std::abs(level[static_cast<std::size_t>(to)] - level[static_cast<std::size_t>(from)]) != 1)
        throw InputError(fmt::format("the cable {} - {} does not join neighbouring layers", topology_.vertex_name(from),
                                     topology_.vertex_name(to)));
    }
    std::ranges::sort(rising_, {},
                      [&](const auto& ends) { return std::pair(level[static_cast<std::size_t>(ends.first)], ends); });
    for (const auto& [lower, upper] : rising_) {
      const Switch* below = is_endpoint(lower) ? nullptr : &at(lower);
      at(upper).first = std::min(at(upper).first, below == nullptr ? lower : below->first);
      at(upper).last = std::max(at(upper).last, below == nullptr ? lower : below->last);
    }
    find_those_below();
  }

  /// Where endpoints have cables of several tiers, the switches of the innermost.
  void find_those_below() {
    bool several = false;
    for (const auto& [lower, upper] : rising_)
      if (is_endpoint(lower)) several |= topology_.tier(bundles_[{lower, upper}].front()) > 0;
    if (!several) return;
    for (const auto& [lower, upper] : rising_)
      if (is_endpoint(lower) && topology_.tier(bundles_[{lower, upper}].front()) == 0) at(upper).below = two_fabrics_ = true;
  }

  void require_drawable() {
    const int endpoints = topology_.endpoints();
    stacked_ = endpoints > kMostLines;
    const int most = two_fabrics_ ? kMostLines : kMostStacked;
    if (endpoints > most)
      throw InputError(fmt::format("{} endpoints are more than the {} that can be distinguished", endpoints, most));
    const auto lowest = std::ranges::count_if(switches_, [](const Switch& each) { return each.level == 1; });
    if (lowest > kMostLowest || std::ssize(switches_) > kMostSwitches)
      throw InputError(fmt::format("{} switches, {} of them side by side, are more than can be distinguished ({}, {})",
                                   switches_.size(), lowest, kMostSwitches, kMostLowest));
    if (!stacked_) return;
    for (const auto& [lower, upper] : rising_)
      if (is_endpoint(lower) && (lower < at(upper).first || ++served_[upper] > 256))
        throw InputError(fmt::format("{} has more than 256 endpoints", topology_.vertex_name(upper)));
  }

  /// The switch that an endpoint stands at.
  VertexId home(VertexId endpoint) {
    VertexId first = -1;
    for (auto it = bundles_.lower_bound({endpoint, 0}); it != bundles_.end() && it->first.first == endpoint; ++it)
      if (first < 0 || at(it->first.second).below) first = it->first.second;
    return first;
  }

  // ---- where it stands ----

  void place_endpoints() {
    std::vector<VertexId> homes;
    for (VertexId e = 0; e < topology_.endpoints(); ++e) homes.push_back(home(e));
    const int changes = static_cast<int>(homes.size()) - static_cast<int>(std::ranges::count(homes, homes.front()));
    slot_ = stacked_ ? 0 : std::clamp(1300.0 / topology_.endpoints(), changes > 0 || two_fabrics_ ? 5.0 : 4.5, 44.0);
    const double column = std::clamp(1900.0 / static_cast<double>(std::max<std::size_t>(served_.size(), 1)), 17.0, 60.0);
    double x = kMargin;
    for (std::size_t e = 0; e < homes.size(); ++e) {
      if (e > 0 && homes[e] != homes[e - 1]) x += stacked_ ? column : 0.6 * slot_;
      endpoint_x_.push_back(x + (stacked_ ? column / 2 : slot_ / 2));
      if (!stacked_) x += slot_;
    }
    column_ = column;
    drawing_.width = x + (stacked_ ? column : 0) + kMargin;
  }

  /// How much thinner than others the lines below each level are, so that they can be distinguished.
  void find_slenderness() {
    std::vector<int> lines(static_cast<std::size_t>(top_) + 1);
    for (const auto& [lower, upper] : rising_) ++lines[static_cast<std::size_t>(at(upper).level)];
    for (const int count : lines) slender_.push_back(std::clamp(std::sqrt(36.0 / std::max(count, 1)), 0.3, 1.0));
  }

  void place_switches() {
    std::map<std::pair<int, bool>, std::vector<Switch*>> layers;
    for (Switch& each : switches_) layers[{each.level, each.below}].push_back(&each);
    const double gap = std::clamp(0.14 * drawing_.width, 110.0, 250.0);
    const double rise = endpoint_gap();
    endpoint_y_ = kMargin + 14 + (top_ - 1) * gap + (has_above() ? rise : 0) + (stacked_ ? 0 : 10);
    for (auto& [layer, members] : layers) {
      const auto [level, below] = layer;
      for (Switch* each : members) each->center.y = below ? endpoint_y_ + rise + 24 : endpoint_y_ - rise - (level - 1) * gap;
      spread(members);
    }
    const double under = two_fabrics_ ? rise + 54 : (stacked_ ? stack_height() + 66 : 46);
    drawing_.height = endpoint_y_ + under + kMargin / 2;
  }

  bool has_above() const {
    return std::ranges::any_of(switches_, [](const Switch& each) { return !each.below; });
  }

  double endpoint_gap() const { return stacked_ ? 18 : (two_fabrics_ ? 150 : 96); }

  int most_served() const {
    int most = 0;
    for (const auto& [vertex, count] : served_) most = std::max(most, count);
    return most;
  }

  double bar_height() const { return std::clamp(300.0 / std::max(most_served(), 1), 4.0, 11.0); }
  double stack_height() const { return bar_height() * most_served(); }

  /// Those that serve the same stretch of endpoints share it evenly.
  void spread(std::vector<Switch*>& members) {
    std::ranges::stable_sort(members, {}, &Switch::first);
    for (std::size_t begin = 0; begin < members.size();) {
      VertexId last = members[begin]->last;
      std::size_t end = begin + 1;
      for (; end < members.size() && members[end]->first <= last; ++end) last = std::max(last, members[end]->last);
      const double half = stacked_ ? column_ / 2 : slot_ / 2;
      const double left = endpoint_x_[static_cast<std::size_t>(members[begin]->first)] - half;
      const double right = endpoint_x_[static_cast<std::size_t>(last)] + half;
      const double room = (right - left) / static_cast<double>(end - begin);
      std::sort(members.begin() + static_cast<std::ptrdiff_t>(begin), members.begin() + static_cast<std::ptrdiff_t>(end),
                [](const Switch* a, const Switch* b) { return a->vertex < b->vertex; });
      for (std::size_t i = begin; i < end; ++i) {
        members[i]->center.x = left + (static_cast<double>(i - begin) + 0.5) * room;
        const bool spans = end - begin == 1 && members[i]->level == 1 && !stacked_;
        members[i]->width = spans ? room : std::min(0.86 * room, 74.0);
      }
      begin = end;
    }
  }

  // ---- what is drawn ----

  static constexpr double kMargin = 30;
  static constexpr double kBoxHeight = 22;

  double box_height(const Switch& each) const { return upright(each) ? 46 : kBoxHeight; }

  bool upright(const Switch& each) const {
    return each.width < 6.2 * static_cast<double>(topology_.vertex_name(each.vertex).size());
  }

  void add_links(VertexId from, VertexId to, const std::vector<LinkId>& links) {
    const bool rising = is_endpoint(from) || (!is_endpoint(to) && at(from).level < at(to).level);
    const VertexId lower = rising ? from : to;
    const Switch& upper = at(rising ? to : from);
    if (is_endpoint(lower) && stacked_) return add_bar(lower, upper, links, rising);
    const double sign = is_endpoint(lower) && upper.below ? -1 : 1;
    Point low = is_endpoint(lower) ? Point{endpoint_x_[static_cast<std::size_t>(lower)], endpoint_y_} : at(lower).center;
    Point high = upper.center;
    low.y -= sign * (is_endpoint(lower) ? 0 : box_height(at(lower)) / 2);
    high.y += sign * box_height(upper) / 2;
    if (is_endpoint(lower) && std::abs(low.x - high.x) < upper.width / 2) high.x = low.x;  // straight up
    const double slender = is_endpoint(lower) ? 1 : slender_[static_cast<std::size_t>(upper.level)];
    if (!is_endpoint(lower)) spread_ends(low, at(lower).width, high, upper.width);
    const std::size_t lines = links.size() <= kMostApart ? links.size() : 1;
    for (std::size_t i = 0; i < lines; ++i) {
      const double aside = slender * drawing_.widest * (0.6 + 1.15 * static_cast<double>(i));
      DrawnLink line = line_between(links[i], rising ? low : high, rising ? high : low, aside, 1);
      if (lines < links.size()) line.links = links, merged_ = true;
      line.arrow = slot_ >= 9 && slender == 1;
      line.slender = slender;
      drawing_.links.push_back(std::move(line));
    }
  }

  /// Lines leave a box nearer to where they lead.
  void spread_ends(Point& low, double low_width, Point& high, double high_width) const {
    const double part = std::clamp((high.x - low.x) / (0.5 * drawing_.width), -1.0, 1.0);
    low.x += 0.42 * low_width * part;
    high.x -= 0.42 * high_width * part;
  }

  /// Up to the left of the middle, down to its right, one endpoint below the other.
  void add_bar(VertexId endpoint, const Switch& leaf, const std::vector<LinkId>& links, bool rising) {
    const double half = column_ / 2 - 2;
    const double y = endpoint_y_ + 6 + bar_height() * (endpoint - leaf.first);
    const double x = leaf.center.x - (rising ? half : 0);
    for (const LinkId link : links)
      drawing_.bars.push_back(
          {link, {x, y}, half, bar_height() - 1, rising ? DrawnBar::Growth::left : DrawnBar::Growth::right});
  }

  void add_switch(const Switch& each) {
    DrawnVertex box{.center = each.center, .width = each.width, .height = box_height(each), .shape = DrawnVertex::Shape::box};
    box.label = topology_.vertex_name(each.vertex);
    box.upright = upright(each);
    const auto letters = static_cast<double>(box.label.size());
    box.font = std::min({11.0, box.upright ? 44 / (0.62 * letters) : 11.0, box.upright ? 0.95 * each.width : 11.0});
    box.about = fmt::format("{}: serves endpoints {} to {}", box.label, each.first, each.last);
    if (box.font < 5) box.label.clear();
    if (stacked_ && each.level == 1) add_stack_text(each);
    drawing_.vertices.push_back(std::move(box));
  }

  /// "16-31" where ranks follow each other, else "7 ranks".
  std::string ranks_text(const Switch& leaf) const {
    std::vector<int> ranks;
    for (VertexId e = leaf.first; e <= leaf.last; ++e)
      if (rank_[static_cast<std::size_t>(e)] >= 0) ranks.push_back(rank_[static_cast<std::size_t>(e)]);
    if (ranks.empty()) return "-";
    if (ranks.size() == 1) return fmt::format("{}", ranks.front());
    const bool in_order = std::ranges::adjacent_find(ranks, [](int a, int b) { return b != a + 1; }) == ranks.end();
    return in_order ? fmt::format("{}-{}", ranks.front(), ranks.back()) : fmt::format("{} ranks", ranks.size());
  }

  void add_stack_text(const Switch& leaf) {
    const bool narrow = column_ < 54;
    const double y = endpoint_y_ + stack_height() + (narrow ? 12 : 20);
    const std::string text = ranks_text(leaf);
    drawing_.texts.push_back(
        {{leaf.center.x + (narrow ? 4 : 0), y}, text, 10, narrow ? DrawnText::Anchor::end : DrawnText::Anchor::middle, narrow});
  }

  void add_endpoint(VertexId endpoint) {
    const double radius = std::clamp(0.3 * slot_, 1.5, 5.0);
    const double x = endpoint_x_[static_cast<std::size_t>(endpoint)];
    drawing_.vertices.push_back(endpoint_circle(topology_, endpoint, rank_, {x, endpoint_y_}, radius, false));
    const int on_it = rank_[static_cast<std::size_t>(endpoint)];
    if (on_it < 0) return;
    const std::string text = fmt::format("{}", on_it);
    const bool upright = 6.4 * static_cast<double>(fmt::format("{}", std::ranges::max(rank_)).size()) > slot_;
    const double font = std::min(11.0, upright ? 1.05 * slot_ : 11.0);
    const int stride = font < 7 ? static_cast<int>(std::ceil(8 / slot_)) : 1;
    if (endpoint % stride != 0) return;
    const double size = std::max(font, 8.0);
    if (upright) {
      drawing_.texts.push_back(
          {{x + 0.36 * size + (two_fabrics_ ? radius + 4 : 0), endpoint_y_ + (two_fabrics_ ? -6 : radius + 6)},
           text,
           size,
           two_fabrics_ ? DrawnText::Anchor::start : DrawnText::Anchor::end,
           true});
    } else if (two_fabrics_) {  // cables leave above and below
      drawing_.texts.push_back({{x + radius + 3, endpoint_y_ + 4}, text, size, DrawnText::Anchor::start});
    } else {
      drawing_.texts.push_back({{x, endpoint_y_ + radius + 15}, text, size});
    }
  }

  void add_notes() {
    if (stacked_) {
      drawing_.notes.emplace_back(
          "Bars below a switch are its endpoints, the first on top: to the left what they send, to the right what they get.");
      drawing_.notes.emplace_back("Below them: which ranks they are.");
    } else {
      drawing_.notes.emplace_back("Numbers at endpoints are ranks.");
    }
    drawing_.notes.emplace_back("Each direction of a cable keeps to the right.");
    if (merged_) drawing_.notes.emplace_back("Parallel cables are one line: the most loaded one.");
  }

  const Topology& topology_;
  const std::vector<int>& rank_;
  Bundles bundles_;
  std::vector<std::pair<VertexId, VertexId>> rising_;  ///< lower and upper ends, layer by layer
  std::vector<Switch> switches_;
  std::map<VertexId, int> served_;  ///< endpoints by lowest switch, if stacked
  std::vector<double> endpoint_x_;
  double endpoint_y_ = 0;
  std::vector<double> slender_;  ///< by level
  double slot_ = 0;              ///< width of an endpoint, unless stacked
  double column_ = 0;            ///< width of a lowest switch, if stacked
  int top_ = 1;
  bool two_fabrics_ = false;
  bool stacked_ = false;
  bool merged_ = false;
  Drawing drawing_;
};

}  // namespace

Drawing draw_layers(const Topology& topology, const std::vector<int>& rank) { return LayerLayout(topology, rank).draw(); }

}  // namespace heddle::pictures
