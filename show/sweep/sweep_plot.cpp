// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/plot/gnuplot.hpp"

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
  return pictures::run_gnuplot(pictures::plot_script(document.runs, title, y, pictures::PlotFormat::svg, axes.x()));
}

}  // namespace heddle
