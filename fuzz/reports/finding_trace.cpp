// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/fuzz_reports.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "emu/record/timeline.hpp"
#include "fuzz/case_process.hpp"
#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/document/output_file.hpp"
#include "show/trace/trace.hpp"

namespace heddle {

namespace {

constexpr std::chrono::seconds kLongestTrace{10};

Time last_time(const Timeline& timeline) {
  Time last;
  for (const MessageRecord& message : timeline.messages)
    last = std::max({last, message.posted, message.started, message.drained, message.arrived});
  for (const FlowRecord& flow : timeline.flows) last = std::max({last, flow.begin, flow.end});
  for (const SpanRecord& span : timeline.spans) last = std::max(last, span.end);
  return last;
}

/// What has no end yet ends with the run.
void end_what_is_open(Timeline& timeline) {
  const Time end = last_time(timeline);
  for (MessageRecord& message : timeline.messages) {
    if (message.arrived >= message.posted && message.arrived > Time()) continue;
    for (Time* const time : {&message.started, &message.entered, &message.drained, &message.arrived}) {
      if (*time < message.posted || *time == Time()) *time = end;
    }
  }
  for (FlowRecord& flow : timeline.flows) {
    if (flow.end < flow.begin) flow.end = end;
  }
}

void trace(const FuzzFinding& finding, const std::string& path) {
  const Experiment& what = finding.smallest;
  const Setup setup = set_up(what, Unfitting::left_out);
  Timeline timeline;
  EmulationSettings settings = setup.settings;
  settings.sinks = {&timeline};
  std::string failure;
  try {
    run_call(setup, setup.algorithms.chosen.at(0), settings);
  } catch (const CheckError& error) {
    failure = to_string(error.kind());
  }
  const bool needs_a_failure = finding.failure.kind != CheckError::Kind::formula;  // which the run itself does not check
  if (timeline.messages.empty() || (needs_a_failure && failure.empty())) return;
  end_what_is_open(timeline);
  const nlohmann::ordered_json about = {{"producer", "heddle " + std::string(version())},
                                        {"algorithm", what.algorithm},
                                        {"failed", to_string(finding.failure.kind)},
                                        {"case", what.text()}};
  std::ostringstream out;
  pictures::write_trace(timeline, setup.fabric.topology(), setup.placement, about, out);
  OutputFile(path).write(out.str());
}

}  // namespace

bool write_trace_of(const FuzzFinding& finding, const std::string& path) {
  if (is_seen_from_outside(finding.failure.kind) || !finding.depends_on.empty()) return false;
  std::error_code error;
  std::filesystem::remove(path, error);  // an older run's
  failure_of_process([&] { trace(finding, path); }, kLongestTrace);
  return std::filesystem::exists(path, error);
}

}  // namespace heddle
