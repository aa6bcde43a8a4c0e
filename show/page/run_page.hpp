// SPDX-License-Identifier: Apache-2.0
// `heddle run --html`: one page of all algorithms of a run.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"
#include "show/drawing/drawing.hpp"

namespace heddle::pages {

/// Written at the end, with whatever has run until then. Of outcomes with a sample (Setup::keep_sample) it shows loads over time,
/// messages, the critical path and the steps of the algorithm; a page has room for so much, which its algorithms share.
class RunPageReporter final : public Reporter {
 public:
  /// `command` repeats the run.
  RunPageReporter(std::unique_ptr<OutputFile> file, std::string command)
      : file_(std::move(file)), command_(std::move(command)) {}

  void begin(const Setup& setup) override;
  void add(const Setup& setup, const Outcome& outcome) override;
  void add_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) override;
  void end(const Setup& setup) override;

 private:
  void add_sample(const Setup& setup, const Outcome& outcome, nlohmann::ordered_json& run) const;
  nlohmann::ordered_json steps(const Setup& setup, const Algorithm& algorithm);

  std::unique_ptr<OutputFile> file_;
  std::string command_;
  nlohmann::ordered_json data_;
  std::optional<pictures::Drawing> drawing_;
  std::vector<LinkId> links_;  ///< of the drawing
  Twins twins_;
  std::size_t room_for_steps_ = 0;  ///< bytes that are left
};

}  // namespace heddle::pages
