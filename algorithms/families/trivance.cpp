// SPDX-License-Identifier: Apache-2.0
// Trivance: in each step one peer on either side, three times as far as before. First the partner function and the blocks that
// follow from it; then windows of whole vectors, where the size is no power of three; then the algorithms.
#include "algorithms/families/trivance.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

int power_of_three(int exponent) {
  int power = 1;
  for (int i = 0; i < exponent; ++i) power *= 3;
  return power;
}

}  // namespace

int trivance_steps(int n) {
  int steps = 0;
  for (std::int64_t reached = 1; reached < n; reached *= 3) ++steps;
  return steps;
}

int trivance_distance(int step, int n) {
  const int power = power_of_three(step);
  return std::int64_t{3} * power > n ? (n - power + 1) / 2 : power;
}

SkipPaths trivance_paths(int n) {
  std::vector<int> distances;
  for (int step = 0; step < trivance_steps(n); ++step) distances.push_back(trivance_distance(step, n));
  std::sort(distances.begin(), distances.end());
  SkipRounds rounds;
  for (const int distance : distances) rounds.push_back({distance, -distance});
  return skip_paths(n, rounds);
}

SkipPattern trivance_pattern() { return {"trivance", trivance_paths}; }

// Whole vectors, any size.

namespace {

using Growths = std::vector<TrivanceGrowth>;

WindowPlan windows_of(const Growths& growths) {
  std::vector<std::vector<WindowPart>> steps;
  Window window{0, 1};
  for (const TrivanceGrowth& growth : growths) {
    std::vector<WindowPart>& parts = steps.emplace_back();
    if (growth.right > 0) parts.push_back({growth.right, {window.end(), growth.right}});
    if (growth.left > 0) parts.push_back({-growth.left, {window.first - growth.left, growth.left}});
    window = {window.first - growth.left, window.count + growth.left + growth.right};
  }
  return WindowPlan(steps);
}

/// What the busier direction carries, times how far, summed over the steps.
std::int64_t load_of(const WindowPlan& windows) {
  std::int64_t load = 0;
  for (const WindowPlan::Step& step : windows.steps()) {
    std::int64_t busier = 0;
    for (const WindowPlan::Message& message : step.messages)
      busier = std::max(busier, std::int64_t{std::abs(message.peer)} * static_cast<std::int64_t>(message.sums.size()));
    load += busier;
  }
  return load;
}

/// Looks for the windows whose parts end at seams: places where the rank's own sums of the steps before meet. Such a part's sum
/// is at hand wherever it is wanted. The last few steps are searched; those before take whole windows, as the nearer steps cost
/// least.
class SeamSearch {
 public:
  explicit SeamSearch(int n) : n_(n), steps_(trivance_steps(n)) {}

  /// The least load; empty if there are no such windows.
  Growths best() {
    grow({0, 1}, 0);
    return best_;
  }

 private:
  static constexpr int kSearched = 3;

  /// Lengths of the upper or lower end of the window that end at a seam; the shortest first.
  std::vector<int> upper(const Window& window) const {
    std::vector<int> lengths{0, window.count};
    for (const int seam : seams_) lengths.push_back(window.end() - seam);
    return in_order(std::move(lengths));
  }
  std::vector<int> lower(const Window& window) const {
    std::vector<int> lengths{0, window.count};
    for (const int seam : seams_) lengths.push_back(seam - window.first);
    return in_order(std::move(lengths));
  }
  static std::vector<int> in_order(std::vector<int> lengths) {
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
  }

  void grow(const Window& window, std::int64_t load) {
    const int left_to_do = steps_ - static_cast<int>(grown_.size());
    if (left_to_do == 0) {
      if (window.count == n_ && load < least_) {
        least_ = load;
        best_ = grown_;
      }
      return;
    }
    if (load >= least_ || std::int64_t{window.count} * power_of_three(left_to_do) < n_) return;
    if (left_to_do > kSearched) return add(window, {window.count, window.count}, load);
    const std::vector<int> rights = upper(window);
    const std::vector<int> lefts = lower(window);
    for (auto right = rights.rbegin(); right != rights.rend(); ++right) {
      if (left_to_do == 1) {
        const int left = n_ - window.count - *right;
        if (std::binary_search(lefts.begin(), lefts.end(), left)) add(window, {*right, left}, load);
        continue;
      }
      for (auto left = lefts.rbegin(); left != lefts.rend(); ++left) {
        if (window.count + *right + *left <= n_) add(window, {*right, *left}, load);
      }
    }
  }

