// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/fabric_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <span>
#include <vector>

#include "core/printable.hpp"
#include "heddle/units.hpp"
#include "lab/documents/context.hpp"
#include "show/drawing/drawing.hpp"
#include "show/drawing/svg.hpp"

namespace heddle::pictures {

namespace {

constexpr double kLegendWidth = 330;        // width of the legend
constexpr std::size_t kLegendLetters = 46;  // in a line of it
constexpr double kThin = 0.35;              // of a heat map's widest line

class FabricPicture {
 public:
  explicit FabricPicture(const Fabric& fabric)
      : fabric_(fabric),
        topology_(fabric.topology()),
        drawing_(draw_loads(topology_, linear_placement(topology_.endpoints(), topology_))),
        details_({fmt::format("{}, {}, {}", counted(topology_.endpoints(), "endpoint"),
                              counted(topology_.switches(), "switch", "es"), counted(topology_.properties().cables, "cable")),
                  describe_speeds(fabric)}),
        head_(title_height(details_.size())),
        width_(drawing_.width + kLegendWidth),
        svg_(width_,
             head_ + std::max(drawing_.height, 160 + kLineHeight * static_cast<double>(legend_lines())) + kPictureMargin,
             topology_.spec()) {
    for (DrawnLink& link : drawing_.links) link.arrow = false;
  }

  std::string draw() {
    add_title(svg_.root(), width_, topology_.spec(), details_);
    add_links();
    add_bars();
    add_vertices(svg_.root(), drawing_, head_);
    add_legend();
    return svg_.text();
  }

 private:
  std::size_t legend_lines() const {
    std::size_t lines = 2 * speeds_by_tier(fabric_).size();
    for (const std::string& note : drawing_.notes) lines += wrapped(note, kLegendLetters).size();
    return lines;
  }

  std::string color_of(int tier) const { return std::string(line_color(static_cast<std::size_t>(tier))); }

  void add_links() {
    std::map<std::pair<int, double>, std::vector<const DrawnLink*>> alike;
    for (const DrawnLink& link : drawing_.links) alike[{topology_.tier(link.links.front()), link.slender}].push_back(&link);
    pugi::xml_node group = add_group(svg_.root(), "links", head_);
    const double width = std::max(kThin * drawing_.widest, 1.0);
    for (const auto& [look, links] : alike) {
      const auto [tier, slender] = look;
      pugi::xml_node of_tier =
          SvgDocument::add(group, "g", {{"stroke", color_of(tier)}, {"stroke-width", std::max(width * slender, 0.5)}});
      add_lines(of_tier, links, width, false);
    }
  }

  void add_bars() {
    if (drawing_.bars.empty()) return;
    pugi::xml_node group = add_group(svg_.root(), "bars", head_);
    for (const DrawnBar& bar : drawing_.bars)
      SvgDocument::add_rect(group, bar.corner, bar.width, bar.height,
                            {{"fill", color_of(topology_.tier(bar.link))}, {"fill-opacity", "0.35"}});
  }

  void add_legend() {
    pugi::xml_node panel = SvgDocument::add(svg_.root(), "g", {{"id", "legend"}});
    const double x = width_ - kLegendWidth + 16;
    double y = head_ + 14;
    const std::vector<TierProperties> tiers = topology_.properties().tiers;
    const std::vector<NamedSpeed> speeds = speeds_by_tier(fabric_);
    for (std::size_t tier = 0; tier < speeds.size(); ++tier) {
      SvgDocument::add(panel, "path",
                       {{"d", fmt::format("M{} {}h32", svg_number(x), svg_number(y - 4))},
                        {"stroke", color_of(static_cast<int>(tier))},
                        {"stroke-width", "4"}});
      SvgDocument::add_text(panel, x + 42, y, speeds[tier].name, {{"font-weight", "bold"}});
      y += kLineHeight;
      std::string text = fmt::format("{}, {}", to_string(speeds[tier].speed.bandwidth), to_string(speeds[tier].speed.latency));
      if (tier < tiers.size()) text = fmt::format("{}, {}", counted(tiers[tier].cables, "cable"), text);
      SvgDocument::add_text(panel, x + 42, y, text);
      y += kLineHeight;
    }
    y += 8;
    for (const std::string& note : drawing_.notes)
      for (const std::string& line : wrapped(note, kLegendLetters)) {
        SvgDocument::add_text(panel, x, y, line);
        y += kLineHeight;
      }
  }

