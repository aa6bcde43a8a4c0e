// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/draw_case.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>

#include "core/affine.hpp"
#include "fuzz/cases/case_data.hpp"
#include "fuzz/cases/run_case.hpp"
#include "heddle/errors.hpp"
#include "lab/run/setup.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using Rows = std::shared_ptr<const std::vector<Algorithm>>;

Rows all_rows() { return std::make_shared<const std::vector<Algorithm>>(registry_copy()); }

int ranks_drawn(const Experiment& what) { return what.ranks ? *what.ranks : parse_topology(what.fabric.topology)->endpoints(); }

std::vector<Experiment> draw_cases(std::uint64_t seed, std::uint64_t count, const Rows& rows, int most = 64) {
  std::vector<Experiment> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(draw_case(seed, i, rows, {.most_ranks = most}));
  return cases;
}

}  // namespace

TEST_CASE("a case is a function of its seed and its number") {
  const Rows rows = all_rows();
  CHECK(draw_case(1, 17, rows).text() == draw_case(1, 17, rows).text());
  CHECK(draw_case(1, 17, rows).text() != draw_case(2, 17, rows).text());
  CHECK(draw_case(1, 17, rows).text() != draw_case(1, 18, rows).text());
  // On any machine: these are the cases of seed 1.
  std::set<std::string> texts;
  for (const Experiment& what : draw_cases(1, 300, rows)) texts.insert(what.text());
  CHECK(texts.size() == 300);
}

TEST_CASE("every drawn case is what its text says") {
  for (const Experiment& what : draw_cases(3, 500, all_rows())) CHECK(Experiment::parse(what.text()).text() == what.text());
}

