// SPDX-License-Identifier: Apache-2.0
// The most that can flow is the least that cuts source from sink (Ford, Fulkerson 1956): the least over all sets of vertices with
// the source and without the sink of what the arcs out of the set can carry.
#include "topo/graph/narrowest_cut.hpp"

#include <algorithm>
#include <limits>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

constexpr int kSource = 0;
constexpr int kSink = 1;

double least_cut(int vertices, const std::vector<FlowArc>& arcs) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < 1U << vertices; ++set) {
    const auto has = [set](int v) { return (set >> v & 1U) != 0; };
    if (!has(kSource) || has(kSink)) continue;
    double cut = 0;
    for (const FlowArc& arc : arcs) cut += has(arc.from) && !has(arc.to) ? arc.capacity : 0;
    least = std::min(least, cut);
  }
  return least;
}

}  // namespace

TEST_CASE("what flows is what the narrowest place lets through") {
  CHECK(maximum_flow(2, {}, kSource, kSink) == 0);
  CHECK(maximum_flow(2, {{1, 0, 5}}, kSource, kSink) == 0);  // backwards
  CHECK(maximum_flow(2, {{0, 1, 5}, {0, 1, 2.5}}, kSource, kSink) == 7.5);
  CHECK(maximum_flow(3, {{0, 2, 5}, {2, 1, 3}}, kSource, kSink) == 3);
  // The shortest way would take both cross-ways: what it carries has to be taken back.
  CHECK(maximum_flow(4, {{0, 2, 1}, {0, 3, 1}, {2, 3, 1}, {2, 1, 1}, {3, 1, 1}}, kSource, kSink) == 2);
}

TEST_CASE("the most that can flow is the least cut") {
  testing::property("of drawn graphs", [] {
    const int vertices = drawn::number(2, 8);
    const auto vertex = [vertices] { return drawn::number(0, vertices); };
    std::vector<FlowArc> arcs(drawn::number<std::size_t>(0, 25));
    for (FlowArc& arc : arcs) arc = {vertex(), vertex(), static_cast<double>(drawn::number(0, 6))};
    RC_ASSERT(maximum_flow(vertices, arcs, kSource, kSink) == least_cut(vertices, arcs));
  });
}

}  // namespace heddle
