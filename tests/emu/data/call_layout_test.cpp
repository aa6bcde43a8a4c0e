// SPDX-License-Identifier: Apache-2.0
#include "emu/data/call_layout.hpp"

#include <algorithm>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

constexpr Extent kNothing{0, 0};

}  // namespace

TEST_CASE("call layout: what goes in and comes out is the table of heddle/collective.hpp") {
  // Eleven elements, four ranks: blocks of 3, 3, 3, 2. Root 2.
  const Extent whole{0, 11}, own{6, 3}, last{9, 2};
  const auto check = [&](Collective collective, Extent in_at_root, Extent out_at_root, Extent in_at_3, Extent out_at_3) {
    const CallLayout layout(collective, 4, 11, {}, Rank(2));
    INFO(to_string(collective));
    CHECK(layout.input(Rank(2)) == in_at_root);
    CHECK(layout.output(Rank(2)) == out_at_root);
    CHECK(layout.input(Rank(3)) == in_at_3);
    CHECK(layout.output(Rank(3)) == out_at_3);
  };
  check(Collective::broadcast, whole, whole, kNothing, whole);
  check(Collective::reduce, whole, whole, whole, kNothing);
  check(Collective::allreduce, whole, whole, whole, whole);
  check(Collective::reduce_scatter, whole, own, whole, last);
  check(Collective::allgather, own, whole, last, whole);
  check(Collective::gather, own, whole, last, kNothing);
  check(Collective::scatter, whole, own, kNothing, last);
  check(Collective::alltoall, whole, whole, whole, whole);
  check(Collective::barrier, kNothing, kNothing, kNothing, kNothing);
}

TEST_CASE("call layout: an alltoall's blocks of given sizes are turned from rank to rank") {
  const std::vector<std::int64_t> sizes{3, 0, 4, 1};
  const CallLayout layout(Collective::alltoall, 4, 8, sizes, Rank(0));
  for (int from = 0; from < 4; ++from) {
    const BlockPartition blocks = layout.blocks(Rank(from));
    CHECK(blocks.count() == 8);
    for (int to = 0; to < 4; ++to) {
      CHECK(blocks.size(to) == sizes[static_cast<std::size_t>((from + to) % 4)]);
      CHECK(layout.size(Rank(from), to) == blocks.size(to));
      CHECK(layout.offset(Rank(from), to) == blocks.offset(to));
      CHECK(layout.size(Rank(to), from) == blocks.size(to));  // what is sent is what is received
    }
  }
}

TEST_CASE("call layout: the block of an element, where blocks are empty") {
  for (const Collective collective : {Collective::allgather, Collective::alltoall}) {
    const CallLayout layout(collective, 5, 6, std::vector<std::int64_t>{0, 2, 0, 4, 0}, Rank(0));
    for (int rank = 0; rank < 5; ++rank) {
      for (std::int64_t i = 0; i < 6; ++i) {
        const int block = layout.block_at(Rank(rank), i);
        CHECK(layout.offset(Rank(rank), block) <= i);
        CHECK(i < layout.offset(Rank(rank), block + 1));
      }
    }
  }
}

TEST_CASE("call layout: the vectors that two calls hold are as many as memory is budgeted by") {
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {1, 2, 5}) {
      for (const bool in_place : {true, false}) {
        constexpr std::int64_t kCount = 40;
        double elements = 0;
        for (int r = 0; r < ranks; ++r) {
          std::int64_t shared = 0, input = 0, output = 0;
          for (const int call : {0, 1}) {
            const CallLayout layout(collective, ranks, kCount, {}, Rank(call % ranks));
            input = std::max(input, layout.input(Rank(r)).count);
            output = std::max(output, layout.output(Rank(r)).count);
            shared = std::max({shared, input, output});
          }
          elements += static_cast<double>(in_place ? shared : input + output);
        }
        INFO(to_string(collective) << ", " << ranks << " ranks" << (in_place ? ", in place" : ""));
        CHECK(elements <= kCount * vectors_held(collective, ranks, in_place));
        CHECK(elements >= kCount * (vectors_held(collective, ranks, in_place) - 2));
      }
    }
  }
}

TEST_CASE("a skewed alltoall: everyone sends the same sizes, and receives its own from each") {
  const std::vector<std::int64_t> sizes = {5, 1, 0, 2};
  const CallLayout layout = CallLayout::alltoall(CountMatrix::by_destination(sizes));
  CHECK(layout.count() == 8);
  for (int r = 0; r < 4; ++r) {
    const Rank rank(r);
    const std::int64_t own = sizes[static_cast<std::size_t>(r)];
    CHECK(layout.input(rank) == Extent{0, 8});
    CHECK(layout.output(rank) == Extent{0, 4 * own});
    for (int peer = 0; peer < 4; ++peer) {
      CHECK(layout.size(rank, peer) == sizes[static_cast<std::size_t>(peer)]);
      CHECK(layout.blocks(rank).size(peer) == sizes[static_cast<std::size_t>(peer)]);
      CHECK(layout.received_size(rank, peer) == own);
      CHECK(layout.received(rank).size(peer) == own);
    }
    for (std::int64_t i = 0; i < 4 * own; ++i) CHECK(layout.block_at(rank, i) == i / own);
  }
}

TEST_CASE("call layout: an alltoall of any counts") {
  const CallLayout layout = CallLayout::alltoall(CountMatrix::of(3, {1, 0, 5, 0, 0, 0, 2, 4, 0}));
  CHECK(layout.input(Rank(0)) == Extent{0, 6});
  CHECK(layout.input(Rank(1)) == Extent{0, 0});
  CHECK(layout.output(Rank(1)) == Extent{0, 4});
  CHECK(layout.blocks(Rank(2)).offset(1) == 2);
  CHECK(layout.received(Rank(2)).size(0) == 5);
  CHECK(layout.block_at(Rank(0), 2) == 2);
}

}  // namespace heddle::emu
