// SPDX-License-Identifier: Apache-2.0
// Träff's circulant algorithms against his theorems and his example, and the census scheme.
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/families/bruck.hpp"
#include "algorithms/families/circulant.hpp"
#include "heddle/errors.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/algorithms/thread_communicator.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle {

using plans::circulant_plan;
using plans::CirculantSkips;
using plans::RunSet;
using plans::SkipPlan;
using testing::doublings;
using testing::halvings;

namespace {

CirculantSkips skips(const char* text) { return CirculantSkips::parse(text); }

std::int64_t blocks_sent(const SkipPlan& plan) {
  std::int64_t sum = 0;
  for (int step = 0; step < plan.steps(); ++step) {
    for (const plans::SkipSend& send : plan.round(step)) sum += count(send.offsets);
  }
  return sum;
}

std::vector<int> ranks_to_check() {
  std::vector<int> all(64);
  std::iota(all.begin(), all.end(), 1);
  for (int p = 65; p < 700; p += 13) all.push_back(p);
  for (const int p : {127, 128, 129, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097}) all.push_back(p);
  return all;
}

/// By square roots, r = the least whose square is p or more: r less while more than 2r are left, then halves.
int sqrt_steps(int p) {
  int r = 0, steps = 0, left = p;
  while (r * r < p) ++r;
  for (; left > 2 * r; left -= r) ++steps;
  return steps + doublings(left);
}

std::vector<int> children_of(const plans::Tree& tree, int rank) {
  return {tree.children(rank).begin(), tree.children(rank).end()};
}

/// What is wrong with the ways of relayed blocks, or "".
std::string failure_of(const plans::SkipRelay& relay) {
  const auto p = static_cast<std::size_t>(relay.ranks());
  std::vector<int> gone(p);
  std::vector<int> to_go(p);
  for (const auto& round : relay.rounds()) {
    for (const auto& send : round) {
      for (const auto& block : send.blocks) {
        const auto at = static_cast<std::size_t>(block.offset);
        if (block.sets_out != (gone[at] == 0)) return "a block sets out again or never did";
        if (!block.sets_out && block.hops != to_go[at]) return "a block has lost count of its hops";
        gone[at] += send.skip;
        to_go[at] = block.hops - 1;
      }
    }
  }
  for (std::size_t offset = 1; offset < p; ++offset) {
    if (static_cast<std::size_t>(gone[offset]) % p != offset) return "a block is where it does not belong";
    if (to_go[offset] != 0) return "a block has not arrived";
  }
  return {};
}

}  // namespace

TEST_CASE("skips are those of Träff's examples") {
  CHECK(skips("halving").for_ranks(22) == std::vector{11, 6, 3, 2, 1});
  CHECK(skips("power_of_two").for_ranks(22) == std::vector{16, 8, 4, 2, 1});
  CHECK(skips("power_of_two").for_ranks(16) == std::vector{8, 4, 2, 1});
  CHECK(skips("sqrt").for_ranks(22) == std::vector{17, 12, 7, 4, 2, 1});
  CHECK(skips("sqrt").for_ranks(16) == std::vector{12, 8, 4, 2, 1});
  CHECK(skips("linear").for_ranks(5) == std::vector{4, 3, 2, 1});
  CHECK(skips("5+3+2+1").for_ranks(9) == std::vector{5, 3, 2, 1});
  CHECK(skips("5+3+2+1").for_ranks(4) == std::vector{3, 2, 1});
  for (const char* text : {"halving", "power_of_two", "sqrt", "linear"}) {
    CHECK(skips(text).for_ranks(1).empty());
    CHECK(skips(text).for_ranks(2) == std::vector{1});
    CHECK(skips(text).name() == text);
  }
  CHECK(skips("7+1").name() == "7+1");
}

TEST_CASE("skips that are none are refused") {
  CHECK_THROWS_WITH(skips("halvin"), Catch::Contains("unknown choice of skips 'halvin': did you mean 'halving'?") &&
                                         Catch::Contains("or a list such as 5+3+2+1"));
  for (const char* text : {"5+", "+5", "5++1", "0+1", "-3", "5,3", "5+3x", "99999999999"})
    CHECK_THROWS_WITH(skips(text), Catch::Contains("whole numbers from 1 on are needed, as in 5+3+2+1"));
}

