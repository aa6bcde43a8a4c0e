// SPDX-License-Identifier: Apache-2.0
// Every row of the registry on emulated fabrics, all checks on: results, inputs, order, hygiene, buffering, least times, and
// the rounds and bytes that its formulas promise.
#include <set>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

using testing::call_of;
using testing::in_place_on;
using testing::registry_entries;
using testing::sample;
using testing::sampled;
using testing::serves;
using Specs = std::vector<std::string>;

/// All kinds of fabric, and rank counts that are powers of two, three, both, neither, odd and prime.
Specs fabrics() {
  return sampled(
      sample<Specs>({"ring:1", "ring:2", "ring:7", "torus:1x6", "torus:2x4", "mesh:5x3", "star:12", "star:7,alu,multicast,a2a",
                     "clos:hosts=3,leaves=3,spines=2,alu,multicast,a2a"},
                    {"ring:1", "ring:2", "ring:7", "ring:27", "torus:3x5", "torus:4x4", "torus:2x4", "torus:1x6", "torus:3x3x3",
                     "torus:2x3x4", "mesh:4x4x2", "mesh:5x3", "mesh:5", "mesh:3x4", "mesh:2x3x4", "fullmesh:9", "star:12",
                     "star:7,alu,multicast,a2a", "clos:hosts=3,leaves=3,spines=2,alu,multicast,a2a"}),
      {"ring:7", "torus:2x4", "clos:hosts=3,leaves=2,spines=2,alu,multicast,a2a"});
}

/// Of one tier, where each row's formulas are exact whatever the rank count.
Specs flat_fabrics() {
  Specs all = {"torus:1",    "torus:1x1", "torus:2x2",  "torus:2x4", "torus:3x5",   "torus:4x4",     "torus:5x1x3",
               "torus:6x10", "torus:7x9", "mesh:4x4x2", "mesh:3x6",  "torus:2x3x4", "torus:2x2x2x2", "torus:8x8"};
  for (int p = 1; p <= 64; ++p) all.push_back("star:" + std::to_string(p));
  for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 27, 32, 33}) all.push_back("ring:" + std::to_string(p));
  return sampled(sample<Specs>({"star:3", "star:4", "star:5", "star:6", "star:8", "star:9", "star:11", "star:13", "star:16",
                                "star:17", "star:27", "star:33", "ring:9", "ring:16", "torus:1x1", "torus:3x5", "torus:2x3x4",
                                "torus:2x2x2x2", "mesh:4x4x2"},
                               all),
                 {"star:3", "star:6", "star:13", "ring:9", "torus:2x2x2"});
}

/// On a fabric that all rows share.
Setup set_up_on(const Fabric& fabric, const Experiment& what) {
  return set_up(what, what.algorithm, fabric, Unfitting::left_out);
}

void check_right(const Experiment& what, const Setup& setup) {
  INFO(what.text());
  REQUIRE_NOTHROW(testing::run(setup));
}

void check_formulas(const Algorithm& algorithm, const Experiment& what, const Setup& setup) {
  INFO(what.text());
  const Report report = testing::run(setup);
  CHECK(report.rounds_max() == algorithm.rounds(setup.shape()));
  CHECK(report.sent_max().count() == algorithm.bytes(setup.shape()));
}

}  // namespace

TEST_CASE("every algorithm that fits is right on every fabric, with few elements and with unequal blocks, at either root") {
  bool in_place = false;
  for (const std::string& spec : fabrics()) {
    const Fabric fabric = build_fabric({.topology = spec});
    for (const Algorithm& algorithm : registry_entries()) {
      Experiment what = call_of(algorithm, in_place_on(spec));
      const Setup empty = set_up_on(fabric, what);
      if (!serves(empty)) continue;
      const Shape shape = empty.shape();
      const std::int64_t block_count = algorithm.block_count(shape);
      for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, shape.ranks - std::int64_t{1}, 3 * block_count - 1}) {
        set_count(what, count);
        what.in_place = in_place = !in_place;
        what.root = has_root(algorithm.collective) && !in_place ? shape.ranks - 1 : 0;
        check_right(what, set_up_on(fabric, what));
      }
      set_count(what, 2 * block_count);
      const Setup setup = set_up_on(fabric, what);
      if (serves(setup) && formulas_are_exact(algorithm, setup.shape())) check_formulas(algorithm, what, setup);
    }
  }
}

