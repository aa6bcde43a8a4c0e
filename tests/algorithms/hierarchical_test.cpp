// SPDX-License-Identifier: Apache-2.0
// The hierarchical algorithms on real tiers: results, rounds, bytes, options, refusals.
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/errors.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/emulated_case.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

using testing::groups_of;
using testing::Layout;
using testing::Outcome;
using testing::witness;
using testing::WitnessCase;

const std::vector<Collective> kCollectives{Collective::broadcast, Collective::reduce, Collective::allreduce,
                                           Collective::reduce_scatter, Collective::allgather};

/// Two, three and four levels; even, uneven, with groups of one.
std::vector<Layout> layouts() {
  // Ranks of a group lie apart.
  const Layout apart{.ranks = 9, .tiers = {{{0, 1, 2, 0, 1, 2, 0, 1, 1}, std::vector<int>(9, 0)}}};
  if (testing::effort() == testing::Effort::quick)
    return {groups_of({{3, 3}}), groups_of({{5, 2, 4}}), groups_of({{3, 2, 2, 1, 4}, {2, 3}}), apart};
  return {groups_of({{3, 3}}),
          groups_of({{2, 2, 2, 2}}),
          groups_of({{5, 2, 4}}),
          groups_of({{1, 6, 3}}),
          groups_of({{2, 2, 2, 2, 2, 2}, {3, 3}}),
          groups_of({{3, 2, 2, 1, 4}, {2, 3}}),
          groups_of({{2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2}}),
          apart};
}

/// Whether the groups of each level have equally many parts.
bool is_even(const Layout& layout) {
  std::vector<int> part(static_cast<std::size_t>(layout.ranks));
  std::iota(part.begin(), part.end(), 0);
  for (const std::vector<int>& group : layout.tiers.group) {
    std::map<int, std::set<int>> parts;
    for (std::size_t rank = 0; rank < group.size(); ++rank) parts[group[rank]].insert(part[rank]);
    for (const auto& [name, members] : parts)
      if (members.size() != parts.begin()->second.size()) return false;
    part = group;
  }
  return true;
}

std::vector<Algorithm> hierarchical_rows(Collective collective) {
  std::vector<Algorithm> rows;
  for (Algorithm& row : testing::registry_rows()) {
    if (row.collective == collective && row.name.starts_with("hierarchical")) rows.push_back(std::move(row));
  }
  return rows;
}

Algorithm named(Collective collective, const std::string& options) {
  return find_algorithm(collective, "hierarchical" + options);
}

}  // namespace

TEST_CASE("hierarchical: right over any tiers, for few and many elements, in place and out of place, from any root") {
  for (const Collective collective : kCollectives) {
    for (const Algorithm& algorithm : hierarchical_rows(collective)) {
      for (const Layout& layout : layouts()) {
        bool in_place = true;
        const std::int64_t many = 2 * layout.ranks + 3;
        for (const std::int64_t count : testing::sample<std::vector<std::int64_t>>({many}, {1, many})) {
          const int step = testing::sample(layout.ranks - 1, 4);
          for (int root = 0; root < (has_root(collective) ? layout.ranks : 1); root += step) {
            in_place = !in_place;
            const WitnessCase what{.layout = layout, .count = count, .root = root, .in_place = in_place};
            INFO(to_string(collective) << " " << algorithm.name << ", " << what.name());
            REQUIRE_THAT(witness(algorithm, what).failure, Catch::Equals(""));
          }
        }
      }
    }
  }
}

TEST_CASE("hierarchical: right over any tiers with blocks of any size") {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    for (const Layout& layout : layouts()) {
      std::vector<std::int64_t> sizes;
      for (int b = 0; b < layout.ranks; ++b) sizes.push_back(b % 3 == 1 ? 0 : b % 5 == 3 ? 40 : 1 + b % 4);
      const WitnessCase what{
          .layout = layout, .count = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), .sizes = sizes};
      INFO(to_string(collective) << ", " << what.name());
      REQUIRE_THAT(witness(named(collective, ""), what).failure, Catch::Equals(""));
    }
  }
}

