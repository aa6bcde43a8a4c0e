// SPDX-License-Identifier: Apache-2.0
// Rounds in which all ranks send at once are shared out as a whole, unless a timeline is kept, for which each message is followed:
// both ways everything that is reported is the same.

#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "emu/run/emulate.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using Rounds = std::vector<std::vector<Transfer>>;

auto one_after_the_other(const Rounds& rounds) {
  return [&rounds](Communicator& comm) {
    for (std::size_t r = 0; r < rounds.size(); ++r) carry(comm, rounds[r], Tag(static_cast<int>(r)));
  };
}

/// Everything but the host's.
void assert_same(const Report& whole, const Report& one_by_one) {
  RC_ASSERT(whole.completion == one_by_one.completion);
  RC_ASSERT(whole.contention_free == one_by_one.contention_free);
  RC_ASSERT(whole.critical_path.parts.contention == one_by_one.critical_path.parts.contention);
  RC_ASSERT(whole.critical_path.parts.propagation == one_by_one.critical_path.parts.propagation);
  RC_ASSERT(whole.critical_path.messages == one_by_one.critical_path.messages);
  for (std::size_t r = 0; r < whole.ranks.size(); ++r) RC_ASSERT(whole.ranks[r].completion == one_by_one.ranks[r].completion);
  for (std::size_t l = 0; l < whole.links.size(); ++l) {
    RC_ASSERT(whole.links[l].bytes == one_by_one.links[l].bytes);
    RC_ASSERT(whole.links[l].busy == one_by_one.links[l].busy);
    RC_ASSERT(whole.links[l].peak_flows == one_by_one.links[l].peak_flows);
  }
  for (std::size_t r = 0; r < whole.rounds.size(); ++r)
    RC_ASSERT(whole.rounds[r].peak_flows == one_by_one.rounds[r].peak_flows);
}

void assert_same_both_ways(const Fabric& fabric, const Rounds& rounds, const EmulationSettings& settings = {}) {
  Timeline timeline;
  EmulationSettings followed = settings;
  followed.sinks = {&timeline};
  const auto program = one_after_the_other(rounds);
  assert_same(run_on(fabric, program, settings), run_on(fabric, program, followed));
}

}  // namespace

TEST_CASE("rounds of symmetric messages, whole and one by one") {
  testing::property("the same report", [] {
    const Fabric fabric = fabric_of(
        drawn::one_of<std::string>({"ring:40", "torus:6x6", "torus:4x4x3", "mesh:6x6", "clos:hosts=4,leaves=9,spines=2"}));
    const int ranks = fabric.topology().endpoints();
    Rounds rounds(static_cast<std::size_t>(drawn::number(1, 5)));
    for (std::vector<Transfer>& round : rounds) {
      const int by = drawn::number(1, ranks);
      const std::int64_t bytes = drawn::one_of<std::int64_t>({0, 1000, 4096, 10'001});
      for (int rank = 0; rank < ranks; ++rank) round.push_back({rank, (rank + by) % ranks, bytes});
    }
    assert_same_both_ways(fabric, rounds);
  });
}

TEST_CASE("some messages end before the others do, or start later") {
  testing::property("the same report", [] {
    const Fabric fabric = fabric_of(drawn::one_of<std::string>({"ring:36", "torus:6x6", "hypercube:5", "hyperx:6x6"}));
    const int ranks = fabric.topology().endpoints();
    Rounds rounds(static_cast<std::size_t>(drawn::number(1, 4)));
    for (std::vector<Transfer>& round : rounds) {
      const int by = drawn::number(1, ranks);
      const auto other_size = drawn::number(0, ranks);
      const auto silent = drawn::number(0, ranks);
      for (int rank = 0; rank < ranks; ++rank)
        if (rank != silent) round.push_back({rank, (rank + by) % ranks, rank == other_size ? 700 : 1000});
    }
    EmulationSettings settings;
    settings.buffering.credits = drawn::one_of<std::optional<int>>({{}, 0, 1});
    assert_same_both_ways(fabric, rounds, settings);
  });
}

}  // namespace heddle
