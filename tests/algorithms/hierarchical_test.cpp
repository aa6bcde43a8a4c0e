// SPDX-License-Identifier: Apache-2.0
// The hierarchical algorithms on real tiers: results, rounds, bytes, options, refusals.
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "tests/algorithms/nested_groups.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using testing::call_of;
using testing::groups_of;
using testing::in_place_on;
using testing::witness;
using testing::witness_one_call;
using testing::Witnessed;

const std::vector<Collective> kCollectives{Collective::broadcast, Collective::reduce, Collective::allreduce,
                                           Collective::reduce_scatter, Collective::allgather};

/// 16 ranks in pairs, the pairs in twos, and these in twos.
const std::string kFourLevels = "file:" HEDDLE_SOURCE_DIR "/tests/algorithms/four_levels.json";

/// Two, three and four levels; even, uneven, with groups of one.
std::vector<Experiment> layouts() {
  const Experiment pair = in_place_on("clos:hosts=3,leaves=2,spines=1");
  const Experiment uneven = in_place_on("clos:hosts=5,leaves=3,spines=1", "groups:5+2+4");
  const Experiment uneven_pods = in_place_on("clos:hosts=4,leaves=3,spines=1,pods=2,cores=1", "groups:3+2+0+2+1+4");
  // Ranks of a group lie apart, in groups of 3, 4 and 2.
  Experiment apart = in_place_on("clos:hosts=4,leaves=3,spines=1", "random:2");
  apart.ranks = 9;
  if (testing::effort() == testing::Effort::quick) return {pair, uneven, uneven_pods, apart};
  return {pair,
          in_place_on("clos:hosts=2,leaves=4,spines=1"),
          uneven,
          in_place_on("clos:hosts=6,leaves=3,spines=1", "groups:1+6+3"),
          in_place_on("clos:hosts=2,leaves=3,spines=1,pods=2,cores=1"),
          uneven_pods,
          in_place_on(kFourLevels),
          apart};
}

/// Whether the groups of each level have equally many parts.
bool is_even(const Shape& shape) {
  std::vector<int> part(static_cast<std::size_t>(shape.ranks));
  std::iota(part.begin(), part.end(), 0);
  for (const std::vector<int>& group : shape.tiers.group) {
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
  for (Algorithm& row : testing::registry_entries()) {
    if (row.collective == collective && row.name.starts_with("hierarchical")) rows.push_back(std::move(row));
  }
  return rows;
}

Algorithm named(Collective collective, const std::string& options) {
  return find_algorithm(collective, "hierarchical" + options);
}

}  // namespace

TEST_CASE("hierarchical: the fabrics of these tests have the groups that they are to have") {
  const auto groups = [](const std::string& spec, int ranks, const std::string& placement) {
    const auto topology = parse_topology(spec);
    return tiers_of(parse_placement(placement, ranks, *topology), *topology).group;
  };
  CHECK(groups("clos:hosts=3,leaves=2,spines=1", 6, "linear") == groups_of({{3, 3}}).group);
  CHECK(groups("clos:hosts=5,leaves=3,spines=1", 11, "groups:5+2+4") == groups_of({{5, 2, 4}}).group);
  CHECK(groups("clos:hosts=4,leaves=3,spines=1,pods=2,cores=1", 12, "groups:3+2+0+2+1+4") ==
        groups_of({{3, 2, 2, 1, 4}, {2, 3}}).group);
  CHECK(groups(kFourLevels, 16, "linear") == groups_of({{2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2}}).group);
  CHECK(groups("clos:hosts=4,leaves=3,spines=1", 9, "random:2") ==
        std::vector<std::vector<int>>{{0, 1, 2, 1, 2, 1, 0, 1, 0}, std::vector<int>(9, 0)});
}

