// SPDX-License-Identifier: Apache-2.0
// Messages over ways of unequal width, in closed forms: B = 1 byte per ns and lane, α = 1 us, a link costs 100 ns.
#include <cmath>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/settings/faults.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "topo/fabric/ways.hpp"
#include "topo/files/file_graph.hpp"

namespace heddle {

namespace {

using namespace literals;

/// Ways from endpoint 0 to endpoint 1, each over switches of its own: by way the lanes of its links, one after the other. A link of n
/// lanes is one of a tier that has n bytes per ns, or n cables of one.
class Ways {
 public:
  enum class Lanes : std::uint8_t { of_a_tier, cables };

  Ways(Lanes lanes, const std::vector<std::vector<int>>& ways) : lanes_(lanes) {
    file_.endpoints = 2;
    for (const std::vector<int>& way : ways) file_.switches += static_cast<int>(way.size()) - 1;
    VertexId next = 2;
    for (const std::vector<int>& way : ways) {
      VertexId at = 0;
      for (std::size_t i = 0; i < way.size(); ++i) {
        const VertexId to = i + 1 == way.size() ? 1 : next++;
        add(at, to, way[i]);
        at = to;
      }
    }
  }

  Fabric fabric() {
    for (int vertex = 0; vertex < file_.endpoints + file_.switches; ++vertex)
      file_.names.push_back((vertex < file_.endpoints ? "" : "s") + std::to_string(vertex));
    file_.offers.resize(static_cast<std::size_t>(file_.switches));
    file_.group = {std::vector<int>(static_cast<std::size_t>(file_.endpoints), 0)};
    FabricSettings settings;
    settings.tiers = speeds_;
    settings.alpha = 1_us;
    return {std::make_shared<FileGraph>("file:drawn", "drawn", file_), settings};
  }

  /// Links both ways.
  void add(VertexId from, VertexId to, int lanes) {
    const int per_cable = lanes_ == Lanes::cables ? 1 : lanes;
    int tier = 0;
    for (; tier < static_cast<int>(lanes_of_tier_.size()); ++tier)
      if (lanes_of_tier_[static_cast<std::size_t>(tier)] == per_cable) break;
    if (tier == static_cast<int>(lanes_of_tier_.size())) {
      lanes_of_tier_.push_back(per_cable);
      speeds_.push_back({.bandwidth = 1_GBps * per_cable, .latency = 100_ns});
      file_.tiers.push_back(std::to_string(per_cable));
    }
    file_.bundles.push_back({from, to, tier, lanes / per_cable, false});
  }

  FabricFile& file() { return file_; }

