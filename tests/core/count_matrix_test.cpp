// SPDX-License-Identifier: Apache-2.0
#include "core/count_matrix.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Counts = std::vector<std::int64_t>;

const CountMatrix kAny = CountMatrix::of(3, {1, 0, 5, 0, 0, 0, 2, 4, 0});

}  // namespace

TEST_CASE("count matrix: rows are sent, columns received") {
  CHECK(kAny.at(0, 2) == 5);
  CHECK(kAny.at(2, 1) == 4);
  CHECK(Counts{kAny.sent(0), kAny.sent(1), kAny.sent(2)} == Counts{6, 0, 6});
  CHECK(Counts{kAny.received(0), kAny.received(1), kAny.received(2)} == Counts{3, 4, 5});
  CHECK(kAny.sent_before(2, 2) == 6);
  CHECK(kAny.received_before(0, 2) == 1);
  CHECK(kAny.most_sent() == 6);
  CHECK(kAny.unit() == 1);
  CHECK_FALSE(kAny.is_symmetric());
}

TEST_CASE("count matrix: each way of storing gives what all counts written out give") {
  const Counts sizes = {4, 0, 6, 2};
  for (const CountMatrix& matrix : {CountMatrix::by_destination(sizes), CountMatrix::by_sum(sizes)}) {
    for (const CountMatrix& one : {matrix, matrix.scaled(1, 2), matrix.another()}) {
      Counts counts;
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) counts.push_back(one.at(i, j));
      }
      const CountMatrix all = CountMatrix::of(4, counts);
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b <= 4; ++b) {
          CHECK(one.sent_before(a, b) == all.sent_before(a, b));
          CHECK(one.received_before(a, b) == all.received_before(a, b));
        }
      }
      CHECK(one.most_sent() == all.most_sent());
      CHECK(one.unit() == all.unit());
      CHECK(one.is_symmetric() == all.is_symmetric());
    }
  }
}

TEST_CASE("count matrix: another one has other counts, and zeros where there were some") {
  const CountMatrix other = kAny.another();
  CHECK(other.at(0, 0) == 0);
  CHECK(other.at(1, 0) == 5);
  CHECK(other.at(2, 1) == 6);
  CHECK(CountMatrix::of(2, {0, 0, 0, 0}).another().sent(0) == 2);
}

TEST_CASE("count matrix: what cannot be") {
  CHECK_THROWS_AS(CountMatrix::of(2, {1, 2, 3}), UsageError);
  CHECK_THROWS_AS(CountMatrix::of(2, {1, 2, 3, -1}), UsageError);
  CHECK_THROWS_AS(CountMatrix::of(2, Counts(4, std::int64_t{1} << 61)), UsageError);
  CHECK_THROWS_AS(kAny.scaled(1, 2), UsageError);
}

}  // namespace heddle