  const Fabric& fabric_;
  const Topology& topology_;
  Drawing drawing_;
  std::vector<std::string> details_;
  double head_;  ///< height of the title
  double width_;
  SvgDocument svg_;
};

}  // namespace

std::string svg_fabric(const Fabric& fabric) { return FabricPicture(fabric).draw(); }

namespace {

constexpr int kMostDrawn = 64;           // ranks with a place of their own
constexpr std::size_t kMostPanels = 24;  // rounds
constexpr std::size_t kMostWords = 6;    // lines below a round's title
constexpr double kRankPitch = 46;
constexpr double kRankRadius = 11;
constexpr double kLeastPanel = 330;  // width, for the words
constexpr double kMostAcross = 1400;
constexpr double kLetter = 6.1;  // of words in a panel

/// Lines of one round.
using Round = std::span<const ScheduleLine>;

std::vector<Round> rounds_of(const std::vector<ScheduleLine>& lines) {
  std::vector<Round> rounds;
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    for (end = begin; end < lines.size() && lines[end].round == lines[begin].round;) ++end;
    rounds.emplace_back(lines.data() + begin, end - begin);
  }
  return rounds;
}

/// Where ranks stand in a panel, from its upper left corner.
struct RankPlaces {
  explicit RankPlaces(const ScheduleDrawing& drawing) {
    if (drawing.ranks > kMostDrawn) return;
    const double edge = kRankRadius + 16;
    if (drawing.dims.size() == 2) {
      for (int r = 0; r < drawing.ranks; ++r)
        at.push_back({edge + kRankPitch * (r % drawing.dims[1]), edge + kRankPitch * (r / drawing.dims[1])});
    } else {
      const double radius = std::max(kRankPitch * drawing.ranks / (2 * std::numbers::pi), 40.0);
      for (int r = 0; r < drawing.ranks; ++r) {
        const double angle = 2 * std::numbers::pi * r / drawing.ranks;
        at.push_back({edge + radius * (1 + std::sin(angle)), edge + radius * (1 - std::cos(angle))});
      }
    }
    for (const Point& each : at) {
      width = std::max(width, each.x + edge);
      height = std::max(height, each.y + edge);
    }
  }

  std::vector<Point> at;  ///< by rank; none: too many
  double width = 0;
  double height = 0;
};

class SchedulePicture {
 public:
  explicit SchedulePicture(const ScheduleDrawing& drawing)
      : drawing_(drawing),
        rounds_(rounds_of(drawing.lines)),
        places_(drawing),
        shown_(std::min(rounds_.size(), kMostPanels)),
        panel_(std::max(places_.width, kLeastPanel) + 20),
        across_(std::clamp<std::size_t>(static_cast<std::size_t>(kMostAcross / panel_), 1, std::max<std::size_t>(shown_, 1))),
        words_(most_words()),
        details_(details()),
        head_(title_height(details_.size())),
        svg_(std::max(2 * kPictureMargin + panel_ * static_cast<double>(across_), 640.0), height(), drawing.title) {}

  std::string draw() {
    add_title(svg_.root(), std::max(2 * kPictureMargin + panel_ * static_cast<double>(across_), 640.0), drawing_.title,
              details_);
    for (std::size_t i = 0; i < shown_; ++i)
      add_round(rounds_[i], {kPictureMargin + panel_ * static_cast<double>(i % across_),
                             head_ + panel_height() * static_cast<double>(i / across_)});
    return svg_.text();
  }

 private:
  std::vector<std::string> details() const {
    std::vector<std::string> lines;
    if (rounds_.empty()) lines.emplace_back("No messages.");
    if (!drawing_.note.empty()) lines.push_back(drawing_.note + ".");
    if (shown_ < rounds_.size()) lines.push_back(fmt::format("The first {} of {} rounds are drawn.", shown_, rounds_.size()));
    if (places_.at.empty()) lines.push_back(fmt::format("{} ranks: what they do is in words.", drawing_.ranks));
    return lines;
  }

  std::size_t most_words() const {
    std::size_t most = 0;
    for (const Round& round : std::span(rounds_).first(shown_)) most = std::max(most, round.size());
    return std::min(most, kMostWords + 1);
  }

