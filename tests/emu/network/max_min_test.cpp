// SPDX-License-Identifier: Apache-2.0
#include "emu/network/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::emu {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

FlowId add(MaxMin& rates, const std::vector<LinkId>& links, double weight = 1) { return rates.add(links, weight); }

std::vector<FlowId> solve(MaxMin& rates) {
  const auto changed = rates.solve();
  return {changed.begin(), changed.end()};
}

}  // namespace

TEST_CASE("two flows on one link have half of it each") {
  // a + b = 10, a = b  =>  a = b = 5
  MaxMin rates({10});
  const FlowId a = add(rates, {0});
  const FlowId b = add(rates, {0});
  rates.solve();
  CHECK(rates.rate(a) == 5);
  CHECK(rates.rate(b) == 5);
}

TEST_CASE("a long solve asks whether to stop, and ends when it is told so") {
  constexpr int kFlows = 100'000;
  for (const int until : {1, 5, 1'000'000}) {
    int asked = 0;
    MaxMin rates(std::vector<double>(10, 1.0), [&] { return ++asked >= until; });
    // All are coupled by link 0, and each of the others takes its flows apart from those.
    for (int i = 0; i < kFlows; ++i) add(rates, {0, static_cast<LinkId>(1 + i % 9)});
    rates.solve();
    if (until <= 5)
      CHECK((asked == until || asked == until + 1));
    else
      CHECK((asked >= 8 && asked < kFlows / 1000));
  }
}

TEST_CASE("what a flow that is capped elsewhere leaves goes to the other") {
  SECTION("capped by a link that it shares") {
    // b + c = 6, b = c  =>  b = c = 3;  a + b = 10  =>  a = 7
    MaxMin rates({10, 6});
    const FlowId a = add(rates, {0});
    const FlowId b = add(rates, {0, 1});
    const FlowId c = add(rates, {1});
    rates.solve();
    CHECK(rates.rate(a) == 7);
    CHECK(rates.rate(b) == 3);
    CHECK(rates.rate(c) == 3);
  }
  SECTION("capped by a narrow link of its own") {
    // b = 3 (link 1);  a + b = 10  =>  a = 7
    MaxMin rates({10, 3});
    const FlowId a = add(rates, {0});
    const FlowId b = add(rates, {0, 1});
    rates.solve();
    CHECK(rates.rate(a) == 7);
    CHECK(rates.rate(b) == 3);
  }
  SECTION("a wide link of its own caps nothing") {
    // a + b = 10, a = b  =>  a = b = 5 < 8
    MaxMin rates({10, 8});
    const FlowId a = add(rates, {0});
    const FlowId b = add(rates, {0, 1});
    rates.solve();
    CHECK(rates.rate(a) == 5);
    CHECK(rates.rate(b) == 5);
  }
}

TEST_CASE("the three-link parking lot") {
  SECTION("equal links") {
    // long + f_i = 1 on each link i, long = f_i  =>  all 1/2
    MaxMin rates({1, 1, 1});
    const FlowId across = add(rates, {0, 1, 2});
    const std::vector<FlowId> local = {add(rates, {0}), add(rates, {1}), add(rates, {2})};
    rates.solve();
    CHECK(rates.rate(across) == 0.5);
    for (const FlowId flow : local) CHECK(rates.rate(flow) == 0.5);
  }
  SECTION("the narrowest decides for the long flow") {
    // link 1: long + f1 = 6  =>  long = f1 = 3;  f0 = 10 - 3 = 7;  f2 = 8 - 3 = 5
    MaxMin rates({10, 6, 8});
    const FlowId across = add(rates, {0, 1, 2});
    const std::vector<FlowId> local = {add(rates, {0}), add(rates, {1}), add(rates, {2})};
    rates.solve();
    CHECK(rates.rate(across) == 3);
    CHECK(rates.rate(local[0]) == 7);
    CHECK(rates.rate(local[1]) == 3);
    CHECK(rates.rate(local[2]) == 5);
  }
}

