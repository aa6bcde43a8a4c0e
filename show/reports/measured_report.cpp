// SPDX-License-Identifier: Apache-2.0
#include "show/reports/measured_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/printable.hpp"
#include "heddle/version.hpp"
#include "lab/documents/context.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMeasuredWidth = 100;

/// Each once, in their order.
template <class Of>
std::vector<std::string> names_of(const AgainstMeasured& against, Of of) {
  std::vector<std::string> names;
  for (const MeasuredPoint& point : against.points)
    if (std::string name = of(point); std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> fabrics_of(const AgainstMeasured& against) {
  return names_of(against, [](const MeasuredPoint& point) { return point.fabric; });
}

std::string head_text(const MeasuredRuns& measured, const ResultFile& emulated, const AgainstMeasured& against) {
  std::string text = fmt::format("# heddle {}: measured times beside emulated ones of {}\n", version(), emulated.path);
  for (const std::string& network : names_of(against, [](const MeasuredPoint& point) { return point.run->network; }))
    text += fmt::format("# measured: {}\n", network);
  for (const std::string& fabric : fabrics_of(against)) text += fmt::format("# emulated: {}\n", fabric);
  for (const std::string& line : measured.left_out) text += fmt::format("# left out: {}\n", line);
  return break_comments(text + "#\n", kMeasuredWidth);
}

std::string spread_text(const std::string& what, const RatioSpread& spread) {
  return fmt::format("# {}: emulated is {:.3g} times measured in the median, {:.3g} to {:.3g}\n", what, spread.median,
                     spread.least, spread.most);
}

std::string foot_text(const AgainstMeasured& against) {
  const std::vector<std::string> fabrics = fabrics_of(against);
  const std::vector<std::string> algorithms =
      names_of(against, [](const MeasuredPoint& point) { return point.run->experiment.algorithm; });
  std::string text;
  for (const std::string& fabric : fabrics)
    for (const std::string& algorithm : algorithms)
      if (const auto spread = against.ratios(fabric, algorithm))
        text += spread_text(fabrics.size() > 1 ? fmt::format("{} on {}", algorithm, fabric) : algorithm, *spread);
  if (fabrics.size() * algorithms.size() > 1) text += spread_text("all", *against.ratios());
  if (!against.alone.empty())
    text += fmt::format("# {} without an emulated one of the same call, the first at {}\n",
                        counted(std::ssize(against.alone), "measured run"), against.alone.front()->place);
  return text;
}

Document::Cell time_cell(Time time) { return {seconds_for_json(time), microseconds(time)}; }

}  // namespace

Document measured_report(const MeasuredRuns& measured, const ResultFile& emulated, const AgainstMeasured& against) {
  const bool has_fabrics = fabrics_of(against).size() > 1;
  Document document{
      .columns = {{"collective", {"collective", "", Table::Align::left}},
                  {"algorithm", {"algorithm", "", Table::Align::left}},
                  {"ranks", {"ranks", ""}, false},
                  has_fabrics ? Document::Column{"fabric", {"fabric", "", Table::Align::left}} : for_programs("fabric"),
                  {"bytes", {"size", "(B)", Table::Align::right, 7}},
                  {"measured_s", {"measured", "(us)", Table::Align::right, 10}},
                  {"emulated_s", {"emulated", "(us)", Table::Align::right, 10}},
                  {"ratio", {"ratio", "(x)", Table::Align::right, 6}}},
      .head = head_text(measured, emulated, against),
      .foot = foot_text(against)};
  for (const MeasuredPoint& point : against.points) {
    const Experiment& call = point.run->experiment;
    document.rows.push_back({to_string(call.collective),
                             call.algorithm,
                             *call.ranks,
                             point.fabric,
                             call.size.value_or(Bytes(0)).count(),
                             time_cell(point.run->time),
                             time_cell(point.emulated),
                             {point.ratio(), fmt::format("{:.3f}", point.ratio())}});
  }
  const RatioSpread all = *against.ratios();
  document.context = {{"emulated", emulated.path},
                      {"networks", names_of(against, [](const MeasuredPoint& point) { return point.run->network; })}};
  document.facts = {{"runs", nullptr},
                    {"ratios", {{"least", all.least}, {"median", all.median}, {"most", all.most}}},
                    {"alone", against.alone.size()}};
  return document;
}

pictures::Chart measured_chart(const AgainstMeasured& against) {
  using namespace pictures;
  const auto panel_of = [](const MeasuredPoint& point) {
    return fmt::format("{}, {}, {}", to_string(point.run->experiment.collective), counted(*point.run->experiment.ranks, "rank"),
                       point.fabric);
  };
  Chart chart{.title = "Measured and emulated", .panels = {}};
  for (const std::string& title : names_of(against, panel_of)) {
    ChartPanel panel{.title = title,
                     .x = {.title = "Size of the vector", .is_log = true, .labels = ChartAxis::Labels::bytes},
                     .y = {.title = "Time (us)", .is_log = true},
                     .lines = {}};
    const auto add = [&](const std::string& name, const MeasuredPoint& point, Time time) {
      auto line = std::ranges::find(panel.lines, name, &ChartLine::name);
      if (line == panel.lines.end()) line = panel.lines.insert(line, {name, {}});
      line->points.push_back(
          {static_cast<double>(point.run->experiment.size.value_or(Bytes(0)).count()), time.seconds() * 1e6});
    };
    for (const MeasuredPoint& point : against.points) {
      if (panel_of(point) != title) continue;
      add(point.run->experiment.algorithm + ", measured", point, point.run->time);
      add(point.run->experiment.algorithm + ", emulated", point, point.emulated);
    }
    for (ChartLine& line : panel.lines) std::ranges::stable_sort(line.points, {}, &ChartPoint::x);
    chart.panels.push_back(std::move(panel));
  }
  if (chart.panels.size() == 1) {
    chart.look = ChartLook::plot;
    chart.title = fmt::format("{}: measured and emulated", chart.panels.front().title);
    chart.panels.front().title.clear();
  }
  return chart;
}

}  // namespace heddle
