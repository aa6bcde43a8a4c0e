// SPDX-License-Identifier: Apache-2.0
// The shorter way between two coordinates of one dimension, and who goes it. Pure.
//
// On a ring of even size the opposite coordinate is as far one way as the other, and one of them is given. On a line there is
// one way.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

/// A dimension as messages between its neighbours see it.
struct Ways {
  int size;
  bool wraps;         ///< a ring, not a line
  int opposite = +1;  ///< the direction to the opposite coordinate

  /// Steps between the two coordinates that are farthest apart.
  constexpr int longest() const { return wraps ? size / 2 : size - 1; }
  /// How far those are whom a block from coordinate `from` visits in a direction (+1 or -1).
  constexpr int reach(int from, int direction) const {
    if (!wraps) return direction > 0 ? size - 1 - from : from;
    return direction == opposite ? size / 2 : (size - 1) / 2;
  }
  /// Steps from one coordinate to another.
  constexpr int distance(int from, int to) const {
    const int up = (to - from + size) % size;
    if (!wraps) return to > from ? to - from : from - to;
    return up <= size - up ? up : size - up;
  }
};

// Everyone's block to everyone, passed on from neighbour to neighbour: the relays of alltoall.
//
// A block travels along one dimension after the other, in each the shorter way (families/relays.hpp). All blocks that leave
// a rank the same way leave together, as a batch: the blocks for all that lie that way, the farthest too. At each rank on the
// way the blocks for its coordinate leave the batch, and the rest goes on. A block that left joins a batch of the next
// dimension, unless it is at its destination. A batch of dimension i is known by where its blocks come from, the coordinates in
// the dimensions before i; in one round every batch moves by one link.
//
// Picture: a ring of 5, what the batches upwards hold; "s-t" is the block from s to t. Downwards is its mirror image.
//
//             0           1           2           3           4
//   round 0   01 02 ->    12 13 ->    23 24 ->    34 30 ->    40 41 ->
//   round 1   41 ->       02 ->       13 ->       24 ->       30 ->
//
// Blocks that wait at a turn lie where the alltoall would have them if it ended there: with the sources' coordinates in the
// dimensions behind them and the destinations' in those ahead. That takes a vector for each turn. Blocks on the way are at most
// a vector more, on a mesh at most one per dimension, and that twice: what a round sends and what it receives.

/// When blocks change to the next dimension: as they arrive, or all together when the dimension is done.
enum class Turns : std::uint8_t { at_once, together };

/// Several relays at once, each on a part of every block, so that in each round all links of a dimension carry the same: two
/// where there is an opposite coordinate, one for each way to it; with turns at once, as many for each dimension, which travel
/// in it first.
int relay_parts(const std::vector<int>& sizes, bool wraps, Turns turns);
/// Blocks. Both vectors have p blocks of equal size in rank order.
void relay_alltoall(Communicator& comm, const Lattice& lattice, bool wraps, Turns turns, ConstVectorView outgoing,
                    VectorView incoming);

/// One rank's part. Refers to the communicator.
class Relay {
 public:
  /// Blocks travel in dimension `first_dimension` of the lattice first, then in the next, and round; to an opposite coordinate
  /// in direction `opposite`.
  Relay(Communicator& comm, const Lattice& lattice, bool wraps, int first_dimension, int opposite, Turns turns);

  /// Rounds: the longest way of a block.
  int rounds() const { return rounds_; }
  /// Blocks. Both vectors have p blocks of equal size in rank order; of each block the given piece moves.
  void alltoall(ConstVectorView outgoing, VectorView incoming, Piece piece = {});

 private:
  /// Batches that start here in one round, of one dimension.
  struct Group {
    int start;                 ///< the round
    std::vector<int> sources;  ///< of each batch, the coordinates in the dimensions before: mixed radix, the last fastest
    std::vector<int> waits;    ///< of each batch, where its blocks wait: 0 outgoing, i + 1 since they came in dimension i
  };
  struct Dimension {
    Ways ways;
    int mine;                      ///< this rank's coordinate
    std::int64_t blocks_each = 1;  ///< blocks per coordinate in a batch: the product of the sizes of later dimensions
    Rank up;
    Rank down;
    std::vector<Group> groups;  ///< in the order of their starts

    Rank neighbor(int direction) const { return direction > 0 ? up : down; }
  };
  /// Batches of a group as they stand at a rank before a round, at most ways.longest() - 1 after they started.
  struct Stand {
    int gone;    ///< links behind them
    int from;    ///< the coordinate from which they started
    int length;  ///< coordinates ahead of them; 0: there are none
  };

  void find_groups(int dimension, Turns turns);
  static Stand stand(const Dimension& dimension, const Group& group, int coordinate, int direction, int round);

  /// The part of one rank in one alltoall.
  class Run;

  Communicator& comm_;
  std::vector<Dimension> dimensions_;
  std::shared_ptr<const std::vector<int>> ranks_in_order_;  ///< empty: 0 … p-1
  std::int64_t place_ = 0;                                  ///< this rank's, in that order
  int rounds_ = 0;
};

}  // namespace heddle::plans
