// SPDX-License-Identifier: Apache-2.0
// Checked calls of all collectives, right or with a planted mistake, and how they fail.
#pragma once

#include <string>
#include <utility>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::planted {

inline constexpr int kRanks = 5;

inline Fabric star(int ranks = kRanks) { return Fabric(parse_topology("star:" + std::to_string(ranks)), FabricSettings{}); }

inline Report run(const CollectiveCall& call, int ranks = kRanks, const EmulationSettings& settings = {}) {
  const Fabric fabric = star(ranks);
  return run_checked(fabric, linear_placement(ranks, fabric.topology()), call, settings);
}

/// 20 elements on 5 ranks: blocks of 4.
inline CollectiveCall call_of(Collective collective, CollectiveFunction function, bool in_place = true, int root = 0) {
  CollectiveCall call;
  call.collective = collective;
  call.function = std::move(function);
  call.name = "planted";
  call.count = call.sampled = collective == Collective::barrier ? 0 : 4 * kRanks;
  call.root = Rank(root);
  call.in_place = in_place;
  return call;
}

/// The collective done right, then `spoil(comm, call)` on each rank.
template <class Spoil>
CollectiveFunction then(Collective collective, Spoil spoil) {
  return [function = testing::direct(collective), spoil](Communicator& comm, const CollectiveArguments& call) {
    function(comm, call);
    spoil(comm, call);
  };
}

/// How the run fails; the same on user-level and kernel threads.
inline Failure failure_of(const CollectiveCall& call) {
  const auto on = [&](Threads threads) -> Failure {
    EmulationSettings settings;
    settings.threads = threads;
    try {
      run(call, kRanks, settings);
    } catch (const CheckError& error) {
      return {error.kind(), error.what()};
    }
    FAIL("the run passed");
    return {};
  };
  Failure kernel = on(Threads::kernel);
  if (default_threads() == Threads::user) CHECK(on(Threads::user).explanation == kernel.explanation);
  return kernel;
}

inline void check_wrong(const CollectiveCall& call, const std::string& explanation) {
  const Failure failure = failure_of(call);
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::Contains(explanation));
}

}  // namespace heddle::planted
