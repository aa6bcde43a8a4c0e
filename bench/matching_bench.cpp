// SPDX-License-Identifier: Apache-2.0
// What it costs to bring a message and its receive together.
#include <benchmark/benchmark.h>

#include <vector>

#include "emu/messages/mailbox.hpp"

namespace heddle::emu {

namespace {

/// Each of 4,096 ranks sends to the rank `shift` further on and receives: the same peer every time, or another one.
void match(benchmark::State& state, int shift_by_round) {
  constexpr int kRanks = 4096;
  Mailbox mailbox;
  std::vector<ChannelId> send_hints(kRanks);
  std::vector<ChannelId> receive_hints(kRanks);
  std::vector<ChannelId> channels(kRanks);
  std::vector<Pairing> pairings;
  int shift = 1;
  for (auto _ : state) {
    pairings.clear();
    for (int r = 0; r < kRanks; ++r) {
      const auto rank = static_cast<std::size_t>(r);
      mailbox.add_receive({0, (r + kRanks - shift) % kRanks, r, 0}, {static_cast<TaskId>(r), 0}, receive_hints[rank], pairings);
      channels[rank] = mailbox.add_message({0, r, (r + shift) % kRanks, 0}, static_cast<MessageId>(r), send_hints[rank]);
    }
    for (int r = 0; r < kRanks; ++r)
      mailbox.make_visible(channels[static_cast<std::size_t>(r)], static_cast<MessageId>(r), pairings);
    benchmark::DoNotOptimize(pairings.data());
    shift = (shift + shift_by_round) % kRanks;
  }
  state.SetItemsProcessed(state.iterations() * kRanks);
}

void BM_MatchSamePeer(benchmark::State& state) { match(state, 0); }
void BM_MatchNewPeers(benchmark::State& state) { match(state, 1); }
BENCHMARK(BM_MatchSamePeer);
BENCHMARK(BM_MatchNewPeers);

}  // namespace

}  // namespace heddle::emu