TEST_CASE("hierarchical: rounds and bytes are the phases' together") {
  for (const Collective collective : kCollectives) {
    for (const Algorithm& algorithm : hierarchical_rows(collective)) {
      for (const Layout& layout : layouts()) {
        WitnessCase what{.layout = layout, .type = Datatype::i32(), .calls = 1};
        what.count = 2 * algorithm.granule(what.shape());
        const Shape shape = what.shape();
        INFO(to_string(collective) << " " << algorithm.name << ", " << what.name());
        const Outcome outcome = witness(algorithm, what);
        REQUIRE_THAT(outcome.failure, Catch::Equals(""));
        if (formulas_are_exact(algorithm, shape)) {
          CHECK(outcome.rounds == algorithm.rounds(shape));
          CHECK(outcome.bytes == algorithm.bytes(shape));
        } else {
          CHECK(outcome.rounds <= algorithm.rounds(shape));
          if (is_even(layout)) CHECK(outcome.bytes <= algorithm.bytes(shape));
        }
      }
    }
  }
}

// Two tiers, ring on ring (Collectives Explainer 03, §2.1): 2(n-1) + 2(L-1) rounds and 2(p-1)/p · M bytes.
TEST_CASE("hierarchical allreduce, ring on ring: 4 groups of 3 take 4 + 6 rounds and 22/12 of the vector") {
  const Algorithm algorithm = named(Collective::allreduce, "");
  const WitnessCase what{.layout = groups_of({{3, 3, 3, 3}}), .count = 120, .type = Datatype::i32(), .calls = 1};
  REQUIRE(formulas_are_exact(algorithm, what.shape()));
  const Outcome outcome = witness(algorithm, what);
  CHECK(outcome.rounds == 10);
  CHECK(outcome.bytes == 4 * 220);
  CHECK(algorithm.rounds(what.shape()) == 10);
  CHECK(algorithm.bytes(what.shape()) == 4 * 220);
  CHECK(algorithm.granule(what.shape()) == 12);
}

// 13 + 7 + 12: 7 indices. A surplus rank passes on 7 of 7 blocks in the reduce-scatter and 7 in the allgather, but for the one
// whose next rank owns a block; a rank with an index 6/7 in each (or all, if its next one owns none) and 2·2/3 of its block
// between groups.
TEST_CASE("hierarchical allreduce on 13 + 7 + 12 ranks: rounds of the largest group, twice, and of three groups") {
  const Algorithm algorithm = named(Collective::allreduce, "");
  const WitnessCase what{.layout = groups_of({{13, 7, 12}}), .count = 210, .type = Datatype::i32(), .calls = 1};
  CHECK_FALSE(formulas_are_exact(algorithm, what.shape()));
  const Outcome outcome = witness(algorithm, what);
  CHECK(outcome.failure.empty());
  CHECK(outcome.rounds == 2 * 12 + 2 * 2);
  // The rank of index 6 in a larger group: 6 blocks in, 4/3 of one out and back, 7 blocks to a next rank that owns none.
  CHECK(outcome.bytes == 4 * (30 * 6 + 40 + 30 * 7));
}

TEST_CASE("hierarchical: options name the algorithm of each phase") {
  const Layout layout = groups_of({{4, 4, 4, 4}, {2, 2}});  // 4 in 4 groups in 2 pairs
  const WitnessCase what{.layout = layout, .count = 320, .type = Datatype::i32(), .calls = 1};
  const Shape shape = what.shape();
  const auto rounds = [&](const std::string& options) {
    const Algorithm algorithm = named(Collective::allreduce, options);
    INFO(options);
    const Outcome outcome = witness(algorithm, what);
    CHECK(outcome.failure.empty());
    CHECK(outcome.rounds == algorithm.rounds(shape));
    return outcome.rounds;
  };
  CHECK(rounds("") == 2 * 3 + 2 * 1 + 2 * 1);
  CHECK(rounds(":inner=circulant") == 2 * 2 + 2 * 1 + 2 * 1);
  CHECK(rounds(":inner=ring:middle=circulant:outer=recursive_doubling") == 2 * 3 + 2 * 1 + 1);
  CHECK(rounds(":tiers=2") == 2 * 3 + 2 * 3);
  CHECK(rounds(":tiers=2:outer=recursive_doubling") == 2 * 3 + 2);
  CHECK(rounds(":tiers=1") == 2 * 15);
  CHECK(rounds(":tiers=9") == rounds(""));
}

