// SPDX-License-Identifier: Apache-2.0
// `heddle sweep --plot`: a figure for each fabric.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/sweep/sweep_result.hpp"
#include "show/output_file.hpp"
#include "show/plot/plot_script.hpp"

namespace heddle::pictures {

class PlotFiles {
 public:
  /// `path` itself for one fabric, else path_of_one for each ("out-torus_8x8.svg"). Throws InputError before anything is run:
  /// no gnuplot, a file that cannot be written, a suffix that is no picture's. `fabrics` as SweepResult::fabric names them.
  PlotFiles(const std::string& path, PlotY y, const std::vector<std::string>& fabrics);

  /// Of its pictures.
  const std::vector<std::string>& paths() const { return paths_; }

  /// `title_of` is asked about one result of each fabric. Fabrics of which nothing was measured get no picture. Blocks while
  /// gnuplot runs. Throws InputError, gnuplot's complaint, and OutputError, a full disk.
  void write(const std::vector<SweepResult>& results, const std::function<PlotTitle(const SweepResult&)>& title_of) const;

 private:
  PlotY y_;
  PlotFormat format_;
  std::vector<std::string> fabrics_;
  std::vector<std::string> paths_;  ///< by fabric
  std::vector<OutputFile> files_;   ///< by fabric
};

}  // namespace heddle::pictures
