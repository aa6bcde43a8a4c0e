// SPDX-License-Identifier: Apache-2.0
#include "emu/network/fluid_network_lockstep.hpp"

#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "emu/network/max_min.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::emu {

namespace {

struct Sent {
  VertexId from;
  VertexId to;
  double bytes;
};

std::size_t links_of(const Topology& topology) { return static_cast<std::size_t>(topology.links() + topology.trunks()); }

LockstepRates rates_of(const Topology& topology, const std::vector<Sent>& messages) {
  LockstepRates rates(links_of(topology));
  RunRoute route;
  for (const Sent& message : messages) {
    topology.route_in_runs(message.from, message.to, Routing::split(), route);
    for (const RunRoute::Path& path : route.paths()) rates.add(route.runs(path), path.share, path.share * message.bytes);
  }
  return rates;
}

/// The same flows' rates one by one.
std::vector<double> expected_rates(const Topology& topology, const std::vector<Sent>& messages,
                                   const std::vector<double>& capacity) {
  MaxMin max_min(capacity);
  std::vector<FlowId> flows;
  Route route;
  for (const Sent& message : messages) {
    topology.route(message.from, message.to, Routing::split(), route);
    for (const Route::Path& path : route.paths()) {
      const auto first = route.links().begin() + path.first;
      flows.push_back(max_min.add(std::vector<LinkId>(first, first + path.count), path.share));
    }
  }
  max_min.solve();
  std::vector<double> rates;
  for (const FlowId flow : flows) rates.push_back(max_min.rate(flow));
  return rates;
}

std::vector<double> all_rates(const LockstepRates& rates) {
  std::vector<double> all;
  for (std::size_t flow = 0; flow < rates.flows(); ++flow) all.push_back(rates.rate(flow));
  return all;
}

/// What each link carries, from routes link by link.
std::vector<double> bytes_by_link(const Topology& topology, const std::vector<Sent>& messages) {
  std::vector<double> bytes(links_of(topology));
  Route route;
  for (const Sent& message : messages) {
    topology.route(message.from, message.to, Routing::split(), route);
    for (const Route::Path& path : route.paths())
      for (std::int32_t i = path.first; i < path.first + path.count; ++i)
        bytes[static_cast<std::size_t>(route.links()[static_cast<std::size_t>(i)])] += path.share * message.bytes;
  }
  return bytes;
}

std::vector<Sent> shifted(const Topology& topology, int by, double bytes = 1024) {
  std::vector<Sent> messages;
  for (VertexId from = 0; from < topology.endpoints(); ++from)
    if (by % topology.endpoints() != 0) messages.push_back({from, (from + by) % topology.endpoints(), bytes});
  return messages;
}

std::vector<Sent> exchanged(const Topology& topology, int mask, double bytes = 1024) {
  std::vector<Sent> messages;
  for (VertexId from = 0; from < topology.endpoints(); ++from) {
    const VertexId to = from ^ mask;
    if (to < topology.endpoints() && to != from) messages.push_back({from, to, bytes});
  }
  return messages;
}

}  // namespace

TEST_CASE("on a ring where all send k on, a link has k flows") {
  // k·r = 12  =>  r = 12 / k, and each link carries k messages.
  const auto ring = parse_topology("ring:16");
  for (const int k : {1, 3, 5, 7}) {
    LockstepRates rates = rates_of(*ring, shifted(*ring, k));
    REQUIRE(rates.solve(std::vector<double>(links_of(*ring), 12)));
    for (std::size_t flow = 0; flow < rates.flows(); ++flow) REQUIRE(rates.rate(flow) == 12.0 / k);
    for (LinkId link = 0; link < ring->links(); ++link) {
      const LockstepRates::Load& load = rates.loads()[static_cast<std::size_t>(link)];
      REQUIRE(load.flows == (link % 2 == 0 ? k : 0));
      REQUIRE(load.bytes == (link % 2 == 0 ? k * 1024.0 : 0));
    }
  }
}

TEST_CASE("half-way round, half of each message goes each way") {
  // 4 halves in each link of either direction: 4·r = 12 by weight 1/2 each.
  const auto ring = parse_topology("ring:8");
  LockstepRates rates = rates_of(*ring, shifted(*ring, 4));
  REQUIRE(rates.solve(std::vector<double>(links_of(*ring), 12)));
  REQUIRE(rates.flows() == 16);
  for (std::size_t flow = 0; flow < rates.flows(); ++flow) CHECK(rates.rate(flow) == 3);
}

TEST_CASE("a second level: what a full link leaves to the others") {
  // mesh:4, 0 to 3, 1 to 3, 2 to 3 and 0 to 1: 2-3 is full first, 3·r = 12. On 0-1: 4 for the long one, 8 for the short one.
  const auto mesh = parse_topology("mesh:4");
  const std::vector<Sent> messages = {{0, 3, 8}, {1, 3, 8}, {2, 3, 8}, {0, 1, 8}};
  LockstepRates rates = rates_of(*mesh, messages);
  REQUIRE(rates.solve(std::vector<double>(links_of(*mesh), 12)));
  CHECK(all_rates(rates) == std::vector<double>{4, 4, 4, 8});
}