TEST_CASE("circulant: ceil(log2 p) rounds and exactly p - 1 blocks for any p") {
  for (const int p : ranks_to_check()) {
    INFO("p " << p);
    for (const char* text : {"halving", "power_of_two"}) {
      const SkipPlan plan = circulant_plan(p, skips(text));
      REQUIRE(plan.steps() == doublings(p));
      REQUIRE(blocks_sent(plan) == p - 1);
    }
    const SkipPlan linear = circulant_plan(p, skips("linear"));
    REQUIRE(linear.steps() == p - 1);
    REQUIRE(blocks_sent(linear) == p - 1);
    const SkipPlan by_root = circulant_plan(p, skips("sqrt"));
    REQUIRE(by_root.steps() == sqrt_steps(p));
    REQUIRE(blocks_sent(by_root) == p - 1);
  }
}

TEST_CASE("circulant: each round sends R[s ... s'-1], as Algorithm 1 does") {
  for (const int p : ranks_to_check()) {
    for (const char* text : {"halving", "power_of_two", "sqrt", "linear"}) {
      INFO("p " << p << ", skips " << text);
      const SkipPlan plan = circulant_plan(p, skips(text));
      int before = p;
      for (int step = 0; step < plan.steps(); ++step) {
        REQUIRE(plan.round(step).size() == 1);
        const plans::SkipSend& send = plan.round(step)[0];
        REQUIRE(send.offsets == RunSet{{send.skip, before - send.skip}});
        before = send.skip;
      }
    }
  }
}

TEST_CASE("circulant: every contribution reaches every owner exactly once on any skips") {
  const auto check = [](int p, const char* text) {
    INFO("p " << p << ", skips " << text);
    if (skips(text).reach_everyone(p)) REQUIRE_THAT(testing::failure_of(circulant_plan(p, skips(text))), Catch::Equals(""));
  };
  for (int p = 1; p <= testing::sampled(64, 33); ++p) check(p, "halving");
  for (int p = 1; p <= testing::sampled(32, 20); ++p) {
    for (const char* text : {"power_of_two", "sqrt", "linear", "5+3+2+1", "1+1+1+1", "1+2+4+8", "9+3+1+9+3+1"}) check(p, text);
  }
}

TEST_CASE("a list of skips serves as many ranks as it has sums for") {
  const CirculantSkips list = skips("5+3+2+1");  // every sum from 0 to 11
  for (int p = 1; p <= 12; ++p) CHECK(list.reach_everyone(p));
  for (int p = 13; p <= 64; ++p) CHECK_FALSE(list.reach_everyone(p));
  CHECK(list.rounds(12) == 4);
  CHECK(list.rounds(4) == 3);  // 3+2+1: what is p or more is left out
  CHECK(skips("5+3+2+1").rounds(13) == 0);

  // Corollary 2 asks no more than that every 0 < i < p is a sum of different skips. At p = 12 Algorithm 1 itself would add what
  // it gets to R[0 … 6] while it sends R[5 … 11]: R[5] and R[6] would be lost. Here they go in later rounds.
  const SkipPlan plan = circulant_plan(12, list);
  CHECK(plan.round(0)[0].offsets == RunSet{{7, 5}});
  CHECK(plan.round(1)[0].offsets == RunSet{{4, 3}});
  CHECK(plan.round(2)[0].offsets == RunSet{{2, 2}});
  CHECK(plan.round(3)[0].offsets == RunSet{{1, 1}});

  testing::ThreadWorld world(13);
  CHECK_THROWS_WITH(world.run([&](Communicator& comm) {
    std::vector<int> v(13);
    reduce_scatter::circulant(comm, v, BlockPartition(13, 13), ReduceOp::sum(), list);
  }),
                    "circulant: it needs skips that reach every rank, and 5+3+2+1 do not reach 13");
}

TEST_CASE("at p = 22 rank 21 adds up in the order that Träff prints") {
  // An element is the ranks that it has been summed from, as a string in the order of the sum. §2.1, the example after Theorem
  // 1; brackets are what one message brought. Blocks of one element.
  struct Sum {
    std::array<char, 160> text;
  };
  const ReduceOp join("join",
                      [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype) {
                        for (std::size_t i = 0; i < count; ++i) {
                          Sum left{};
                          Sum right{};
                          std::memcpy(&left, a + i * sizeof(Sum), sizeof(Sum));
                          std::memcpy(&right, b + i * sizeof(Sum), sizeof(Sum));
                          const std::string more = right.text.data();
                          const bool is_sum = more.find('+') != std::string::npos;
                          const std::string sum = left.text.data() + (is_sum ? "+(" + more + ")" : "+" + more);
                          std::memcpy(result + i * sizeof(Sum), sum.c_str(), sum.size() + 1);
                        }
                      },
                      {.commutative = true});
  testing::ThreadWorld world(22);
  std::string of_21;
  world.run([&](Communicator& comm) {
    const int rank = comm.rank().value();
    std::vector<Sum> v(22);
    for (Sum& sum : v) std::strcpy(sum.text.data(), std::to_string(rank).c_str());
    reduce_scatter::circulant(comm, v, BlockPartition(22, 22), join);
    if (rank == 21) of_21 = v[21].text.data();
  });
  CHECK(of_21 ==
        "21+10"
        "+(15+4)"
        "+(18+7+(12+1))"
        "+(19+8+(13+2)+(16+5))"
        "+(20+9+(14+3)+(17+6+(11+0)))");
  CHECK(world.rounds() == 5);
}

