// SPDX-License-Identifier: Apache-2.0
#include "fuzz/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "core/errors.hpp"
#include "lab/experiment/experiment.hpp"
#include "topo/placement.hpp"

namespace heddle {

namespace {

int ranks_of(const FuzzCase& what) {
  return what.ranks ? *what.ranks : ranks_of_placement(what.placement).value_or(parse_topology(what.topology)->endpoints());
}

/// The simplest fabrics of just so many endpoints: what a row needs (a grid, switches that compute, groups) is on one of them.
std::vector<std::string> simple_topologies(int ranks) {
  std::vector<std::string> specs = {fmt::format("star:{}", ranks), fmt::format("ring:{}", ranks),
                                    fmt::format("star:{},alu,multicast,a2a", ranks)};
  for (int rows = 2; rows * rows <= ranks; ++rows) {
    if (ranks % rows == 0) specs.push_back(fmt::format("torus:{}x{}", rows, ranks / rows));
  }
  for (int leaves = 2; 2 * leaves <= ranks; ++leaves) {
    if (ranks % leaves == 0) specs.push_back(fmt::format("clos:hosts={},leaves={},spines=1", ranks / leaves, leaves));
  }
  return specs;
}

/// The rank's count of the same place between multiples of p: what does not divide must not divide afterwards.
std::vector<std::int64_t> counts_for(const FuzzCase& what, int ranks, int before) {
  const std::int64_t p = ranks;
  if (what.collective == Collective::barrier) return {0};
  std::vector<std::int64_t> counts = {what.count / before * p + std::min<std::int64_t>(what.count % before, p - 1), 2 * p,
                                      2 * p + 1, what.count};
  if (what.collective == Collective::alltoall) {
    for (std::int64_t& count : counts) count -= count % p;
  }
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

/// What is as `heddle run` has it, all at once.
FuzzCase in_usual_circumstances(const FuzzCase& what) {
  FuzzCase usual;
  usual.collective = what.collective;
  usual.algorithm = what.algorithm;
  usual.topology = what.topology;
  usual.ranks = what.ranks;
  usual.count = what.count;
  usual.in_place = is_in_place_by_default(what.collective);
  usual.faults = what.faults;
  // Of one that keeps rank order, whether the order is kept may be all that is wrong.
  usual.op = what.op->commutative() ? usual.op : what.op;
  if (usual.op == &affine_op()) usual.type = affine_type();
  return usual;
}

using RunCase = std::function<std::optional<FuzzFailure>(const FuzzCase&)>;

class Shrinker {
 public:
  Shrinker(const FuzzCase& what, const FuzzFailure& failure, const RunCase& run_case, int most_attempts)
      : best_{what, failure}, run_case_(run_case), most_attempts_(most_attempts), tried_{what.text()} {}

  Shrunk run() {
    bool smaller = true;
    while (smaller && !is_exhausted()) {
      smaller = fewer_ranks();
      smaller = fewer_elements() || smaller;
      smaller = simpler_circumstances() || smaller;
    }
    return std::move(best_);
  }

 private:
  bool is_exhausted() const { return best_.attempts >= most_attempts_; }

  /// Keeps it if it fails as well.
  bool fails(const FuzzCase& candidate) {
    if (is_exhausted() || !tried_.insert(candidate.text()).second) return false;
    try {
      ++best_.attempts;
      std::optional<FuzzFailure> failure = run_case_(candidate);
      if (!failure) return false;
      best_.smallest = candidate;
      best_.failure = *std::move(failure);
      return true;
    } catch (const InputError&) {
      --best_.attempts;  // it cannot be, and was not run
      return false;
    }
  }

  bool fewer_ranks() {
    const FuzzCase from = best_.smallest;
    const int before = ranks_of(from);
    for (int ranks = 1; ranks <= before && !is_exhausted(); ++ranks) {
      for (const std::string& topology : simple_topologies(ranks)) {
        // On as many ranks only a simpler fabric is less.
        if (ranks == before && (topology == from.topology || is_simple(from.topology, ranks))) break;
        if (fails_on(topology, ranks, before, from)) return true;
      }
    }
    return false;
  }

  static bool is_simple(const std::string& topology, int ranks) {
    return std::ranges::count(simple_topologies(ranks), topology) > 0;
  }

  bool fails_on(const std::string& topology, int ranks, int before, const FuzzCase& from) {
    for (const bool usual : {true, false}) {
      FuzzCase candidate = usual ? in_usual_circumstances(from) : from;
      candidate.topology = topology;
      candidate.ranks.reset();
      candidate.placement = "linear";
      if (!candidate.blocks.empty() && candidate.groups.empty()) {
        candidate.blocks.resize(static_cast<std::size_t>(ranks));
        candidate.count = std::accumulate(candidate.blocks.begin(), candidate.blocks.end(), std::int64_t{0});
        if (fails_at_some_root(candidate, from.root, ranks)) return true;
        continue;
      }
      for (const std::int64_t count : counts_for(from, ranks, before)) {
        candidate.count = count;
        if (fails_at_some_root(candidate, from.root, ranks)) return true;
      }
    }
    return false;
  }

  /// A fault at one rank shows where that rank is at some place of the root's tree.
  bool fails_at_some_root(FuzzCase candidate, int root_before, int ranks) {
    if (!has_root(candidate.collective)) return fails(candidate);
    for (const int root : {0, std::min(root_before, ranks - 1), ranks / 2, ranks - 1}) {
      candidate.root = root;
      if (fails(candidate)) return true;
    }
    return false;
  }

  /// From none on upwards, then halves of the way down.
  bool fewer_elements() {
    constexpr std::int64_t kOneByOne = 16;
    const FuzzCase from = best_.smallest;
    if (!from.blocks.empty()) return smaller_blocks();
    const std::int64_t step = from.collective == Collective::alltoall ? ranks_of(from) : 1;
    FuzzCase candidate = from;
    for (candidate.count = 0; candidate.count < from.count && candidate.count < kOneByOne * step; candidate.count += step) {
      if (fails(candidate)) return true;
    }
    bool is_less = false;
    for (std::int64_t cut = from.count / 2 / step * step; cut > 0; cut = cut / 2 / step * step) {
      candidate.count = best_.smallest.count - cut;
      while (candidate.count >= 0 && fails(candidate)) {
        is_less = true;
        candidate.count -= cut;
      }
    }
    return is_less;
  }

  bool smaller_blocks() {
    FuzzCase even = best_.smallest;
    even.blocks.clear();
    if (even.collective == Collective::alltoall) even.count -= even.count % ranks_of(even);
    bool is_less = fails(even);
    for (std::size_t i = 0; !is_less && i < best_.smallest.blocks.size(); ++i) {
      for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, best_.smallest.blocks[i] / 2}) {
        FuzzCase candidate = best_.smallest;
        if (size >= candidate.blocks[i]) continue;
        candidate.count -= candidate.blocks[i] - size;
        candidate.blocks[i] = size;
        is_less |= fails(candidate);
      }
    }
    return is_less;
  }