TEST_CASE("rounds and bytes are what the registry says, at either root, for any number of ranks and dimensions") {
  std::int64_t multiple = 1;
  for (const std::string& spec : flat_fabrics()) {
    const Fabric fabric = build_fabric({.topology = spec});
    multiple = 3 - multiple;
    for (const Algorithm& algorithm : registry()) {
      for (const int root : has_root(algorithm.collective) ? std::set{0, fabric.topology().endpoints() - 1} : std::set{0}) {
        Experiment what = call_of(algorithm, in_place_on(spec), multiple);
        what.root = root;
        set_count(what, multiple * algorithm.block_count(set_up_on(fabric, what).shape()));
        const Setup setup = set_up_on(fabric, what);
        if (serves(setup)) check_formulas(algorithm, what, setup);
      }
    }
  }
}

TEST_CASE("every algorithm is right on fabrics of several tiers, in even groups and uneven ones") {
  using Placed = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [spec, placed] : sampled(
           sample<Placed>({{"clos:hosts=3,leaves=4,spines=2", "linear"}, {"superpod:pods=3,gpus=4,trays=2", "groups:3+1+4"}},
                          {{"clos:hosts=3,leaves=4,spines=2", "linear"},
                           {"superpod:pods=4,gpus=4,trays=2,ports=4", "linear"},  // two pods to a leaf
                           {"superpod:pods=3,gpus=4,trays=2", "groups:3+1+4"},
                           {"clos:hosts=13,leaves=3,spines=2", "groups:13+7+12"}}),
           {{"clos:hosts=2,leaves=3,spines=2", "linear"}, {"superpod:pods=3,gpus=4,trays=2", "groups:3+1+4"}})) {
    const Fabric fabric = build_fabric({.topology = spec});
    for (const Algorithm& algorithm : registry_entries()) {
      Experiment what = call_of(algorithm, in_place_on(spec), 211);
      what.placement = placed;
      what.root = ranks_of_placement(placed).value_or(fabric.topology().endpoints()) / 2;
      const Setup setup = set_up_on(fabric, what);
      if (serves(setup)) check_right(what, setup);
    }
  }
}

TEST_CASE("every algorithm that takes them is right with blocks of any size on emulated fabrics") {
  for (const std::string& spec :
       sampled(sample<Specs>({"ring:7", "clos:hosts=2,leaves=3,spines=2,alu,multicast,a2a"},
                             {"ring:7", "torus:3x4", "star:8", "clos:hosts=2,leaves=3,spines=2,alu,multicast,a2a"}),
               {"clos:hosts=2,leaves=3,spines=2,alu,multicast,a2a"})) {
    const Fabric fabric = build_fabric({.topology = spec});
    for (const Algorithm& algorithm : registry_entries()) {
      if (!has_blocks(algorithm.collective)) continue;
      Experiment what = call_of(algorithm, in_place_on(spec));
      what.root = 2;
      set_blocks(what, testing::skewed_sizes(fabric.topology().endpoints()));
      for (const bool in_place : {true, false}) {
        what.in_place = in_place;
        const Setup setup = set_up_on(fabric, what);
        if (serves(setup)) check_right(what, setup);
      }
    }
  }
}

TEST_CASE("no algorithm relies on buffers: sends that wait for their receives, few credits, any order of one instant") {
  for (const std::string& spec : sampled(sample<Specs>({"ring:7", "torus:2x3"}, {"ring:6", "ring:7", "torus:3x4", "torus:2x3"}),
                                         {"ring:5", "torus:2x3"})) {
    const Fabric fabric = build_fabric({.topology = spec});
    const auto check = [&fabric](const Experiment& what) {
      const Setup setup = set_up_on(fabric, what);
      if (serves(setup)) check_right(what, setup);
    };
    for (const Algorithm& algorithm : registry_entries()) {
      Experiment what = in_place_on(spec);
      what.type = Datatype::i64();
      what.root = 3;
      what = call_of(algorithm, what, 131);
      what.buffering = Buffering::synchronous();
      check(what);
      what.buffering = Buffering::limited(4);  // one for each port: a rank's tasks share the credits of a pair
      check(what);
      what.order_seed = 7;
      check(what);
    }
  }
}

TEST_CASE("rank order is kept where it is claimed, on emulated fabrics") {
  for (const std::string& spec :
       sample<Specs>({"ring:5", "ring:8", "torus:2x3"}, {"ring:2", "ring:5", "ring:8", "torus:2x3", "star:11", "ring:17"})) {
    const Fabric fabric = build_fabric({.topology = spec});
    for (const Algorithm& algorithm : registry_entries()) {
      if (!reduces(algorithm.collective)) continue;
      Experiment what = in_place_on(spec);
      what.op = &affine_op();
      what.root = 1;
      what = call_of(algorithm, what, 37);
      const Setup setup = set_up_on(fabric, what);
      if (serves(setup)) check_right(what, setup);
    }
  }
}

}  // namespace heddle
