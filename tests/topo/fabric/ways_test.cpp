// SPDX-License-Identifier: Apache-2.0
// Ways of unequal width, worked out by hand.
#include "topo/fabric/ways.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "topo/graph/narrowest_cut.hpp"

namespace heddle {

namespace {

/// Links one by one, numbered as they are given; the ways between vertices 0 and 1 are all walks that are given.
class Drawn final : public Topology {
 public:
  Drawn(int vertices, std::vector<LinkEnds> links, std::vector<std::vector<LinkId>> ways)
      : vertices_(vertices), links_(std::move(links)), ways_(std::move(ways)) {}

  int endpoints() const override { return 2; }
  int switches() const override { return vertices_ - 2; }
  int links() const override { return static_cast<int>(links_.size()); }
  LinkEnds ends(LinkId link) const override { return links_[static_cast<std::size_t>(link)]; }
  bool is_direct() const override { return false; }
  void route(VertexId, VertexId, Routing, Route& route) const override {
    route.clear();
    for (const std::vector<LinkId>& way : ways_) {
      for (const LinkId link : way) route.add_link(link);
      route.close_path(1.0 / static_cast<double>(ways_.size()));
    }
  }
  TopologyProperties properties() const override { return {}; }

 protected:
  std::string shape() const override { return "drawn"; }

