// SPDX-License-Identifier: Apache-2.0
#include "cli/pictures/heatmap_reporter.hpp"

#include <fmt/format.h>

#include <ostream>

#include "cli/fabric_report.hpp"
#include "cli/pictures/ascii_heatmap.hpp"
#include "cli/pictures/link_load.hpp"
#include "cli/pictures/picture_path.hpp"
#include "cli/pictures/svg_heatmap.hpp"
#include "cli/version.hpp"
#include "core/units.hpp"

namespace heddle::pictures {

namespace {

std::string call_text(const RunPlan& plan) {
  if (plan.collective == Collective::barrier) return fmt::format("{} ranks", plan.ranks());
  return fmt::format("{} ranks, {} ({} {} {})", plan.ranks(), to_string(Bytes(plan.bytes())), plan.count, plan.type_name,
                     plan.op_name == "none" ? "elements" : plan.op_name);
}

PictureTitle title_of(const RunPlan& plan, const RunOutcome& outcome) {
  const Report& report = *outcome.report();
  PictureTitle title;
  title.headline = fmt::format("{} by {} on {}: {}", to_string(plan.collective), outcome.algorithm->name,
                               plan.fabric.topology().spec(), to_string(report.completion));
  std::string call = fmt::format("{}; placement {}", call_text(plan), plan.placement_text);
  if (!plan.groups.empty()) call += fmt::format("; groups {}", plan.groups_text);
  if (!plan.background.empty()) call += fmt::format("; background {} (its bytes are not counted)", plan.background_text);
  title.details = {call, fmt::format("{}{}", plan.preset.empty() ? "" : plan.preset + ": ", describe_speeds(plan.fabric)),
                   fmt::format("heddle {}; {} round{}, {} messages, seed {}", version(), report.rounds_max(),
                               report.rounds_max() == 1 ? "" : "s", report.messages(), plan.seed)};
  return title;
}

}  // namespace

SvgHeatmapReporter::SvgHeatmapReporter(const RunPlan& plan, const std::string& path)
    : drawing_(draw_loads(plan.fabric.topology(), plan.placement)), files_(files_of(plan, path)) {}

void SvgHeatmapReporter::begin(const RunPlan&) {}

void SvgHeatmapReporter::add(const RunPlan& plan, const RunOutcome& outcome) {
  const OutputFile& file = files_.at(next_++);
  if (outcome.report() == nullptr) return;
  file.write(svg_heatmap(drawing_, LinkLoads(*outcome.report()), plan.fabric.topology(), title_of(plan, outcome)));
}

void SvgHeatmapReporter::end(const RunPlan&) {}

void TextHeatmapReporter::begin(const RunPlan&) {}

void TextHeatmapReporter::add(const RunPlan& plan, const RunOutcome& outcome) {
  if (outcome.report() == nullptr) return;
  const PictureTitle title = title_of(plan, outcome);
  pictures_ += fmt::format("\n{}\n{}\n", title.headline, title.details.front());
  pictures_ += ascii_heatmap(LinkLoads(*outcome.report()), plan.fabric.topology(), plan.placement);
}

void TextHeatmapReporter::end(const RunPlan&) { out_ << pictures_ << std::flush; }

}  // namespace heddle::pictures
