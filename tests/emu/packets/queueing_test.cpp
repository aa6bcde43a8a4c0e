// SPDX-License-Identifier: Apache-2.0
// Queues against what is known of them: head-of-line blocking (Karol, Hluchyj and Morgan 1987, table I), output queues (the same,
// equation 5), M/D/1, and uniform traffic on a mesh beyond its saturation. Packets are single messages; a slot is what one takes.
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "emu/packets/packet_network.hpp"
#include "tests/catch.hpp"
#include "tests/emu/manual_engine.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::emu {

namespace {

using namespace literals;

constexpr std::int64_t kBytes = 4096;
constexpr Time kSlot = Time::ps(4'096'000);  ///< at 1 GB/s

FabricSettings slot_speeds(Time latency) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = 1_GBps, .latency = latency}};
  return settings;
}

/// A packet network with nobody above it.
class Traffic final : public NetworkClient, private Alarm {
 public:
  Traffic(const char* topology, const char* settings, Time latency = Time())
      : fabric_(parse_topology(topology), slot_speeds(latency)),
        alone_(fabric_, false),
        recorder_(fabric_.topology()),
        network_(fabric_, engine_, *this, recorder_, {.alone = alone_, .packets = parse_packet_settings(settings)}) {}

  void send(VertexId from, VertexId to) {
    MessageId id = static_cast<MessageId>(sent_at_.size());
    if (free_.empty()) {
      sent_at_.emplace_back();
      from_.emplace_back();
    } else {
      id = free_.back();
      free_.pop_back();
    }
    sent_at_[id] = engine_.now();
    from_[id] = from;
    network_.send({.message = id, .from = from, .to = to, .bytes = kBytes, .round = 1});
  }
  /// Calls `tick` then.
  void tick_at(Time time, std::uint64_t payload) { engine_.at(time, *this, payload); }

  void run_until(Time end) {
    while (network_.end_timestamp()) continue;
    while (engine_.has_alarm() && engine_.time <= end) {
      engine_.ring_next();
      while (engine_.rings_now()) engine_.ring_next();
      while (network_.end_timestamp()) continue;
    }
  }

  std::function<void(std::uint64_t)> tick = [](std::uint64_t) {};
  std::function<void(VertexId)> has_left = [](VertexId) {};
  Time now() const { return engine_.now(); }
  std::int64_t arrived_count = 0;
  double time_under_way = 0;  ///< picoseconds, of those that arrived

  PacketsReport report() const {
    Report report;
    report.completion = engine_.now();
    network_.add_to(report);
    return *report.packets;
  }
  std::mt19937_64 random{1};
  int draw(int below) { return static_cast<int>(random() % static_cast<std::uint64_t>(below)); }
  bool happens(double probability) { return std::uniform_real_distribution<double>()(random) < probability; }

 private:
  void on_timer(std::uint64_t payload) override { tick(payload); }
  void drained(MessageId, Time) override {}
  void left(MessageId message) override { has_left(from_[message]); }
  void arrived(MessageId message) override {
    ++arrived_count;
    time_under_way += static_cast<double>((engine_.now() - sent_at_[message]).ps());
    free_.push_back(message);
  }
  void streamed(StreamId) override {}

  Fabric fabric_;
  ManualEngine engine_;
  AloneTimes alone_;
  NetworkRecorder recorder_;
  PacketNetwork network_;
  std::vector<Time> sent_at_;
  std::vector<VertexId> from_;
  std::vector<MessageId> free_;
};

/// Of a switch with n inputs that always have a packet and n outputs: what an output carries.
double saturated(int n, const char* settings) {
  const std::string topology = "star:" + std::to_string(2 * n);
  Traffic traffic(topology.c_str(), settings);
  traffic.has_left = [&](VertexId from) { traffic.send(from, n + traffic.draw(n)); };
  for (int input = 0; input < n; ++input) {
    for (int waiting = 0; waiting < 2; ++waiting) traffic.send(input, n + traffic.draw(n));
  }
  constexpr int kSlots = 40'000;
  traffic.run_until(kSlots * kSlot);
  return static_cast<double>(traffic.arrived_count) / kSlots / n;
}

