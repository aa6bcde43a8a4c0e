// SPDX-License-Identifier: Apache-2.0
// Writes a run's JSON document (lab/documents/run_json.hpp).
#pragma once

#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>

#include "lab/describe/equal_runs.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"

namespace heddle {

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
  Twins twins_;
  bool are_whole_ = true;  ///< none of its runs was stopped
};

}  // namespace heddle
