// SPDX-License-Identifier: Apache-2.0
// Runs of ranks as tests make them: fabrics whose times can be worked out by hand, the kinds of threads, and how a run fails that must.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

/// B = 1 byte per ns, so that m bytes take m ns; ℓ = 100 ns; h = 300 ns; α = 1 us.
/// A path of δ links costs δ·400 ns in a direct network, and 500 ns through a star's switch (whose endpoints have h = 0).
inline FabricSettings nanosecond_speeds() {
  using namespace literals;
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 1_GBps, .latency = 100_ns}};
  settings.hop = 300_ns;
  settings.alpha = 1_us;
  return settings;
}

inline Fabric fabric_of(std::string_view topology, const FabricSettings& settings = nanosecond_speeds()) {
  return {parse_topology(topology), settings};
}

/// γ = 1 ns per byte: reductions are seen on the clock.
inline Fabric reducing_ring(int ranks) {
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  return fabric_of("ring:" + std::to_string(ranks), settings);
}

/// A rank on each endpoint.
inline Report run_on(const Fabric& fabric, const RankFunction& function, const EmulationSettings& settings = {}) {
  return emulate(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), function, settings);
}

/// ThreadSanitizer cannot follow switches of user-level threads: there only kernel threads.
inline std::vector<Threads> threads_under_test() {
  if (default_threads() == Threads::kernel) return {Threads::kernel};
  return {Threads::user, Threads::kernel};
}

/// Runs the test case once for each of them.
inline Threads each_kind_of_threads() { return GENERATE(from_range(threads_under_test())); }

inline EmulationSettings on(Threads threads) {
  EmulationSettings settings;
  settings.threads = threads;
  return settings;
}

/// The CheckError that the run ends with; fails the test if it ends otherwise.
inline CheckError check_error_of(const Fabric& fabric, const RankFunction& function, const EmulationSettings& settings = {}) {
  try {
    run_on(fabric, function, settings);
  } catch (const CheckError& error) {
    return error;
  }
  FAIL("the run passed");
  throw std::logic_error("unreachable: FAIL throws");
}

}  // namespace heddle