TEST_CASE("hierarchical: right over any tiers, for few and many elements, in place and out of place, from any root") {
  for (const Collective collective : kCollectives) {
    for (const Algorithm& algorithm : hierarchical_rows(collective)) {
      for (const Experiment& layout : layouts()) {
        Experiment what = call_of(algorithm, layout);
        what.type = Datatype::u64();
        const int ranks = what.shape().ranks;
        bool in_place = true;
        const std::int64_t many = 2 * ranks + 3;
        for (const std::int64_t count : testing::sample<std::vector<std::int64_t>>({many}, {1, many})) {
          set_count(what, count);
          const int step = testing::sample(ranks - 1, 4);
          for (what.root = 0; what.root < (has_root(collective) ? ranks : 1); what.root += step) {
            what.in_place = in_place = !in_place;
            INFO(what.text());
            REQUIRE_THAT(witness(set_up(what), algorithm).failure, Catch::Equals(""));
          }
        }
      }
    }
  }
}

TEST_CASE("hierarchical: right over any tiers with blocks of any size") {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    const Algorithm algorithm = named(collective, "");
    for (const Experiment& layout : layouts()) {
      Experiment what = call_of(algorithm, layout);
      what.type = Datatype::u64();
      set_blocks(what, testing::skewed_sizes(what.shape().ranks));
      INFO(what.text());
      REQUIRE_THAT(witness(set_up(what), algorithm).failure, Catch::Equals(""));
    }
  }
}

TEST_CASE("hierarchical: rounds and bytes are the phases' together") {
  for (const Collective collective : kCollectives) {
    for (const Algorithm& algorithm : hierarchical_rows(collective)) {
      for (const Experiment& layout : layouts()) {
        Experiment what = call_of(algorithm, layout);
        set_count(what, 2 * algorithm.block_count(what.shape()));
        const Setup setup = set_up(what);
        const Shape shape = setup.shape();
        INFO(what.text());
        const Witnessed witnessed = witness_one_call(setup, algorithm);
        REQUIRE_THAT(witnessed.failure, Catch::Equals(""));
        if (formulas_are_exact(algorithm, shape)) {
          CHECK(witnessed.rounds == algorithm.rounds(shape));
          CHECK(witnessed.bytes == algorithm.bytes(shape));
        } else {
          CHECK(witnessed.rounds <= algorithm.rounds(shape));
          if (is_even(shape)) CHECK(witnessed.bytes <= algorithm.bytes(shape));
        }
      }
    }
  }
}

// Two tiers, ring on ring (Collectives Explainer 03, §2.1): 2(n-1) + 2(L-1) rounds and 2(p-1)/p · M bytes.
TEST_CASE("hierarchical allreduce, ring on ring: 4 groups of 3 take 4 + 6 rounds and 22/12 of the vector") {
  const Algorithm algorithm = named(Collective::allreduce, "");
  const Setup setup = set_up(call_of(algorithm, in_place_on("clos:hosts=3,leaves=4,spines=1"), 120));
  const Shape shape = setup.shape();
  REQUIRE(formulas_are_exact(algorithm, shape));
  const Witnessed witnessed = witness_one_call(setup, algorithm);
  CHECK(witnessed.rounds == 10);
  CHECK(witnessed.bytes == 4 * 220);
  CHECK(algorithm.rounds(shape) == 10);
  CHECK(algorithm.bytes(shape) == 4 * 220);
  CHECK(algorithm.block_count(shape) == 12);
}

