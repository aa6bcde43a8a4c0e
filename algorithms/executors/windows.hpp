// SPDX-License-Identifier: Apache-2.0
// Allreduces of whole vectors on any number of ranks: windows that grow until they hold everybody, each contribution once.
//
// A rank's window is the run of neighbours whose contributions it has summed, counted from itself: at first {0}. In each step
// it gets parts of its peers' windows, which lie beside its own, and its window becomes the run of them all:
//
//   p = 7, rank 0                                                                  the ranks in its window
//   at first                                                                                     0
//   step 0   from 1 and from -1: all of their windows                                    [-1]    0    [1]
//   step 1   from 2: the upper 2 of its window; from -2: the lower 2 of its window  [-3 -2] -1   0   1 [2 3]
//
// A sum cannot be taken apart. What a part of a window is wanted of must be summed from the start: a rank keeps, beside the sum
// of its whole window, the sums of those runs in it that anyone will ask for later. Which these are follows backwards from the
// last step. A run wanted after a step is made of two kinds of parts:
//
//   what lies in the own window before the step     a run that this rank keeps
//   what lies in a part received                    a run that the peer keeps, and sends
//
// Above, {0, 1} and {-1, 0} are kept beside {-1, 0, 1}; each takes one addition. Where a wanted run ends within a received
// part, the part is wanted as a whole and in piece: then the message carries two sums.
//
// Everyone does the same, counting from itself; where `mirrored`, ranks of odd number count the other way round, and so does a
// part's sender seen from its receiver.
//
// Bar-Noy et al.'s census functions and the combining algorithm of Bruck and Ho are such windows, which grow to one side and
// keep two sums: with the rank itself and without. Source: the rule is heddle's own; Trivance (Jürß et al.) §4.2, §4.4 has the
// windows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/communicator.hpp"

namespace heddle::plans {

/// Places first … first + count - 1, counted from a rank.
struct Window {
  int first = 0;
  int count = 0;
  constexpr int end() const { return first + count; }
  friend bool operator==(const Window&, const Window&) = default;
};

/// A peer's contribution to a step.
struct WindowPart {
  int peer;       ///< its place; not 0
  Window gotten;  ///< the places whose sum it sends, as the receiver counts them
  friend bool operator==(const WindowPart&, const WindowPart&) = default;
};

/// Pure and immutable. The same for all ranks.
class WindowPlan {
 public:
  /// The peer sends these of its sums, counted as in its list before the step.
  struct Message {
    int peer;
    std::vector<int> sums;
  };
  struct Received {
    int message;
    int part;  ///< of the message
  };
  struct Sum {
    Window window;
    int own;  ///< which of the sums before the step lies in it; -1: none
    std::vector<Received> received;
  };
  struct Step {
    std::vector<Message> messages;
    std::vector<Sum> sums;  ///< after the step; the first is that of the whole window
  };

  /// Throws std::logic_error if a part is not in its sender's window, or parts and own window are not one run.
  explicit WindowPlan(const std::vector<std::vector<WindowPart>>& steps, bool mirrored = false);

  /// The window after the last step.
  int ranks() const { return ranks_; }
  bool mirrored() const { return mirrored_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Whole vectors that each rank sends in a step, or in all.
  int vectors(int step) const;
  int vectors() const;

 private:
  int ranks_ = 1;
  bool mirrored_;
  std::vector<Step> steps_;
};

/// Blocks. `inout`: the rank's contribution before, the sum of all after. `rank_at` says who stands at a place, counted from
/// this rank in its own way of counting. `op` must be commutative.
void allreduce_by_windows(Communicator& comm, const WindowPlan& plan, VectorView inout, const ReduceOp& op,
                          const std::function<Rank(int place)>& rank_at);

/// On a lattice of D dimensions: the vector in D slices at once, slice i over dimension i to the end, then over i + 1, …, so
/// that dimensions of equal size never serve two. (To take turns over the dimensions within one slice costs as much where a
/// rank keeps one sum, and more where it keeps several: each would have to go along the other dimensions.) `windows` makes the
/// plan for a size, and no other maker has that `name`. Blocks. `op` must be commutative.
void allreduce_by_windows(Communicator& comm, const std::string& name, const std::function<WindowPlan(int size)>& windows,
                          VectorView inout, const ReduceOp& op);

}  // namespace heddle::plans
