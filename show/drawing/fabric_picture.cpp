// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/units.hpp"
#include "lab/documents/fabric_report.hpp"
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
        details_({fmt::format("{} endpoints, {} switches, {} cables", topology_.endpoints(), topology_.switches(),
                              topology_.properties().cables),
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
      pugi::xml_node of_tier = SvgDocument::add(
          group, "g", {{"stroke", color_of(tier)}, {"stroke-width", svg_number(std::max(width * slender, 0.5))}});
      add_lines(of_tier, links, width, false);
    }
  }

  void add_bars() {
    if (drawing_.bars.empty()) return;
    pugi::xml_node group = add_group(svg_.root(), "bars", head_);
    for (const DrawnBar& bar : drawing_.bars)
      SvgDocument::add(group, "rect",
                       {{"x", svg_number(bar.corner.x)},
                        {"y", svg_number(bar.corner.y)},
                        {"width", svg_number(bar.width)},
                        {"height", svg_number(bar.height)},
                        {"fill", color_of(topology_.tier(bar.link))},
                        {"fill-opacity", "0.35"}});
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
      if (tier < tiers.size()) text = fmt::format("{} cables, {}", tiers[tier].cables, text);
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

}  // namespace heddle::pictures
