// SPDX-License-Identifier: Apache-2.0
// Runs of ranks as tests make them: fabrics whose times can be worked out by hand, the kinds of threads, and how a run fails that must.
#pragma once

#include <cmath>
#include <cstdint>
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

/// All that a report says, except of the host's time and memory.
inline std::vector<std::int64_t> reported(const Report& report) {
  const CriticalPath& path = report.critical_path;
  std::vector<std::int64_t> all = {report.completion.ps(),
                                   std::llround(report.byte_scale * 1e6),
                                   report.contention_free.ps(),
                                   static_cast<std::int64_t>(report.messages_digest),
                                   report.host.messages,
                                   report.peak_tasks,
                                   report.streams.longest_message.count(),
                                   static_cast<std::int64_t>(report.streams.most_context.value_or(0)),
                                   path.bytes,
                                   path.messages};
  for (const Time part : {path.parts.startup, path.parts.propagation, path.parts.serialisation, path.parts.contention,
                          path.parts.local_work, path.parts.waiting})
    all.push_back(part.ps());
  for (const RankReport& rank : report.ranks) {
    for (const std::int64_t field :
         {rank.completion.ps(), std::int64_t{rank.rounds}, rank.messages, rank.sent.count(), rank.received.count()})
      all.push_back(field);
  }
  for (const LinkReport& link : report.links) {
    for (const std::int64_t field :
         {std::int64_t{link.link}, link.bytes.count(), link.busy.ps(), std::int64_t{link.peak_flows}})
      all.push_back(field);
  }
  for (const RoundReport& round : report.rounds) {
    for (const std::int64_t field : {round.messages, round.bytes.count(), std::int64_t{round.peak_flows}}) all.push_back(field);
  }
  return all;
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