  double panel_height() const { return 26 + kLineHeight * static_cast<double>(words_) + places_.height + 16; }
  double height() const {
    const auto down = (shown_ + across_ - 1) / across_;
    return head_ + panel_height() * static_cast<double>(down) + kPictureMargin;
  }

  void add_round(Round round, Point corner) {
    pugi::xml_node group = SvgDocument::add(svg_.root(), "g", {{"class", "round"}});
    double y = corner.y + 14;
    SvgDocument::add_text(group, corner.x, y, fmt::format("round {}", round.front().round), {{"font-weight", "bold"}});
    for (std::size_t i = 0; i < std::min(round.size(), kMostWords); ++i) {
      y += kLineHeight;
      const pugi::xml_node words =
          SvgDocument::add_text(group, corner.x, y, fitting(fmt::format("{}   {}", round[i].who, round[i].what)),
                                {{"font-size", "11"}, {"fill", std::string(line_color(i))}});
      SvgDocument::add_hint(words, fmt::format("{}   {}", round[i].who, round[i].what));
    }
    if (round.size() > kMostWords)
      SvgDocument::add_text(group, corner.x, y + kLineHeight, fmt::format("and {} more", round.size() - kMostWords),
                            {{"font-size", "11"}});
    if (places_.at.empty()) return;
    const Point origin = {corner.x, corner.y + 22 + kLineHeight * static_cast<double>(words_)};
    for (std::size_t i = 0; i < round.size(); ++i) add_messages(group, round[i], std::string(line_color(i)), origin);
    for (std::size_t r = 0; r < places_.at.size(); ++r) add_rank(group, r, origin);
  }

  /// In a panel's width; letters of UTF-8 are not cut.
  std::string fitting(const std::string& text) const {
    const auto room = static_cast<std::size_t>((panel_ - 24) / kLetter);
    std::size_t letters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
      if (++letters > room) return text.substr(0, i) + "…";
    }
    return text;
  }

  void add_messages(pugi::xml_node group, const ScheduleLine& line, const std::string& color, Point origin) {
    std::vector<DrawnLink> arrows;
    for (const auto& [from, to] : line.messages) {
      const Point a = places_.at[static_cast<std::size_t>(from)];
      const Point b = places_.at[static_cast<std::size_t>(to)];
      const Point begin = {origin.x + a.x, origin.y + a.y};
      const Point end = {origin.x + b.x, origin.y + b.y};
      // A little to the right, so that both ways of an exchange are seen, and what lies between is passed by.
      const Point bow = {-(end.y - begin.y) * 0.16, (end.x - begin.x) * 0.16};
      const Point middle = {(begin.x + end.x) / 2 + bow.x, (begin.y + end.y) / 2 + bow.y};
      arrows.push_back(curve_between(0, begin, middle, end, 0, kRankRadius + 1));
    }
    std::vector<const DrawnLink*> all;
    for (const DrawnLink& arrow : arrows) all.push_back(&arrow);
    pugi::xml_node of_line = SvgDocument::add(group, "g", {{"stroke", color}, {"fill", color}, {"stroke-width", "1.3"}});
    add_lines(of_line, all, 1.3, true);
    add_arrows(of_line, all, 1.3);
  }

  void add_rank(pugi::xml_node group, std::size_t rank, Point origin) {
    const Point at = {origin.x + places_.at[rank].x, origin.y + places_.at[rank].y};
    SvgDocument::add_circle(group, at, kRankRadius, {{"fill", "#ffffff"}, {"stroke", "#222222"}});
    SvgDocument::add_text(group, at.x, at.y + 4, fmt::format("{}", rank), {{"text-anchor", "middle"}, {"font-size", "11"}});
  }

  const ScheduleDrawing& drawing_;
  std::vector<Round> rounds_;
  RankPlaces places_;
  std::size_t shown_;   ///< rounds
  double panel_;        ///< width
  std::size_t across_;  ///< panels side by side
  std::size_t words_;   ///< lines of them in a panel
  std::vector<std::string> details_;
  double head_;  ///< height of the title
  SvgDocument svg_;
};

}  // namespace

std::string svg_schedule(const ScheduleDrawing& drawing) { return SchedulePicture(drawing).draw(); }

}  // namespace heddle::pictures
