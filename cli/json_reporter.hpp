// SPDX-License-Identifier: Apache-2.0
// A run's JSON, an interface that scripts rely on. One object:
//
//   context   what was asked for: version, fabric, ranks, data. Nothing of the host.
//   runs      one object per algorithm, in order; a failed one has `error` {kind, explanation} in place of what was measured,
//   one
//             that was stopped under the wall clock `stopped`
//   left_out  algorithms that do not fit, and why
//
// Numbers carry their unit in their name (time_s, algbw_Bps). null is a rate that has no number: unlimited, or nothing took
// time. All of it is the same bytes on every machine except each run's `host`; under the wall clock (context: `clock` "wall")
// times are measured, and each run has `wall_clock`: dilation, wall and virtual time, error.
#pragma once

#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/output_file.hpp"
#include "cli/reporter.hpp"

namespace heddle {

nlohmann::ordered_json json_of_context(const RunPlan& plan);
nlohmann::ordered_json json_of_run(const RunPlan& plan, const RunOutcome& outcome);

class JsonReporter : public Reporter {
 public:
  /// Writes the document once, at the end. `out` outlives this.
  explicit JsonReporter(std::ostream& out) : out_(&out) {}
  /// Writes the document anew after each algorithm, so that whatever ends the run leaves those that are done.
  explicit JsonReporter(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}

  void begin(const RunPlan& plan) override;
  void add(const RunPlan& plan, const RunOutcome& outcome) override;
  void add_stopped(const RunPlan& plan, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const RunPlan& plan) override;

 private:
  void add_run(nlohmann::ordered_json run);

  std::ostream* out_ = nullptr;
  std::unique_ptr<OutputFile> file_;
  nlohmann::ordered_json document_;
};

}  // namespace heddle
