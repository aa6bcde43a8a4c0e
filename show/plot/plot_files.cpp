// SPDX-License-Identifier: Apache-2.0
#include "show/plot/plot_files.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "show/files/picture_path.hpp"
#include "show/plot/gnuplot.hpp"

namespace heddle::pictures {

PlotFiles::PlotFiles(const std::string& path, PlotY y, const std::vector<SweepResult>& planned)
    : y_(y), format_(plot_format_of(path)), axes_(planned) {
  const OutputFile as_named(path);
  for (const SweepResult& result : planned)
    if (const std::string plot = axes_.plot_of(result); std::ranges::find(plots_, plot) == plots_.end()) plots_.push_back(plot);
  for (const std::string& plot : plots_) paths_.push_back(plots_.size() == 1 ? path : path_of_one(path, plot));
  for (const std::string& file : paths_) files_.emplace_back(file);
  require_gnuplot();
}

void PlotFiles::write(const std::vector<SweepResult>& results, const TitleOf& title_of) const {
  for (std::size_t p = 0; p < plots_.size(); ++p) {
    std::vector<SweepResult> of_plot;
    std::ranges::copy_if(results, std::back_inserter(of_plot),
                         [&](const SweepResult& result) { return axes_.plot_of(result) == plots_[p]; });
    if (!has_points(of_plot, axes_.x(), y_)) continue;
    files_[p].write(run_gnuplot(plot_script(of_plot, title_of(of_plot, axes_), y_, format_, axes_.x())));
  }
}

}  // namespace heddle::pictures
