// SPDX-License-Identifier: Apache-2.0
// What a sweep is plotted against: whatever varies in it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/sweep/sweep_result.hpp"

namespace heddle::pictures {

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

}  // namespace heddle::pictures
