// SPDX-License-Identifier: Apache-2.0
#include "fuzz/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "fuzz/cases/case_data.hpp"

namespace heddle {

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

namespace {

/// The rank's count of the same place between multiples of p: what does not divide must not divide afterwards.
std::vector<std::int64_t> counts_for(const Experiment& what, int ranks, int before) {
  const std::int64_t p = ranks;
  if (what.collective == Collective::barrier) return {0};
  const std::int64_t count = count_of(what);
  std::vector<std::int64_t> counts = {count / before * p + std::min<std::int64_t>(count % before, p - 1), 2 * p, 2 * p + 1,
                                      count};
  if (what.collective == Collective::alltoall) {
    for (std::int64_t& some : counts) some -= some % p;
  }
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

/// What is as `heddle run` has it, all at once.
Experiment in_usual_circumstances(const Experiment& what) {
  Experiment usual;
  usual.collective = what.collective;
  usual.algorithm = what.algorithm;
  usual.own = what.own;
  usual.plugins = what.plugins;
  usual.fabric.topology = what.fabric.topology;
  usual.ranks = what.ranks;
  usual.stack = what.stack;  // a smaller one may be another failure
  usual.faults = what.faults;
  usual.positions = what.positions;
  // Of one that keeps rank order, whether the order is kept may be all that is wrong.
  if (!what.op->commutative()) usual.op = what.op;
  set_count(usual, count_of(what));
  return usual;
}

/// The counts among some consecutive ranks.
CountMatrix part_of(const CountMatrix& counts, int first, int ranks) {
  std::vector<std::int64_t> part;
  for (int i = 0; i < ranks; ++i) {
    for (int j = 0; j < ranks; ++j) part.push_back(counts.at(first + i, first + j));
  }
  return CountMatrix::of(ranks, std::move(part));
}

using RunCase = std::function<CaseEnd(const Experiment&)>;

/// Of a run: what its ranks did, what it takes to make and compare data, and to begin at all.
std::uint64_t work_of(const RunLength& length) {
  constexpr std::uint64_t kBegin = 1000;
  constexpr std::uint64_t kElementsATurn = 16;
  return kBegin + length.slices +
         static_cast<std::uint64_t>(length.ranks) * static_cast<std::uint64_t>(length.count) / kElementsATurn;
}

class Shrinker {
 public:
  Shrinker(const Experiment& what, const Failure& failure, const RunCase& run_case, const ShrinkBudget& budget,
           const std::function<bool()>& is_over)
      : best_{what, failure}, run_case_(run_case), budget_(budget), is_over_(is_over), tried_{what.text()} {}

  Shrunk run() {
    constexpr int kEasyRanks = 8;
    if (ranks_of(best_.smallest) > kEasyRanks) {
      simpler_circumstances();
      while (ranks_of(best_.smallest) > kEasyRanks && !is_exhausted() && half_the_ranks()) {
      }
      if (ranks_of(best_.smallest) > kEasyRanks) fewer_elements();
    }
    bool smaller = true;
    while (smaller && !is_exhausted()) {
      smaller = fewer_ranks();
      smaller = fewer_elements() || smaller;
      smaller = simpler_circumstances() || smaller;
    }
    return std::move(best_);
  }

 private:
  bool is_exhausted() {
    using enum Shrunk::Ended;
    best_.ended = best_.attempts >= budget_.runs      ? runs
                  : work_ >= budget_.work             ? work
                  : is_over_ != nullptr && is_over_() ? told
                                                      : no_simpler;
    return best_.ended != no_simpler;
  }

  /// Keeps it if it fails in the same way.
  bool fails(const Experiment& candidate) {
    if (is_exhausted() || !tried_.insert(candidate.text()).second) return false;
    try {
      ++best_.attempts;
      CaseEnd end = run_case_(candidate);
      work_ += work_of(end.length);
      if (!end.failure) return false;
      if (end.failure->kind != best_.failure.kind) {
        note_graver(candidate, *std::move(end.failure));
        return false;
      }
      best_.smallest = candidate;
      best_.failure = *std::move(end.failure);
      return true;
    } catch (const InputError&) {
      --best_.attempts;  // it cannot be, and was not run
      return false;
    }
  }

  void note_graver(const Experiment& candidate, Failure failure) {
    const int least = best_.graver ? gravity(best_.graver->failure.kind) : gravity(best_.failure.kind);
    if (gravity(failure.kind) > least) best_.graver = {candidate, std::move(failure)};
  }

  bool half_the_ranks() {
    const Experiment from = best_.smallest;
    const int before = ranks_of(from);
    for (const int ranks : {before / 2, before - before / 4}) {
      for (const std::string& topology : simple_topologies(ranks)) {
        if (fails_on(topology, ranks, before, from)) return true;
      }
    }
    return false;
  }

  bool fewer_ranks() {
    const Experiment from = best_.smallest;
    const int before = ranks_of(from);
    for (int ranks = 1; ranks <= before && !is_exhausted(); ++ranks) {
      for (const std::string& topology : simple_topologies(ranks)) {
        // On as many ranks only a simpler fabric is less.
        if (ranks == before && (topology == from.fabric.topology || is_simple(from.fabric.topology, ranks))) break;
        if (fails_on(topology, ranks, before, from)) return true;
      }
    }
    return false;
  }

  static bool is_simple(const std::string& topology, int ranks) {
    return std::ranges::count(simple_topologies(ranks), topology) > 0;
  }

  bool fails_on(const std::string& topology, int ranks, int before, const Experiment& from) {
    for (const bool usual : {true, false}) {
      Experiment candidate = usual ? in_usual_circumstances(from) : from;
      candidate.fabric.topology = topology;
      candidate.ranks.reset();
      candidate.placement = "linear";
      if (BlockSizes blocks = blocks_of(candidate); !blocks.empty() && candidate.groups.empty()) {
        blocks.resize(static_cast<std::size_t>(ranks));
        set_blocks(candidate, blocks);
        if (fails_at_some_root(candidate, from.root, ranks)) return true;
        continue;
      }
      if (!candidate.counts.empty() && candidate.groups.empty()) {
        for (const int first : {0, before - ranks}) {
          set_counts(candidate, part_of(counts_of(from, before), first, std::min(ranks, before)));
          if (fails(candidate)) return true;
        }
        continue;
      }
      for (const std::int64_t count : counts_for(from, ranks, before)) {
        set_count(candidate, count);
        if (fails_at_some_root(candidate, from.root, ranks)) return true;
      }
    }
    return false;
  }

  /// A fault at one rank shows where that rank is at some place of the root's tree.
  bool fails_at_some_root(Experiment candidate, int root_before, int ranks) {
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
    const Experiment from = best_.smallest;
    if (!blocks_of(from).empty()) return smaller_blocks();
    if (!from.counts.empty()) return smaller_counts();
    const std::int64_t step = from.collective == Collective::alltoall ? ranks_of(from) : 1;
    Experiment candidate = from;
    const auto fails_with = [&](std::int64_t count) {
      set_count(candidate, count);
      return fails(candidate);
    };
    const std::int64_t before = count_of(from);
    for (std::int64_t count = 0; count < std::min(before, kOneByOne * step); count += step) {
      if (fails_with(count)) return true;
    }
    bool is_less = false;
    for (std::int64_t cut = before / 2 / step * step; cut > 0; cut = cut / 2 / step * step) {
      std::int64_t count = count_of(best_.smallest) - cut;
      for (; count >= 0 && fails_with(count); count -= cut) is_less = true;
    }
    return is_less;
  }

  /// Even, then written out with rows, columns and single counts of 0, 1 or half as much. A matrix of many ranks stays as it was
  /// drawn, with fewer elements.
  bool smaller_counts() {
    constexpr int kMostWritten = 16;
    const int ranks = callers_of(best_.smallest);
    Experiment candidate = best_.smallest;
    set_count(candidate, count_of(candidate) - count_of(candidate) % ranks);
    if (fails(candidate)) return true;
    if (ranks > kMostWritten) return are_drawn_counts(best_.smallest.counts) && fewer_drawn();
    bool is_less = false;
    const auto try_with = [&](auto&& change) {
      const CountMatrix before = counts_of(best_.smallest, ranks);
      std::vector<std::int64_t> counts;
      bool is_changed = false;
      for (int i = 0; i < ranks; ++i) {
        for (int j = 0; j < ranks; ++j) {
          counts.push_back(change(i, j, before.at(i, j)));
          is_changed |= counts.back() != before.at(i, j);
        }
      }
      if (!is_changed) return;
      candidate = best_.smallest;
      set_counts(candidate, CountMatrix::of(ranks, std::move(counts)));
      is_less |= fails(candidate);
    };
    for (int rank = 0; rank < ranks; ++rank) {
      try_with([&](int i, int, std::int64_t count) { return i == rank ? 0 : count; });
      try_with([&](int, int j, std::int64_t count) { return j == rank ? 0 : count; });
    }
    try_with([](int, int, std::int64_t count) { return std::min<std::int64_t>(count, 1); });
    try_with([](int, int, std::int64_t count) { return count / 2; });
    const bool is_symmetric = best_.smallest.in_place == true;
    for (int a = 0; a < ranks && ranks <= kMostWritten / 2; ++a) {
      for (int b = 0; b < ranks; ++b) {
        const auto is_it = [&](int i, int j) { return (i == a && j == b) || (is_symmetric && i == b && j == a); };
        try_with([&](int i, int j, std::int64_t count) { return is_it(i, j) ? 0 : count; });
        try_with([&](int i, int j, std::int64_t count) { return is_it(i, j) ? std::min<std::int64_t>(count, 1) : count; });
      }
    }
    return is_less;
  }

  bool fewer_drawn() {
    const Experiment from = best_.smallest;
    Experiment candidate = from;
    set_count(candidate, count_of(from) / 2);
    candidate.counts = from.counts;
    return fails(candidate);
  }

  /// The ranks of each group that calls.
  static int callers_of(const Experiment& what) { return what.groups.empty() ? ranks_of(what) : what.shape().ranks; }

  bool smaller_blocks() {
    Experiment even = best_.smallest;
    set_count(even, count_of(even));
    if (even.collective == Collective::alltoall) set_count(even, count_of(even) - count_of(even) % ranks_of(even));
    bool is_less = fails(even);
    for (std::size_t i = 0; !is_less && i < blocks_of(best_.smallest).size(); ++i) {
      for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, blocks_of(best_.smallest)[i] / 2}) {
        Experiment candidate = best_.smallest;
        BlockSizes blocks = blocks_of(candidate);
        if (size >= blocks[i]) continue;
        blocks[i] = size;
        set_blocks(candidate, blocks);
        is_less |= fails(candidate);
      }
    }
    return is_less;
  }

