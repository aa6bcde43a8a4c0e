// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/contributions.hpp"

#include <cstring>
#include <vector>

#include "core/affine.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

using Kind = Term::Kind;

/// A vector of such elements with one rank's contribution to elements first ….
Buffer contribution(const Contributions& contributions, int rank, std::int64_t first, std::int64_t count, int call = 0) {
  Buffer buffer(contributions.type(), count);
  contributions.fill(buffer.view(), call, Rank(rank), first);
  return buffer;
}

Term term(int rank, std::int64_t element, int call = 0) { return {Kind::contribution, call, rank, element}; }

}  // namespace

TEST_CASE("contributions: elements are as large as those of the run, but no smaller than a name") {
  const auto size = [](Datatype type) { return Contributions({1, 2, 3}, {}, type, ReduceOp::sum()).type().size(); };
  CHECK(size(Datatype::f16()) == 4);
  CHECK(size(Datatype::i32()) == 4);
  CHECK(size(Datatype::f64()) == 8);
  CHECK(size(Datatype::user(1)) == 4);
  CHECK(size(Datatype::user(13)) == 13);
}

TEST_CASE("contributions: the operation says of itself what the run's says") {
  const Contributions sum({1, 2, 3}, {}, Datatype::i32(), ReduceOp::sum());
  CHECK(sum.op().commutative());
  CHECK_FALSE(sum.op().idempotent());
  CHECK(Contributions({1, 2, 3}, {}, Datatype::i32(), ReduceOp::max()).op().idempotent());
  CHECK_FALSE(Contributions({1, 2, 3}, {}, affine_type(), affine_op()).op().commutative());
}

TEST_CASE("contributions: what fill writes is read as what it is") {
  for (const Datatype type : {Datatype::f16(), Datatype::i64(), Datatype::user(7)}) {
    const Contributions contributions({2, 3, 5}, {.elements = {4}}, type, ReduceOp::sum());
    for (int call = 0; call < 2; ++call) {
      for (int rank = 0; rank < 3; ++rank) {
        const Buffer vector = contribution(contributions, rank, 1, 4, call);
        for (int i = 0; i < 4; ++i) {
          const ValueId value = contributions.read(vector.view().slice(i, 1).data());
          CHECK(contributions.term(value) == term(rank, 1 + i, call));
          CHECK(contributions.name_of(term(rank, 1 + i, call)) == value);
          CHECK(contributions.is_traced(value) == (i == 3));
        }
      }
    }
  }
}

TEST_CASE("contributions: where one of several elements is there, terms and what is traced count all") {
  Contributions contributions({2, 3, 4}, {.elements = {5}}, Datatype::i32(), ReduceOp::sum(), {.stride = 4, .offset = 1});
  Buffer sums = contribution(contributions, 1, 1, 3, 1);
  for (int i = 0; i < 3; ++i) {
    const ValueId value = contributions.read(sums.view().slice(i, 1).data());
    CHECK(contributions.term(value) == term(1, 5 + 4 * i, 1));
    CHECK(contributions.name_of(term(1, 5 + 4 * i, 1)) == value);
    CHECK(contributions.is_traced(value) == (i == 0));
  }
  contributions.op().apply(sums.view(), contribution(contributions, 2, 1, 3, 1).view(), Side::right);
  const auto terms_of = [&](int i) { return contributions.sequence(contributions.read(sums.view().slice(i, 1).data()), 9); };
  CHECK(terms_of(0) == std::vector{term(1, 5, 1), term(2, 5, 1)});
  CHECK(terms_of(2) == std::vector{Term{Kind::others, 1, 0, 13}});
}

TEST_CASE("contributions: bytes that nobody contributed have no name") {
  for (const Datatype type : {Datatype::i32(), Datatype::f64(), Datatype::user(6)}) {
    const Contributions contributions({1, 4, 100}, {}, type, ReduceOp::sum());
    Buffer element = contribution(contributions, 3, 17, 1);
    const VectorView view = element.view();
    for (const int poison : {0x00, 0xA5, 0xDB, 0xFF}) {
      std::memset(view.data(), poison, view.size_bytes());
      CHECK(contributions.read(view.data()) == Contributions::kUnknown);
    }
    if (type.size() == 4) continue;
    // Half of one element and half of another.
    contributions.fill(view, 0, Rank(3), 17);
    const Buffer other = contribution(contributions, 2, 17, 1);
    std::memcpy(view.data() + 4, other.view().data() + 4, type.size() - 4);
    CHECK(contributions.read(view.data()) == Contributions::kUnknown);
  }
}

TEST_CASE("contributions: a sum of what is traced keeps its parts, their order and how often each is in it") {
  const Contributions contributions({1, 4, 2}, {.elements = {1}}, Datatype::i64(), ReduceOp::sum());
  const Buffer zero = contribution(contributions, 0, 1, 1);
  const Buffer one = contribution(contributions, 1, 1, 1);
  Buffer sum = contribution(contributions, 2, 1, 1);
  const auto id = [&] { return contributions.read(sum.view().data()); };

  contributions.op().apply(sum.view(), one.view(), Side::left);  // 1 2
  const ValueId first = id();
  CHECK(contributions.sequence(first, 9) == std::vector{term(1, 1), term(2, 1)});
  contributions.op().apply(sum.view(), zero.view(), Side::right);  // 1 2 0
  CHECK(contributions.is_sum(id()));
  CHECK(contributions.sequence(id(), 9) == std::vector{term(1, 1), term(2, 1), term(0, 1)});
  CHECK(contributions.sequence(id(), 2) == std::vector{term(1, 1), term(2, 1)});
  CHECK(contributions.parts(id()).left == first);
  CHECK(Contributions::Containing(contributions, first)(id()));
  CHECK_FALSE(Contributions::Containing(contributions, id())(first));
  CHECK(Contributions::Containing(contributions, id())(id()));

  // Made again of the same parts, it has the same name.
  Buffer again = contribution(contributions, 2, 1, 1);
  contributions.op().apply(again.view(), one.view(), Side::left);
  CHECK(contributions.read(again.view().data()) == first);

  // Doubled seventy times: 2^70 is counted as no more than 2^32.
  contributions.op().apply(sum.view(), sum.view());
  CHECK(contributions.count_terms(id()) == std::map<Term, std::uint64_t>{{term(0, 1), 2}, {term(1, 1), 2}, {term(2, 1), 2}});
  for (int i = 0; i < 69; ++i) contributions.op().apply(sum.view(), sum.view());
  CHECK(contributions.count_terms(id()).at(term(2, 1)) == std::uint64_t{1} << 32);
  CHECK(contributions.sequence(id(), 9).size() == 9);
}