  /// One after the other as `heddle run` has it. Each that fails so stays so.
  bool simpler_circumstances() {
    const FuzzCase usual = in_usual_circumstances(best_.smallest);
    bool is_simpler = fails(usual);
    const auto simplify = [&](auto&& change) {
      FuzzCase candidate = best_.smallest;
      change(candidate);
      is_simpler |= fails(candidate);
    };
    simplify([](FuzzCase& c) { c.algorithm = c.algorithm.substr(0, c.algorithm.find_first_of(":,")); });
    simplify([](FuzzCase& c) { c.faults.clear(); });
    for (std::size_t fault = best_.smallest.faults.size(); fault-- > 0;)
      if (fault < best_.smallest.faults.size())
        simplify([fault](FuzzCase& c) { c.faults.erase(c.faults.begin() + static_cast<std::ptrdiff_t>(fault)); });
    simplify([](FuzzCase& c) { c.threads = default_threads(); });
    simplify([](FuzzCase& c) { c.order_seed.reset(); });
    simplify([](FuzzCase& c) { c.order = {}; });
    simplify([](FuzzCase& c) { c.buffering = Buffering::eager(); });
    simplify([](FuzzCase& c) { c.placement = "linear"; });
    simplify([](FuzzCase& c) { c.groups.clear(); });
    simplify([&](FuzzCase& c) { c.bandwidth = usual.bandwidth, c.latency = usual.latency; });
    simplify([](FuzzCase& c) { c.alpha = c.hop = Time(); });
    simplify([](FuzzCase& c) { c.root = 0; });
    simplify([&](FuzzCase& c) { c.in_place = usual.in_place; });
    simplify([](FuzzCase& c) { c.seed = 1; });
    simplify([&](FuzzCase& c) { c.op = usual.op, c.type = usual.type; });
    simplify([&](FuzzCase& c) { c.type = usual.type; });
    return is_simpler;
  }

  Shrunk best_;
  const RunCase& run_case_;
  int most_attempts_;
  std::set<std::string> tried_;
};

}  // namespace

Shrunk shrink(const FuzzCase& what, const FuzzFailure& failure, const RunCase& run, int most_attempts) {
  return Shrinker(what, failure, run, most_attempts).run();
}

}  // namespace heddle
