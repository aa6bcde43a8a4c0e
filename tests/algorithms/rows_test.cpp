// SPDX-License-Identifier: Apache-2.0
// Every row of the registry, on the plain communicator: results, rounds, bytes, order, types.
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

using testing::call_of;
using testing::Effort;
using testing::effort;
using testing::in_place_on;
using testing::kUnderAddressSanitizer;
using testing::kUnderThreadSanitizer;
using testing::registry_entries;
using testing::sample;
using testing::sampled;
using testing::serves;
using testing::witness;
using testing::Witnessed;

/// A few of each kind: threads are slow, with a sanitizer most of all, and the tests on emulated fabrics run every rank count.
std::vector<Experiment> plain_layouts() {
  using Texts = std::vector<std::string>;
  std::vector<Experiment> all;
  for (const std::string& p : sampled(sample<Texts>({"1", "2", "7"}, {"1", "2", "3", "5", "6", "7", "8", "11"}), {"7"}))
    all.push_back(in_place_on("star:" + p));
  for (const std::string& dims : sampled(sample<Texts>({"2x3", "3x3"}, {"1x1", "2x3", "3x3", "1x5", "2x2x3"}), {"2x3"}))
    all.push_back(in_place_on("torus:" + dims));
  // Ranks that do not count row-major.
  if (!kUnderThreadSanitizer && !kUnderAddressSanitizer) all.push_back(in_place_on("torus:3x4", "random"));
  if (effort() == Effort::thorough) all.push_back(in_place_on("mesh:4x3"));
  for (Experiment& layout : all) layout.type = Datatype::u64();
  return all;
}

/// Though the row may not serve it.
Setup set_up_any(const Experiment& what) { return set_up(what, Unfitting::left_out); }

std::set<int> roots(const Algorithm& algorithm, int ranks) {
  return has_root(algorithm.collective) ? std::set<int>{0, ranks - 1} : std::set<int>{0};
}

/// In one call: the rounds of two, from several roots, do not add up.
void check_formulas(const Algorithm& algorithm, const Experiment& layout, int root) {
  Experiment what = layout;
  what.type = Datatype::i32();
  what.op = &ReduceOp::bit_xor();
  what.root = root;
  what = call_of(algorithm, what);
  const Setup empty = set_up_any(what);
  if (!serves(empty)) return;
  const std::int64_t block_count = algorithm.block_count(empty.shape());
  for (const std::int64_t count :
       sample<std::vector<std::int64_t>>({2 * block_count}, {block_count, 2 * block_count, 2 * block_count + 1})) {
    set_count(what, count);
    INFO(what.text());
    const Setup setup = set_up_any(what);
    const Witnessed witnessed = testing::witness_one_call(setup, algorithm);
    REQUIRE_THAT(witnessed.failure, Catch::Equals(""));
    REQUIRE(witnessed.rounds == algorithm.rounds(setup.shape()));
    if (count % block_count == 0) REQUIRE(witnessed.bytes == algorithm.bytes(setup.shape()));
  }
}

}  // namespace

TEST_CASE("every algorithm is right for few and many elements, in place and out of place, call after call") {
  for (const Algorithm& algorithm : registry_entries()) {
    for (const Experiment& layout : plain_layouts()) {
      Experiment what = call_of(algorithm, layout);
      const std::int64_t p = set_up_any(what).ranks();
      bool in_place = true;
      for (const std::int64_t count : std::set<std::int64_t>{0, p - 1, 2 * p + 3}) {
        set_count(what, count);
        for (const int root : roots(algorithm, static_cast<int>(p))) {
          what.root = root;
          what.in_place = in_place = !in_place;
          const Setup setup = set_up_any(what);
          if (!serves(setup)) continue;
          INFO(what.text());
          const Witnessed witnessed = witness(setup, algorithm);
          REQUIRE_THAT(witnessed.failure, Catch::Equals(""));
          // Where there is nothing to do nothing is sent.
          if (p == 1 || (count == 0 && algorithm.collective != Collective::barrier)) REQUIRE(witnessed.rounds == 0);
        }
      }
      if (kUnderThreadSanitizer || kUnderAddressSanitizer) continue;  // numbers, the same in any build
      for (const int root : roots(algorithm, static_cast<int>(p))) check_formulas(algorithm, layout, root);
    }
  }
}