  void add(const Window& window, TrivanceGrowth growth, std::int64_t load) {
    grown_.push_back(growth);
    seams_.push_back(window.first);
    seams_.push_back(window.end());
    grow({window.first - growth.left, window.count + growth.left + growth.right}, load + std::max(growth.left, growth.right));
    seams_.resize(seams_.size() - 2);
    grown_.pop_back();
  }

  int n_;
  int steps_;
  Growths grown_;
  std::vector<int> seams_;
  Growths best_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

std::vector<TrivanceGrowth> trivance_growths(int n) {
  if (n == 1) return {};
  Growths best = SeamSearch(n).best();
  std::int64_t least = best.empty() ? std::numeric_limits<std::int64_t>::max() : load_of(windows_of(best));

  // The other way: whole windows first, and in the last step what is missing, wherever that ends; sums of parts travel along.
  Growths growths;
  for (int step = 0; step + 1 < trivance_steps(n); ++step) growths.push_back({power_of_three(step), power_of_three(step)});
  const int window = power_of_three(static_cast<int>(growths.size()));
  const int missing = n - window;
  growths.emplace_back();
  for (int right = (missing + 1) / 2; right <= std::min(missing, window); ++right) {
    growths.back() = {right, missing - right};
    const std::int64_t load = load_of(windows_of(growths));
    if (load >= least) continue;
    least = load;
    best = growths;
  }
  return best;
}

WindowPlan trivance_windows(int n) { return windows_of(trivance_growths(n)); }

namespace {

formulas::Rounds trivance_rounds() {
  return {"Σ⌈log3 dᵢ⌉", [](const Shape& shape) { return formulas::sum_over_dimensions(shape, trivance_steps); }};
}
formulas::Rounds two_trivance_rounds() {
  return {"2Σ⌈log3 dᵢ⌉", [](const Shape& shape) { return 2 * trivance_rounds()(shape); }};
}

}  // namespace

}  // namespace heddle::plans

namespace heddle::allreduce {

// trivance_bandwidth: a reduce-scatter, then an allgather, in log3 p steps each, with one peer on either side at once.
//
// The vector is cut into p blocks. In each step a rank sends to the peers at distance 3^k to the right and to the left the sums
// of those blocks that they, or those whom they will reach later, are to have: a third of what it holds to each. It adds what
// it gets from both to the third that it keeps. The first steps carry most and go least far. After the last a rank holds its
// own block, complete; the allgather takes the same steps backwards.
//
// The rounds, on a ring of n = p. What runs has ρ from trivance_distance and derives the block sets from it; a test holds that
// they are those of Algorithm 1.
//
//   ρ(k)          = 3^k
//   π(r, k)       = r - ρ(k) and r + ρ(k), modulo n                                                §4.1
//   reached(r, k) = both π(r, j), and reached(π(r, j), j + 1), for all steps j ≥ k                 §4.3, Algorithm 1
//   step k:         r sends either q of π(r, k) the blocks {q} ∪ reached(q, k + 1)
//
// Picture, p = 9 on a ring: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7 8   sends 1 4 7 to rank 1, 2 5 8 to rank 8      distance 1
//   step 1   holds 0     3     6       sends     3 to rank 3,     6 to rank 6      distance 3
//   done     holds 0
//
// A rank's blocks are laid out in an order in which they are side by side (executors/skips.hpp), as an
// allreduce need not care.
//
// Sizes that are no power of three: the distances are 3^k for k < ⌊log3 n⌋ and ⌈(n - 3^⌊log3 n⌋)/2⌉, the nearest first. Several
// ways may lead to a rank; a block takes the one that sets out last, and of two in one step that to the side which carries
// less.
//
//   p = 7    step 0   sends 1 3 to rank 1, 4 6 to rank 6       1 and 6 could go by either
//            step 1   sends   2 to rank 2, 5   to rank 5
//
// On a grid the steps take turns over the dimensions, and the vector is cut into D slices, each with a collective of its own
// starting in another dimension: all 2D ports are in use until the shorter dimensions have no steps left.
//
// Rounds:  2·Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   2(p-1)/p · M sent by each rank, for every p: each block but its own once per phase.
// Time:    2·log3 p · α + ⅔·log3 p · M·β on a ring of 3^s, where a third of a slice passes each link in every step. On a square
//          torus of D dimensions, 3^s each, 2·Σ_{d,k} 3^k/3^(1+d+Dk) · M/D·β: for many ranks 4/3 of M·β/D in two dimensions,
//          13/12 in three.
// Limits:  the op must be commutative. Sizes that are no power of three have links carry up to about twice as much.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.1, §4.3, §4.4, §5, App. B. It has the odd distance last; the less loaded of two
//          directions is its authors' simulation's.

namespace {

void trivance_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op) {
  plans::allreduce_by_skips(comm, plans::trivance_pattern(), inout, op);
}

}  // namespace

std::vector<Algorithm> trivance_bandwidth_entries() {
  return {entry(
      {.name = "trivance_bandwidth",
       .summary = "Reduce-scatter and allgather with a peer on either side, three times as far in each step, on all 2D ports.",
       .source = "[trivance] §4.1, §4.3, §4.4, §5",
       .needs = {.commutative = true},
       .rounds = plans::two_trivance_rounds(),
       .bytes = formulas::all_blocks_twice(),
       .messages_a_round = formulas::message_per_port,
       .block_count = formulas::block_per_rank_and_dimension,
       .tasks_share_credits = true},
      trivance_bandwidth)};
}

// trivance_latency: whole vectors exchanged with one peer on either side at once, three times as far in each step.
//
// After step k a rank has the sum over all ranks within (3^(k+1) - 1)/2 on either side, its window. In the next step it gets
// the sums of the windows to the right and to the left of it and adds both to its own: three times as many. log2 p steps become
// log3 p, with both ports of the ring in use.
//
// Picture, p = 9 on a ring: the windows of rank 0, and those that it gets.
//
//   step 0   [8] 0 [1]                                with 1 and 8: distance 1
//   step 1   [5 6 7] 8 0 1 [2 3 4]                    with 3 and 6: distance 3
//
// Sizes that are no power of three: the last step wants less than whole windows, 3^⌊log3 n⌋ places being in and fewer missing.
// A sum cannot be taken apart, so the part that will be wanted is summed beside the whole from the start: a second running sum,
// often a third (executors/windows.hpp). With p = 7 a rank keeps of -1 0 1 the sums 0 1 and -1 0 as well, which
// the ranks at distance 2 want. Which parts are at hand depends on where the steps before ended; the windows are chosen so that
// messages are one vector long and windows grow by as much as the distance: then p/2
// vectors pass a link in all, the least possible, as where p is a power of three. For p = 8 and 16 these are the source's
// distances 1, 3 and 1, 3, 4. At 32 it has 1, 3, 9, 3: what is to go 3 far in the last step would have to go along in the steps
// before; here they are 1, 3, 4, 8. At some sizes next below a power of three (25, 26, 65, …) there are no such windows: a
// message of two vectors or more goes in some steps.
//
// On a grid the vector is cut into D slices, each with an allreduce of its own along one dimension after the other, starting in
// another dimension each: all 2D ports are in use.
//
// Rounds:  Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   2·Σ⌈log3 dᵢ⌉ · M sent by each rank: a slice of M/D to either side in every step. Some sizes send a little more, and
//          those that lack one or two ranks to either side in a step less.
// Time:    Σ⌈log3 dᵢ⌉ · α + M/D·β·Σ over the dimensions of the distances, 3^k in step k: (dᵢ - 1)/2 in all.
// Limits:  sends the whole vector in every step: for short vectors. Sums grow round the ring on both sides: the op must be
//          commutative. Ranks add up in different orders, so floats may differ in their last bits from rank to rank.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.2, §4.4, §5, App. A and B.1; several sums: heddle's own.

namespace {

void trivance_latency(Communicator& comm, VectorView inout, const ReduceOp& op) {
  plans::allreduce_by_windows(comm, "trivance_latency", plans::trivance_windows, inout, op);
}

std::int64_t trivance_latency_bytes(const Shape& shape) {
  return formulas::sum_over_dimensions(shape, [](int size) { return plans::trivance_windows(size).vectors(); }) * shape.bytes;
}

}  // namespace

std::vector<Algorithm> trivance_latency_entries() {
  return {
      entry({.name = "trivance_latency",
             .summary = "Whole vectors exchanged with a peer on either side, three times as far in each step, on all 2D ports.",
             .source = "[trivance] §4.2, §4.4, §5",
             .needs = {.commutative = true},
             .rounds = plans::trivance_rounds(),
             .bytes = {"2Σ⌈log3 dᵢ⌉ · M, a few more or less at some sizes that are no power of three", trivance_latency_bytes},
             .messages_a_round = formulas::message_per_port,
             .block_count = formulas::element_per_dimension,
             .tasks_share_credits = true,
             .same_bits = false},
            trivance_latency)};
}

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

// trivance: the first phase of trivance_bandwidth, with blocks of any sizes in rank order.
//
// A message is gathered from where its blocks lie. On a grid each block is cut into D pieces, and D collectives run at once,
// each on one piece of every block, each starting in another dimension. Picture: that of trivance_bandwidth.
//
// Rounds:  Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else all blocks but its own.
// Time:    log3 p · α + ⅓·log3 p · M·β on a ring of 3^s.
// Limits:  the op must be commutative. Messages are made of many runs: of blocks in rank order every third goes.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.1, §4.4, §5.

namespace {

void trivance(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  plans::reduce_scatter_by_skips(comm, plans::trivance_pattern(), inout, blocks, op);
}

}  // namespace

std::vector<Algorithm> trivance_entries() {
  return {entry({.name = "trivance",
                 .summary = "Sums of blocks to a peer on either side, three times as far in each step, on all 2D ports.",
                 .source = "[trivance] §4.1, §4.3, §4.4, §5",
                 .needs = {.commutative = true},
                 .rounds = plans::trivance_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .messages_a_round = formulas::message_per_port,
                 .block_count = formulas::block_per_rank_and_dimension,
                 .tasks_share_credits = true},
                trivance)};
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// trivance: the reduce-scatter backwards: everyone's blocks to one peer on either side at once, a third as far in each step.
//
// The first step goes furthest with one block. In each step a rank passes on all that has come so far to either side, so that
// it has three times as much.
//
// Picture, p = 9 on a ring: what rank 0 has and gets.
//
//   step 0   has 0                 gets     3 from rank 3,     6 from rank 6      distance 3
//   step 1   has 0     3     6     gets 1 4 7 from rank 1, 2 5 8 from rank 8      distance 1
//   done     has 0 1 2 3 4 5 6 7 8
//
// Rounds:  Σ⌈log3 dᵢ⌉ for every size.
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal.
// Time:    that of the reduce-scatter.
// Limits:  messages are made of many runs: of blocks in rank order every third comes.
// Source:  Trivance (Jürß, Addanki, Schmid) §4.1, §4.4, §5.

namespace {

void trivance(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  plans::allgather_by_skips(comm, plans::trivance_pattern(), vector, blocks);
}

}  // namespace

std::vector<Algorithm> trivance_entries() {
  return {entry({.name = "trivance",
                 .summary = "Blocks to a peer on either side, a third as far in each step, on all 2D ports.",
                 .source = "[trivance] §4.1, §4.3, §4.4, §5",
                 .rounds = plans::trivance_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .messages_a_round = formulas::message_per_port,
                 .block_count = formulas::block_per_rank_and_dimension,
                 .tasks_share_credits = true},
                trivance)};
}

}  // namespace heddle::allgather