TEST_CASE("three bottlenecks, one after the other") {
  // link 0: a + b + c = 6   =>  a = b = c = 2
  // link 1: c + d = 10      =>  d = 8, if no other link stops it
  // link 2: d + e = 15      =>  7.5 each would leave link 1 unfilled: d = 7.5 < 8, so link 2 stops d: d = e = 7.5
  MaxMin rates({6, 10, 15});
  const FlowId a = add(rates, {0});
  const FlowId b = add(rates, {0});
  const FlowId c = add(rates, {0, 1});
  const FlowId d = add(rates, {1, 2});
  const FlowId e = add(rates, {2});
  rates.solve();
  CHECK(rates.rate(a) == 2);
  CHECK(rates.rate(b) == 2);
  CHECK(rates.rate(c) == 2);
  CHECK(rates.rate(d) == 7.5);
  CHECK(rates.rate(e) == 7.5);
}

TEST_CASE("a flow that ends frees its share") {
  // before: a + b + c = 12  =>  4 each;  c also on link 1 with d: c + d = 10  =>  d = 6
  // b ends: a + c = 12, c + d = 10  =>  c = d = 5 (link 1), a = 12 - 5 = 7
  MaxMin rates({12, 10});
  const FlowId a = add(rates, {0});
  const FlowId b = add(rates, {0});
  const FlowId c = add(rates, {0, 1});
  const FlowId d = add(rates, {1});
  rates.solve();
  CHECK(rates.rate(a) == 4);
  CHECK(rates.rate(b) == 4);
  CHECK(rates.rate(c) == 4);
  CHECK(rates.rate(d) == 6);
  CHECK(rates.flows_on(0) == 3);

  rates.remove(b);
  rates.solve();
  CHECK(rates.rate(a) == 7);
  CHECK(rates.rate(c) == 5);
  CHECK(rates.rate(d) == 5);
  CHECK(rates.flows_on(0) == 2);
}

TEST_CASE("the last flow on a link gets all of it back") {
  // a + b = 10  =>  5 each;  b ends: a = 10
  MaxMin rates({10});
  const FlowId a = add(rates, {0});
  const FlowId b = add(rates, {0});
  rates.solve();
  rates.remove(b);
  CHECK(solve(rates) == std::vector{a});
  CHECK(rates.rate(a) == 10);
}

TEST_CASE("shares are in proportion to weights") {
  SECTION("on one link") {
    // a : b : c = 1 : 2 : 3, a + b + c = 12  =>  2, 4, 6
    MaxMin rates({12});
    const FlowId a = add(rates, {0}, 1);
    const FlowId b = add(rates, {0}, 2);
    const FlowId c = add(rates, {0}, 3);
    rates.solve();
    CHECK(rates.rate(a) == 2);
    CHECK(rates.rate(b) == 4);
    CHECK(rates.rate(c) == 6);
  }
  SECTION("the heaviest stopped by a link of its own") {
    // c = 3 (link 1);  a : b = 1 : 2, a + b = 9  =>  3, 6
    MaxMin rates({12, 3});
    const FlowId a = add(rates, {0}, 1);
    const FlowId b = add(rates, {0}, 2);
    const FlowId c = add(rates, {0, 1}, 3);
    rates.solve();
    CHECK(rates.rate(a) == 3);
    CHECK(rates.rate(b) == 6);
    CHECK(rates.rate(c) == 3);
  }
}

TEST_CASE("a flow that meets no other takes its narrowest link, whatever its weight") {
  // min(7, 4, 9) = 4
  MaxMin rates({7, 4, 9});
  const FlowId alone = add(rates, {0, 1, 2}, 0.25);
  CHECK(solve(rates) == std::vector{alone});
  CHECK(rates.rate(alone) == 4);
}

TEST_CASE("unlimited links") {
  SECTION("do not stop a flow that a limited one stops") {
    // a + b = 10, a = b  =>  5 each
    MaxMin rates({kInfinity, 10});
    const FlowId a = add(rates, {0, 1});
    const FlowId b = add(rates, {0, 1});
    rates.solve();
    CHECK(rates.rate(a) == 5);
    CHECK(rates.rate(b) == 5);
  }
  SECTION("give every flow an unlimited rate") {
    MaxMin rates({kInfinity, 10});
    const FlowId a = add(rates, {0});
    const FlowId b = add(rates, {0});
    const FlowId c = add(rates, {0, 1});
    rates.solve();
    CHECK(rates.rate(a) == kInfinity);
    CHECK(rates.rate(b) == kInfinity);
    CHECK(rates.rate(c) == 10);
  }
}

