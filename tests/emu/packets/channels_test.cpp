// SPDX-License-Identifier: Apache-2.0
// Virtual channels: along every route stages never fall and no channel is beyond those that the topology asks for; no ring of buffers
// can wait for itself.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emu/packets/packet_paths.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/topo/topology_examples.hpp"

namespace heddle::emu {

namespace {

constexpr const char* kRoutings[] = {"adaptive", "deterministic", "ecmp:1", "ecmp:7"};

/// A buffer: what a link has for one of its channels.
using LinkChannel = std::pair<LinkId, int>;

/// All that a packet may hold while it asks for another one.
class Waits {
 public:
  Waits(const Topology& topology, Routing routing) : topology_(topology), channels_(topology.channels(routing)) {
    for (VertexId from = 0; from < topology.endpoints(); ++from) {
      for (VertexId to = 0; to < topology.endpoints(); ++to) {
        if (from != to) add(from, route_between(topology, from, to, routing));
      }
    }
  }

  bool stages_never_fall() const { return !falls_; }
  bool channels_suffice() const { return most_channel_ < channels_; }

  bool has_ring() const {
    // Buffers nobody waits behind are taken away, again and again.
    std::map<LinkChannel, int> waited_for;
    for (const auto& [buffer, next] : next_) {
      waited_for.try_emplace(buffer, 0);
      for (const LinkChannel& other : next) ++waited_for[other];
    }
    std::vector<LinkChannel> free;
    for (const auto& [buffer, count] : waited_for) {
      if (count == 0) free.push_back(buffer);
    }
    std::size_t taken = 0;
    while (!free.empty()) {
      const LinkChannel buffer = free.back();
      free.pop_back();
      ++taken;
      const auto found = next_.find(buffer);
      if (found == next_.end()) continue;
      for (const LinkChannel& other : found->second) {
        if (--waited_for[other] == 0) free.push_back(other);
      }
    }
    return taken < waited_for.size();
  }

 private:
  void add(VertexId from, const Route& route) {
    for (const Route::Path& path : route.paths()) {
      const auto hops =
          std::span(route.links()).subspan(static_cast<std::size_t>(path.first), static_cast<std::size_t>(path.count));
      std::vector<std::uint8_t> channels(hops.size());
      number_channels(topology_, hops, 255, channels);
      std::set<VertexId> at = {from};
      std::vector<LinkId> before;
      for (std::size_t i = 0; i < hops.size(); ++i) {
        most_channel_ = std::max(most_channel_, static_cast<int>(channels[i]));
        std::vector<LinkId> taken;
        std::set<VertexId> next_at;
        for (const LinkId link : links_of(topology_, hops[i])) {
          if (!at.contains(topology_.ends(link).from)) continue;
          taken.push_back(link);
          next_at.insert(topology_.ends(link).to);
          if (i == 0) continue;
          for (const LinkId last : before) {
            if (topology_.order(link).stage < topology_.order(last).stage) falls_ = true;
            if (topology_.ends(last).to == topology_.ends(link).from)
              next_[{last, channels[i - 1]}].insert({link, channels[i]});
          }
        }
        before = taken;
        at = next_at;
      }
    }
  }

  const Topology& topology_;
  int channels_;
  int most_channel_ = 0;
  bool falls_ = false;
  std::map<LinkChannel, std::set<LinkChannel>> next_;
};

void check_channels(const Topology& topology) {
  for (const char* text : kRoutings) {
    CAPTURE(topology.spec(), text);
    const Waits waits(topology, parse_routing(text));
    CHECK(waits.stages_never_fall());
    CHECK(waits.channels_suffice());
    CHECK_FALSE(waits.has_ring());
  }
}

}  // namespace

TEST_CASE("no ring of buffers can wait for itself: examples of every family") {
  for (const std::string_view spec : example_topologies()) check_channels(*parse_topology(spec));
}

TEST_CASE("no ring of buffers can wait for itself: superpods with GPUs that have no rank") {
  for (const std::vector<VertexId>& gpus :
       std::vector<std::vector<VertexId>>{{0, 2, 3, 6, 11}, {1, 4, 6, 7, 8}, {0, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})
    check_channels(*parse_topology("superpod:pods=3,gpus=4,trays=2,ports=8")->with_ranks_on(gpus));
}

TEST_CASE("no ring of buffers can wait for itself: drawn topologies") {
  testing::property([] {
    const std::string spec = specs();
    if (!refusal(spec).empty()) return;
    const auto topology = parse_topology(spec);
    if (topology->endpoints() > 40) return;
    for (const char* text : kRoutings) {
      const Waits waits(*topology, parse_routing(text));
      RC_ASSERT(waits.stages_never_fall());
      RC_ASSERT(waits.channels_suffice());
      RC_ASSERT(!waits.has_ring());
    }
  });
}

TEST_CASE("each hop has its channel, where ways carry nothing as well") {
  const Fabric fabric(parse_topology("dragonfly+:groups=3,leaves=1,spines=2,hosts=5,cables=3"), FabricSettings());
  KnownPaths known(fabric, 255);
  bool has_gap = false;
  for (VertexId from = 0; from < fabric.topology().endpoints(); ++from) {
    for (VertexId to = 0; to < fabric.topology().endpoints(); ++to) {
      if (from == to) continue;
      const PacketPaths& paths = known.take(from, to);
      REQUIRE(paths.channels.size() == paths.route.links().size());
      std::size_t on_paths = 0;
      for (const Route::Path& path : paths.route.paths()) {
        const auto first = static_cast<std::size_t>(path.first);
        const auto count = static_cast<std::size_t>(path.count);
        std::vector<std::uint8_t> channels(count);
        number_channels(fabric.topology(), std::span(paths.route.links()).subspan(first, count), 255, channels);
        CHECK(std::ranges::equal(channels, std::span(paths.channels).subspan(first, count)));
        on_paths += count;
      }
      has_gap = has_gap || on_paths < paths.route.links().size();
    }
  }
  CHECK(has_gap);
}

TEST_CASE("a torus needs two channels only where a way goes round its end") {
  CHECK(parse_topology("torus:4x4")->channels(Routing()) == 2);
  CHECK(parse_topology("torus:3x3")->channels(Routing()) == 1);
  CHECK(parse_topology("mesh:8x8")->channels(Routing()) == 1);
  CHECK(parse_topology("fattree:k=4")->channels(Routing()) == 1);
  CHECK(parse_topology("dragonfly:groups=9,routers=4,hosts=2")->channels(Routing()) == 2);
}

}  // namespace heddle::emu
