// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/skips/skip_schedule.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace heddle::schedule {

namespace {

/// Offsets that the same skips of a round could carry.
struct Choice {
  Run offsets;
  std::vector<std::size_t> skips;
};

/// `reachable[i]` is what skip i could carry; what at least one could carry, cut where the choice changes.
std::vector<Choice> choices(const std::vector<RunSet>& reachable) {
  std::vector<std::int32_t> cuts;
  for (const RunSet& set : reachable) {
    for (const Run& run : set) {
      cuts.push_back(run.first);
      cuts.push_back(run.end());
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  std::vector<Choice> found;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    Choice choice{{cuts[i], cuts[i + 1] - cuts[i]}, {}};
    for (std::size_t skip = 0; skip < reachable.size(); ++skip) {
      if (contains(reachable[skip], cuts[i])) choice.skips.push_back(skip);
    }
    if (!choice.skips.empty()) found.push_back(std::move(choice));
  }
  return found;
}

/// How much each of the loads gets of `amount` so that the least are filled up to one level; what does not divide goes to the
/// least.
std::vector<std::int64_t> shares(const std::vector<std::int64_t>& loads, std::int64_t amount) {
  std::vector<std::size_t> rising(loads.size());
  std::iota(rising.begin(), rising.end(), std::size_t{0});
  std::stable_sort(rising.begin(), rising.end(), [&loads](std::size_t a, std::size_t b) { return loads[a] < loads[b]; });

  std::int64_t filled = 0;
  std::int64_t sum = amount;  // with the loads that are filled up
  for (const std::size_t i : rising) {
    if (filled > 0 && loads[i] * filled >= sum) break;
    sum += loads[i];
    ++filled;
  }
  std::vector<std::int64_t> share(loads.size());
  for (std::int64_t i = 0; i < filled; ++i) {
    const std::size_t load = rising[static_cast<std::size_t>(i)];
    share[load] = sum / filled + (i < sum % filled ? 1 : 0) - loads[load];
  }
  return share;
}

/// Cuts a run that several skips could carry into pieces, so that loads even out and pieces lie beside what the skip carries
/// already.
void share_out(const Choice& choice, std::vector<RunSet>& sent) {
  std::vector<std::int64_t> loads;
  for (const std::size_t skip : choice.skips) loads.push_back(count(sent[skip]));
  const std::vector<std::int64_t> share = shares(loads, choice.offsets.count);

  std::vector<std::size_t> order(choice.skips.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) {
    const RunSet& carried = sent[choice.skips[i]];
    return contains(carried, choice.offsets.first - 1) ? 0 : contains(carried, choice.offsets.end()) ? 2 : 1;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });

  std::int32_t next = choice.offsets.first;
  for (const std::size_t i : order) {
    const auto length = static_cast<std::int32_t>(share[i]);
    if (length > 0) sent[choice.skips[i]] = unite(sent[choice.skips[i]], {{next, length}});
    next += length;
  }
}

/// `reachable[i]` is what skip i could carry; every offset on one skip.
std::vector<RunSet> divided(std::vector<RunSet> reachable) {
  if (reachable.size() == 1) return reachable;
  const std::vector<Choice> all = choices(reachable);
  std::vector<RunSet> sent(reachable.size());
  for (const Choice& choice : all) {
    if (choice.skips.size() == 1) append(sent[choice.skips.front()], choice.offsets);
  }
  for (const Choice& choice : all) {
    if (choice.skips.size() > 1) share_out(choice, sent);
  }
  return sent;
}

}  // namespace

SkipPaths skip_paths(int ranks, const SkipRounds& rounds, const Horizons& horizons) {
  SkipPaths paths{std::vector<std::vector<SkipSend>>(rounds.size()), {{0, 1}}};
  for (std::size_t round = rounds.size(); round-- > 0;) {
    RunSet beyond;
    if (!horizons.empty() && horizons[round] < ranks) beyond = {{horizons[round], ranks - horizons[round]}};
    std::vector<RunSet> reachable;
    for (const int skip : rounds[round]) {
      const RunSet moved = rotate(paths.reached, moved_by(0, skip, ranks), ranks);
      reachable.push_back(subtract(subtract(moved, paths.reached), beyond));
    }
    std::vector<RunSet> sent = divided(std::move(reachable));
    for (std::size_t i = 0; i < sent.size(); ++i) {
      paths.reached = unite(paths.reached, sent[i]);
      paths.rounds[round].push_back({rounds[round][i], std::move(sent[i])});
    }
  }
  return paths;
}

bool reaches_everyone(int ranks, const SkipRounds& rounds, const Horizons& horizons) {
  return skip_paths(ranks, rounds, horizons).reached == RunSet{{0, ranks}};
}

SkipSchedule::SkipSchedule(int ranks, const SkipRounds& rounds, const Horizons& horizons)
    : SkipSchedule(ranks, skip_paths(ranks, rounds, horizons)) {}

SkipSchedule::SkipSchedule(int ranks, SkipPaths paths) : ranks_(ranks) {
  if (paths.reached != RunSet{{0, ranks}})
    throw std::logic_error(fmt::format("skip schedule: no way leads {} ranks further", paths.reached.front().end()));
  for (std::vector<SkipSend>& round : paths.rounds) {
    std::erase_if(round, [](const SkipSend& send) { return send.offsets.empty(); });
    if (!round.empty()) rounds_.push_back(std::move(round));
  }
}

BlockStep SkipSchedule::step(int rank, int step, BlockStepRoom& room) const {
  const std::vector<SkipSend>& sent = round(step);
  // Each run of offsets is one of blocks at either end, or two where they pass the last block.
  std::size_t most_runs = 0;
  for (const SkipSend& send : sent) most_runs += 2 * (send.offsets.size() + 1);
  room.runs.clear();
  room.runs.reserve(most_runs);  // transfers point into it
  room.transfers.clear();
  const auto add = [&](int peer, const RunSet& offsets, int sender) {
    const std::size_t first = room.runs.size();
    const RunSet blocks = rotate(offsets, sender, ranks_);
    room.runs.insert(room.runs.end(), blocks.begin(), blocks.end());
    room.transfers.push_back({peer, std::span<const Run>(room.runs).subspan(first)});
  };
  for (const SkipSend& send : sent) add(moved_by(rank, send.skip, ranks_), send.offsets, rank);
  for (const SkipSend& send : sent) {
    const int source = moved_by(rank, -send.skip, ranks_);
    add(source, send.offsets, source);
  }
  const std::span<const BlockTransfer> all(room.transfers);
  return {all.first(sent.size()), all.subspan(sent.size())};
}

std::vector<SkipHop> first_hops(const SkipSchedule& schedule) {
  std::vector<SkipHop> hops(static_cast<std::size_t>(schedule.ranks()), SkipHop{-1, -1, 0});
  for (int round = 0; round < schedule.steps(); ++round) {
    const std::vector<SkipSend>& sends = schedule.round(round);
    for (std::size_t i = 0; i < sends.size(); ++i) {
      for (const Run& run : sends[i].offsets)
        std::fill_n(hops.begin() + run.first, run.count, SkipHop{round, static_cast<int>(i), sends[i].skip});
    }
  }
  return hops;
}

}  // namespace heddle::schedule
