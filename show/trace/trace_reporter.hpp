// SPDX-License-Identifier: Apache-2.0
// `heddle run --trace`: what happened, for Perfetto, of each algorithm whose result is right.
#pragma once

#include <string>
#include <vector>

#include "show/output_file.hpp"
#include "show/reporter.hpp"

namespace heddle::pictures {

/// Files: `path` itself for one algorithm, else path_of_one for each. The plan keeps timelines.
class TraceReporter final : public Reporter {
 public:
  /// Throws InputError: a file that cannot be written.
  TraceReporter(const Setup& plan, const std::string& path);

  void begin(const Setup& plan) override;
  void add(const Setup& plan, const Outcome& outcome) override;
  void end(const Setup& plan) override;

 private:
  std::vector<OutputFile> files_;  ///< by algorithm
  std::size_t next_ = 0;
};

}  // namespace heddle::pictures
