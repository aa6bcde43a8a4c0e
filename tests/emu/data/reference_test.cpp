// SPDX-License-Identifier: Apache-2.0
#include "emu/data/expected_call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/affine.hpp"
#include "heddle/datatype.hpp"
#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

/// The contributions of `ranks` combined with the op itself in the type's own arithmetic: a random pair of neighbours in the
/// list at a time, until one is left. Any tree of any shape.
Buffer combine(const TestData& data, const ReduceOp& op, std::int64_t count, const std::vector<int>& ranks,
               std::uint32_t seed) {
  std::vector<Buffer> parts;
  for (const int r : ranks) {
    parts.emplace_back(data.type(), count);
    data.fill(parts.back().view(), Rank(r));
  }
  std::mt19937 random(seed);
  while (parts.size() > 1) {
    const std::size_t left = random() % (parts.size() - 1);
    op.apply(parts[left].view(), parts[left + 1].view(), Side::right);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(left) + 1);
  }
  return std::move(parts.front());
}

std::vector<int> all_ranks(int ranks) {
  std::vector<int> list(static_cast<std::size_t>(ranks));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

struct Case {
  Datatype type;
  const ReduceOp* op;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Datatype type : builtin_datatypes()) {
    for (const ReduceOp* op : builtin_ops()) {
      if (op->supports(type)) cases.push_back({type, op});
    }
  }
  cases.push_back({affine_type(), &affine_op()});
  return cases;
}

std::string name(const Case& c) { return c.op->name() + " of " + to_string(c.type); }

struct Size {
  int ranks;
  std::int64_t count;
};
/// Few ranks and more elements than the reference reduces at a time, and ranks enough that not all contribute to each element.
constexpr std::array<Size, 4> kSizes = {{{1, 100}, {2, 100}, {5, 5000}, {100, 1500}}};

}  // namespace

TEST_CASE("reference accepts every order of evaluation") {
  for (const Case& c : all_cases()) {
    for (const auto [p, count] : kSizes) {
      const TestData data(c.type, *c.op, p, 1, 0);
      const Reference reference(data, *c.op, count);
      for (std::uint32_t seed = 0; seed < 2; ++seed) {
        std::vector<int> order = all_ranks(p);
        if (c.op->commutative()) std::shuffle(order.begin(), order.end(), std::mt19937(seed));
        INFO(name(c) << " over " << p << " ranks, seed " << seed);
        CHECK(reference.accepts(combine(data, *c.op, count, order, seed).view()));
      }
    }
  }
}

TEST_CASE("reference sees a contribution that is left out or added twice") {
  for (const Case& c : all_cases()) {
    for (const auto [p, count] : kSizes) {
      if (p == 1) continue;
      const TestData data(c.type, *c.op, p, 1, 0);
      const Reference reference(data, *c.op, count);
      for (const int lost : {0, p / 2, p - 1}) {
        std::vector<int> ranks = all_ranks(p);
        ranks.erase(ranks.begin() + lost);
        INFO(name(c) << " over " << p << " ranks, rank " << lost);
        CHECK_FALSE(reference.accepts(combine(data, *c.op, count, ranks, 1).view()));
        if (c.op->idempotent()) continue;  // twice is once
        ranks = all_ranks(p);
        ranks.insert(ranks.begin() + lost, lost);
        CHECK_FALSE(reference.accepts(combine(data, *c.op, count, ranks, 1).view()));
      }
    }
  }
}

TEST_CASE("reference of what may be rounded on its way: accepts all such roundings, and sees what is lost or doubled") {
  // Each contribution is rounded as it goes in, each partial sum as it comes out: the most that switches do, one above the
  // other.
  const auto round_to = [](VectorView values, Datatype type) {
    for (float& value : values.as<float>())
      value = type == Datatype::f16() ? static_cast<float>(F16(value)) : static_cast<float>(Bf16(value));
  };
  for (const Datatype coarse : {Datatype::bf16(), Datatype::f16()}) {
    const auto combined = [&](const TestData& data, const ReduceOp& op, std::int64_t count, const std::vector<int>& ranks) {
      Buffer sum(Datatype::f32(), count);
      Buffer more(Datatype::f32(), count);
      data.fill(sum.view(), Rank(ranks.front()));
      round_to(sum.view(), coarse);
      for (std::size_t i = 1; i < ranks.size(); ++i) {
        data.fill(more.view(), Rank(ranks[i]));
        round_to(more.view(), coarse);
        op.apply(sum.view(), more.view(), Side::right);
        round_to(sum.view(), coarse);
      }
      return sum;
    };
    for (const ReduceOp* op : {&ReduceOp::sum(), &ReduceOp::min(), &ReduceOp::max()}) {
      for (const auto [p, count] : kSizes) {
        INFO(op->name() << " of f32 as " << to_string(coarse) << " over " << p << " ranks");
        const TestData data(Datatype::f32(), *op, p, 1, 0, coarse);
        const Reference rounded(data, *op, count, coarse);
        std::vector<int> ranks = all_ranks(p);
        CHECK(rounded.accepts(combined(data, *op, count, ranks).view()));
        CHECK_FALSE(
            Reference(data, *op, count).accepts(combined(data, *op, count, ranks).view()));  // not to the roundoff of f32
        if (p == 1) continue;
        ranks.pop_back();
        CHECK_FALSE(rounded.accepts(combined(data, *op, count, ranks).view()));
        if (op->idempotent()) continue;
        ranks = all_ranks(p);
        ranks.push_back(0);
        CHECK_FALSE(rounded.accepts(combined(data, *op, count, ranks).view()));
      }
    }
  }
}