TEST_CASE("what cannot be told to the last bit is left to others") {
  const auto mesh = parse_topology("mesh:3");
  SECTION("weights that are no powers of two") {
    LockstepRates rates(links_of(*mesh));
    rates.add(std::vector<LinkRun>{{0, 0, 1}}, 1.0 / 3, 8);
    CHECK_FALSE(rates.solve(std::vector<double>(links_of(*mesh), 12)));
  }
  SECTION("bytes whose sums round") {
    LockstepRates rates(links_of(*mesh));
    rates.add(std::vector<LinkRun>{{0, 0, 1}}, 1, 1.0 / 3);
    CHECK_FALSE(rates.solve(std::vector<double>(links_of(*mesh), 12)));
  }
  SECTION("levels that lie closer than MaxMin tells apart") {
    LockstepRates rates = rates_of(*mesh, {{0, 1, 8}, {1, 2, 8}});
    CHECK_FALSE(rates.solve(std::vector<double>{12, 12, 12 * (1 + 1e-13), 12}));
  }
  SECTION("nothing stops a flow") {
    LockstepRates rates = rates_of(*mesh, {{0, 1, 8}});
    CHECK_FALSE(rates.solve(std::vector<double>(links_of(*mesh), std::numeric_limits<double>::infinity())));
  }
}

TEST_CASE("lockstep patterns: rates and loads are those of messages one by one, to the last bit") {
  // Of the first it is known which patterns are symmetric: shifts of a ring, and exchanges with one bit flipped where sizes are powers
  // of two.
  const auto [spec, has_powers_of_two] = GENERATE(table<std::string, bool>({{"ring:16", true},
                                                                            {"torus:8x8", true},
                                                                            {"torus:4x4x4", true},
                                                                            {"torus:16x2", true},
                                                                            {"hypercube:5", true},
                                                                            {"star:8", true},
                                                                            {"ring:15", false},
                                                                            {"torus:6x10", false},
                                                                            {"torus:3x5x2", false},
                                                                            {"mesh:8x4", false},
                                                                            {"clos:hosts=4,leaves=4,spines=2", false}}));
  CAPTURE(spec);
  const auto topology = parse_topology(spec);
  int known = 0;
  for (const double bandwidth : {12.0, 0.05, 1.0 / 3}) {
    const std::vector<double> capacity(links_of(*topology), bandwidth);
    for (int k = 1; k < topology->endpoints(); ++k) {
      CAPTURE(bandwidth, k);
      for (const bool is_shift : {true, false}) {
        const std::vector<Sent> messages = is_shift ? shifted(*topology, k) : exchanged(*topology, k);
        LockstepRates rates = rates_of(*topology, messages);
        const bool is_known = rates.solve(capacity);
        if (spec.starts_with("ring") ? is_shift
                                     : has_powers_of_two && !is_shift && std::has_single_bit(static_cast<unsigned>(k)))
          REQUIRE(is_known);
        if (!is_known) continue;
        ++known;
        REQUIRE(all_rates(rates) == expected_rates(*topology, messages, capacity));
        const std::vector<double> bytes = bytes_by_link(*topology, messages);
        for (std::size_t link = 0; link < bytes.size(); ++link) REQUIRE(rates.loads()[link].bytes == bytes[link]);
      }
    }
  }
  CHECK(known > 0);
}

TEST_CASE("any messages at once: known rates are those of MaxMin") {
  int known = 0;
  testing::property("to the last bit", [&known] {
    const auto topology = parse_topology(drawn::one_of<std::string>(
        {"ring:9", "torus:4x6", "mesh:5x3", "torus:2x3x4", "hyperx:4x4", "clos:hosts=3,leaves=3,spines=3"}));
    const int endpoints = topology->endpoints();
    const auto pairs = drawn::list([endpoints] { return std::pair{drawn::number(0, endpoints), drawn::number(0, endpoints)}; });
    std::array<double, 3> few_speeds;
    for (double& speed : few_speeds) speed = drawn::one_of({1.0, 2.0, 3.0, 0.1});
    const bool is_even = drawn::any<bool>();
    std::vector<Sent> messages;
    for (const auto& [from, to] : pairs)
      if (from != to) messages.push_back({from, to, 100});
    std::vector<double> capacity;
    for (std::size_t link = 0; link < links_of(*topology); ++link) capacity.push_back(few_speeds[is_even ? 0 : link % 3]);
    LockstepRates rates = rates_of(*topology, messages);
    if (!rates.solve(capacity)) return;
    ++known;
    RC_ASSERT(all_rates(rates) == expected_rates(*topology, messages, capacity));
  });
  CHECK(known > 0);
}

TEST_CASE("long rings: where roundings add up, MaxMin may tell symmetric flows apart") {
  // With 200 flows of a third each way, what is left for the last is known to 2e-12 of it.
  for (const int size : {384, 400}) {
    const auto ring = parse_topology("ring:" + std::to_string(size));
    const std::vector<double> capacity(links_of(*ring), 0.05);
    for (const int k : {size / 2, size / 2 - 1, size / 3}) {
      CAPTURE(size, k);
      const std::vector<Sent> messages = shifted(*ring, k);
      LockstepRates rates = rates_of(*ring, messages);
      if (rates.solve(capacity)) CHECK(all_rates(rates) == expected_rates(*ring, messages, capacity));
    }
  }
}

}  // namespace heddle::emu
