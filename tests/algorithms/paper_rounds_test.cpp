// SPDX-License-Identifier: Apache-2.0
// The rounds as the papers write them (namespace paper) against what runs, and against what the papers print. The partners are
// those that run: swing_partner, trivance_distance, CirculantSkips, bine_partner. Parameters have the sources' letters: rank r
// of p (Trivance: n), step s, k or i.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "algorithms/executors/skips.hpp"
#include "algorithms/families/bine.hpp"
#include "algorithms/families/circulant.hpp"
#include "algorithms/families/swing.hpp"
#include "algorithms/families/trivance.hpp"
#include "tests/algorithms/plan_simulation.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::plans {

namespace {

/// What one rank sends in a round: by peer, blocks, each named by the rank that is to have it in the end.
using Round = std::map<int, std::set<int>>;

namespace paper {

/// Adds the blocks of all whom r reaches, itself or through others, in the steps from s on. Even p. §3.1.1, Listing 1.
void add_swing_reached(int r, int s, int p, std::set<int>& blocks) {
  for (; s < swing_steps(p); ++s) {
    const int peer = swing_partner(r, s, p, Swing::plain);
    blocks.insert(peer);
    add_swing_reached(peer, s + 1, p, blocks);
  }
}

/// Step s of the reduce-scatter: q = π(r, s) gets its own block and those of all whom it reaches later, but none that r sends
/// in a later step. Even p. §3.1.1; nothing sent twice: App. A.2, which powers of two do not need. Listing 1 as printed starts
/// at r, and would mark all blocks that r sends from step s on; its text, and the sizes that it gives, mean this.
Round swing_round(int r, int s, int p) {
  const int peer = swing_partner(r, s, p, Swing::plain);
  std::set<int> blocks{peer};
  add_swing_reached(peer, s + 1, p, blocks);
  std::set<int> later{r};
  add_swing_reached(r, s + 1, p, later);
  for (const int block : later) blocks.erase(block);
  return {{peer, blocks}};
}

/// The same for odd p: ranks 0 … p - 2 as if there were no other; rank p - 1 swaps blocks with half of those whom it has not
/// met, rounded up, in the last step with all of them. §3.2, which prints (p - 1)/2^s of them in step s; its example of seven
/// ranks, 3, 2 and 1, needs half of that.
Round swing_odd_round(int r, int s, int p) {
  const int last = p - 1;
  int first = 0;
  for (int i = 0; i < s; ++i) first += (last - first + 1) / 2;
  const int end = s + 1 == swing_steps(p) ? last : first + (last - first + 1) / 2;
  Round round = r == last ? Round() : swing_round(r, s, last);
  for (int other = first; other < end; ++other) {
    if (r == last) round[other] = {other};
    if (r == other) round[last] = {last};
  }
  return round;
}

/// s before round k: p, then the skips that run. Round k has the skip s_{k+1}. Träff §2, Algorithm 1.
int circulant_skip(int k, int p) { return k == 0 ? p : CirculantSkips().for_ranks(p)[static_cast<std::size_t>(k - 1)]; }

/// Round k of the reduce-scatter: with s' = s_k and s = s_{k+1}, rank r sends R[s … s'-1] to r + s, where R[i] is its sum for
/// block r + i, all modulo p. Rounds 0 … ⌈log2 p⌉ - 1. Träff §2.1, Algorithm 1.
Round circulant_round(int r, int k, int p) {
  const int before = circulant_skip(k, p);
  const int skip = circulant_skip(k + 1, p);
  std::set<int> blocks;
  for (int i = skip; i < before; ++i) blocks.insert((r + i) % p);
  return {{(r + skip) % p, blocks}};
}

/// What undoes round k in the allgather, which takes the rounds backwards: R[0 … s'-s-1] to r - s. Träff §2.2, Algorithm 2.
Round circulant_round_back(int r, int k, int p) {
  const int before = circulant_skip(k, p);
  const int skip = circulant_skip(k + 1, p);
  std::set<int> blocks;
  for (int i = 0; i < before - skip; ++i) blocks.insert((r + i) % p);
  return {{(r - skip + p) % p, blocks}};
}

/// π(r, k): r - ρ(k) and r + ρ(k), modulo n ≥ 2. Trivance §4.1.
std::array<int, 2> trivance_peers(int r, int k, int n) {
  const int rho = trivance_distance(k, n);
  return {(r - rho + n) % n, (r + rho) % n};
}

/// Adds the blocks of all whom r reaches, itself or through others, in the steps from k on. n ≥ 2. §4.3, Algorithm 1.
void add_trivance_reached(int r, int k, int n, std::set<int>& blocks) {
  for (; k < trivance_steps(n); ++k) {
    for (const int peer : trivance_peers(r, k, n)) {
      blocks.insert(peer);
      add_trivance_reached(peer, k + 1, n, blocks);
    }
  }
}

/// Step k of the reduce-scatter: either peer gets its own block and those of all whom it reaches later. §4.1, §4.3. Exact where
/// n is a power of three. Elsewhere some blocks are in several rounds, or in both messages of one, as in the source, which does
/// not say which of the ways they take.
Round trivance_round(int r, int k, int n) {
  Round round;
  for (const int peer : trivance_peers(r, k, n)) {
    round[peer].insert(peer);
    add_trivance_reached(peer, k + 1, n, round[peer]);
  }
  return round;
}

/// rank2nb(r, p): the code of r, or of r - p where r is beyond the greatest number of s digits. Bine §2.3.1.
std::uint32_t rank2nb(int r, int p) { return negabinary(r <= greatest_negabinary(bine_tree_steps(p)) ? r : r - p); }
/// nb2rank(code, p): back.
int nb2rank(std::uint32_t code, int p) { return (from_negabinary(code) + p) % p; }

/// Distances halving: r > 0 receives in step i = s - u, where its code ends with u equal digits, from the rank whose code
/// differs in the last s - i digits. Bine §2.3.2, eq. 1.
Tree::Edge bine_halving_edge(int r, int p) {
  const int s = bine_tree_steps(p);
  const std::uint32_t code = rank2nb(r, p);
  int u = 1;
  while (u < s && ((code >> u) & 1) == (code & 1)) ++u;
  return {nb2rank(code ^ ((std::uint32_t{1} << u) - 1), p), s - u};
}

/// Distances doubling: r > 0 receives in step i, the place of the highest one in v(r), from the q with v(q) = v(r) ⊕ 2^i.
/// Bine §3.2.2.
Tree::Edge bine_doubling_edge(int r, int p) {
  const int i = std::bit_width(bine_way(r, p)) - 1;
  int q = 0;
  while (bine_way(q, p) != (bine_way(r, p) ^ (std::uint32_t{1} << i))) ++q;
  return {q, i};
}

/// Step i of the reduce-scatter: r sends its partner q the blocks of all below q in the tree of root r, which is that of root 0
/// turned by r, and mirrored where r is odd. Those are the ranks whose codes begin with the i + 1 digits 0…01 where distances
/// halve (§2.3.3), those whose v ends with 10…0 where they double (§3.2.3). p = 2^s. Bine §4.3. For other even p App. C has the
/// subtree left out that is reached later, in words only; for odd ones, ranks that fold.
Round bine_round(int r, int i, int p, Distances distances) {
  const int s = bine_tree_steps(p);
  std::set<int> blocks;
  for (int block = 0; block < p; ++block) {
    const int place = ((r % 2 == 0 ? block - r : r - block) + p) % p;
    const bool is_below =
        distances == Distances::halving ? rank2nb(place, p) >> (s - i - 1) == 1 : bine_way(place, p) % (2U << i) == 1U << i;
    if (is_below) blocks.insert(block);
  }
  return {{bine_partner(r, i, p, distances), blocks}};
}

}  // namespace paper

using testing::blocks_of;

constexpr int kMostRanks = 64;

Round as_round(const BlockSteps& plan, std::span<const BlockTransfer> transfers) {
  Round round;
  for (const BlockTransfer& transfer : transfers) round[transfer.peer] = blocks_of(plan, transfer);
  return round;
}

Round sent(const BlockSteps& plan, int rank, int step) {
  BlockStepPool pool;
  return as_round(plan, plan.step(rank, step, pool).sends);
}

Round received(const BlockSteps& plan, int rank, int step) {
  BlockStepPool pool;
  return as_round(plan, plan.step(rank, step, pool).receives);
}

/// Requires that the plan sends in each step what written(rank, step) says, and nothing in any other.
template <class Written>
void require_rounds(const BlockSteps& plan, int steps, const Written& written) {
  REQUIRE(plan.steps() == steps);
  for (int rank = 0; rank < plan.ranks(); ++rank) {
    for (int step = 0; step < steps; ++step) {
      INFO("rank " << rank << " of " << plan.ranks() << ", step " << step);
      REQUIRE(sent(plan, rank, step) == written(rank, step));
    }
  }
}

int ceil_log(int n, int base) {
  int log = 0;
  for (int power = 1; power < n; power *= base) ++log;
  return log;
}

BlockPlan swing_on_ring(int p) { return swing_block_plan(Lattice(nullptr, p), swing_port(0, 1)); }

LatticeSkipPlan trivance_on_ring(int n) {
  return {Lattice(nullptr, n), trivance_pattern(), 0, LatticeSkipPlan::Layout::compact};
}

/// What a rank sends and where, step by step.
template <class Written>
std::vector<Round> rounds(int steps, const Written& written) {
  std::vector<Round> all;
  for (int step = 0; step < steps; ++step) all.push_back(written(step));
  return all;
}

}  // namespace

