// SPDX-License-Identifier: Apache-2.0
// Every row of the registry, on the plain communicator: results, rounds, bytes, order, types.
#include <cstring>
#include <memory>
#include <numeric>
#include <set>

#include "algorithms/registry/registry.hpp"
#include "core/affine.hpp"
#include "core/errors.hpp"
#include "tests/algorithms/skewed_sizes.hpp"
#include "tests/algorithms/witness.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/registry_rows.hpp"
#include "tests/sanitizers.hpp"

namespace heddle {

namespace {

using testing::box;
using testing::Effort;
using testing::effort;
using testing::kUnderAddressSanitizer;
using testing::kUnderThreadSanitizer;
using testing::Layout;
using testing::line;
using testing::Outcome;
using testing::registry_rows;
using testing::sample;
using testing::sampled;
using testing::shuffled_box;
using testing::witness;
using testing::WitnessCase;

Layout mesh(const std::vector<int>& dims) {
  const auto grid = std::make_shared<const Grid>(dims, false);
  return {grid->size(), grid};
}

/// A few of each kind: threads are slow, with a sanitizer most of all, and the tests on emulated fabrics run every rank count.
std::vector<Layout> plain_layouts() {
  using Lines = std::vector<int>;
  using Boxes = std::vector<std::vector<int>>;
  std::vector<Layout> all;
  for (const int p : sampled(sample<Lines>({1, 2, 7}, {1, 2, 3, 5, 6, 7, 8, 11}), {7})) all.push_back(line(p));
  for (const std::vector<int>& dims :
       sampled(sample<Boxes>({{2, 3}, {3, 3}}, {{1, 1}, {2, 3}, {3, 3}, {1, 5}, {2, 2, 3}}), {{2, 3}}))
    all.push_back(box(dims));
  if (!kUnderThreadSanitizer && !kUnderAddressSanitizer) all.push_back(shuffled_box({3, 4}));
  if (effort() == Effort::thorough) all.push_back(mesh({4, 3}));
  return all;
}

bool serves(const Algorithm& algorithm, const WitnessCase& what) { return why_not(algorithm, what.shape(), *what.op).empty(); }

std::set<int> roots(const Algorithm& algorithm, int ranks) {
  return has_root(algorithm.collective) ? std::set<int>{0, ranks - 1} : std::set<int>{0};
}

/// In one call: the rounds of two, from several roots, do not add up.
void check_formulas(const Algorithm& algorithm, const Layout& layout, int root) {
  WitnessCase what{.layout = layout, .type = Datatype::i32(), .op = &ReduceOp::bit_xor(), .root = root, .calls = 1};
  if (!serves(algorithm, what)) return;
  const std::int64_t granule = algorithm.granule(what.shape());
  for (const std::int64_t count : sample<std::vector<std::int64_t>>({2 * granule}, {granule, 2 * granule, 2 * granule + 1})) {
    what.count = count;
    INFO(to_string(algorithm.collective) << " " << algorithm.name << ", " << what.name());
    const Outcome outcome = witness(algorithm, what);
    REQUIRE_THAT(outcome.failure, Catch::Equals(""));
    REQUIRE(outcome.rounds == algorithm.rounds(what.shape()));
    if (count % granule == 0) REQUIRE(outcome.bytes == algorithm.bytes(what.shape()));
  }
}

}  // namespace

TEST_CASE("every algorithm is right for few and many elements, in place and out of place, call after call") {
  for (const Algorithm& algorithm : registry_rows()) {
    for (const Layout& layout : plain_layouts()) {
      const std::int64_t p = layout.ranks;
      bool in_place = true;
      for (const std::int64_t count : std::set<std::int64_t>{0, p - 1, 2 * p + 3}) {
        for (const int root : roots(algorithm, layout.ranks)) {
          in_place = !in_place;
          const WitnessCase what{.layout = layout, .count = count, .root = root, .in_place = in_place};
          if (!serves(algorithm, what)) continue;
          INFO(to_string(algorithm.collective) << " " << algorithm.name << ", " << what.name());
          const Outcome outcome = witness(algorithm, what);
          REQUIRE_THAT(outcome.failure, Catch::Equals(""));
          // Where there is nothing to do nothing is sent.
          if (p == 1 || (count == 0 && algorithm.collective != Collective::barrier)) REQUIRE(outcome.rounds == 0);
        }
      }
      if (kUnderThreadSanitizer || kUnderAddressSanitizer) continue;  // numbers, the same in any build
      for (const int root : roots(algorithm, layout.ranks)) check_formulas(algorithm, layout, root);
    }
  }
}

TEST_CASE("every algorithm that takes blocks of any size is right with them") {
  for (const Algorithm& algorithm : registry_rows()) {
    if (!has_blocks(algorithm.collective) || algorithm.needs.equal_blocks) continue;
    for (const Layout& layout : plain_layouts()) {
      const std::vector<std::int64_t> sizes = testing::skewed_sizes(layout.ranks);
      const WitnessCase what{.layout = layout,
                             .count = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}),
                             .root = layout.ranks / 2,
                             .in_place = layout.ranks % 2 == 0,
                             .sizes = sizes};
      if (!serves(algorithm, what)) continue;
      INFO(to_string(algorithm.collective) << " " << algorithm.name << ", " << what.name());
      REQUIRE_THAT(witness(algorithm, what).failure, Catch::Equals(""));
    }
  }
}

TEST_CASE("algorithms that claim it keep rank order") {
  for (const Algorithm& algorithm : registry_rows()) {
    if (!reduces(algorithm.collective)) continue;
    for (const Layout& layout : plain_layouts()) {
      const WitnessCase what{
          .layout = layout, .count = layout.ranks + 1, .type = affine_type(), .op = &affine_op(), .root = layout.ranks / 3};
      if (!serves(algorithm, what)) continue;
      INFO(to_string(algorithm.collective) << " " << algorithm.name << ", " << what.name());
      REQUIRE_THAT(witness(algorithm, what).failure, Catch::Equals(""));
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
  for (const Algorithm& algorithm : registry_rows()) {
    ++row;
    for (const Layout& layout : {box({3, 2})}) {
      const auto is_right = [&](std::int64_t count, Datatype type, const ReduceOp& op) {
        const WitnessCase what{.layout = layout, .count = count, .type = type, .op = &op};
        if (!serves(algorithm, what)) return;
        INFO(to_string(algorithm.collective) << " " << algorithm.name << ", " << what.name() << ", " << to_string(type));
        CHECK_THAT(witness(algorithm, what).failure, Catch::Equals(""));
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
}

TEST_CASE("an algorithm called where it cannot serve says why") {
  const auto call = [](const Algorithm& algorithm, const Layout& layout, Datatype type, const ReduceOp& op) {
    witness(algorithm, {.layout = layout, .count = 8, .type = type, .op = &op, .calls = 1});
  };
  for (const Algorithm& algorithm : registry_rows()) {
    const std::string bare = algorithm.name.substr(0, algorithm.name.find(':'));
    INFO(to_string(algorithm.collective) << " " << algorithm.name);
    if (algorithm.needs.grid)
      CHECK_THROWS_WITH(call(algorithm, line(4), Datatype::i32(), ReduceOp::sum()), bare + ": it needs a grid");
    if (algorithm.needs.commutative && reduces(algorithm.collective) && !algorithm.needs.has_more)
      CHECK_THROWS_WITH(call(algorithm, box({2, 2}), affine_type(), affine_op()),
                        bare + ": it needs a commutative operation, and 'affine' is not one");
  }
}

}  // namespace heddle
