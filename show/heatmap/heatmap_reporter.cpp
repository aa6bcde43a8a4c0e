// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/heatmap_reporter.hpp"

#include <fmt/format.h>

#include <ostream>

#include "core/units.hpp"
#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "show/drawing/picture_path.hpp"
#include "show/heatmap/ascii_heatmap.hpp"
#include "show/heatmap/link_load.hpp"
#include "show/heatmap/svg_heatmap.hpp"

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
  std::string call = fmt::format("{}; placement {}", call_text(plan), plan.placement_text);
  if (!plan.groups.empty()) call += fmt::format("; groups {}", plan.groups_text);
  if (!plan.background.empty()) call += fmt::format("; background {} (its bytes are not counted)", plan.background_text);
  title.details = {call, fmt::format("{}{}", plan.preset.empty() ? "" : plan.preset + ": ", describe_speeds(plan.fabric)),
                   fmt::format("heddle {}; {} round{}, {} messages, seed {}", version(), report.rounds_max(),
                               report.rounds_max() == 1 ? "" : "s", report.messages(), plan.seed)};
  return title;
}

}  // namespace

SvgHeatmapReporter::SvgHeatmapReporter(const Setup& plan, const std::string& path)
    : drawing_(draw_loads(plan.fabric.topology(), plan.placement)), files_(files_of(plan, path)) {}

void SvgHeatmapReporter::begin(const Setup&) {}

void SvgHeatmapReporter::add(const Setup& plan, const Outcome& outcome) {
  const OutputFile& file = files_.at(next_++);
  if (outcome.report() == nullptr) return;
  file.write(svg_heatmap(drawing_, LinkLoads(*outcome.report()), plan.fabric.topology(), title_of(plan, outcome)));
}

void SvgHeatmapReporter::end(const Setup&) {}

void TextHeatmapReporter::begin(const Setup&) {}

void TextHeatmapReporter::add(const Setup& plan, const Outcome& outcome) {
  if (outcome.report() == nullptr) return;
  const PictureTitle title = title_of(plan, outcome);
  pictures_ += fmt::format("\n{}\n{}\n", title.headline, title.details.front());
  pictures_ += ascii_heatmap(LinkLoads(*outcome.report()), plan.fabric.topology(), plan.placement);
}

void TextHeatmapReporter::end(const Setup&) { out_ << pictures_ << std::flush; }

}  // namespace heddle::pictures
