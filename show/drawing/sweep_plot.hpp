// SPDX-License-Identifier: Apache-2.0
// Sweeps as pictures.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/measurements/measured_run.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/chart.hpp"

namespace heddle::pictures {

// What a sweep is plotted against: whatever varies in it. Pure.

enum class PlotX : std::uint8_t {
  size,    ///< of the vector
  ranks,   ///< where there is one size
  fabric,  ///< or whatever else SweepResult::fabric says, where there is one number of ranks as well
};

/// Which results are drawn together, and against what.
class PlotAxes {
 public:
  /// Of all results that the sweep will have.
  explicit PlotAxes(const std::vector<SweepResult>& planned);

  PlotX x() const { return x_; }
  /// What the plot of a result is named after: over sizes its fabric, over ranks that without them ("torus", "star:64"), over
  /// fabrics nothing.
  std::string plot_of(const SweepResult& result) const;

 private:
  PlotX x_ = PlotX::size;
  bool topologies_grow_ = false;  ///< ranks differ because topologies do: "ring:4,ring:8"
};

// A sweep as a chart: a line for each algorithm, log axes, over sizes the points where the best one changes.

enum class PlotY : std::uint8_t {
  time,     ///< of the last rank
  goodput,  ///< bytes of the vector over time (algbw)
};

/// "time" or "goodput". Throws InputError.
PlotY parse_plot_y(std::string_view text);

/// What stands above a plot.
struct PlotTitle {
  std::string headline;  ///< "allreduce on torus:8x8"
  std::string details = {};
};

/// `results` are one plot's (PlotAxes), as a sweep lists them. What failed a check is not drawn. Algorithms that took the same
/// time everywhere have one line with all their names. `measured` are marks beside the lines of
/// their algorithms, of as many ranks, over ranks also of as many bytes. Throws InputError if nothing is left to draw.
Chart plot_chart(const std::vector<SweepResult>& results, const PlotTitle& title, PlotY y, PlotX x = PlotX::size,
                 std::span<const MeasuredRun> measured = {});

// `heddle sweep --plot`: a figure for each fabric, or one over whatever else varies.

class PlotFiles {
 public:
  /// `path` itself for one plot, else path_of_one for each ("out-torus_8x8.svg"). Throws InputError before anything is run:
  /// a file that cannot be written, a suffix that is no picture's, no rsvg-convert for a suffix that needs it. `planned`: all results, measured or not.
  PlotFiles(const std::string& path, PlotY y, const std::vector<SweepResult>& planned);

  /// Of its pictures.
  const std::vector<std::string>& paths() const { return paths_; }

  /// Runs of the sweep's collective, which stand beside the lines.
  void set_measured(std::vector<MeasuredRun> runs) { measured_ = std::move(runs); }

  using TitleOf = std::function<PlotTitle(const std::vector<SweepResult>& of_one_plot, const PlotAxes& axes)>;

  /// `title_of` is asked about each plot. Plots of which nothing was measured are not made. Throws
  /// InputError, rsvg-convert's complaint, and OutputError, a full disk.
  void write(const std::vector<SweepResult>& results, const TitleOf& title_of) const;

 private:
  PlotY y_;
  std::string path_;  ///< whose suffix is that of all files
  PlotAxes axes_;
  std::vector<std::string> plots_;  ///< as PlotAxes::plot_of names them
  std::vector<std::string> paths_;  ///< by plot
  std::vector<OutputFile> files_;   ///< by plot
  std::vector<MeasuredRun> measured_;
};

}  // namespace heddle::pictures

namespace heddle {

// A sweep as a picture.

/// What the plot of these runs is called: what the sweep was of, and what they have in common, the fabric's speeds say.
pictures::PlotTitle plot_title_of(const SweepDocument& document, const std::vector<SweepResult>& runs,
                                  const pictures::PlotAxes& axes);

/// A line for each algorithm over what varies (pictures::PlotAxes), as an SVG. Throws InputError: several
/// plots (pictures::PlotFiles), nothing to draw.
std::string svg_text_of(const SweepDocument& document, pictures::PlotY y = pictures::PlotY::time);

}  // namespace heddle
