// SPDX-License-Identifier: Apache-2.0
#include "show/plot/plot_files.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "show/drawing/picture_path.hpp"
#include "show/plot/gnuplot.hpp"

namespace heddle::pictures {

PlotFiles::PlotFiles(const std::string& path, PlotY y, const std::vector<std::string>& fabrics)
    : y_(y), format_(plot_format_of(path)), fabrics_(fabrics) {
  const OutputFile as_named(path);
  for (const std::string& fabric : fabrics) paths_.push_back(fabrics.size() == 1 ? path : path_of_one(path, fabric));
  for (const std::string& file : paths_) files_.emplace_back(file);
  require_gnuplot();
}

void PlotFiles::write(const std::vector<SweepResult>& results,
                      const std::function<PlotTitle(const SweepResult&)>& title_of) const {
  for (std::size_t f = 0; f < fabrics_.size(); ++f) {
    std::vector<SweepResult> of_fabric;
    std::ranges::copy_if(results, std::back_inserter(of_fabric),
                         [&](const SweepResult& result) { return result.fabric == fabrics_[f]; });
    const auto is_drawn = [](const SweepResult& result) {
      return result.measured && result.bytes > 0 && result.measured->time > Time();
    };
    if (std::ranges::none_of(of_fabric, is_drawn)) continue;
    files_[f].write(run_gnuplot(plot_script(of_fabric, title_of(of_fabric.front()), y_, format_)));
  }
}

}  // namespace heddle::pictures
