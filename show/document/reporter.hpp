// SPDX-License-Identifier: Apache-2.0
// Who gets what a run measures, as it happens. The table and the JSON report are made of the same values.
#pragma once

#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/document/output_file.hpp"

namespace heddle {

class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  /// Before the first algorithm runs.
  virtual void begin(const Setup& /*setup*/) {}
  /// After each, in the order of the setup.
  virtual void add(const Setup& setup, const Outcome& outcome) = 0;
  /// In place of add() of the last: its run under the wall clock was stopped.
  virtual void add_stopped(const Setup& /*setup*/, const Algorithm& /*algorithm*/, const RunStopped& /*stopped*/) {}
  /// After the last, or after what stopped the run early.
  virtual void end(const Setup& /*setup*/) {}
};

// Where options are tuned: of each row's variants the best, for a reporter that shows these alone.

/// Hands on, at the end, for each row of the registry (bare_name) the outcome that took least time, of several the one that ran
/// first, and every outcome that failed. Until then it keeps them, so that memory is that of as many outcomes as there are rows.
class BestOfRowsReporter : public Reporter {
 public:
  /// `shown` outlives this.
  explicit BestOfRowsReporter(Reporter& shown) : shown_(shown) {}

  void add(const Setup& setup, const Outcome& outcome) override;
  void add_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const Setup& setup) override;

 private:
  struct Stopped {
    Algorithm algorithm;
    RunStopped what;
  };

  Reporter& shown_;
  std::vector<Outcome> kept_;
  std::vector<Stopped> stopped_;
};

// Writes a run's JSON document (lab/documents/run_json.hpp).

class JsonReporter : public Reporter {
 public:
  /// Writes the document once, at the end. `out` outlives this.
  explicit JsonReporter(std::ostream& out) : out_(&out) {}
  /// Writes the document anew after each algorithm, so that whatever ends the run leaves those that are done; "complete" says
  /// whether these are all.
  explicit JsonReporter(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}

  void begin(const Setup& setup) override;
  void add(const Setup& setup, const Outcome& outcome) override;
  void add_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const Setup& setup) override;

 private:
  void add_run(const Setup& setup, nlohmann::ordered_json run, bool is_whole);

  std::ostream* out_ = nullptr;
  std::unique_ptr<OutputFile> file_;
  nlohmann::ordered_json document_;
  EquivalentRuns equivalents_;
  bool are_whole_ = true;  ///< none of its runs was stopped
};

}  // namespace heddle