 private:
  Lanes lanes_;
  FabricFile file_;
  std::vector<int> lanes_of_tier_;
  std::vector<LinkSpeed> speeds_;
};

Time time_of(const Fabric& fabric, const std::vector<Transfer>& transfers, const std::vector<std::string>& faults = {},
             Model model = Model::fluid) {
  EmulationSettings settings;
  settings.model = model;
  settings.faults = parse_faults(faults, fabric.topology(), fabric.topology().endpoints());
  return run_on(fabric, at_once(transfers), settings).completion;
}

void check_near(Time time, double expected_ns) {
  INFO(to_string(time) << " for " << expected_ns << " ns");
  CHECK(std::abs(static_cast<double>(time.ps()) - expected_ns * 1000) <= 2);
}

}  // namespace

TEST_CASE("ways of 5 and 4 lanes carry a message of m bytes in m/9 per lane") {
  for (const auto lanes : {Ways::Lanes::of_a_tier, Ways::Lanes::cables}) {
    const Fabric fabric = Ways(lanes, {{5, 5}, {4, 4}}).fabric();
    const double alone = 1000 + 9000. / 9 + 200;
    check_near(time_of(fabric, {{0, 1, 9000}}), alone);
    check_near(time_of(fabric, {{0, 1, 9000}}, {}, Model::alpha_beta), alone);
    // Two share both ways.
    check_near(time_of(fabric, {{0, 1, 9000}, {0, 1, 9000}}), 1000 + 2000 + 200);
    CHECK(std::abs(message_cost(fabric, 0, 1).seconds_per_byte - 1e-9 / 9) < 1e-18);
  }
  // Of each way the narrowest link counts.
  check_near(time_of(Ways(Ways::Lanes::of_a_tier, {{5, 9, 7}, {8, 8, 4}, {1, 8, 8}}).fabric(), {{0, 1, 10'000}}),
             1000 + 1000 + 300);
  // As wide ways as there were: even.
  check_near(time_of(Ways(Ways::Lanes::cables, {{3, 5}, {4, 3}}).fabric(), {{0, 1, 6000}}), 1000 + 1000 + 200);
}

TEST_CASE("one of many ways has a tenth of its speed") {
  const Fabric fabric = Ways(Ways::Lanes::cables, std::vector<std::vector<int>>(5, {1, 1})).fabric();
  check_near(time_of(fabric, {{0, 1, 10'000}}), 1000 + 10'000. / 5 + 200);
  check_near(time_of(fabric, {{0, 1, 10'000}}, {"link:0->s3,slow=10"}), 1000 + 10'000 / 4.1 + 200);
  // What is under way when it gets slow keeps its parts: 1000 of 2000 bytes on that way are through.
  check_near(time_of(fabric, {{0, 1, 10'000}}, {"link:0->s3,slow=10,at=2us"}), 2000 + 10'000 + 200);
  // One that is down leaves four, of which one has half.
  check_near(time_of(fabric, {{0, 1, 10'000}}, {"link:0->s3,down", "link:s4->1,slow=2"}), 1000 + 10'000 / 3.5 + 200);
  // A trunk of five, of which one has a tenth, beside a way of two.
  const Fabric trunk = Ways(Ways::Lanes::cables, {{5, 5}, {2, 2}}).fabric();
  EmulationSettings settings;
  settings.faults.links = {{.link = 0, .at = Time(), .down = false, .slower = 10}};
  check_near(run_on(trunk, at_once({{0, 1, 10'000}}), settings).completion, 1000 + 10'000 / 6.1 + 200);
}

TEST_CASE("ways that meet and part again, each time at other widths") {
  // 0 to 2 over 3 or 4, 2 to 5 over 6 or 7, 5 to 1.
  Ways ways(Ways::Lanes::of_a_tier, {});
  ways.file().switches = 6;
  for (const auto& [from, to, lanes] : std::vector<std::tuple<int, int, int>>{
           {0, 3, 5}, {3, 2, 5}, {0, 4, 4}, {4, 2, 4}, {2, 6, 6}, {6, 5, 6}, {2, 7, 3}, {7, 5, 3}, {5, 1, 20}})
    ways.add(from, to, lanes);
  const Fabric fabric = ways.fabric();
  check_near(time_of(fabric, {{0, 1, 9000}}), 1000 + 1000 + 500);
  check_near(time_of(fabric, {{0, 1, 9000}}, {"link:s4->s2,slow=4"}), 1000 + 9000. / 6 + 500);
}

TEST_CASE("many messages fill the ways of a leaf together") {
  // Nine hosts of one lane each on either side, uplinks of 5 and 4 lanes.
  Ways ways(Ways::Lanes::of_a_tier, {});
  ways.file().endpoints = 18;
  ways.file().switches = 4;
  std::vector<Transfer> transfers;
  for (int host = 0; host < 9; ++host) {
    ways.add(host, 18, 1);
    ways.add(9 + host, 19, 1);
    transfers.push_back({host, 9 + host, 1000});
  }
  for (const VertexId leaf : {18, 19}) {
    ways.add(leaf, 20, 5);
    ways.add(leaf, 21, 4);
  }
  check_near(time_of(ways.fabric(), transfers), 1000 + 1000 + 400);
}

TEST_CASE("ways that the tiers' speeds make unequal") {
  // Along a board of three, or over its switch: both two links.
  FabricSettings settings = nanosecond_speeds();
  settings.tiers.push_back({.bandwidth = 2_GBps, .latency = 100_ns});
  check_near(time_of(fabric_of("hxmesh:board=1x3,grid=1x2", settings), {{0, 2, 3000}}), 1000 + 1000 + 800);
  settings.tiers.back().bandwidth = 1_GBps;
  check_near(time_of(fabric_of("hxmesh:board=1x3,grid=1x2", settings), {{0, 2, 3000}}), 1000 + 1500 + 800);
}

TEST_CASE("a slow link of one of two ways round a ring") {
  const Fabric ring = fabric_of("ring:4");
  check_near(time_of(ring, {{0, 2, 1000}}), 1000 + 500 + 800);
  check_near(time_of(ring, {{0, 2, 1000}}, {"link:1->2,slow=4"}), 1000 + 1000 / 1.25 + 800);
}

TEST_CASE("trunks with faults at different switches have what leads through both") {
  // Four hosts of a leaf to four of another, over four spines: 4 bytes/ns.
  const std::vector<Transfer> all = {{0, 4, 1000}, {1, 5, 1000}, {2, 6, 1000}, {3, 7, 1000}};
  const Fabric clos = fabric_of("clos:hosts=4,leaves=2,spines=4");
  const double latency = static_cast<double>(time_of(clos, all).ps()) / 1000 - 2000;
  check_near(time_of(clos, all, {"link:leaf0->spine0,slow=4"}), 1000 + 4000 / 3.25 + latency);
  check_near(time_of(clos, all, {"link:leaf0->spine0,slow=4", "link:spine0->leaf1,slow=4"}), 1000 + 4000 / 3.25 + latency);
  check_near(time_of(clos, all, {"link:leaf0->spine0,slow=4", "link:spine1->leaf1,slow=4"}), 1000 + 4000 / 2.5 + latency);
  check_near(time_of(clos, all, {"link:leaf0->spine0,down", "link:spine1->leaf1,down"}), 1000 + 4000 / 2. + latency);
  // Other pairs have all of it.
  const std::vector<Transfer> back = {{4, 0, 1000}, {5, 1, 1000}, {6, 2, 1000}, {7, 3, 1000}};
  check_near(time_of(clos, back, {"link:leaf0->spine0,slow=4", "link:spine1->leaf1,slow=4"}), 2000 + latency);
  // Nothing leads through: by way of a third leaf, two links more.
  const Fabric three = fabric_of("clos:hosts=1,leaves=3,spines=2");
  const Time around = time_of(three, {{0, 1, 1000}}, {"link:leaf0->spine0,down", "link:spine1->leaf1,down"});
  check_near(around, 2000 + latency + 800);
}

}  // namespace heddle
