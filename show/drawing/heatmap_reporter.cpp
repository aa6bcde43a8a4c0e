// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/heatmap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "core/units.hpp"
#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "show/drawing/link_loads.hpp"
#include "show/drawing/picture_file.hpp"

namespace heddle::pictures {

namespace {

std::string call_text(const Setup& plan) {
  if (plan.collective == Collective::barrier) return fmt::format("{} ranks", plan.ranks());
  return fmt::format("{} ranks, {} ({} {} {})", plan.ranks(), to_string(Bytes(plan.bytes())), plan.count, plan.type_name,
                     plan.op_name == "none" ? "elements" : plan.op_name);
}

PictureTitle title_of(const Setup& plan, const Outcome& outcome) {
  const Report& report = *outcome.report();
  PictureTitle title;
  title.headline = fmt::format("{} by {} on {}: {}", to_string(plan.collective), outcome.algorithm->name,
                               plan.fabric.topology().spec(), to_string(report.completion));
  std::string call = fmt::format("{}; placement {}", call_text(plan), plan.asked.placement);
  if (!plan.groups.empty()) call += fmt::format("; groups {}", plan.asked.groups);
  if (!plan.background.empty())
    call += fmt::format("; background {} (its bytes are not counted)", fmt::join(plan.asked.background, ","));
  title.details = {call,
                   fmt::format("{}{}", plan.asked.fabric.preset.empty() ? "" : plan.asked.fabric.preset + ": ",
                               describe_speeds(plan.fabric)),
                   fmt::format("heddle {}; {} round{}, {} messages, seed {}", version(), report.rounds_max(),
                               report.rounds_max() == 1 ? "" : "s", report.messages(), plan.asked.seed)};
  return title;
}

HeatmapOfRun heatmap_of(const Setup& plan, const Outcome& outcome, HeatmapOf of, std::size_t algorithm) {
  return {algorithm, outcome.report()->completion, measured_loads(of, plan, outcome), title_of(plan, outcome)};
}

/// How a utilisation over the time of the slowest run is to be read.
std::vector<std::string> scale_text(const HeatmapOfRun& run, const HeatmapOfRun& slowest, bool alone) {
  std::vector<std::string> text;
  if (run.loads.of() == HeatmapOf::utilisation)
    text.push_back(fmt::format("Of what it could carry in {}{}.", to_string(slowest.completion),
                               alone ? "" : ", the time of the slowest run"));
  if (run.loads.of() == HeatmapOf::utilisation && run.completion < slowest.completion)
    text.push_back(fmt::format("In its own {}: at most {}.", to_string(run.completion), run.loads.text(run.loads.most())));
  if (!alone) text.emplace_back("All pictures of this command have this scale.");
  return text;
}

}  // namespace

std::vector<HeatmapOfRun> on_one_scale(std::vector<HeatmapOfRun> runs) {
  if (runs.empty()) return runs;
  const HeatmapOfRun slowest = *std::ranges::max_element(runs, {}, &HeatmapOfRun::completion);
  double end = 0;
  for (HeatmapOfRun& run : runs) {
    run.title.scale = scale_text(run, slowest, runs.size() == 1);
    if (run.loads.of() == HeatmapOf::utilisation && run.completion < slowest.completion)
      run.loads = run.loads.times(run.completion.seconds() / slowest.completion.seconds());
    end = std::max(end, run.loads.most());
  }
  for (HeatmapOfRun& run : runs) run.loads = run.loads.on_scale(end);
  return runs;
}

HeatmapFiles::HeatmapFiles(const Setup& plan, const std::string& path, HeatmapOf of)
    : of_(of), path_(path), drawing_(draw_loads(plan.fabric.topology(), plan.placement)), files_(files_of(plan, path)) {}

void HeatmapFiles::begin(const Setup&) {}

void HeatmapFiles::add(const Setup& plan, const Outcome& outcome) {
  const std::size_t algorithm = next_++;
  if (outcome.report() != nullptr) runs_.push_back(heatmap_of(plan, outcome, of_, algorithm));
}

void HeatmapFiles::end(const Setup& plan) {
  for (const HeatmapOfRun& run : on_one_scale(std::move(runs_)))
    files_.at(run.algorithm).write(picture_for(path_, svg_heatmap(drawing_, run.loads, plan.fabric, run.title)));
}

void TextHeatmapReporter::begin(const Setup&) {}

void TextHeatmapReporter::add(const Setup& plan, const Outcome& outcome) {
  if (outcome.report() != nullptr) runs_.push_back(heatmap_of(plan, outcome, of_, runs_.size()));
}

void TextHeatmapReporter::end(const Setup& plan) {
  for (const HeatmapOfRun& run : on_one_scale(std::move(runs_))) {
    out_ << fmt::format("\n{}\n{}\n", run.title.headline, run.title.details.front());
    for (const std::string& line : run.title.scale) out_ << fmt::format("{}\n", line);
    out_ << ascii_heatmap(run.loads, plan.fabric, plan.placement);
  }
  out_ << std::flush;
}

}  // namespace heddle::pictures