// 13 + 7 + 12: 7 indices. A surplus rank passes on 7 of 7 blocks in the reduce-scatter and 7 in the allgather, but for the one
// whose next rank owns a block; a rank with an index 6/7 in each (or all, if its next one owns none) and 2·2/3 of its block
// between groups.
TEST_CASE("hierarchical allreduce on 13 + 7 + 12 ranks: rounds of the largest group, twice, and of three groups") {
  const Algorithm algorithm = named(Collective::allreduce, "");
  const Setup setup = set_up(call_of(algorithm, in_place_on("clos:hosts=13,leaves=3,spines=1", "groups:13+7+12"), 210));
  CHECK_FALSE(formulas_are_exact(algorithm, setup.shape()));
  const Witnessed witnessed = witness_one_call(setup, algorithm);
  CHECK(witnessed.failure.empty());
  CHECK(witnessed.rounds == 2 * 12 + 2 * 2);
  // The rank of index 6 in a larger group: 6 blocks in, 4/3 of one out and back, 7 blocks to a next rank that owns none.
  CHECK(witnessed.bytes == 4 * (30 * 6 + 40 + 30 * 7));
}

TEST_CASE("hierarchical: options name the algorithm of each phase") {
  const Experiment layout = in_place_on("clos:hosts=4,leaves=2,spines=1,pods=2,cores=1");  // 4 in 4 groups in 2 pairs
  const auto rounds = [&](const std::string& options) {
    const Algorithm algorithm = named(Collective::allreduce, options);
    INFO(options);
    const Setup setup = set_up(call_of(algorithm, layout, 320));
    const Witnessed witnessed = witness_one_call(setup, algorithm);
    CHECK(witnessed.failure.empty());
    CHECK(witnessed.rounds == algorithm.rounds(setup.shape()));
    return witnessed.rounds;
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
  const Setup setup = set_up(call_of(algorithm, in_place_on("clos:hosts=4,leaves=2,spines=1"), 80));
  const Witnessed witnessed = witness_one_call(setup, algorithm);
  CHECK(witnessed.failure.empty());
  CHECK(witnessed.rounds == 1 + (4 + 4 - 2));
  CHECK(algorithm.rounds(setup.shape()) == witnessed.rounds);
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
  const Algorithm outer_bucket = named(Collective::allreduce, ":outer=bucket");
  const Experiment grouped = in_place_on("clos:hosts=3,leaves=2,spines=1");
  CHECK(call_of(outer_bucket, grouped, 6).why_not() ==
        "its outer allreduce, 'bucket', cannot serve a group of 2: it needs a grid");
  CHECK(call_of(outer_bucket, in_place_on("star:4"), 6).why_not() == "its only phase, 'bucket', cannot serve: it needs a grid");
  CHECK(call_of(named(Collective::allreduce, ""), grouped, 6).why_not().empty());
}

TEST_CASE("hierarchical: slow links carry a position's part and not the vector") {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    const Algorithm algorithm = named(collective, "");
    const Setup setup = set_up(call_of(algorithm, in_place_on("clos:hosts=4,leaves=3,spines=1"), 120));
    const Witnessed witnessed = witness_one_call(setup, algorithm);
    // 3/4 of 120 within, 2/3 of 30 between.
    CHECK(witnessed.bytes == 4 * (90 + 20));
    CHECK(witnessed.bytes == algorithm.bytes(setup.shape()));
  }
}

TEST_CASE("hierarchical: switches do the phases that are theirs; where they lack the offer the phase is named") {
  for (const Collective collective : kCollectives) {
    for (const std::string options : {":inner=in_network", ":outer=in_network", ":inner=in_network:outer=in_network"}) {
      const Algorithm algorithm = named(collective, options);
      Experiment what = call_of(algorithm, in_place_on("superpod:pods=2,gpus=8,alu,multicast"), 320);
      what.root = 5;
      INFO(what.text());
      CHECK(what.why_not().empty());
      CHECK_NOTHROW(testing::run(set_up(what)));
      const bool is_inner = options.starts_with(":inner");
      const std::string reason = call_of(algorithm, in_place_on("superpod:pods=2,gpus=8"), 320).why_not();
      CHECK_THAT(reason, Catch::StartsWith(is_inner ? "its inner " : "its outer "));
      CHECK_THAT(reason, Catch::Contains(is_inner ? "a group of 8: " : "a group of 2: "));
    }
  }
}

}  // namespace heddle
