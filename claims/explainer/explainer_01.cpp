// SPDX-License-Identifier: Apache-2.0
// Note 01, §3–§8: closed forms of each collective at the sizes of the worked examples.
#include <fmt/format.h>

#include <cmath>

#include "claims/explainer/explainer_rows.hpp"

namespace heddle::claims::explainer_notes {

namespace {

Unless root_has_one_port() {
  return contradiction(
      "01, §3.2: `busiest rank holds ≤ 3 concurrent tree-edge partners`; 01, App. C.5: `root fan-out needs ⌈log2 N⌉ ports for "
      "full "
      "pipeline`",
      "The root has ⌈log2 N⌉ children: through one port it sends ⌈log2 N⌉ vectors however they are cut. Where every edge of "
      "the "
      "tree has a link of its own (full mesh) the form holds.");
}

/// Three places of the series that give a software allreduce 2·M, against those that give a double binary tree M.
constexpr const char* kTwiceQuote =
    "01, §5.2: `2⌈log2 N⌉ · α + M/BW`; 00, §3: AR `2(N-1)/N → 2`, `every byte is touched twice`; 04, §1.4: `NCCL's DBT in fact "
    "moves the full 2M per rank`";

Claim chains() {
  return {.name = "explainer/01-chains",
          .section = "[explainer-01] §3.1, §4.1",
          .statement = "A broadcast or reduce along a chain in P segments takes (N+P-2)(α + M/(P·BW)).",
          .check = costs({
              {"broadcast, N = 4, P = 4: 6 steps of M/4", 6, 1.5, "broadcast --algo chain:segments=4 --topo star:4"},
              {"reduce, N = 4, P = 4: 6 steps of M/4", 6, 1.5, "reduce --algo chain:segments=4 --topo star:4"},
              {"broadcast, N = 8, P = 16", 22, 1.375, "broadcast --algo chain:segments=16 --topo star:8"},
              {"reduce, N = 8, P = 16", 22, 1.375, "reduce --algo chain:segments=16 --topo star:8"},
              {"broadcast on ring:8, P = 16", 22, 1.375, "broadcast --algo chain:segments=16 --topo ring:8"},
          })};
}

Claim binomial_trees() {
  return {.name = "explainer/01-binomial-trees",
          .section = "[explainer-01] §3.2, §4.2",
          .statement = "A binomial tree takes ⌈log2 N⌉·(α + M/BW) for a broadcast or a reduce.",
          .check = costs({
              {"broadcast, N = 4", 2, 2, "broadcast --algo binomial_doubling --topo star:4"},
              {"reduce, N = 4", 2, 2, "reduce --algo binomial_doubling --topo star:4"},
              {"broadcast, N = 8", 3, 3, "broadcast --algo binomial_doubling --topo star:8"},
              {"reduce, N = 8", 3, 3, "reduce --algo binomial_doubling --topo star:8"},
              {"broadcast, N = 32", 5, 5, "broadcast --algo binomial_doubling --topo star:32"},
          })};
}

Claim pipelined_trees() {
  // M/BW = 1000 us; 3α + M/BW + 2√(2·α·M/BW) = 1.5 + 1000 + 63.2 us.
  const std::string speeds = " --size 900MB --alpha 0.5us --latency 0 --bw 900GB/s";
  return {.name = "explainer/01-pipelined-binomial-trees",
          .section = "[explainer-01] §3.2, §4.2, App. C.3",
          .statement =
              "In P* segments a binomial tree's broadcast or reduce falls to ⌈log2 N⌉·α + M/BW + 2√((⌈log2 N⌉-1)αM/BW): its "
              "busiest rank has at most three partners.",
          .check = times({
              {"broadcast, N = 8, M/BW = 1000 us, star", 1064.7, 1,
               "broadcast --algo binomial_pipelined --topo star:8" + speeds, root_has_one_port()},
              {"broadcast, N = 8, M/BW = 1000 us, full mesh", 1064.7, 1,
               "broadcast --algo binomial_pipelined --topo fullmesh:8" + speeds},
              {"reduce, N = 8, M/BW = 1000 us, star", 1064.7, 1, "reduce --algo binomial_pipelined --topo star:8" + speeds,
               root_has_one_port()},
              {"reduce, N = 8, M/BW = 1000 us, full mesh", 1064.7, 1,
               "reduce --algo binomial_pipelined --topo fullmesh:8" + speeds},
          })};
}

Claim switches() {
  const Unless once = contradiction("01, §3.3 and §4.3: `Two switch-crossing hops total`; 04, §1.4: Reduce and BC `∼ α_switch`",
                                    "One message crosses one switch once on its way from or to the root.");
  return {
      .name = "explainer/01-in-network",
      .section = "[explainer-01] §3.3, §4.3, §5.3",
      .statement = "A switch that copies or adds up serves a broadcast, reduce or allreduce in 2·α_switch + M/BW, whatever N.",
      .check = costs({
          {"allreduce, N = 8", 2, 1, "allreduce --algo in_network --topo star:8,alu,multicast", "", 3, "--hop 1us"},
          {"allreduce, N = 72", 2, 1, "allreduce --algo in_network --topo star:72,alu,multicast", "", 3, "--hop 1us"},
          {"broadcast, N = 8", 2, 1, "broadcast --algo in_network --topo star:8,multicast", once, 3, "--hop 1us"},
          {"reduce, N = 8", 2, 1, "reduce --algo in_network --topo star:8,alu", once, 3, "--hop 1us"},
      })};
}

Finding halves_of_an_allreduce(Lab& lab) {
  const std::string speeds = " --topo star:64 --size 900MB --alpha 0.5us --latency 0 --bw 900GB/s";
  const std::string fused = "allreduce --algo double_binary_tree" + speeds;
  const std::string reduce = "reduce --algo double_binary_tree" + speeds;
  const std::string broadcast = "broadcast --algo double_binary_tree" + speeds;
  const double ratio = (lab.microseconds(reduce) + lab.microseconds(broadcast)) / lab.microseconds(fused);
  return compare(
      "reduce then broadcast over double binary trees, N = 64, M/BW = 1000 us, beside the allreduce", 2, 0, ratio, "times",
      0.05, command_of(reduce) + " && " + command_of(broadcast) + " && " + command_of(fused),
      contradiction(fmt::format("01, §4.3: `the same α count but half the BW term`; {}", kTwiceQuote),
                    "Both move 2·M through each rank's port: an allreduce cannot move less (a rank takes in 2(N-1)/N·M), and a "
                    "pipelined reduce and broadcast move M each."));
}

Claim reduce_and_broadcast() {
  return {.name = "explainer/01-reduce-and-broadcast",
          .section = "[explainer-01] §4.3",
          .statement =
              "A reduce and a broadcast one after the other have twice the bandwidth term of a double binary tree's "
              "allreduce.",
          .check = one(halves_of_an_allreduce)};
}

Claim rings() {
  return {.name = "explainer/01-ring",
          .section = "[explainer-01] §5.1, §6",
          .statement = "A ring takes 2(N-1)·α + 2(N-1)/N·M/BW for an allreduce, half of it for an allgather or reduce_scatter.",
          .check = costs({
              {"allreduce, N = 4", 6, 1.5, "allreduce --algo ring --topo star:4"},
              {"reduce_scatter, N = 4", 3, 0.75, "reduce_scatter --algo ring --topo star:4"},
              {"allgather, N = 4", 3, 0.75, "allgather --algo ring --topo star:4"},
              {"allreduce, N = 72", 142, 1.972, "allreduce --algo ring --topo star:72"},
              {"allgather, N = 72", 71, 0.986, "allgather --algo ring --topo star:72"},
              {"reduce_scatter, N = 72", 71, 0.986, "reduce_scatter --algo ring --topo star:72"},
              {"allreduce on the links of a ring, N = 4", 6, 1.5, "allreduce --algo ring --topo ring:4"},
          })};
}

Claim trees_of_an_allreduce() {
  return {.name = "explainer/01-allreduce-trees",
          .section = "[explainer-01] §5.2",
          .statement =
              "Uncut, an allreduce over one binary tree takes 2⌈log2 N⌉·(α + M/BW), over two complementary trees, each for "
              "half of the vector, 2⌈log2 N⌉·α + ⌈log2 N⌉·M/BW. Here on a full mesh: the note's fabric is fully connected, and "
              "its steps have two children send to one parent at once.",
          .check = costs({
              {"one tree, N = 4", 4, 4, "allreduce --algo reduce_broadcast --topo fullmesh:4"},
              {"one tree, N = 8", 6, 6, "allreduce --algo reduce_broadcast --topo fullmesh:8"},
              {"two trees, N = 4", 4, 2, "allreduce --algo double_binary_tree:segments=1 --topo fullmesh:4"},
              {"two trees, N = 8", 6, 3, "allreduce --algo double_binary_tree:segments=1 --topo fullmesh:8"},
          })};
}

Claim double_binary_tree() {
  const Unless twice = contradiction(
      kTwiceQuote,
      "A rank with one port must take in 2(N-1)/N·M in any software allreduce, so 1968.75 us here (01 §2 and 00 §3 say so; "
      "00 §4, 04 §1.4 and 05 §5.1 count 2·M/BW). Putting M/(2P) per segment into App. C's form gives M/(2·BW), neither of "
      "the two.");
  const std::string speeds = " --size 900MB --alpha 0.5us --latency 0 --bw 900GB/s";
  return {
      .name = "explainer/01-double-binary-tree",
      .section = "[explainer-01] §5.2, §5.3",
      .statement =
          "Pipelined, a double binary tree's allreduce takes 2⌈log2 N⌉·α + M/BW and what pipelining costs, 2√((2⌈log2 "
          "N⌉-1)αM/BW); here N = 64 and M/BW = 1000 us. Other tables of the series print 2·M/BW.",
      .check = times({
          // 6 + 1000 + 2√(11·0.5·1000).
          {"star of 64, M/BW", 1154, 0, "allreduce --algo double_binary_tree --topo star:64" + speeds, twice},
          {"star of 64, 2·M/BW as in 00 §4: 6 + 2000 us", 2006, 0,
           "allreduce --algo double_binary_tree --topo star:64" + speeds, "segments cost α each, about 2√((L-1)α·2M/BW)", 0.08},
          {"full mesh of 64, M/BW", 1154, 0, "allreduce --algo double_binary_tree --topo fullmesh:64" + speeds,
           "fewer segments are better than the form's", 0.1},
      })};
}

/// Where ring overtakes a tree of 2⌈log2 N⌉·α + c_real·M/BW, as 01 §5.3 reckons it, with the ring's coefficients as measured.
Finding practice_crossing(Lab& lab, int ranks, double printed) {
  constexpr double kReal = 2;
  constexpr double kAlphaTimesBw = 0.5e-6 * 900e9;
  const CostRow row{.subject = "ring",
                    .n_alpha = 2.0 * (ranks - 1),
                    .n_beta = 2.0 * (ranks - 1) / ranks,
                    .call = fmt::format("allreduce --algo ring --topo star:{}", ranks)};
  const Cost ring = cost_of(lab, row);
  const double tree_steps = 2 * std::ceil(std::log2(ranks));
  const double bytes = (ring.n_alpha - tree_steps) * kAlphaTimesBw / (kReal - ring.n_beta);
  return compare(fmt::format("N = {}, c_real = 2: ring is faster from", ranks), printed, 0, bytes / 1e9, "GB", 0.01,
                 command_of(row.call + " --size 36864kB --alpha 0 --latency 0 --bw 100GB/s"),
                 refuted("01, §5.3: `N = 72 ⇒ M* ≈ 2 GB; N = 512 ⇒ M* ≈ 116 GB`", "The two forms meet elsewhere."));
}

Claim practice() {
  return {
      .name = "explainer/01-ring-overtakes-trees",
      .section = "[explainer-01] §5.3",
      .statement =
          "Where a double binary tree really takes 2·M/BW (c_real = 2), ring is faster from M* = 2(N-1-⌈log2 "
          "N⌉)α·BW/(c_real - 2(N-1)/N) on, 2 GB at N = 72, 116 GB at N = 512: α = 0.5 us, 900 GB/s. The tree is the form's, "
          "the ring a run.",
      .check = [](Lab& lab) {
        return std::vector{practice_crossing(lab, 72, 2), practice_crossing(lab, 512, 116)};
      }};
}

Finding dominance(Lab& lab) {
  const std::string call = " --topo star:64 --alpha 0.5us --latency 0 --bw 900GB/s --size ";
  const auto tree = [&](const char* size) { return lab.microseconds("allreduce --algo double_binary_tree" + call + size); };
  const auto ring = [&](const char* size) { return lab.microseconds("allreduce --algo ring" + call + size); };
  const auto first = [&](const char* size) { return tree(size) < ring(size) ? "double binary tree" : "ring"; };
  return compare_words(
      "N = 64, 64 KB and 900 MB", "double binary tree, double binary tree",
      fmt::format("{}, {}", first("64KB"), first("900MB")), tree("64KB") < ring("64KB") && tree("900MB") < ring("900MB"),
      command_of("allreduce --algo double_binary_tree,ring" + call + "900MB"),
      contradiction(
          fmt::format("01, §5.3: `DBT strictly dominates ring at every M > 0`; {}", kTwiceQuote),
          fmt::format("At 900 MB both move 2·M per port, and the ring needs no segments: {:.2f} against {:.2f} us. It "
                      "is the order that the same section reports of NCCL.",
                      ring("900MB"), tree("900MB"))));
}

Claim no_crossing() {
  return {.name = "explainer/01-tree-beats-ring",
          .section = "[explainer-01] §5.3",
          .statement = "In the α-β model a double binary tree beats ring at every M; the large-M inversion is practice only.",
          .check = one(dominance)};
}

/// Blocks that each link to the right carries where every block goes the shorter way round, ties to the right: one of d hops
/// passes d links.
int blocks_on_right_edges(int ranks) {
  int blocks = 0;
  for (int distance = 1; 2 * distance <= ranks; ++distance) blocks += distance;
  return blocks;
}

Claim all_to_alls() {
  return {
      .name = "explainer/01-alltoall",
      .section = "[explainer-01] §7",
      .statement =
          "An alltoall by pairs takes (N-1)·α + (N-1)/N·M/BW; by a ring's shortest arcs, ties to the right, it takes as "
          "long, since the busiest links carry N-1 blocks.",
      .check = all_of(
          {costs({
               {"pairwise, N = 4", 3, 0.75, "alltoall --algo pairwise --topo star:4"},
               {"pairwise, N = 8", 7, 0.875, "alltoall --algo pairwise --topo star:8"},
               {"pairwise, N = 72", 71, 0.986, "alltoall --algo pairwise --topo star:72"},
           }),
           [](Lab&) {
             std::vector<Finding> findings;
             for (const int ranks : {4, 8, 16})
               findings.push_back(compare_exactly(
                   fmt::format("ring relay, N = {}: blocks on each link to the right", ranks), ranks - 1,
                   blocks_on_right_edges(ranks), "",
                   contradiction("01, §7.1: `The bottleneck (right-edge) link carries N-1 chunks`; 02, §3.6: each phase on a "
                                 "ring of d_i `costs ⌊d_i/2⌋α + d_i/8 · M/BW`",
                                 "One block goes d links to the right for each distance d up to N/2: N²/8 + N/4 blocks, "
                                 "which are N-1 at N = 4 only. With ties half each way they are the N²/8 of note 02, "
                                 "which runs of `ring_relay` take (explainer/02-alltoall-torus).")));
             return findings;
           }})};
}

Claim point_to_point() {
  return {.name = "explainer/01-point-to-point",
          .section = "[explainer-01] §8",
          .statement = "One message takes α + M/BW.",
          .check = definitions({{"one message", "α + M/BW"}},
                               "It is what heddle's time model defines (docs/model.md, `One message`).")};
}

}  // namespace

std::vector<Claim> algorithms() {
  return {chains(),      binomial_trees(),        pipelined_trees(),    switches(), reduce_and_broadcast(),
          rings(),       trees_of_an_allreduce(), double_binary_tree(), practice(), no_crossing(),
          all_to_alls(), point_to_point()};
}

}  // namespace heddle::claims::explainer_notes