TEST_CASE("symmetric flows get the same rate to the last bit") {
  // Ten flows around a ring of ten links, three links each: 3·r = 1/3 on every link. 1/9 has no exact double.
  MaxMin rates(std::vector<double>(10, 1.0 / 3));
  std::vector<FlowId> flows;
  for (LinkId i = 0; i < 10; ++i) flows.push_back(add(rates, {i, (i + 1) % 10, (i + 2) % 10}));
  rates.solve();
  CHECK(rates.rate(flows[0]) == Approx(1.0 / 9).epsilon(1e-12));
  for (const FlowId flow : flows) CHECK(rates.rate(flow) == rates.rate(flows[0]));
}

TEST_CASE("a solve lists the flows that a change has reached, and only those") {
  // Links 0 and 1 share no flow. A second flow on link 0: a = b = 5; c on link 1 keeps 10.
  MaxMin rates({10, 10});
  const FlowId a = add(rates, {0});
  const FlowId c = add(rates, {1});
  CHECK(solve(rates) == std::vector{a, c});
  CHECK(solve(rates).empty());
  const FlowId b = add(rates, {0});
  const std::vector<FlowId> changed = solve(rates);
  CHECK(std::set(changed.begin(), changed.end()) == std::set{a, b});
  CHECK(rates.rate(c) == 10);
}

TEST_CASE("the number of a flow that has ended serves the next") {
  MaxMin rates({10, 4});
  const FlowId a = add(rates, {0});
  rates.solve();
  rates.remove(a);
  const FlowId b = add(rates, {1});
  CHECK(b == a);
  CHECK(solve(rates) == std::vector{b});
  CHECK(rates.rate(b) == 4);
}

// ---- any flows on any links ----

namespace {

struct Step {
  enum class Kind { add, remove, solve };
  Kind kind;
  unsigned links;  ///< a bit per link
  double weight;
  unsigned pick;  ///< which of the flows to remove
};

void showValue(const Step& step, std::ostream& out) {
  const char* const kinds[] = {"add", "remove", "solve"};
  out << kinds[static_cast<int>(step.kind)] << " links " << step.links << " weight " << step.weight << " pick " << step.pick;
}

struct Flow {
  std::vector<LinkId> links;
  double weight;
};
using Flows = std::map<FlowId, Flow>;

std::vector<LinkId> links_of(unsigned bits, std::size_t links) {
  std::vector<LinkId> chosen;
  for (std::size_t link = 0; link < links; ++link) {
    if (bits >> link & 1U) chosen.push_back(static_cast<LinkId>(link));
  }
  if (chosen.empty()) chosen.push_back(static_cast<LinkId>(bits % links));
  return chosen;
}

/// Bertsekas and Gallager, Data Networks, §6.5.2: rates are max-min fair if and only if each flow has a bottleneck link.
bool is_max_min_fair(const MaxMin& rates, const Flows& flows, const std::vector<double>& capacity) {
  constexpr double kRounding = 1e-9;
  std::vector<double> used(capacity.size(), 0);
  std::vector<double> most_per_weight(capacity.size(), 0);
  for (const auto& [id, flow] : flows) {
    for (const LinkId link : flow.links) {
      const auto l = static_cast<std::size_t>(link);
      used[l] += rates.rate(id);
      most_per_weight[l] = std::max(most_per_weight[l], rates.rate(id) / flow.weight);
    }
  }
  for (std::size_t l = 0; l < capacity.size(); ++l) {
    if (used[l] > capacity[l] * (1 + kRounding)) return false;
  }
  return std::all_of(flows.begin(), flows.end(), [&](const auto& entry) {
    const auto& [id, flow] = entry;
    return std::any_of(flow.links.begin(), flow.links.end(), [&, id = id, weight = flow.weight](LinkId link) {
      const auto l = static_cast<std::size_t>(link);
      return used[l] >= capacity[l] * (1 - kRounding) && rates.rate(id) / weight >= most_per_weight[l] * (1 - kRounding);
    });
  });
}

bool equals_a_fresh_solve(const MaxMin& rates, const Flows& flows, const std::vector<double>& capacity) {
  MaxMin fresh(capacity);
  std::vector<std::pair<FlowId, FlowId>> pairs;
  for (const auto& [id, flow] : flows) pairs.emplace_back(id, fresh.add(flow.links, flow.weight));
  fresh.solve();
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return std::abs(rates.rate(pair.first) - fresh.rate(pair.second)) <= 1e-9 * fresh.rate(pair.second);
  });
}