 private:
  int vertices_;
  std::vector<LinkEnds> links_;
  std::vector<std::vector<LinkId>> ways_;
};

std::vector<double> shares_of(const Drawn& drawn, const std::vector<double>& capacities) {
  Route route;
  drawn.route(0, 1, Routing::split(), route);
  return shares_by_width(drawn, route, [&](LinkId link) { return capacities[static_cast<std::size_t>(link)]; });
}

void check_shares(const std::vector<double>& shares, const std::vector<double>& expected) {
  REQUIRE(shares.size() == expected.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    INFO("way " << i);
    CHECK(std::abs(shares[i] - expected[i]) < 1e-9);
  }
}

}  // namespace

TEST_CASE("ways side by side get what they can carry, whatever the links that all of them take have") {
  // From 0 over 2, then over 3 or 4 or 5, over 6 to 1.
  const Drawn drawn(7, {{0, 2}, {2, 3}, {3, 6}, {2, 4}, {4, 6}, {2, 5}, {5, 6}, {6, 1}},
                    {{0, 1, 2, 7}, {0, 3, 4, 7}, {0, 5, 6, 7}});
  check_shares(shares_of(drawn, {1, 5, 9, 9, 4, 1, 1, 2}), {0.5, 0.4, 0.1});
  check_shares(shares_of(drawn, {100, 5, 9, 9, 4, 1, 1, 100}), {0.5, 0.4, 0.1});
  CHECK(shares_of(drawn, {1, 3, 4, 5, 3, 3, 3, 2}).empty());  // 3 each: the route's own shares are right
  check_shares(shares_of(drawn, {1, 1e-9, 9, 1, 1, 3, 3, 2}), {0, 0.25, 0.75});
  const double unlimited = std::numeric_limits<double>::infinity();
  check_shares(shares_of(drawn, {1, unlimited, unlimited, 1, 1, unlimited, unlimited, 2}), {0.5, 0, 0.5});
  CHECK(shares_of(drawn, std::vector<double>(8, unlimited)).empty());
}

TEST_CASE("ways that meet and part again") {
  // 5 and 4 lanes, then 6 and 3: what comes together is divided anew.
  const Drawn twice(3, {{0, 2}, {0, 2}, {2, 1}, {2, 1}}, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  check_shares(shares_of(twice, {5, 4, 6, 3}), {5. / 9 * 6 / 9, 5. / 9 * 3 / 9, 4. / 9 * 6 / 9, 4. / 9 * 3 / 9});
  // Where the second pair is much narrower, the first is filled evenly by what it has all the same.
  check_shares(shares_of(twice, {5, 4, 1, 1}), {5. / 18, 5. / 18, 4. / 18, 4. / 18});
  // Two of three ways share a link: together they are as wide as the third.
  const Drawn shared(4, {{0, 2}, {2, 1}, {2, 1}, {0, 3}, {3, 1}}, {{0, 1}, {0, 2}, {3, 4}});
  check_shares(shares_of(shared, {1, 1, 1, 1, 1}), {0.25, 0.25, 0.5});
}

TEST_CASE("a way that a route has twice gets its share once") {
  const Drawn drawn(2, {{0, 1}, {0, 1}}, {{0}, {0}, {1}});
  check_shares(shares_of(drawn, {3, 1}), {0.375, 0.375, 0.25});
}

TEST_CASE("ways that are no pairs of pairs") {
  // 0 to 2 and 3; 2 to 4 alone, 3 to 4 and 5; 4 and 5 to 1: the way over 3 and 4 is left to the others.
  const Drawn bridge(6, {{0, 2}, {0, 3}, {2, 4}, {3, 4}, {3, 5}, {4, 1}, {5, 1}}, {{0, 2, 5}, {1, 3, 5}, {1, 4, 6}});
  check_shares(shares_of(bridge, {1, 1, 1, 1, 1, 1, 1}), {0.5, 0, 0.5});
  // 4 has three times what 5 has, 0 to 2 as much as 0 to 3: 1/2 comes over 2, 1/4 over each of the other two.
  check_shares(shares_of(bridge, {9, 9, 9, 9, 9, 3, 1}), {0.5, 0.25, 0.25});
  // Two tiers of switches that are all joined: one link of the middle has a tenth, the others from there take the rest.
  const Drawn joined(6, {{0, 2}, {0, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 1}, {5, 1}},
                     {{0, 2, 6}, {0, 3, 7}, {1, 4, 6}, {1, 5, 7}});
  CHECK(shares_of(joined, std::vector<double>(8, 1)).empty());
  check_shares(shares_of(joined, {1, 1, 0.1, 1, 1, 1, 1, 1}), {1. / 22, 10. / 22, 10. / 22, 1. / 22});
}

TEST_CASE("over all walks through drawn layers of switches a message is as fast as a maximum flow") {
  testing::property([] {
    // Vertices 0 and 1 are the ends; each vertex of a layer leads to one or more of the next.
    std::vector<LinkEnds> links;
    std::vector<std::vector<LinkId>> walks;
    std::vector<double> capacities;
    int vertices = 2;
    std::vector<std::pair<VertexId, std::vector<std::vector<LinkId>>>> layer = {{0, {{}}}};
    const int layers = drawn::number(1, 4);
    for (int l = 0; l <= layers; ++l) {
      std::vector<std::pair<VertexId, std::vector<std::vector<LinkId>>>> next;
      const int width = l == layers ? 1 : drawn::number(1, 4);
      for (int i = 0; i < width; ++i) next.push_back({l == layers ? 1 : vertices++, {}});
      for (std::size_t from = 0; from < layer.size(); ++from) {
        const auto always = static_cast<std::size_t>(drawn::number(0, width));
        for (std::size_t to = 0; to < next.size(); ++to) {
          if (to != always && drawn::number(0, 2) == 0) continue;
          const auto link = static_cast<LinkId>(links.size());
          links.push_back({layer[from].first, next[to].first});
          capacities.push_back(drawn::number(1, 10));
          for (std::vector<LinkId> walk : layer[from].second) {
            walk.push_back(link);
            next[to].second.push_back(std::move(walk));
          }
        }
      }
      std::erase_if(next, [](const auto& vertex) { return vertex.second.empty(); });
      layer = std::move(next);
    }
    walks = layer.front().second;
    const Drawn drawn(vertices, links, walks);
    std::vector<double> shares = shares_of(drawn, capacities);
    if (shares.empty()) shares.assign(walks.size(), 1.0 / static_cast<double>(walks.size()));
    std::vector<double> load(links.size(), 0);
    double sum = 0;
    for (std::size_t walk = 0; walk < walks.size(); ++walk) {
      sum += shares[walk];
      for (const LinkId link : walks[walk]) load[static_cast<std::size_t>(link)] += shares[walk];
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-9);
    double fullest = 0;
    std::vector<FlowArc> arcs;
    for (std::size_t link = 0; link < links.size(); ++link) {
      fullest = std::max(fullest, load[link] / capacities[link]);
      arcs.push_back({links[link].from, links[link].to, capacities[link]});
    }
    RC_ASSERT(std::abs(fullest * maximum_flow(vertices, arcs, 0, 1) - 1) < 1e-6);
  });
}

}  // namespace heddle