TEST_CASE("circulant: the tree to a block's owner is the one that Algorithm 1 makes") {
  // Fig. 1, p = 22: offsets by their parents, from skip 11 on; the rank with offset i is root - i.
  const plans::Tree tree = plans::circulant_tree(22, 21);
  const auto below = [&tree](int rank) {
    const std::vector<RunSet> sets = tree.subtrees();
    return sets[static_cast<std::size_t>(rank)];
  };
  CHECK(children_of(tree, 21) == std::vector{20, 19, 18, 15, 10});
  CHECK(children_of(tree, 20) == std::vector{17, 14, 9});
  CHECK(children_of(tree, 17) == std::vector{11, 6});
  CHECK(children_of(tree, 11) == std::vector{0});
  CHECK(below(18) == RunSet{{1, 1}, {7, 1}, {12, 1}, {18, 1}});
  CHECK(tree.step(20) == 0);
  CHECK(tree.step(10) == 4);
  CHECK(plans::largest_branch(tree) == 8);

  for (const int p : ranks_to_check()) {
    INFO("p " << p);
    const int root = p / 3;
    const plans::Tree any = plans::circulant_tree(p, root);
    REQUIRE(any.height() <= halvings(p));
    REQUIRE(static_cast<int>(any.children(root).size()) == doublings(p));
    if (doublings(p) == halvings(p)) {
      REQUIRE(any.height() == halvings(p));
      REQUIRE(plans::largest_branch(any) == p / 2);
    }
  }
  CHECK(plans::circulant_tree(9, 0).height() == 2);
}

TEST_CASE("relayed blocks get where they belong, on any skips") {
  for (const int p : ranks_to_check()) {
    for (const char* text : {"halving", "power_of_two", "sqrt", "5+3+2+1", "3+1+3+1+3+1"}) {
      if (!skips(text).reach_everyone(p)) continue;
      INFO("p " << p << ", skips " << text);
      const plans::SkipRelay relay(circulant_plan(p, skips(text)));
      REQUIRE_THAT(failure_of(relay), Catch::Equals(""));
    }
    const plans::SkipRelay halving(circulant_plan(p, CirculantSkips()));
    REQUIRE(static_cast<int>(halving.rounds().size()) == doublings(p));
    if (doublings(p) == halvings(p)) REQUIRE(halving.blocks_sent() == p / 2 * halvings(p));
  }
}

TEST_CASE("the ways of relayed blocks among seven, by hand") {
  const plans::SkipRelay relay(circulant_plan(7, CirculantSkips()));
  using Block = plans::SkipRelay::Block;
  REQUIRE(relay.rounds().size() == 3);
  CHECK(relay.rounds()[0][0].blocks == std::vector<Block>{{4, 1, true}, {5, 2, true}, {6, 2, true}});
  CHECK(relay.rounds()[1][0].blocks == std::vector<Block>{{2, 1, true}, {3, 2, true}, {6, 1, false}});
  CHECK(relay.rounds()[2][0].blocks == std::vector<Block>{{1, 1, true}, {3, 1, false}, {5, 1, false}});
}

TEST_CASE("census: ceil(log2 p) rounds and as many vectors for any p, by windows that are p halved and rounded up") {
  for (const int p : ranks_to_check()) {
    INFO("p " << p);
    const plans::WindowPlan windows = plans::bruck_windows(p, 1);
    REQUIRE(windows.ranks() == p);
    REQUIRE(static_cast<int>(windows.steps().size()) == doublings(p));
    REQUIRE(windows.vectors() == doublings(p));
    int window = p;
    for (std::size_t step = windows.steps().size(); step-- > 0; window = (window + 1) / 2) {
      // From the rank where the own window ends, or from the last in it, whose own contribution is there already.
      REQUIRE(windows.steps()[step].messages.size() == 1);
      REQUIRE(windows.steps()[step].messages[0].peer == window / 2);
      REQUIRE(windows.steps()[step].sums[0].window.count == window);
    }
  }
}

}  // namespace heddle