TEST_CASE("one case in so many is large, and each row has them in turn") {
  const auto rows = std::make_shared<const std::vector<Algorithm>>(
      std::vector<Algorithm>{find_algorithm(Collective::allreduce, "ring"), find_algorithm(Collective::alltoall, "linear"),
                             find_algorithm(Collective::barrier, "dissemination")});
  std::map<std::string, std::set<int>> many_ranks;
  std::map<std::string, std::set<std::int64_t>> many_elements;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Experiment what = draw_case(1, i, rows, {.large_once_in = 2});
    INFO(what.text());
    CHECK(ranks_drawn(what) <= 256);
    if (i % 2 == 0) {
      CHECK(what.text() == draw_case(1, i, rows).text());
      CHECK(ranks_drawn(what) <= 64);
      continue;
    }
    CHECK(what.algorithm.starts_with((*rows)[i / 2 % 3].name));
    CHECK(row_of_case(1, i, *rows, {.large_once_in = 2}).name == (*rows)[i / 2 % 3].name);
    if (ranks_drawn(what) > 64) many_ranks[to_string(what.collective)].insert(ranks_drawn(what));
    if (count_of(what) >= 5000 - 64) many_elements[to_string(what.collective)].insert(count_of(what));
    CHECK(count_of(what) <= 70'000);
  }
  CHECK(many_ranks["allreduce"].contains(100));
  CHECK(many_ranks["alltoall"].contains(256));
  CHECK(many_ranks["barrier"].contains(129));
  CHECK(many_elements["allreduce"].contains(65'537));
  CHECK(many_elements["alltoall"].size() > 2);
  for (std::uint64_t i = 1; i < 60; i += 2)
    CHECK(ranks_drawn(draw_case(1, i, rows, {.most_ranks = 9, .large_once_in = 2, .most_large_ranks = 9})) <= 9);
}

TEST_CASE("few credits are drawn for rows that promise to live with them, and for no others") {
  const auto credits_of = [](std::optional<int> promised) {
    Algorithm row = find_algorithm(Collective::allreduce, "ring");
    row.credits = promised;
    std::set<int> drawn;
    for (const Experiment& what : draw_cases(1, 600, std::make_shared<const std::vector<Algorithm>>(1, row))) {
      if (what.buffering.credits.value_or(0) > 0) drawn.insert(*what.buffering.credits);
    }
    return drawn;
  };
  CHECK(*credits_of(1).begin() == 1);
  CHECK(*credits_of(3).begin() == 3);
  CHECK(*credits_of(std::nullopt).begin() == 8);
  CHECK_FALSE(find_algorithm(Collective::allreduce, "bucket").credits);
  CHECK(find_algorithm(Collective::broadcast, "chain:segments=8").credits == 1);
  CHECK_FALSE(find_algorithm(Collective::allreduce, "hierarchical:outer=swing_bandwidth").credits);
}

TEST_CASE("opaque elements are drawn where data are moved, special floats where bits are compared") {
  std::set<std::string> types;
  int special = 0;
  for (const Experiment& what : draw_cases(1, 4000, all_rows())) {
    INFO(what.text());
    if (what.type && what.type->kind() == Datatype::Kind::user && what.op != &affine_op()) {
      CHECK_FALSE(reduces(what.collective));
      types.insert(to_string(*what.type));
    }
    if (what.values != DataValues::special) continue;
    ++special;
    CHECK(type_of(what).is_floating());
    if (reduces(what.collective)) CHECK((what.op == &ReduceOp::min() || what.op == &ReduceOp::max()));
  }
  CHECK(types == std::set<std::string>{"bytes3", "bytes12", "bytes24"});
  CHECK(special > 100);
}

TEST_CASE("an alltoall's counts are drawn of each kind, in place symmetric, for rows that take them") {
  std::set<std::string> kinds;
  for (const Experiment& what : draw_cases(1, 6000, all_rows())) {
    if (what.counts.empty()) continue;
    INFO(what.text());
    const std::string kind = what.counts.substr(0, what.counts.find(':'));
    CHECK(what.collective == Collective::alltoall);
    if (what.in_place == true) CHECK(kind == "symmetric");
    kinds.insert(kind);
  }
  CHECK(kinds.size() == kinds_of_counts().size());
}

TEST_CASE("ways of unequal width are drawn, and faults of links that adaptive routing takes as one") {
  int with_unequal_ways = 0;
  int in_bundles = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const Setup setup = set_up(draw_case(1, i, all_rows(), {.fault_once_in = 1}), Unfitting::left_out);
    const Topology& topology = setup.fabric.topology();
    with_unequal_ways += topology.spec().starts_with("dragonfly+") && setup.fabric.has_unequal_ways() ? 1 : 0;
    for (const LinkFault& fault : setup.settings.faults.links)
      in_bundles += topology.trunk_of(fault.link) != fault.link ? 1 : 0;
  }
  CHECK(with_unequal_ways > 3);
  CHECK(in_bundles > 10);
}

TEST_CASE("blocks of given sizes are drawn empty, with one giant, and all at the last rank") {
  bool has_giant = false;
  bool are_all_last = false;
  for (const Experiment& what : draw_cases(1, 3000, all_rows())) {
    const BlockSizes blocks = blocks_of(what);
    if (blocks.size() < 3) continue;
    const std::int64_t others = std::accumulate(blocks.begin(), blocks.end() - 1, std::int64_t{0});
    are_all_last |= others == 0 && blocks.back() > 0;
    has_giant |= *std::max_element(blocks.begin(), blocks.end()) >= 100 && others > 0;
  }
  CHECK(has_giant);
  CHECK(are_all_last);
}

TEST_CASE("two cases for each large one have tens of calls, on a few ranks, and each row has one in turn") {
  const auto rows = std::make_shared<const std::vector<Algorithm>>(std::vector<Algorithm>{
      find_algorithm(Collective::allreduce, "ring"), find_algorithm(Collective::barrier, "dissemination")});
  std::vector<Collective> of;
  for (std::uint64_t i = 0; i < 32; ++i) {
    const Experiment what = draw_case(1, i, rows, {.fault_once_in = 1, .large_once_in = 16});
    if (what.calls <= 5) continue;
    INFO(what.text());
    CHECK(i % 8 == 4);
    of.push_back(what.collective);
    CHECK(what.calls >= 23);  // a number of four bits comes round on one communicator
    CHECK(what.calls <= 32);
    CHECK(ranks_drawn(what) <= 5);  // of more, a few such cases would take the time of all others
    CHECK(what.faults.empty());
  }
  CHECK(of == std::vector{Collective::allreduce, Collective::barrier, Collective::allreduce, Collective::barrier});
}

TEST_CASE("one case in so many is beyond 31 bits, and each row has one in turn") {
  const auto rows = std::make_shared<const std::vector<Algorithm>>(
      std::vector<Algorithm>{find_algorithm(Collective::allreduce, "ring"), find_algorithm(Collective::alltoall, "linear"),
                             find_algorithm(Collective::barrier, "dissemination")});
  for (std::uint64_t i = 1; i < 90; i += 4) {
    const Experiment what = draw_case(1, i, rows, {.positions_once_in = 4});
    INFO(what.text());
    const Algorithm& row = (*rows)[i / 4 % 3];
    CHECK(what.positions == (row.collective != Collective::barrier));
    if (!what.positions) continue;
    CHECK(what.collective == row.collective);
    CHECK(count_of(what) * static_cast<std::int64_t>(type_of(what).size()) >= std::int64_t{1} << 30);
    CHECK_FALSE(failure_of(what));
  }
}

TEST_CASE("every row, every kind of rank count and every family of fabrics is drawn") {
  const Rows rows = all_rows();
  FuzzCoverage coverage(*rows);
  std::set<std::string> families;
  std::map<std::string, int> seen;
  int powers_of_two = 0;
  for (const Experiment& what : draw_cases(1, 4000, rows)) {
    const int p = ranks_drawn(what);
    const std::int64_t count = count_of(what);
    coverage.add(row_of(what), p);
    powers_of_two += p > 1 && std::has_single_bit(static_cast<unsigned>(p)) ? 1 : 0;
    families.insert(what.fabric.topology.substr(0, what.fabric.topology.find(':')));
    seen["in place"] += *what.in_place ? 1 : 0;
    seen["blocks"] += blocks_of(what).empty() ? 0 : 1;
    seen["nothing"] += count == 0 && what.collective != Collective::barrier ? 1 : 0;
    seen["below p"] += count > 0 && count < p ? 1 : 0;
    seen["many"] += count > 1000 ? 1 : 0;
    seen["synchronous"] += what.buffering.credits == 0 ? 1 : 0;
    seen["limited"] += what.buffering.credits.value_or(0) > 0 ? 1 : 0;
    seen["permuted"] += what.order_seed ? 1 : 0;
    seen["jittered"] += what.order.jitter && what.order.pick ? 1 : 0;
    seen["placed"] += what.placement == "linear" ? 0 : 1;
    seen["spare endpoints"] += what.ranks ? 1 : 0;
    seen["options"] += what.algorithm.find(':') == std::string::npos ? 0 : 1;
    seen["groups"] += what.groups.empty() ? 0 : 1;
    seen["overlapping groups"] += what.groups.find('+') == std::string::npos ? 0 : 1;
    seen["order"] += what.op->commutative() ? 0 : 1;
    seen["kernel threads"] += what.threads == Threads::kernel ? 1 : 0;
  }
  CHECK(coverage.rows_covered() == rows->size());
  CHECK(coverage.ranks().size() >= 40);
  CHECK(powers_of_two < 4000 / 4);
  for (const TopologyFamily& family : topology_families()) {
    INFO(family.name);
    CHECK((family.reads_file || families.contains(std::string(family.name))));
  }
  for (const auto& [what, times] : seen) {
    INFO(what);
    CHECK(times > 0);
  }
}

TEST_CASE("ranks stay within the most that are asked for") {
  const Rows rows = all_rows();
  for (const Experiment& what : draw_cases(5, 200, rows, 3)) CHECK(ranks_drawn(what) <= 3);
  int most = 0;
  for (const Experiment& what : draw_cases(5, 300, rows, 100)) most = std::max(most, ranks_drawn(what));
  CHECK(most > 64);
}

TEST_CASE("a row that serves nothing is refused by name") {
  Algorithm row{.name = "impossible", .run = [](Communicator&, const CollectiveArguments&) {}};
  row.needs.more = "the impossible";
  row.needs.has_more = [](const Shape&) { return false; };
  CHECK_THROWS_WITH(draw_case(1, 0, std::make_shared<const std::vector<Algorithm>>(1, row)),
                    "allreduce algorithm 'impossible' serves none of 1000 drawn calls on up to 64 ranks");
}

TEST_CASE("kinds of rank counts") {
  CHECK(kind_of_ranks(1) == RankKind::one);
  CHECK(kind_of_ranks(2) == RankKind::power_of_two);
  CHECK(kind_of_ranks(64) == RankKind::power_of_two);
  CHECK(kind_of_ranks(3) == RankKind::prime);
  CHECK(kind_of_ranks(61) == RankKind::prime);
  CHECK(kind_of_ranks(9) == RankKind::odd);
  CHECK(kind_of_ranks(35) == RankKind::odd);
  CHECK(kind_of_ranks(6) == RankKind::even);
}

}  // namespace heddle