TEST_CASE("Swing as the paper writes it: what runs sends the same, for every p") {
  // r sends q = π(r, s) the blocks {q} ∪ reached(q, s + 1) \ reached(r, s + 1); §3.1.1, App. A.2; odd p: §3.2
  for (int p = 2; p <= testing::sampled(kMostRanks, 33); ++p) {
    const int even = p - p % 2;
    require_rounds(swing_on_ring(p), ceil_log(even, 2), [p](int rank, int step) {
      return p % 2 == 0 ? paper::swing_round(rank, step, p) : paper::swing_odd_round(rank, step, p);
    });
  }
}

TEST_CASE("Swing as the paper writes it: the paper's examples") {
  // App. A.1: 0 talks to 1, then to p - 1, while 1 talks to 2; what 0 sends has then reached 1, 2 and p - 1. Fig. 1: p = 16.
  CHECK(swing_partner(0, 0, 16, Swing::plain) == 1);
  CHECK(swing_partner(0, 1, 16, Swing::plain) == 15);
  CHECK(swing_partner(1, 1, 16, Swing::plain) == 2);
  CHECK(swing_partner(0, 2, 16, Swing::plain) == 3);
  // §3.1.1: half as much in each step, p/2, p/4, …, p - 1 blocks in all.
  for (int step = 0; step < 4; ++step) {
    for (int rank = 0; rank < 16; ++rank) CHECK(paper::swing_round(rank, step, 16).begin()->second.size() == (8U >> step));
  }
  // §3.2, Fig. 3: of 7 ranks the last swaps blocks with 0, 1 and 2, then with 3 and 4, then with 5.
  CHECK(rounds(3, [](int step) { return paper::swing_odd_round(6, step, 7); }) ==
        std::vector<Round>{{{0, {0}}, {1, {1}}, {2, {2}}}, {{3, {3}}, {4, {4}}}, {{5, {5}}}});
  CHECK(paper::swing_odd_round(2, 0, 7).at(6) == std::set{6});
  CHECK(paper::swing_odd_round(5, 2, 7).at(6) == std::set{6});
  CHECK_FALSE(paper::swing_odd_round(5, 1, 7).contains(6));
}

