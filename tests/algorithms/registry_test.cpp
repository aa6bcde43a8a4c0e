// SPDX-License-Identifier: Apache-2.0
#include "heddle/registry.hpp"

#include <set>
#include <utility>

#include "core/affine.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

Algorithm row(std::string_view name) { return find_algorithm(Collective::allreduce, name); }

Shape shape(std::vector<int> dims, std::int64_t bytes = 0) {
  int ranks = 1;
  for (const int size : dims) ranks *= size;
  return {.ranks = ranks, .dims = std::move(dims), .count = bytes / 4, .bytes = bytes};
}

}  // namespace

TEST_CASE("every algorithm is described and has its name for itself") {
  std::set<std::pair<Collective, std::string_view>> names;
  for (const Algorithm& algorithm : registry()) {
    CAPTURE(to_string(algorithm.collective), algorithm.name);
    CHECK(algorithm.summary.back() == '.');
    CHECK_FALSE(algorithm.source.empty());
    CHECK_FALSE(algorithm.rounds.text.empty());
    CHECK_FALSE(algorithm.bytes.text.empty());
    CHECK(algorithm.run);
    CHECK(names.insert({algorithm.collective, algorithm.name}).second);
  }
}

TEST_CASE("allreduce's algorithms begin in documented order") {
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms_of(Collective::allreduce)) names.push_back(algorithm->name);
  REQUIRE(names.size() >= 9);
  names.resize(9);
  CHECK(names == std::vector<std::string_view>{"ring", "ring_bidirectional", "recursive_doubling", "rabenseifner",
                                               "swing_latency", "swing_latency_multiport", "swing_bandwidth", "bucket",
                                               "reduce_broadcast"});
}

TEST_CASE("an unknown algorithm is answered with the nearest and the list") {
  CHECK(row("bucket").name == "bucket");
  CHECK_THROWS_AS(row("swing_bandwith"), InputError);
  CHECK_THROWS_WITH(row("swing_bandwith"), Catch::Contains("'swing_bandwidth'") && Catch::Contains("reduce_broadcast"));
}

TEST_CASE("why an algorithm cannot serve") {
  const Shape star{.ranks = 13, .dims = {}, .count = 1, .bytes = 4};
  const Shape torus = shape({3, 5}, 4);
  CHECK(why_not(row("bucket"), torus, ReduceOp::sum()).empty());
  CHECK(why_not(row("bucket"), star, ReduceOp::sum()) == "it needs a grid");
  CHECK(why_not(row("swing_latency_multiport"), star, ReduceOp::sum()) == "it needs a grid");
  CHECK(why_not(row("swing_bandwidth"), star, ReduceOp::sum()).empty());
  CHECK(why_not(row("ring"), star, affine_op()) == "it needs a commutative operation, and 'affine' is not one");

  std::set<std::string_view> keep_order;
  for (const Algorithm* algorithm : algorithms_of(Collective::allreduce)) {
    if (why_not(*algorithm, torus, affine_op()).empty()) keep_order.insert(algorithm->name);
  }
  CHECK(keep_order ==
        std::set<std::string_view>{"double_binary_tree", "recursive_doubling", "rabenseifner", "reduce_broadcast"});
}

TEST_CASE("rounds by hand") {
  const auto rounds = [](std::string_view name, std::vector<int> dims) { return row(name).rounds(shape(std::move(dims))); };
  for (const Algorithm& algorithm : registry()) CHECK(algorithm.rounds(shape({1})) == 0);

  CHECK(rounds("ring", {7}) == 12);
  CHECK(rounds("ring_bidirectional", {4, 4}) == 30);
  CHECK(rounds("recursive_doubling", {16}) == 4);
  CHECK(rounds("recursive_doubling", {17}) == 4 + 2);
  CHECK(rounds("rabenseifner", {16}) == 8);
  CHECK(rounds("rabenseifner", {3}) == 2 + 2);
  CHECK(rounds("swing_latency", {8, 8}) == 6);
  CHECK(rounds("swing_latency", {3, 5, 4}) == (1 + 2) + (2 + 2) + 2);
  CHECK(rounds("swing_latency_multiport", {6}) == 3);
  CHECK(rounds("swing_bandwidth", {64, 64}) == 24);
  CHECK(rounds("swing_bandwidth", {6}) == 6);
  CHECK(rounds("swing_bandwidth", {7}) == 6);
  CHECK(rounds("swing_bandwidth", {3, 5}) == 2 * (1 + 2));
  CHECK(rounds("bucket", {64, 64}) == 252);
  CHECK(rounds("bucket", {2, 1, 4}) == 8);
  CHECK(rounds("reduce_broadcast", {8}) == 6);
  CHECK(rounds("reduce_broadcast", {5}) == 2 + 3);
}

TEST_CASE("bytes by hand") {
  const auto bytes = [](std::string_view name, std::vector<int> dims, std::int64_t vector) {
    return row(name).bytes(shape(std::move(dims), vector));
  };
  for (const Algorithm& algorithm : registry()) CHECK(algorithm.bytes(shape({1}, 64)) == 0);

  for (const std::string_view name : {"ring", "ring_bidirectional", "swing_bandwidth", "bucket"}) {
    CHECK(bytes(name, {4, 2}, 800) == 1400);  // 2·7/8
  }
  CHECK(bytes("recursive_doubling", {16}, 100) == 400);
  CHECK(bytes("recursive_doubling", {17}, 100) == 500);
  CHECK(bytes("rabenseifner", {4}, 400) == 600);
  CHECK(bytes("rabenseifner", {5}, 400) == 1000);
  CHECK(bytes("swing_latency", {8, 8}, 100) == 600);
  CHECK(bytes("swing_latency_multiport", {3, 5}, 100) == (1 + 1 + 2 + 1) * 100);
  CHECK(bytes("reduce_broadcast", {5}, 100) == 300);

  // 65,536 ranks × 512 GiB: the product does not fit 64 bits, the result does.
  const std::int64_t vector = std::int64_t{1} << 39;
  CHECK(bytes("ring", {65536}, vector) == 2 * vector - (vector >> 15));
}

TEST_CASE("block counts: the least count that gives every block an element") {
  const auto block_count = [](std::string_view name, std::vector<int> dims) {
    return row(name).block_count(shape(std::move(dims)));
  };
  CHECK(block_count("ring", {3, 5}) == 15);
  CHECK(block_count("ring_bidirectional", {3, 5}) == 30);
  CHECK(block_count("recursive_doubling", {3, 5}) == 1);
  CHECK(block_count("rabenseifner", {3, 5}) == 8);
  CHECK(block_count("swing_latency", {3, 5}) == 1);
  CHECK(block_count("swing_latency_multiport", {3, 5}) == 4);
  CHECK(block_count("swing_bandwidth", {3, 5}) == 60);
  CHECK(block_count("swing_bandwidth", {64, 64}) == 16384);
  CHECK(block_count("bucket", {1, 5}) == 10);
  CHECK(block_count("reduce_broadcast", {3, 5}) == 1);
}

}  // namespace heddle
