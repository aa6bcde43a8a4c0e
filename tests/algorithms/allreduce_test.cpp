// SPDX-License-Identifier: Apache-2.0
// Every row of the registry against a sequential sum, on the plain communicator: nothing but core/ is under it.
#include <fmt/core.h>

#include <cstring>
#include <numeric>
#include <set>

#include "algorithms/registry.hpp"
#include "core/affine.hpp"
#include "core/errors.hpp"
#include "tests/algorithms/thread_communicator.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using testing::ThreadWorld;

/// A line of ranks without a grid, or a grid.
struct Layout {
  int ranks;
  std::shared_ptr<const Grid> grid;

  Shape shape(std::int64_t count, std::size_t element_size) const {
    return {ranks, grid ? grid->dims() : std::vector<int>{}, count, count * static_cast<std::int64_t>(element_size)};
  }
  std::string name() const { return grid ? Catch::Detail::stringify(grid->dims()) : fmt::format("{} ranks", ranks); }
};

Layout line(int ranks) { return {ranks, nullptr}; }
Layout box(std::vector<int> dims) {
  auto grid = std::make_shared<const Grid>(std::move(dims), true);
  return {grid->size(), grid};
}
Layout shuffled_box(const std::vector<int>& dims) {
  const Grid plain(dims, true);
  std::vector<int> node_of_rank(static_cast<std::size_t>(plain.size()));
  std::iota(node_of_rank.rbegin(), node_of_rank.rend(), 0);
  std::swap(node_of_rank.front(), node_of_rank[node_of_rank.size() / 2]);
  return {plain.size(), std::make_shared<const Grid>(dims, true, node_of_rank)};
}