TEST_CASE("every algorithm that takes blocks of any size is right with them") {
  for (const Algorithm& algorithm : registry_entries()) {
    if (!has_blocks(algorithm.collective) || algorithm.needs.equal_blocks) continue;
    for (const Experiment& layout : plain_layouts()) {
      Experiment what = call_of(algorithm, layout);
      const int ranks = set_up_any(what).ranks();
      set_blocks(what, testing::skewed_sizes(ranks));
      what.root = ranks / 2;
      what.in_place = ranks % 2 == 0;
      const Setup setup = set_up_any(what);
      if (!serves(setup)) continue;
      INFO(what.text());
      REQUIRE_THAT(witness(setup, algorithm).failure, Catch::Equals(""));
    }
  }
}

TEST_CASE("algorithms that claim it keep rank order") {
  for (const Algorithm& algorithm : registry_entries()) {
    if (!reduces(algorithm.collective)) continue;
    for (const Experiment& layout : plain_layouts()) {
      Experiment what = call_of(algorithm, layout);
      const int ranks = set_up_any(what).ranks();
      what.type = affine_type();
      what.op = &affine_op();
      what.root = ranks / 3;
      set_count(what, ranks + 1);
      const Setup setup = set_up_any(what);
      if (!serves(setup)) continue;
      INFO(what.text());
      REQUIRE_THAT(witness(setup, algorithm).failure, Catch::Equals(""));
    }
  }
}

TEST_CASE("every algorithm takes every type and operation") {
  const ReduceOp longest("longest",
                         [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                           const std::size_t size = type.size();
                           for (std::size_t i = 0; i < count * size; i += size) {
                             const std::byte* greater = std::memcmp(a + i, b + i, size) < 0 ? b + i : a + i;
                             if (result + i != greater) std::memcpy(result + i, greater, size);
                           }
                         },
                         {.commutative = true, .idempotent = true});
  std::size_t row = 0;
  for (const Algorithm& algorithm : registry_entries()) {
    ++row;
    const auto is_right = [&](std::int64_t count, Datatype type, const ReduceOp& op) {
      Experiment what = in_place_on("torus:3x2");
      what.type = type;
      what.op = &op;
      what = call_of(algorithm, what, count);
      const Setup setup = set_up_any(what);
      if (!serves(setup)) return;
      INFO(what.text());
      CHECK_THAT(witness(setup, algorithm).failure, Catch::Equals(""));
    };
    is_right(11, Datatype::user(3), longest);
    const std::vector<Datatype>& types = builtin_datatypes();
    for (std::size_t t = 0; t < sample<std::size_t>(3, types.size()); ++t) {
      const Datatype type = types[(row + t) % types.size()];
      is_right(29, type, ReduceOp::max());
      if (type.is_integer() && reduces(algorithm.collective)) is_right(29, type, ReduceOp::prod());
    }
  }
}

TEST_CASE("an algorithm called where it cannot serve says why") {
  const auto call = [](const Algorithm& algorithm, Experiment like, Datatype type, const ReduceOp& op) {
    like.type = type;
    like.op = &op;
    testing::witness_one_call(set_up_any(call_of(algorithm, like, 8)), algorithm);
  };
  for (const Algorithm& algorithm : registry_entries()) {
    const std::string bare = algorithm.name.substr(0, algorithm.name.find(':'));
    INFO(to_string(algorithm.collective) << " " << algorithm.name);
    if (algorithm.needs.grid)
      CHECK_THROWS_WITH(call(algorithm, in_place_on("star:4"), Datatype::i32(), ReduceOp::sum()), bare + ": it needs a grid");
    if (algorithm.needs.commutative && reduces(algorithm.collective) && !algorithm.needs.has_more)
      CHECK_THROWS_WITH(call(algorithm, in_place_on("torus:2x2"), affine_type(), affine_op()),
                        bare + ": it needs a commutative operation, and 'affine' is not one");
  }
}

}  // namespace heddle
