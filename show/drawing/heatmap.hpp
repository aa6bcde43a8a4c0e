// SPDX-License-Identifier: Apache-2.0
// Loads of links as pictures.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"
#include "show/drawing/drawing.hpp"
#include "show/drawing/link_loads.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::pictures {

// Loads of links in letters, for a terminal.

/// Plain ASCII of at most 128 columns, for any fabric: a digit for each link where they fit, one for several where not, then a
/// table of loads by direction and the most loaded links. Digits are ninths of the loads' scale, '.' is nothing.
std::string ascii_heatmap(const LinkLoads& loads, const Fabric& fabric, const Placement& placement);

// A fabric's drawing with the loads of a run as colours and widths, a legend and the most loaded links by name.

/// What stands above a picture.
struct PictureTitle {
  std::string headline;                 ///< "allreduce, ring, on torus:4x4: 12.3 us"
  std::vector<std::string> details;     ///< a line each
  std::vector<std::string> scale = {};  ///< what the scale is of, a line each, below the legend's title
};

/// The whole file. The same bytes for the same input.
std::string svg_heatmap(const Drawing& drawing, const LinkLoads& loads, const Fabric& fabric, const PictureTitle& title);

// `heddle run --heatmap`: a picture of the links' loads for each algorithm whose result is right, all on one scale.

/// The loads of one algorithm's links.
struct HeatmapOfRun {
  std::size_t algorithm = 0;  ///< of the setup
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
  /// .png (require_picture_file). Contention needs setups that keep timelines.
  HeatmapFiles(const Setup& setup, const std::string& path, HeatmapOf of);

  void begin(const Setup& setup) override;
  void add(const Setup& setup, const Outcome& outcome) override;
  void end(const Setup& setup) override;

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

  void begin(const Setup& setup) override;
  void add(const Setup& setup, const Outcome& outcome) override;
  void end(const Setup& setup) override;

 private:
  std::ostream& out_;
  HeatmapOf of_;
  std::vector<HeatmapOfRun> runs_;
};

}  // namespace heddle::pictures
