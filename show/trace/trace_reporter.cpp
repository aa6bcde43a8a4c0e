// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace_reporter.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/documents/run_json.hpp"
#include "show/files/picture_path.hpp"
#include "show/trace/trace_writer.hpp"

namespace heddle::pictures {

namespace {

nlohmann::ordered_json about(const Setup& plan, const Outcome& outcome) {
  const Timeline& timeline = *outcome.timeline;
  return {{"producer", "heddle " + std::string(version())},
          {"algorithm", outcome.algorithm->name},
          {"time_s", seconds_for_json(outcome.report()->completion)},
          {"payload_scale", outcome.report()->payload_scale},
          {"units",
           {{"ts", "us of emulated time"},
            {"*_us", "us of emulated time"},
            {"bytes", "bytes on the wire"},
            {"bytes_per_second", "bytes on the wire per second of emulated time"},
            {"percent_of_bandwidth", "what a fault leaves a link of its bandwidth"}}},
          {"messages", timeline.messages.size() - timeline.operations.size()},
          {"operations_in_network", timeline.operations.size()},
          {"spans", timeline.spans.size()},
          {"phases", timeline.phases.size()},
          {"context", json_of_context(plan)}};
}

}  // namespace

TraceReporter::TraceReporter(const Setup& plan, const std::string& path) : files_(files_of(plan, path)) {}

void TraceReporter::begin(const Setup&) {}

void TraceReporter::add(const Setup& plan, const Outcome& outcome) {
  const OutputFile& file = files_.at(next_++);
  if (outcome.report() == nullptr) return;
  file.write_by([&](std::ostream& out) {
    write_trace(*outcome.timeline, plan.fabric.topology(), plan.placement, about(plan, outcome), out,
                link_faults_of(plan, outcome));
  });
}

void TraceReporter::end(const Setup&) {}

}  // namespace heddle::pictures