TEST_CASE("Träff as the paper writes it: what runs sends the same, for every p, and undoes it in the allgather") {
  // s = ⌈s'/2⌉ from s' = p on; r sends R[s … s'-1], blocks r + s … r + s'-1, to r + s; back: R[0 … s'-s-1] to r - s
  for (int p = 2; p <= testing::sampled(kMostRanks, 33); ++p) {
    const SkipPlan plan = circulant_plan(p, CirculantSkips());
    require_rounds(plan, ceil_log(p, 2), [p](int rank, int step) { return paper::circulant_round(rank, step, p); });
    for (int rank = 0; rank < p; ++rank) {
      for (int step = 0; step < plan.steps(); ++step) {
        INFO("rank " << rank << " of " << p << ", step " << step);
        REQUIRE(received(plan, rank, step) == paper::circulant_round_back(rank, step, p));
      }
    }
  }
}

TEST_CASE("Träff as the paper writes it: at p = 22 rank 21 adds up in the order that the paper prints") {
  // §2.1, the example after Theorem 1: skips 11, 6, 3, 2, 1; what one message brings is in brackets.
  constexpr int kRanks = 22;
  std::vector<int> skips;
  for (int k = 1; k <= 5; ++k) skips.push_back(paper::circulant_skip(k, kRanks));
  CHECK(skips == std::vector{11, 6, 3, 2, 1});

  using Sums = std::map<int, std::string>;  // by block
  std::vector<Sums> sums(kRanks);
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int block = 0; block < kRanks; ++block) sums[static_cast<std::size_t>(rank)][block] = std::to_string(rank);
  }
  std::vector<int> heard_by_21;
  for (int k = 0; k < 5; ++k) {
    const std::vector<Sums> before = sums;
    for (int rank = 0; rank < kRanks; ++rank) {
      for (const auto& [peer, blocks] : paper::circulant_round(rank, k, kRanks)) {
        if (peer == 21) heard_by_21.push_back(rank);
        for (const int block : blocks) {
          const std::string& more = before[static_cast<std::size_t>(rank)].at(block);
          sums[static_cast<std::size_t>(peer)][block] += more.find('+') == std::string::npos ? "+" + more : "+(" + more + ")";
        }
      }
    }
  }
  CHECK(heard_by_21 == std::vector{10, 15, 18, 19, 20});
  CHECK(sums[21][21] ==
        "21+10"
        "+(15+4)"
        "+(18+7+(12+1))"
        "+(19+8+(13+2)+(16+5))"
        "+(20+9+(14+3)+(17+6+(11+0)))");
}