TEST_CASE("contributions: of what is not traced only the element is known") {
  const Contributions contributions({2, 3, 4}, {.elements = {1}}, Datatype::i32(), ReduceOp::sum());
  const auto sum_of = [&](const Buffer& a, const Buffer& b) {
    Buffer sum(contributions.type(), 1);
    std::memcpy(sum.view().data(), a.view().data(), 4);
    contributions.op().apply(sum.view(), b.view());
    return contributions.term(contributions.read(sum.view().data()));
  };
  CHECK(sum_of(contribution(contributions, 0, 2, 1), contribution(contributions, 2, 2, 1)) == Term{Kind::others, 0, 0, 2});
  CHECK(sum_of(contribution(contributions, 0, 2, 1, 1), contribution(contributions, 2, 2, 1, 1)) ==
        Term{Kind::others, 1, 0, 2});
  CHECK(sum_of(contribution(contributions, 0, 2, 1), contribution(contributions, 2, 3, 1)) == Term{Kind::mixture});
  CHECK(sum_of(contribution(contributions, 0, 2, 1), contribution(contributions, 0, 2, 1, 1)) == Term{Kind::mixture});
  Buffer zeros(contributions.type(), 1);
  std::memset(zeros.view().data(), 0, 4);
  CHECK(sum_of(zeros, contribution(contributions, 2, 3, 1)) == Term{Kind::unknown});

  // What is traced keeps even what is not.
  Buffer sum = contribution(contributions, 0, 1, 1);
  contributions.op().apply(sum.view(), contribution(contributions, 2, 3, 1).view());
  contributions.op().apply(sum.view(), zeros.view());
  CHECK(contributions.count_terms(contributions.read(sum.view().data())) ==
        std::map<Term, std::uint64_t>{{term(0, 1), 1}, {term(2, 3), 1}, {Term{Kind::unknown}, 1}});
}

TEST_CASE("contributions: vectors are combined as their elements are, one by one") {
  for (const Datatype type : {Datatype::i32(), Datatype::f64(), Datatype::user(6), Datatype::user(12)}) {
    Contributions contributions({1, 3, 3000}, {.elements = {700, 1500}}, type, ReduceOp::sum());
    Buffer whole = contribution(contributions, 0, 0, 3000);
    const Buffer other = contribution(contributions, 1, 0, 3000);
    const std::size_t size = contributions.type().size();
    // A foreign element, and bytes that are none.
    std::memcpy(whole.view().data() + 300 * size, whole.view().data() + 100 * size, size);
    std::memset(whole.view().data() + 2000 * size, 0, size);
    Buffer single(contributions.type(), 3000);
    std::memcpy(single.view().data(), whole.view().data(), whole.view().size_bytes());
    CHECK(contributions.count_untraced(whole.view().data(), 3000) == 300);
    CHECK(contributions.count_untraced(whole.view().data() + 301 * size, 2699) == 399);
    CHECK(contributions.count_untraced(whole.view().data() + 700 * size, 2300) == 0);
    CHECK(contributions.count_untraced(whole.view().data() + 2000 * size, 1000) == 0);
    CHECK(contributions.count_untraced(whole.view().data() + 2001 * size, 500) == 500);
    contributions.op().apply(whole.view(), other.view());
    for (std::int64_t i = 0; i < 3000; ++i) contributions.op().apply(single.view().slice(i, 1), other.view().slice(i, 1));
    CHECK(std::memcmp(single.view().data(), whole.view().data(), whole.view().size_bytes()) == 0);
    // Sums of others go on as such, and mixtures stay.
    contributions.op().apply(whole.view().slice(0, 600), contribution(contributions, 2, 0, 600).view());
    contributions.op().apply(whole.view().slice(800, 600), contribution(contributions, 2, 801, 600).view());
    CHECK(contributions.term(contributions.read(whole.view().slice(599, 1).data())) == Term{Kind::others, 0, 0, 599});
    CHECK(contributions.term(contributions.read(whole.view().slice(1399, 1).data())) == Term{Kind::mixture});
  }
}

TEST_CASE("contributions: more elements than there are names for are refused") {
  CHECK(Contributions::fits({2, 4096, 1 << 17}));
  CHECK_FALSE(Contributions::fits({2, 4096, 1 << 18}));
  CHECK_FALSE(Contributions::fits({2, 1 << 20, std::int64_t{1} << 60}));
  CHECK_THROWS_AS(Contributions({2, 4096, 1 << 20}, {}, Datatype::i32(), ReduceOp::sum()), UsageError);
}

}  // namespace heddle::emu