TEST_CASE("reference sees a lost contribution in each element of a sum, up to the precision of the type") {
  // Each rank contributes to each element while p ≤ 2^((t-3)/2): 16 for f16, 4 for bf16, 1024 for f32.
  const auto [type, p] =
      GENERATE(std::pair(Datatype::i32(), 1000), std::pair(Datatype::f16(), 16), std::pair(Datatype::bf16(), 4),
               std::pair(Datatype::f32(), 1000), std::pair(Datatype::f64(), 1000));
  const TestData data(type, ReduceOp::sum(), p, 1, 0);
  const Reference reference(data, ReduceOp::sum(), 100);
  std::vector<int> ranks = all_ranks(p);
  ranks.erase(ranks.begin() + 3);
  const Buffer result = combine(data, ReduceOp::sum(), 100, ranks, 1);
  for (std::int64_t i = 0; i < 100; ++i) CHECK_FALSE(reference.accepts(result.view().slice(i, 1), i));
}

TEST_CASE("reference: the bound of a float sum is (k·(u + 2^-53))·Σ|x|") {
  // p = 2, element 1 (odd: it rounds). x_0 + x_1 in double is exact; k = 1, u = 2^-24: tolerance (2^-24 + 2^-53)·(|x_0| +
  // |x_1|).
  const TestData data(Datatype::f32(), ReduceOp::sum(), 2, 1, 0);
  std::vector<float> a(2), b(2);
  data.fill(a, Rank(0));
  data.fill(b, Rank(1));
  const double exact = static_cast<double>(a[1]) + static_cast<double>(b[1]);
  const double tolerance = (0x1p-24 + 0x1p-53) * (std::abs(a[1]) + std::abs(b[1]));
  const Reference reference(data, ReduceOp::sum(), 2);

  const auto accepts = [&](double value) {
    const std::vector<float> result = {static_cast<float>(value)};
    return reference.accepts(result, 1);
  };
  CHECK(accepts(exact));
  CHECK(std::abs(static_cast<double>(static_cast<float>(exact)) - exact) <= tolerance);
  CHECK_FALSE(accepts(exact + 3 * tolerance));
  CHECK_FALSE(accepts(exact - 3 * tolerance));
  CHECK_FALSE(accepts(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(accepts(std::numeric_limits<double>::infinity()));

  // Element 0 is a whole number: nothing but the exact sum.
  const std::vector<float> near = {std::nextafter(a[0] + b[0], 1e9F)};
  CHECK_FALSE(reference.accepts(near, 0));
}

TEST_CASE("reference keeps rank order") {
  // Affine maps do not commute: of all permutations of three only the identity is right.
  const TestData data(affine_type(), affine_op(), 3, 1, 0);
  const Reference reference(data, affine_op(), 50);
  std::vector<int> order = all_ranks(3);
  CHECK(reference.accepts(combine(data, affine_op(), 50, order, 1).view()));
  while (std::next_permutation(order.begin(), order.end()))
    CHECK_FALSE(reference.accepts(combine(data, affine_op(), 50, order, 1).view()));
}

TEST_CASE("reference of nothing accepts nothing") {
  for (const Datatype type : {Datatype::i32(), Datatype::f32()}) {
    const Reference reference(TestData(type, ReduceOp::sum(), 3, 1, 0), ReduceOp::sum(), 0);
    CHECK(reference.accepts(Buffer(type, 0).view()));
  }
}

TEST_CASE("reference says what it expects") {
  // The first word of seed 1: 0x2eca5088.
  const TestData integers(Datatype::u32(), ReduceOp::max(), 1, 1, 0);
  CHECK(Reference(integers, ReduceOp::max(), 1).describe(0) == "785010824");
  const TestData floats(Datatype::f32(), ReduceOp::sum(), 2, 1, 0);
  const Reference reference(floats, ReduceOp::sum(), 2);
  CHECK_THAT(reference.describe(0), !Catch::Contains("±"));
  CHECK_THAT(reference.describe(1), Catch::Contains(" ± "));
}

}  // namespace heddle::emu
