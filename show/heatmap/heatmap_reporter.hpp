// SPDX-License-Identifier: Apache-2.0
// `heddle run --heatmap`: a picture of the links' loads for each algorithm whose result is right, all on one scale.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "show/drawing/drawing.hpp"
#include "show/heatmap/link_load.hpp"
#include "show/heatmap/svg_heatmap.hpp"
#include "show/output_file.hpp"
#include "show/reporter.hpp"

namespace heddle::pictures {

/// The loads of one algorithm's links.
struct HeatmapOfRun {
  std::size_t algorithm = 0;  ///< of the plan
  Time completion;
  LinkLoads loads;
  PictureTitle title;
};

/// Makes pictures comparable: one scale for all, up to the largest load of any, and utilisations over one time, that of the
/// slowest run. Each title's `scale` says so. Loads as measured_loads makes them.
std::vector<HeatmapOfRun> on_one_scale(std::vector<HeatmapOfRun> runs);

/// Picture files, made at the end: `path` itself for one algorithm, else path_of_one for each.
class HeatmapFiles final : public Reporter {
 public:
  /// Throws InputError: a fabric that has no drawing, a file that cannot be written. `path` ends in .svg or
  /// .png (require_picture_file). Contention needs plans that keep timelines.
  HeatmapFiles(const Setup& plan, const std::string& path, HeatmapOf of);

  void begin(const Setup& plan) override;
  void add(const Setup& plan, const Outcome& outcome) override;
  void end(const Setup& plan) override;

 private:
  HeatmapOf of_;
  std::string path_;  ///< whose suffix is that of all files
  Drawing drawing_;
  std::vector<OutputFile> files_;  ///< by algorithm
  std::vector<HeatmapOfRun> runs_;
  std::size_t next_ = 0;
};

/// Letters, to a stream, at the end.
class TextHeatmapReporter final : public Reporter {
 public:
  /// `out` outlives this.
  TextHeatmapReporter(std::ostream& out, HeatmapOf of) : out_(out), of_(of) {}

  void begin(const Setup& plan) override;
  void add(const Setup& plan, const Outcome& outcome) override;
  void end(const Setup& plan) override;

 private:
  std::ostream& out_;
  HeatmapOf of_;
  std::vector<HeatmapOfRun> runs_;
};

}  // namespace heddle::pictures
