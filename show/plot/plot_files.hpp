// SPDX-License-Identifier: Apache-2.0
// `heddle sweep --plot`: a figure for each fabric, or one over whatever else varies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/sweep/sweep_result.hpp"
#include "show/output_file.hpp"
#include "show/plot/plot_axes.hpp"
#include "show/plot/plot_script.hpp"

namespace heddle::pictures {

class PlotFiles {
 public:
  /// `path` itself for one plot, else path_of_one for each ("out-torus_8x8.svg"). Throws InputError before anything is run:
  /// no gnuplot, a file that cannot be written, a suffix that is no picture's. `planned`: all results, measured or not.
  PlotFiles(const std::string& path, PlotY y, const std::vector<SweepResult>& planned);

  /// Of its pictures.
  const std::vector<std::string>& paths() const { return paths_; }

  using TitleOf = std::function<PlotTitle(const std::vector<SweepResult>& of_one_plot, const PlotAxes& axes)>;

  /// `title_of` is asked about each plot. Plots of which nothing was measured are not made. Blocks while gnuplot runs. Throws
  /// InputError, gnuplot's complaint, and OutputError, a full disk.
  void write(const std::vector<SweepResult>& results, const TitleOf& title_of) const;

 private:
  PlotY y_;
  PlotFormat format_;
  PlotAxes axes_;
  std::vector<std::string> plots_;  ///< as PlotAxes::plot_of names them
  std::vector<std::string> paths_;  ///< by plot
  std::vector<OutputFile> files_;   ///< by plot
};

}  // namespace heddle::pictures