TEST_CASE("Trivance as the paper writes it: what runs sends the same at powers of three") {
  // r sends either q of π(r, k) = r ± 3^k the blocks {q} ∪ reached(q, k + 1); §4.1, §4.3
  for (int n = 3; n <= kMostRanks; n *= 3) {
    require_rounds(trivance_on_ring(n), ceil_log(n, 3), [n](int rank, int k) { return paper::trivance_round(rank, k, n); });
  }
}

TEST_CASE("Trivance as the paper writes it: at other sizes what runs takes one of the paper's ways for each block") {
  // §4.4: distances 3^k, in the last step ⌈(n - 3^⌊log3 n⌋)/2⌉. What runs takes the nearest first; where that is the paper's
  // order, each block goes in a round and to a peer of Algorithm 1, and once.
  int in_order = 0;
  for (int n = 2; n <= testing::sampled(kMostRanks, 33); ++n) {
    INFO("n " << n);
    const LatticeSkipPlan plan = trivance_on_ring(n);
    REQUIRE(plan.steps() == ceil_log(n, 3));
    std::vector<int> written;
    for (int k = 0; k < plan.steps(); ++k) written.push_back(paper::trivance_peers(0, k, n)[1]);
    std::vector<int> nearest_first = written;
    std::sort(nearest_first.begin(), nearest_first.end());
    for (int k = 0; k < plan.steps(); ++k) {
      const int distance = nearest_first[static_cast<std::size_t>(k)];
      for (const auto& [peer, blocks] : sent(plan, 0, k)) REQUIRE((peer == distance || peer == n - distance));
    }
    if (written != nearest_first) continue;
    ++in_order;
    for (int rank = 0; rank < n; ++rank) {
      std::multiset<int> all;
      for (int k = 0; k < plan.steps(); ++k) {
        const Round marked = paper::trivance_round(rank, k, n);
        for (const auto& [peer, blocks] : sent(plan, rank, k)) {
          const std::set<int>& those = marked.at(peer);
          REQUIRE(std::includes(those.begin(), those.end(), blocks.begin(), blocks.end()));
          all.insert(blocks.begin(), blocks.end());
        }
      }
      REQUIRE(all.size() == static_cast<std::size_t>(n - 1));
      REQUIRE(std::set<int>(all.begin(), all.end()).size() == all.size());
    }
  }
  CHECK(in_order > 20);
}

