// SPDX-License-Identifier: Apache-2.0
// Messages under the packet model, with the times at which each is there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emu/record/record_sink.hpp"
#include "emu/run/emulate.hpp"
#include "tests/emu/programs.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

/// B = 50 GB/s, so that 4 KiB take 81,920 ps; ℓ = 100 ns; h = 300 ns.
inline FabricSettings packet_speeds() {
  using namespace literals;
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 50_GBps, .latency = 100_ns}};
  settings.hop = 300_ns;
  return settings;
}

/// Of all messages, in the order in which they were sent: when they are there.
class Arrivals final : public emu::RecordSink {
 public:
  bool keeps_times() const override { return true; }
  void injected(std::uint32_t record, Time, Time, std::uint32_t) override {
    if (record >= times_.size()) times_.resize(record + std::size_t{1});
  }
  void arrived(std::uint32_t record, Time, Time at) override { times_[record] = at; }

  std::vector<std::int64_t> ps() const {
    std::vector<std::int64_t> all;
    for (const Time time : times_) all.push_back(time.ps());
    return all;
  }

 private:
  std::vector<Time> times_;
};

struct PacketRun {
  std::vector<std::int64_t> arrivals;  ///< in picoseconds, by message in the order of sending
  Report report;
};

/// All messages at once, by ranks on the fabric's endpoints.
inline PacketRun run_packets(const std::string& topology, const FabricSettings& speeds, const std::string& model,
                             const std::vector<Transfer>& transfers, Routing routing = {}) {
  FabricSettings settings = speeds;
  settings.routing = routing;
  const Fabric fabric(parse_topology(topology), settings);
  Arrivals arrivals;
  EmulationSettings emulation;
  emulation.model = parse_model(model);
  emulation.sinks = {&arrivals};
  Report report =
      emulate(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), at_once(transfers), emulation);
  return {arrivals.ps(), std::move(report)};
}

}  // namespace heddle