  /// One after the other as `heddle run` has it. Each that fails so stays so.
  bool simpler_circumstances() {
    const Experiment usual = in_usual_circumstances(best_.smallest);
    bool is_simpler = fails(usual);
    const auto simplify = [&](auto&& change) {
      Experiment candidate = best_.smallest;
      change(candidate);
      is_simpler |= fails(candidate);
    };
    simplify([](Experiment& c) { c.algorithm = row_of(c).second; });
    simplify([](Experiment& c) { c.faults.clear(); });
    for (std::size_t fault = best_.smallest.faults.size(); fault-- > 0;)
      if (fault < best_.smallest.faults.size())
        simplify([fault](Experiment& c) { c.faults.erase(c.faults.begin() + static_cast<std::ptrdiff_t>(fault)); });
    simplify([](Experiment& c) { c.threads.reset(); });
    simplify([](Experiment& c) { c.model = Model::fluid; });
    simplify([](Experiment& c) { c.order_seed.reset(); });
    simplify([](Experiment& c) { c.order = {}; });
    simplify([](Experiment& c) { c.buffering = Buffering::eager(); });
    simplify([](Experiment& c) { c.placement = "linear"; });
    simplify([](Experiment& c) { c.groups.clear(); });
    simplify([](Experiment& c) { c.fabric.bandwidth = {}, c.fabric.latency = {}; });
    simplify([](Experiment& c) { c.fabric.alpha.reset(), c.fabric.hop.reset(); });
    simplify([](Experiment& c) { c.calls = 2; });
    simplify([](Experiment& c) { c.calls = std::min(c.calls, 3); });
    while (best_.smallest.calls > 3) {
      const int before = best_.smallest.calls;
      simplify([](Experiment& c) { c.calls -= c.calls / 4; });
      if (best_.smallest.calls == before) simplify([](Experiment& c) { --c.calls; });
      if (best_.smallest.calls == before) break;
    }
    simplify([](Experiment& c) { c.root = 0; });
    simplify([](Experiment& c) { c.in_place.reset(); });
    simplify([](Experiment& c) { c.seed = 1; });
    simplify([](Experiment& c) { c.values = DataValues::usual; });
    simplify([&](Experiment& c) { set_type(c, usual.type), c.op = usual.op; });
    simplify([&](Experiment& c) { set_type(c, usual.type); });
    simplify([](Experiment& c) { c.positions = false; });
    return is_simpler;
  }

  Shrunk best_;
  const RunCase& run_case_;
  const ShrinkBudget budget_;
  std::uint64_t work_ = 0;
  const std::function<bool()>& is_over_;
  std::set<std::string> tried_;
};

}  // namespace

int gravity(CheckError::Kind kind) {
  using enum CheckError::Kind;
  static constexpr std::array kFromTheLeast = {
      refused,      different_bits, run_to_run, not_repeatable, formula, too_fast, order,
      hygiene,      returned_error, usage,      truncation,     damaged, cut,      input_changed,
      wrong_result, rank_failed,    exception,  stack_overflow, endless, deadlock, ended};
  return static_cast<int>(std::ranges::find(kFromTheLeast, kind) - kFromTheLeast.begin());
}

Shrunk shrink(const Experiment& what, const Failure& failure, const RunCase& run, const ShrinkBudget& budget,
              const std::function<bool()>& is_over) {
  return Shrinker(what, failure, run, budget, is_over).run();
}

}  // namespace heddle