/// Links that can be got to from `seeds` by way of flows.
std::set<LinkId> reachable(std::set<LinkId> seeds, const Flows& flows) {
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [id, flow] : flows) {
      if (std::none_of(flow.links.begin(), flow.links.end(), [&](LinkId link) { return seeds.count(link) > 0; })) continue;
      for (const LinkId link : flow.links) grew = seeds.insert(link).second || grew;
    }
  }
  return seeds;
}

}  // namespace

TEST_CASE("rates of any flows are max-min fair after any changes") {
  testing::property("fair, equal to a fresh solve, and only what was reached is listed", [] {
    std::vector<double> capacity(drawn::evenly<std::size_t>(1, 8));
    for (double& one : capacity) one = drawn::number(1, 20);
    const auto steps = drawn::list([] {
      return Step{drawn::weighted<Step::Kind>({{4, Step::Kind::add}, {2, Step::Kind::remove}, {3, Step::Kind::solve}}),
                  drawn::number(0U, 128U), drawn::one_of({1.0, 0.5, 0.25, 1.0 / 3, 2.0}), drawn::number(0U, 1000U)};
    });

    MaxMin rates(capacity);
    Flows flows;
    std::set<LinkId> touched;  // by flows that came or went since the last solve
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::add) {
        const std::vector<LinkId> links = links_of(step.links, capacity.size());
        flows[rates.add(links, step.weight)] = {links, step.weight};
        touched.insert(links.begin(), links.end());
      } else if (step.kind == Step::Kind::remove && !flows.empty()) {
        const auto flow = std::next(flows.begin(), static_cast<std::ptrdiff_t>(step.pick % flows.size()));
        rates.remove(flow->first);
        touched.insert(flow->second.links.begin(), flow->second.links.end());
        flows.erase(flow);
      } else if (step.kind == Step::Kind::solve) {
        std::map<FlowId, double> before;
        for (const auto& [id, flow] : flows) before[id] = rates.rate(id);
        const std::vector<FlowId> listed = solve(rates);
        const std::set<FlowId> changed(listed.begin(), listed.end());
        RC_ASSERT(changed.size() == listed.size());
        RC_ASSERT(is_max_min_fair(rates, flows, capacity));
        RC_ASSERT(equals_a_fresh_solve(rates, flows, capacity));
        const std::set<LinkId> reached = reachable(touched, flows);
        for (const auto& [id, flow] : flows) {
          RC_ASSERT((before[id] != rates.rate(id)) == (changed.count(id) > 0));
          if (changed.count(id) > 0) RC_ASSERT(reached.count(flow.links.front()) > 0);
        }
        touched.clear();
      }
    }
  });
}

TEST_CASE("a flow that takes more of one link than of another") {
  // Link a has 12, b has 6. x takes 2 of a and 1 of b per rate; alone a stops it at 6 and b too.
  MaxMin max_min({12, 6});
  const FlowId x = max_min.add(std::vector<MaxMin::Use>{{0, 2}, {1, 1}});
  max_min.solve();
  CHECK(max_min.rate(x) == 6);
  // With y on a: 2r + r = 12. With z on b besides: both have 3 there, and y takes what x leaves of a: 12 - 6.
  const FlowId y = max_min.add(std::vector<LinkId>{0}, 1);
  max_min.solve();
  CHECK(max_min.rate(x) == 4);
  CHECK(max_min.rate(y) == 4);
  const FlowId z = max_min.add(std::vector<LinkId>{1}, 1);
  max_min.solve();
  CHECK(max_min.rate(x) == 3);
  CHECK(max_min.rate(z) == 3);
  CHECK(max_min.rate(y) == 6);
  max_min.remove(y);
  max_min.remove(z);
  max_min.solve();
  CHECK(max_min.rate(x) == 6);
}

}  // namespace heddle::emu
