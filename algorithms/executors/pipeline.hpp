// SPDX-License-Identifier: Apache-2.0
// Broadcast, reduce and allreduce of a vector in segments, which follow each other through a tree.
//
// All ranks work in ticks. A rank of depth d (edges from the root), in a tree of height H, sends segment s = 0 … P-1
//
//   up to its parent, with what its children sent      in tick s + H - d
//   down to its children, all at once                  in tick s + d, in an allreduce s + H + d
//
// and posts the receive of what it needs next in the tick in which that is sent: what is sent in a tick is received in it, so
// nobody waits for a receive of a later tick, even where sends are synchronous. Each tick a rank waits for what it posted in
// the last one, so a message of tick t has t messages before it, one after the other: H + P - 1 rounds for a broadcast or a
// reduce, 2H + P - 1 for an allreduce. A segment turns round at the root while later ones are still on their way up.
//
// Picture, an allreduce over the chain 0 - 1 - 2 in two segments a, b:
//
//   tick 0     2->1 a
//   tick 1     2->1 b, 1->0 a
//   tick 2             1->0 b, 0->1 a
//   tick 3                     0->1 b, 1->2 a
//   tick 4                             1->2 b
//
// Source: explainer 01 (Lu) App. C.2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/executors/trees.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::plans {

// Blocks. The vector is cut into `segments` ≥ 1 as even as they go, one per element if it has fewer; an empty one sends
// nothing.

/// From the root's vector to everyone's.
void pipelined_broadcast(Communicator& comm, const Tree& tree, VectorView vector, std::int64_t segments);
/// From everyone's vector to their sum at the root; elsewhere the vector is then undefined. Order as in tree_reduce.
void pipelined_reduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op, std::int64_t segments);
/// Both: to the root and back.
void pipelined_allreduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op, std::int64_t segments);

// How finely a pipeline is cut. A plan of L steps, run on P segments of a vector of M bytes, takes
//
//   (L + P - 1) · (α + M·β/P), least at P* = √((L-1)·M·β/α).
//
// Source: explainer 01 (Lu) App. C.3.

/// P*, to the nearest whole number from 1 to kMostSegments. Where no cost is known, α is taken to be the time of 64 KiB.
std::int64_t optimal_segments(int steps, std::int64_t bytes, const MessageCost& cost);

/// Where start-ups cost (almost) nothing, P* would be one byte each.
inline constexpr std::int64_t kMostSegments = 4096;

/// Powers of two within a factor of 8 of `optimal`, the nearest first: P* is the best number where messages share no links. At
/// most `count`, beyond which there is nothing to cut.
std::vector<std::string> segments_to_try(std::int64_t optimal, std::int64_t count);

/// A given number or P*. A value.
class Segments {
 public:
  /// P*.
  constexpr Segments() = default;
  constexpr explicit Segments(std::int64_t number) : number_(number) {}
  /// The value of an option declared as `parameter()`.
  explicit Segments(const Options& options);
  /// The option "segments" of a row. `optimal` says P* on a shape, near which tuning tries others.
  static Parameter parameter(std::function<std::int64_t(const Shape&)> optimal);

  /// For a pipeline of `steps` steps over `bytes`.
  std::int64_t wanted(int steps, std::int64_t bytes, const MessageCost& cost) const {
    return number_ > 0 ? number_ : optimal_segments(steps, bytes, cost);
  }
  /// For one of so many equal parts of what the vector stands for.
  std::int64_t wanted(int steps, ConstVectorView vector, const Communicator& comm, int parts = 1) const {
    MessageCost cost = comm.message_cost();
    cost.seconds_per_byte /= comm.byte_scale();
    return wanted(steps, std::llround(static_cast<double>(vector.size_bytes()) * comm.byte_scale()) / parts, cost);
  }

 private:
  std::int64_t number_ = 0;  ///< 0: P*
};

/// The height of the highest of them.
int height_of(std::span<const Tree> trees);

// The same over several trees at once, as tasks of this rank: each carries an equal part of the vector. A single one is this
// rank's own work.
void pipelined_broadcast(Communicator& comm, std::span<const Tree> trees, VectorView vector, const Segments& segments);
void pipelined_reduce(Communicator& comm, std::span<const Tree> trees, VectorView inout, const ReduceOp& op,
                      const Segments& segments);
void pipelined_allreduce(Communicator& comm, std::span<const Tree> trees, VectorView inout, const ReduceOp& op,
                         const Segments& segments);

}  // namespace heddle::plans

namespace heddle {

// Entries of algorithms that cut their vector into segments.

/// What its formulas count with.
struct Pipeline {
  plans::Segments segments;
  std::string_view rounds_text;
  std::function<int(const Shape&)> steps;  ///< L, of one segment
  int vectors = 1;                         ///< run at once, each on its part

  /// P, of each part.
  std::int64_t wanted(const Shape& shape) const { return segments.wanted(steps(shape), shape.bytes / vectors, shape.cost); }
  /// The least count that gives every segment of every part an element.
  std::function<std::int64_t(const Shape&)> block_count() const {
    return [own = *this](const Shape& shape) { return own.vectors * own.wanted(shape); };
  }
  /// L + P - 1; P is limited by what there is to cut.
  Formula<int> rounds() const {
    return {rounds_text, [own = *this](const Shape& shape) {
              if (shape.ranks == 1) return 0;
              const std::int64_t longest = (shape.count + own.vectors - 1) / own.vectors;
              return own.steps(shape) + static_cast<int>(std::min(own.wanted(shape), longest)) - 1;
            }};
  }
  /// The option "segments", near whose best number tuning tries others.
  Parameter parameter() const {
    return plans::Segments::parameter([own = *this](const Shape& shape) { return own.wanted(shape); });
  }
  /// All but one rank of each tree get each segment, in each of so many passes.
  std::function<double(const Shape&)> messages_a_round(int passes = 1) const {
    return [own = *this, passes](const Shape& shape) {
      const double pieces =
          static_cast<double>(std::min(own.vectors * own.wanted(shape), std::max<std::int64_t>(1, shape.count)));
      return passes * pieces * (shape.ranks - 1) / shape.ranks / std::max(1, own.rounds()(shape));
    };
  }
};

}  // namespace heddle
