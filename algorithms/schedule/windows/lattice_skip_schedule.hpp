// SPDX-License-Identifier: Apache-2.0
// Skip schedules over several dimensions that take turns: Trivance's and Bruck's on a torus.
//
// Along one dimension a schedule looks the same from every coordinate (skip_schedule.hpp), and what moves along one dimension
// leaves the others alone. So a block, named by its offset in each dimension, is held as long as it is held in all of them, and
// what a rank sends is a product of one-dimensional sets:
//
//   step (dimension d, round k, skip s):   sent(d, k, s) × held(i, now) for all other dimensions i
//
// The lists of the dimensions and, of these, what each coordinate's offsets are as places are all that is stored; a step's runs
// are multiplied out when they are asked for.
//
// Where nobody cares which rank owns which part of the vector, the dimension that has the first turn is the outermost, and each
// dimension's coordinates lie in an order of their own (block_layout.hpp), so that runs are long. Otherwise blocks lie in rank
// order. Source: Trivance (Jürß et al.) §5; Swing (De Sensi et al.) §4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/schedule/blocks/block_steps.hpp"
#include "algorithms/schedule/grids/lattice.hpp"
#include "algorithms/schedule/skips/skip_schedule.hpp"

namespace heddle::schedule {

/// A pattern along one dimension: `paths` makes it for a size; no other pattern has its `name`.
struct SkipPattern {
  std::string name;
  std::function<SkipPaths(int size)> paths;
};

class LatticeSkipSchedule final : public BlockSteps {
 public:
  enum class Layout : std::uint8_t { compact, rank_order };

  /// The dimensions take turns from `first_dimension` on. Throws std::logic_error if the pattern
  /// does not reach everyone.
  LatticeSkipSchedule(const Lattice& lattice, const SkipPattern& pattern, int first_dimension, Layout layout);

  int ranks() const override { return ranks_; }
  int steps() const override { return static_cast<int>(steps_.size()); }
  int block_at(int position) const override;
  BlockStep step(int rank, int step, BlockStepRoom& room) const override;

 private:
  /// A set of offsets as the places of each coordinate's blocks.
  using PlacesByCoordinate = std::vector<RunSet>;
  struct Send {
    int skip;
    PlacesByCoordinate places;
  };
  struct Dimension {
    int size = 1;
    int stride = 1;                              ///< of a coordinate in a rank's number among all coordinates
    std::vector<int> coordinate_at;              ///< by place
    std::vector<std::vector<Send>> rounds;       ///< by round
    std::vector<PlacesByCoordinate> held_after;  ///< by the number of rounds that are done
  };
  struct Step {
    std::size_t dimension;
    std::size_t round;
    std::vector<std::size_t> done;  ///< rounds, by dimension, before the step
  };

  static Dimension make_dimension(const SkipPaths& paths, int size, Layout layout);
  int coordinate(int node, std::size_t dimension) const;
  int moved(int node, std::size_t dimension, int skip) const;
  /// Along the dimension, of what the rank at `node` sends.
  const RunSet& places_in(std::size_t dimension, int node, const Step& step, const Send& send) const;
  /// Appends the blocks that lie at the places in all dimensions, outermost first.
  void append_runs(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const;
  /// The places in all dimensions, outermost first, as positions.
  void append_product(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const;

  int ranks_;
  std::vector<Dimension> dimensions_;
  std::vector<std::size_t> outermost_first_;
  std::vector<Step> steps_;
  // A node is a rank's number by coordinates, the last dimension varying fastest.
  std::vector<int> rank_at_node_;  ///< empty: the identity
  std::vector<int> node_of_rank_;  ///< likewise
  bool blocks_are_in_rank_order_;
};

}  // namespace heddle::schedule