TEST_CASE("Trivance as the paper writes it: the paper's examples") {
  // Fig. 3, n = 9: rank 0 gets blocks of 1 and 8, then 2, 3 and 4 by 3, and 5, 6 and 7 by 6. D(r) is what r has by then.
  std::vector<std::set<int>> has(9);
  for (int rank = 0; rank < 9; ++rank) {
    std::set<int>& mine = has[static_cast<std::size_t>(rank)];
    mine = {rank};
    for (const int peer : paper::trivance_peers(rank, 0, 9)) mine.insert(peer);
  }
  CHECK(has[0] == std::set{0, 1, 8});
  const auto [left, right] = paper::trivance_peers(0, 1, 9);
  CHECK(left == 6);
  CHECK(has[6] == std::set{5, 6, 7});
  CHECK(right == 3);
  CHECK(has[3] == std::set{2, 3, 4});
  // §4.1: m/3^(k+1) to either peer in step k.
  for (int k = 0; k < 3; ++k) {
    for (const auto& [peer, blocks] : paper::trivance_round(5, k, 27)) CHECK(blocks.size() == (k == 0 ? 9U : k == 1 ? 3U : 1U));
  }
  // §4.4, Fig. 4: n = 7 takes two steps, the last of them two far; n = 32: 27 are in, 5 missing, so three far.
  CHECK(paper::trivance_peers(0, 1, 7)[1] == 2);
  CHECK(paper::trivance_peers(0, 2, 32)[1] == 9);
  CHECK(paper::trivance_peers(0, 3, 32)[1] == 3);
}

TEST_CASE("Bine butterflies as the paper writes them: what runs sends the same at powers of two") {
  // Partners: r ± (1 - (-2)^t)/3, eq. 4 and 5; blocks: those below the partner in the tree of root r, §2.3.3, §3.2.3
  for (int p = 2; p <= kMostRanks; p *= 2) {
    const auto written = [p](Distances distances) {
      return [p, distances](int rank, int step) { return paper::bine_round(rank, step, p, distances); };
    };
    require_rounds(bine_block_plan(p), ceil_log(p, 2), written(Distances::doubling));
    require_rounds(bine_by_ways_plan(p), ceil_log(p, 2), written(Distances::doubling));
    require_rounds(bine_halving_plan(p), ceil_log(p, 2), written(Distances::halving));
  }
}

namespace {

/// By rank, when the data of `root` reach it in an allgather that takes the reduce-scatter's steps from the last to the first:
/// each rank that has them sends them to its partner. What comes a second time is left out, with what is below it.
std::vector<Tree::Edge> allgather_tree(int root, int p, Distances distances) {
  std::vector<Tree::Edge> edges(static_cast<std::size_t>(p), {-1, -1});
  std::set<int> has{root};
  for (int step = bine_tree_steps(p) - 1; step >= 0; --step) {
    const std::set<int> before = has;
    for (const int rank : before) {
      const int partner = bine_partner(rank, step, p, distances);
      if (has.insert(partner).second) edges[static_cast<std::size_t>(partner)] = {rank, step};
    }
  }
  return edges;
}

}  // namespace

TEST_CASE("Bine butterflies as the paper writes them: at other even p what is reached a second time is left out") {
  // App. C: in the tree of each root, the subtree that is reached later is discarded. A reduce-scatter sends a block up the
  // tree in which the allgather sends it down.
  for (int p = 2; p <= testing::sampled(kMostRanks, 32); p += 2) {
    for (const Distances distances : {Distances::halving, Distances::doubling}) {
      std::vector<std::vector<Tree::Edge>> trees;
      for (int root = 0; root < p; ++root) trees.push_back(allgather_tree(root, p, distances));
      require_rounds(distances == Distances::halving ? bine_halving_plan(p) : bine_block_plan(p), ceil_log(p, 2),
                     [&](int rank, int step) {
                       Round round;
                       for (int block = 0; block < p; ++block) {
                         const Tree::Edge& up = trees[static_cast<std::size_t>(block)][static_cast<std::size_t>(rank)];
                         if (up.step == step) round[up.parent].insert(block);
                       }
                       return round;
                     });
    }
  }
}

