// SPDX-License-Identifier: Apache-2.0
// `heddle run --heatmap`: a picture of the links' loads for each algorithm whose result is right.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "show/drawing/drawing.hpp"
#include "show/output_file.hpp"
#include "show/reporter.hpp"

namespace heddle::pictures {

/// SVG files: `path` itself for one algorithm, else path_of_one for each.
class SvgHeatmapReporter final : public Reporter {
 public:
  /// Throws InputError: a fabric that has no drawing, a file that cannot be written.
  SvgHeatmapReporter(const Setup& plan, const std::string& path);

  void begin(const Setup& plan) override;
  void add(const Setup& plan, const Outcome& outcome) override;
  void end(const Setup& plan) override;

 private:
  Drawing drawing_;
  std::vector<OutputFile> files_;  ///< by algorithm
  std::size_t next_ = 0;
};

/// Letters, to a stream.
class TextHeatmapReporter final : public Reporter {
 public:
  /// `out` outlives this.
  explicit TextHeatmapReporter(std::ostream& out) : out_(out) {}

  void begin(const Setup& plan) override;
  void add(const Setup& plan, const Outcome& outcome) override;
  void end(const Setup& plan) override;

 private:
  std::ostream& out_;
  std::string pictures_;  ///< after the table
};

}  // namespace heddle::pictures
