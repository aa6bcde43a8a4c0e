// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/drawing/picture_file.hpp"

namespace heddle::pictures {

namespace {

/// `text` without the first `part` in it.
std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

/// "star:64, 400Gbps" of "star:64, 13 ranks, 400Gbps".
std::string without_ranks(const SweepResult& result) { return without(result.fabric, fmt::format(", {} ranks", result.ranks)); }

}  // namespace

PlotAxes::PlotAxes(const std::vector<SweepResult>& planned) {
  std::set<std::int64_t> sizes;
  std::set<int> ranks;
  std::set<std::string> fabrics;
  std::map<std::string, std::set<int>> ranks_of;
  for (const SweepResult& result : planned) {
    sizes.insert(result.bytes);
    ranks.insert(result.ranks);
    fabrics.insert(result.fabric);
    ranks_of[without_ranks(result)].insert(result.ranks);
  }
  if (sizes.size() > 1) return;
  if (ranks.size() > 1) {
    x_ = PlotX::ranks;
    topologies_grow_ = true;
    for (const auto& [fabric, of_it] : ranks_of) topologies_grow_ &= of_it.size() == 1;
  } else if (fabrics.size() > 1) {
    x_ = PlotX::fabric;
  }
}

std::string PlotAxes::plot_of(const SweepResult& result) const {
  if (x_ == PlotX::size) return result.fabric;
  if (x_ == PlotX::fabric) return {};
  const std::string label = without_ranks(result);
  if (!topologies_grow_) return label;
  const std::size_t colon = result.topology.find(':');
  return colon == std::string::npos ? label : without(label, result.topology.substr(colon));
}

PlotFiles::PlotFiles(const std::string& path, PlotY y, const std::vector<SweepResult>& planned)
    : y_(y), path_(path), axes_(planned) {
  if (!path.ends_with(".svg") && !path.ends_with(".png") && !path.ends_with(".pdf"))
    throw InputError(fmt::format("'{}': a plot's file ends in .svg, .png or .pdf", path));
  const OutputFile as_named(path);
  for (const SweepResult& result : planned)
    if (const std::string plot = axes_.plot_of(result); std::ranges::find(plots_, plot) == plots_.end()) plots_.push_back(plot);
  for (const std::string& plot : plots_) paths_.push_back(plots_.size() == 1 ? path : path_of_one(path, plot));
  for (const std::string& file : paths_) files_.emplace_back(file);
  if (!path.ends_with(".svg")) require_converter();
}

void PlotFiles::write(const std::vector<SweepResult>& results, const TitleOf& title_of) const {
  for (std::size_t p = 0; p < plots_.size(); ++p) {
    std::vector<SweepResult> of_plot;
    std::ranges::copy_if(results, std::back_inserter(of_plot),
                         [&](const SweepResult& result) { return axes_.plot_of(result) == plots_[p]; });
    if (!has_points(of_plot, axes_.x(), y_)) continue;
    files_[p].write(picture_for(path_, chart_svg(plot_chart(of_plot, title_of(of_plot, axes_), y_, axes_.x()))));
  }
}

}  // namespace heddle::pictures

namespace heddle {

namespace {

/// "8", "2 to 64": least and most of them.
std::string range_text(const std::vector<SweepResult>& runs, int SweepResult::*of) {
  const auto [least, most] = std::ranges::minmax(runs, {}, of);
  return least.*of == most.*of ? fmt::format("{}", least.*of) : fmt::format("{} to {}", least.*of, most.*of);
}

}  // namespace

pictures::PlotTitle plot_title_of(const SweepDocument& document, const std::vector<SweepResult>& runs,
                                  const pictures::PlotAxes& axes) {
  const SweepResult& run = runs.front();
  const nlohmann::ordered_json& fabric = fabric_of(document, run);
  const auto text = [&](const char* key) {
    return fabric.contains(key) && fabric[key].is_string() ? fabric[key].get<std::string>() : std::string();
  };
  const std::string op = text("op") == "none" ? "" : " " + text("op");
  const std::string preset = text("preset").empty() ? "" : text("preset") + ": ";
  const std::string on = axes.x() == pictures::PlotX::fabric ? "" : " on " + axes.plot_of(run);
  const std::string size =
      axes.x() == pictures::PlotX::size || run.bytes == 0 ? "" : fmt::format(", {}", to_string(Bytes(run.bytes)));
  // Against fabrics, what they have in common alone.
  const std::string speeds = axes.x() == pictures::PlotX::fabric ? "" : fmt::format("; {}{}", preset, text("speeds"));
  return {fmt::format("{}{}{}", text("collective"), on, size),
          fmt::format("{} ranks, {}{}{}", range_text(runs, &SweepResult::ranks), text("datatype"), op, speeds)};
}

std::string svg_text_of(const SweepDocument& all, pictures::PlotY y) {
  const SweepDocument document = over_seeds(all);
  if (document.runs.empty()) throw InputError("a sweep without runs has nothing to draw");
  const SweepResult& first = document.runs.front();
  const pictures::PlotAxes axes(document.runs);
  for (const SweepResult& run : document.runs) {
    if (axes.plot_of(run) != axes.plot_of(first))
      throw InputError(fmt::format("{} and {}: a picture is of one fabric", first.fabric, run.fabric));
  }
  const pictures::PlotTitle title = plot_title_of(document, document.runs, axes);
  return pictures::chart_svg(pictures::plot_chart(document.runs, title, y, axes.x()));
}

}  // namespace heddle