TEST_CASE("hierarchical: a phase's own options stand behind slashes") {
  const Algorithm algorithm = named(Collective::broadcast, ":inner=chain/segments=4");
  CHECK(algorithm.name == "hierarchical:inner=chain/segments=4");
  const WitnessCase what{.layout = groups_of({{4, 4}}), .count = 80, .type = Datatype::i32(), .calls = 1};
  const Outcome outcome = witness(algorithm, what);
  CHECK(outcome.failure.empty());
  CHECK(outcome.rounds == 1 + (4 + 4 - 2));
  CHECK(algorithm.rounds(what.shape()) == outcome.rounds);
}

TEST_CASE("hierarchical: what there is not is refused with the nearest name and the phase") {
  CHECK_THROWS_WITH(named(Collective::allreduce, ":inner=rign"),
                    Catch::StartsWith("option inner=rign: unknown reduce_scatter algorithm 'rign': did you mean 'ring'?"));
  CHECK_THROWS_WITH(named(Collective::allreduce, ":outer=swing_bandwith"),
                    Catch::Contains("unknown allreduce algorithm 'swing_bandwith': did you mean 'swing_bandwidth'?"));
  CHECK_THROWS_WITH(named(Collective::allgather, ":iner=ring"), Catch::Contains("did you mean 'inner'?"));
  CHECK_THROWS_WITH(named(Collective::allgather, ":tiers=0"), Catch::Contains("a whole number from 1"));
  CHECK_THROWS_WITH(named(Collective::allgather, ":outer=hierarchical"), Catch::Contains("is not hierarchical itself"));
}

TEST_CASE("hierarchical: a phase that cannot serve its group is named beforehand") {
  const WitnessCase what{.layout = groups_of({{3, 3}}), .count = 6};
  CHECK(why_not(named(Collective::allreduce, ":outer=bucket"), what.shape(), ReduceOp::sum()) ==
        "its outer allreduce, 'bucket', cannot serve a group of 2: it needs a grid");
  const WitnessCase flat{.layout = testing::line(4), .count = 6};
  CHECK(why_not(named(Collective::allreduce, ":outer=bucket"), flat.shape(), ReduceOp::sum()) ==
        "its only phase, 'bucket', cannot serve: it needs a grid");
  CHECK(why_not(named(Collective::allreduce, ""), what.shape(), ReduceOp::sum()).empty());
}

TEST_CASE("hierarchical: slow links carry a position's part and not the vector") {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    const Algorithm algorithm = named(collective, "");
    const WitnessCase what{.layout = groups_of({{4, 4, 4}}), .count = 120, .type = Datatype::i32(), .calls = 1};
    const Outcome outcome = witness(algorithm, what);
    // 3/4 of 120 within, 2/3 of 30 between.
    CHECK(outcome.bytes == 4 * (90 + 20));
    CHECK(outcome.bytes == algorithm.bytes(what.shape()));
  }
}

TEST_CASE("hierarchical: switches do the phases that are theirs; where they lack the offer the phase is named") {
  const Fabric fabric(parse_topology("superpod:pods=2,gpus=8,alu,multicast"), {});
  const Fabric plain(parse_topology("superpod:pods=2,gpus=8"), {});
  for (const Collective collective : kCollectives) {
    for (const std::string options : {":inner=in_network", ":outer=in_network", ":inner=in_network:outer=in_network"}) {
      const Algorithm algorithm = named(collective, options);
      INFO(to_string(collective) << " " << algorithm.name);
      const testing::EmulatedCase what{.fabric = fabric, .collective = collective, .count = 320, .root = 5};
      CHECK(what.suits(algorithm));
      CHECK_NOTHROW(what.run(algorithm));
      const testing::EmulatedCase without{.fabric = plain, .collective = collective, .count = 320};
      const bool is_inner = options.starts_with(":inner");
      const std::string reason = why_not(algorithm, without.shape(), ReduceOp::sum());
      CHECK_THAT(reason, Catch::StartsWith(is_inner ? "its inner " : "its outer "));
      CHECK_THAT(reason, Catch::Contains(is_inner ? "a group of 8: " : "a group of 2: "));
    }
  }
}

}  // namespace heddle