/// Any bytes are affine maps; of integers all bits differ between ranks, places and calls.
std::uint64_t mix(std::uint64_t n) {
  n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15;
  return (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9;
}

std::vector<std::byte> contribution(int rank, int call, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    data[i] = static_cast<std::byte>(
        mix(i + 1'000'003 * static_cast<std::size_t>(rank) + 99'991 * static_cast<std::size_t>(call)) >> 56);
  }
  return data;
}

std::vector<std::byte> sequential(int ranks, int call, std::int64_t count, Datatype type, const ReduceOp& op) {
  const std::size_t bytes = static_cast<std::size_t>(count) * type.size();
  std::vector<std::byte> sum = contribution(0, call, bytes);
  for (int rank = 1; rank < ranks; ++rank) {
    const std::vector<std::byte> next = contribution(rank, call, bytes);
    op.apply({sum.data(), count, type}, {next.data(), count, type});
  }
  return sum;
}

struct Outcome {
  std::string fault;  ///< "" if every call's result was right on every rank
  int rounds = 0;     ///< of the first call
  std::int64_t bytes = 0;
};

/// Calls back to back on one communicator with different data.
Outcome run(const Algorithm& algorithm, const Layout& layout, std::int64_t count, Datatype type, const ReduceOp& op,
            int calls) {
  ThreadWorld world(layout.ranks, layout.grid);
  std::vector<std::vector<std::byte>> expected;
  for (int call = 0; call < calls; ++call) expected.push_back(sequential(layout.ranks, call, count, type, op));
  std::vector<std::string> faults(static_cast<std::size_t>(layout.ranks));
  world.run([&](Communicator& comm) {
    const int rank = comm.rank().value();
    for (int call = 0; call < calls; ++call) {
      std::vector<std::byte> data = contribution(rank, call, static_cast<std::size_t>(count) * type.size());
      algorithm.run(comm, {VectorView(data.data(), count, type), &op});
      if (data != expected[static_cast<std::size_t>(call)]) {
        faults[static_cast<std::size_t>(rank)] = fmt::format("call {} is wrong on rank {}", call, rank);
      }
    }
  });
  Outcome outcome{std::accumulate(faults.begin(), faults.end(), std::string()), world.rounds(), world.most_bytes_sent_by_one()};
  return outcome;
}

std::vector<Layout> lines() {
  std::vector<Layout> all;
  for (int p = 1; p <= 17; ++p) all.push_back(line(p));
  return all;
}

std::vector<Layout> boxes() {
  std::vector<Layout> all{box({2, 2}), box({2, 3}), box({2, 4}), box({3, 3}), box({3, 5}),    box({4, 4}),
                          box({1, 5}), box({1, 1}), box({6, 2}), box({7}),    box({2, 2, 3}), box({2, 2, 2, 2})};
  all.push_back(shuffled_box({3, 4}));
  all.push_back(shuffled_box({2, 5}));
  return all;
}

/// The layouts on which a row has something of its own to do.
std::vector<Layout> layouts_for(const Algorithm& algorithm) {
  std::vector<Layout> all = algorithm.needs.grid ? std::vector<Layout>{} : lines();
  const bool sees_the_grid = algorithm.needs.grid || algorithm.name.substr(0, 5) == "swing";
  if (sees_the_grid) {
    for (const Layout& layout : boxes()) all.push_back(layout);
  }
  return all;
}

}  // namespace

TEST_CASE("every algorithm gives every rank the sum, for every p and count, call after call") {
  for (const Algorithm& algorithm : registry()) {
    for (const Layout& layout : layouts_for(algorithm)) {
      const std::int64_t p = layout.ranks;
      for (const std::int64_t count : std::set<std::int64_t>{0, 1, p - 1, p, p + 1, 100}) {
        INFO(algorithm.name << ", " << layout.name() << ", count " << count);
        REQUIRE_THAT(run(algorithm, layout, count, Datatype::u64(), ReduceOp::sum(), 2).fault, Catch::Equals(""));
      }
    }
  }
}

TEST_CASE("rounds and bytes are those of the formulas") {
  for (const Algorithm& algorithm : registry()) {
    for (const Layout& layout : layouts_for(algorithm)) {
      const std::int64_t granule = algorithm.granule(layout.shape(0, 4));
      for (const std::int64_t count : {granule, granule + 1, 3 * granule}) {
        const Shape shape = layout.shape(count, 4);
        INFO(algorithm.name << ", " << layout.name() << ", count " << count);
        const Outcome outcome = run(algorithm, layout, count, Datatype::i32(), ReduceOp::bit_xor(), 1);
        REQUIRE_THAT(outcome.fault, Catch::Equals(""));
        REQUIRE(outcome.rounds == algorithm.rounds(shape));
        if (count % granule == 0) REQUIRE(outcome.bytes == algorithm.bytes(shape));
      }
    }
  }
}

TEST_CASE("nothing is sent where there is nothing to do") {
  for (const Algorithm& algorithm : registry()) {
    INFO(algorithm.name);
    CHECK(run(algorithm, box({1, 1}), 100, Datatype::i32(), ReduceOp::sum(), 1).rounds == 0);
    CHECK(run(algorithm, box({2, 3}), 0, Datatype::i32(), ReduceOp::sum(), 1).rounds == 0);
  }
}

TEST_CASE("algorithms that claim it keep rank order") {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.needs.commutative) continue;
    for (const Layout& layout : lines()) {
      INFO(algorithm.name << ", " << layout.name());
      REQUIRE_THAT(run(algorithm, layout, layout.ranks + 1, affine_type(), affine_op(), 2).fault, Catch::Equals(""));
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
  for (const Algorithm& algorithm : registry()) {
    for (const Layout& layout : {box({6}), box({3, 2})}) {
      INFO(algorithm.name << ", " << layout.name());
      CHECK_THAT(run(algorithm, layout, 11, Datatype::user(3), longest, 2).fault, Catch::Equals(""));
      for (const Datatype type : builtin_datatypes()) {
        INFO(to_string(type));
        CHECK_THAT(run(algorithm, layout, 29, type, ReduceOp::max(), 2).fault, Catch::Equals(""));
        if (type.is_integer()) CHECK_THAT(run(algorithm, layout, 29, type, ReduceOp::prod(), 1).fault, Catch::Equals(""));
      }
    }
  }
}

TEST_CASE("an algorithm called where it cannot serve says why") {
  const auto call = [](std::string_view name, const Layout& layout, Datatype type, const ReduceOp& op) {
    run(find_algorithm(Collective::allreduce, name), layout, 8, type, op, 1);
  };
  CHECK_THROWS_AS(call("bucket", line(4), Datatype::i32(), ReduceOp::sum()), UsageError);
  CHECK_THROWS_WITH(call("bucket", line(4), Datatype::i32(), ReduceOp::sum()), "bucket: it needs a grid");
  CHECK_THROWS_WITH(call("swing_latency_multiport", line(4), Datatype::i32(), ReduceOp::sum()),
                    "swing_latency_multiport: it needs a grid");
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.needs.commutative) continue;
    CHECK_THROWS_WITH(call(algorithm.name, box({2, 2}), affine_type(), affine_op()),
                      std::string(algorithm.name) + ": it needs a commutative operation, and 'affine' is not one");
  }
}

}  // namespace heddle
