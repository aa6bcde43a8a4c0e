// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"
#include "show/plot/gnuplot.hpp"

namespace heddle {

pictures::PlotTitle plot_title_of(const SweepDocument& document, const SweepResult& run) {
  const nlohmann::ordered_json& fabric = fabric_of(document, run);
  const auto text = [&](const char* key) {
    return fabric.contains(key) && fabric[key].is_string() ? fabric[key].get<std::string>() : std::string();
  };
  const std::string op = text("op") == "none" ? "" : " " + text("op");
  const std::string preset = text("preset").empty() ? "" : text("preset") + ": ";
  return {fmt::format("{} on {}", text("collective"), run.fabric),
          fmt::format("{} ranks, {}{}; {}{}", run.ranks, text("datatype"), op, preset, text("speeds"))};
}

std::string svg_text_of(const SweepDocument& document, pictures::PlotY y) {
  if (document.runs.empty()) throw InputError("a sweep without runs has nothing to draw");
  const SweepResult& first = document.runs.front();
  for (const SweepResult& run : document.runs) {
    if (run.fabric != first.fabric)
      throw InputError(fmt::format("{} and {}: a picture is of one fabric", first.fabric, run.fabric));
  }
  const pictures::PlotTitle title = plot_title_of(document, first);
  return pictures::run_gnuplot(pictures::plot_script(document.runs, title, y, pictures::PlotFormat::svg));
}

}  // namespace heddle