double mean_wait_in_slots(const PacketsReport& report) {
  double total = 0;
  double waits = 0;
  for (const PacketLinkReport& link : report.links) {
    total += static_cast<double>(link.wait_total.ps());
    waits += static_cast<double>(link.waits);
  }
  return total / waits / static_cast<double>(kSlot.ps());
}

}  // namespace

TEST_CASE("inputs in one line each: 2 - sqrt(2) of the outputs, more where there are few") {
  const double known[] = {0.7500, 0.6825, 0.6553, 0.6399, 0.6302, 0.6234, 0.6184};
  for (int n = 2; n <= 8; ++n) {
    CAPTURE(n);
    CHECK(saturated(n, "queues=fifo") == Approx(known[n - 2]).margin(0.005));
  }
  CHECK(saturated(8, "buffer=inf") > 0.99);
}

TEST_CASE("output queues with slotted arrivals wait (n - 1)/n · p/(2(1 - p)) slots") {
  constexpr int kInputs = 4;
  constexpr double kLoad = 0.8;
  Traffic traffic("star:8", "buffer=inf");
  traffic.tick = [&](std::uint64_t slot) {
    for (int input = 0; input < kInputs; ++input) {
      if (traffic.happens(kLoad)) traffic.send(input, kInputs + traffic.draw(kInputs));
    }
    traffic.tick_at(static_cast<std::int64_t>(slot + 1) * kSlot, slot + 1);
  };
  traffic.tick_at(Time(), 0);
  traffic.run_until(100'000 * kSlot);
  CHECK(mean_wait_in_slots(traffic.report()) == Approx(1.5).epsilon(0.04));
}

TEST_CASE("packets at random times for one link wait ρ/(2(1 - ρ)) slots") {
  for (const double load : {0.5, 0.8}) {
    CAPTURE(load);
    Traffic traffic("mesh:2", "");
    traffic.tick = [&](std::uint64_t) {
      traffic.send(0, 1);
      const double slots = std::exponential_distribution<double>(load)(traffic.random);
      traffic.tick_at(traffic.now() + Time::ps(std::llround(slots * static_cast<double>(kSlot.ps()))), 0);
    };
    traffic.tick_at(Time(), 0);
    traffic.run_until(200'000 * kSlot);
    const double wait =
        traffic.time_under_way / static_cast<double>(traffic.arrived_count) / static_cast<double>(kSlot.ps()) - 1;
    CHECK(wait == Approx(load / (2 * (1 - load))).epsilon(0.04));
  }
}

TEST_CASE("uniform traffic on a mesh: 0.4 of a packet a slot and node pass; beyond what fits, arbiters differ") {
  struct Run {
    double carried;
    double wait_a_hop;  ///< in slots
  };
  const auto run = [](double load, const char* settings) {
    constexpr int kNodes = 64;
    constexpr int kWarmUp = 500;
    constexpr int kSlots = 2'000;
    Traffic traffic("mesh:8x8", settings, kSlot);
    traffic.tick = [&](std::uint64_t slot) {
      for (int node = 0; node < kNodes; ++node) {
        if (!traffic.happens(load)) continue;
        const int to = traffic.draw(kNodes);
        if (to != node) traffic.send(node, to);
      }
      traffic.tick_at(static_cast<std::int64_t>(slot + 1) * kSlot, slot + 1);
    };
    traffic.tick_at(Time(), 0);
    traffic.run_until(kWarmUp * kSlot);
    const std::int64_t before = traffic.arrived_count;
    traffic.run_until((kWarmUp + kSlots) * kSlot);
    return Run{static_cast<double>(traffic.arrived_count - before) / kSlots / kNodes, mean_wait_in_slots(traffic.report())};
  };
  const Run light = run(0.4, "buffer=8");
  CHECK(light.carried == Approx(0.4 * 63 / 64).margin(0.01));
  CHECK(light.wait_a_hop < 1);
  const double in_turns = run(0.6, "buffer=8,arbiter=round-robin").carried;
  CHECK(in_turns > 0.40);
  CHECK(in_turns < 0.44);
  const double transit = run(0.6, "buffer=8").carried;
  CHECK(transit > 0.48);
  CHECK(transit < 0.51);
}

}  // namespace heddle::emu
