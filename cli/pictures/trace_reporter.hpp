// SPDX-License-Identifier: Apache-2.0
// `heddle run --trace`: what happened, for Perfetto, of each algorithm whose result is right.
#pragma once

#include <string>
#include <vector>

#include "cli/output_file.hpp"
#include "cli/reporter.hpp"

namespace heddle::pictures {

/// Files: `path` itself for one algorithm, else path_of_one for each. The plan keeps timelines.
class TraceReporter final : public Reporter {
 public:
  /// Throws InputError: a file that cannot be written.
  TraceReporter(const RunPlan& plan, const std::string& path);

  void begin(const RunPlan& plan) override;
  void add(const RunPlan& plan, const RunOutcome& outcome) override;
  void end(const RunPlan& plan) override;

 private:
  std::vector<OutputFile> files_;  ///< by algorithm
  std::size_t next_ = 0;
};

}  // namespace heddle::pictures