TEST_CASE("Bine trees as the paper writes them: what runs has the same edges at powers of two") {
  // Halving: step s - u, parent nb(r) ⊕ 1…1, §2.3.2; doubling: the highest one of v(r), parent v(r) ⊕ 2^i, §3.2.2
  for (int p = 2; p <= kMostRanks; p *= 2) {
    for (int rank = 1; rank < p; ++rank) {
      INFO("rank " << rank << " of " << p);
      REQUIRE(paper::bine_halving_edge(rank, p) == bine_edge(rank, p, 0, Distances::halving));
      REQUIRE(paper::bine_doubling_edge(rank, p) == bine_edge(rank, p, 0, Distances::doubling));
      REQUIRE(paper::nb2rank(paper::rank2nb(rank, p), p) == rank);
    }
  }
}

TEST_CASE("Bine as the paper writes it: the paper's examples") {
  using TreeEdge = Tree::Edge;
  // §2.3.1: rank2nb(2, 8) = 110, rank2nb(6, 8) = 010.
  CHECK(paper::rank2nb(2, 8) == 0b110);
  CHECK(paper::rank2nb(6, 8) == 0b010);
  // §2.3.2, Fig. 4: of 16, rank 8 is 1000, receives in step 1 and sends to 7, 1011, in step 2; 0 -> 3 -> 4 leads to rank 4.
  CHECK(paper::rank2nb(8, 16) == 0b1000);
  CHECK(paper::rank2nb(7, 16) == 0b1011);
  CHECK(paper::bine_halving_edge(8, 16).step == 1);
  CHECK(paper::bine_halving_edge(7, 16) == TreeEdge{8, 2});
  CHECK(paper::bine_halving_edge(4, 16).parent == 3);
  CHECK(paper::bine_halving_edge(3, 16).parent == 0);
  // §3.2.2, Fig. 6: v(2) = 011, reached in step 1; it sends to 5, v = 111, in step 2.
  CHECK(bine_way(2, 8) == 0b011);
  CHECK(bine_way(5, 8) == 0b111);
  CHECK(paper::bine_doubling_edge(2, 8).step == 1);
  CHECK(paper::bine_doubling_edge(5, 8) == TreeEdge{2, 2});
  // §4.3.1, Fig. 8: in step 0 of the reduce-scatter rank 0 sends blocks 1, 2, 5 and 6.
  CHECK(paper::bine_round(0, 0, 8, Distances::doubling) == Round{{1, {1, 2, 5, 6}}});
  // §4.1, §4.2, Fig. 7: with distances halving rank 0 parts with 2 … 5 first, which it gathers last, and with 6 and 7 to 7.
  CHECK(paper::bine_round(0, 0, 8, Distances::halving) == Round{{3, {2, 3, 4, 5}}});
  CHECK(paper::bine_round(0, 1, 8, Distances::halving) == Round{{7, {6, 7}}});
  // App. D.1, Fig. 16: of 16, rank 0 goes -5, 3, -1 and 1 far; below rank 11 are 6 … 13.
  std::vector<int> partners;
  for (int i = 0; i < 4; ++i) partners.push_back(bine_partner(0, i, 16, Distances::halving));
  CHECK(partners == std::vector{11, 3, 15, 1});
  CHECK(paper::bine_round(0, 0, 16, Distances::halving) == Round{{11, {6, 7, 8, 9, 10, 11, 12, 13}}});
  // App. A, Fig. 12: a rank that steps 1, 5 and 8 lead to, here (-1) - (-21) + 171 = 191, has ones there in its v.
  CHECK(bine_way(191, 4096) == 0b000100100010);
}

}  // namespace heddle::plans
