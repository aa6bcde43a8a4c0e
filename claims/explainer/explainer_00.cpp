// SPDX-License-Identifier: Apache-2.0
// Note 00, the cheatsheet: rows by algorithm, by topology, in the network, each evaluated at a small N.
#include <fmt/format.h>

#include <limits>

#include "claims/explainer/explainer_rows.hpp"

namespace heddle::claims::explainer_notes {

namespace {

/// The least n_β of several algorithms on a star of 8, one port each.
Check least_bytes(const std::string& collective, double bound, const std::vector<std::string>& algorithms) {
  return one([=](Lab& lab) {
    double least = std::numeric_limits<double>::infinity();
    CostRow best;
    for (const std::string& algorithm : algorithms) {
      const CostRow row{.subject = algorithm,
                        .n_alpha = 0,
                        .n_beta = 0,
                        .call = fmt::format("{} --algo {} --topo star:8", collective, algorithm)};
      const double vectors = cost_of(lab, row).n_beta;
      if (vectors < least) least = vectors, best = row;
    }
    return compare_words(collective + ", N = 8", fmt::format("n_β ≥ {:.3f}", bound),
                         fmt::format("least n_β {:.3f} ({})", least, best.subject), least >= bound - 1e-6,
                         command_of(best.call) + " --size 36864kB --alpha 0 --latency 0 --bw 100GB/s",
                         "an algorithm moves less than the bound");
  });
}

constexpr const char* kPipelining =
    "pipelining takes L off the bytes, not off the latency: the last segment of P still follows P-1 others over the first "
    "one's hops, N+P-2 or ⌈log2 N⌉+P-1 steps in all (01, §3.1 and App. C.3 say so)";

Claim bounds() {
  return {.name = "explainer/00-bounds",
          .section = "[explainer-00] §3",
          .statement =
              "Per rank and direction no broadcast, reduce, allgather or reduce_scatter in software moves less than "
              "(N-1)/N·M, no allreduce less than 2(N-1)/N·M.",
          .check = all_of({
              least_bytes("broadcast", 7.0 / 8, {"chain:segments=64", "double_binary_tree:segments=64", "scatter_allgather"}),
              least_bytes("reduce", 7.0 / 8, {"chain:segments=64", "double_binary_tree:segments=64", "reduce_scatter_gather"}),
              least_bytes("allgather", 7.0 / 8, {"ring", "recursive_doubling", "pat", "bruck", "sparbit"}),
              least_bytes("reduce_scatter", 7.0 / 8, {"ring", "recursive_halving", "pat", "circulant"}),
              least_bytes("allreduce", 14.0 / 8,
                          {"ring", "rabenseifner", "double_binary_tree:segments=64", "swing_bandwidth", "bine_large"}),
              least_bytes("alltoall", 7.0 / 8, {"linear", "pairwise", "bruck"}),
          })};
}

Claim algorithms_table() {
  const auto on_star = [](const std::string& call) { return call + " --topo star:8"; };
  return {.name = "explainer/00-algorithms",
          .section = "[explainer-00] §4",
          .statement = "n_α and n_β of each algorithm on a fabric where every rank reaches every other in one hop; here N = 8.",
          .check = costs({
              {"broadcast, chain, raw", 7, 1, on_star("broadcast --algo chain:segments=1"),
               "not cut, each of the N-1 hops takes M/BW in turn; n_β nears 1 with many segments only (next row)"},
              {"broadcast, chain, pipelined (P = 64)", 1, 1, on_star("broadcast --algo chain:segments=64"), kPipelining},
              {"broadcast, binomial tree, raw", 3, 1, on_star("broadcast --algo binomial_halving"),
               "not cut, each of the ⌈log2 N⌉ steps takes M/BW (01, §3.2 says so)"},
              {"reduce, chain, pipelined (P = 64)", 1, 1, on_star("reduce --algo chain:segments=64"), kPipelining},
              {"allreduce, ring", 14, 1.75, on_star("allreduce --algo ring")},
              {"allreduce, double binary tree (P = 1)", 6, 2, on_star("allreduce --algo double_binary_tree:segments=1"),
               "uncut, both children's halves and those of the other tree pass one port in turn; with P segments n_β nears 2 "
               "and n_α grows by P-1"},
              {"allreduce, Rabenseifner", 6, 1.75, on_star("allreduce --algo rabenseifner")},
              {"allreduce, recursive doubling", 3, 3, on_star("allreduce --algo recursive_doubling")},
              {"allgather, ring", 7, 0.875, on_star("allgather --algo ring")},
              {"reduce_scatter, ring", 7, 0.875, on_star("reduce_scatter --algo ring")},
              {"allgather, PAT", 3, 0.875, on_star("allgather --algo pat")},
              {"reduce_scatter, PAT", 3, 0.875, on_star("reduce_scatter --algo pat")},
              {"allgather, recursive doubling", 3, 0.875, on_star("allgather --algo recursive_doubling")},
              {"reduce_scatter, recursive halving", 3, 0.875, on_star("reduce_scatter --algo recursive_halving")},
              {"alltoall, pairwise", 7, 0.875, on_star("alltoall --algo pairwise")},
              {"alltoall, Bruck", 3, 1.5, on_star("alltoall --algo bruck")},
          })};
}

Claim topologies_table() {
  return {
      .name = "explainer/00-topologies",
      .section = "[explainer-00] §5",
      .statement = "n_α and n_β by topology: stars, tori, meshes; here 8 ranks and 4x4x4.",
      .check = all_of({
          costs({
              {"star, allreduce, ring", 14, 1.75, "allreduce --algo ring --topo star:8"},
              {"torus 4x4x4, allreduce, a ring per dimension", 18, 1.969, "allreduce --algo torus_ring --topo torus:4x4x4"},
              {"torus 4x4x4, allreduce, Rabenseifner per dimension", 12, 1.969,
               "allreduce --algo torus_rabenseifner --topo torus:4x4x4"},
              {"torus 4x4x4, alltoall", 6, 0.5, "alltoall --algo torus_relay --topo torus:4x4x4"},
              {"full mesh of 8, allreduce, ring", 14, 1.75, "allreduce --algo ring --topo fullmesh:8"},
              {"full mesh of 8, alltoall, pairwise", 7, 0.875, "alltoall --algo pairwise --topo fullmesh:8"},
              {"mesh 4x4x4, allreduce, line by line", 18, 1.969, "allreduce --algo torus_ring --topo mesh:4x4x4"},
              {"mesh 4x4x4, alltoall", 9, 1, "alltoall --algo linear --topo mesh:4x4x4", "", 3, "--hop 1us"},
          }),
          counts({
              {"bisection of torus 4x4x4: 2N/d_max links", 32, "torus:4x4x4", &TopologyProperties::bisection},
              {"bisection of a fat-tree, s = 1, 16 endpoints: s·N·BW", 16, "fattree:k=4", &TopologyProperties::bisection,
               "the cut between halves has N/2 links each way; N counts both ways"},
              {"bisection of a Clos, s = 2, 16 endpoints: s·N·BW", 32, "clos:hosts=4,leaves=4,spines=2",
               &TopologyProperties::bisection,
               "oversubscription divides: N/(2s) links each way. With s as a factor, fewer spines would mean more bandwidth"},
          }),
      })};
}

Claim switches_table() {
  const auto on_star = [](const std::string& collective) {
    return collective + " --algo in_network --topo star:8,alu,multicast,a2a";
  };
  constexpr const char* kOneOrTwo =
      "the source counts crossings of the switch in two ways: 2 for a broadcast here and in 01 §3.3, 1 in 04 §1.4; 1 for an "
      "alltoall here and in 04 §1.4, 2 where it computes (04 §1.3, §3.3). A run pays 1 where one rank gives or takes all, "
      "else 2";
  return {.name = "explainer/00-in-network",
          .section = "[explainer-00] §7",
          .statement =
              "In the network n_α is 1 or 2 crossings of the switch whatever N, and n_β at most 1; here N = 8, α the "
              "switch's.",
          .check = costs({
              {"allreduce", 2, 1, on_star("allreduce"), "", 3, "--hop 1us"},
              {"reduce", 1, 1, on_star("reduce"), "", 3, "--hop 1us"},
              {"reduce_scatter", 2, 0.875, on_star("reduce_scatter"),
               "(N-1)/N·M, as 04 §1.1 and §4 have it, is what a rank needs of others; its contribution to its own block "
               "passes the ALU as well, so that it gives M",
               3, "--hop 1us"},
              {"allgather", 2, 0.875, on_star("allgather"), "", 3, "--hop 1us"},
              {"broadcast", 2, 1, on_star("broadcast"), kOneOrTwo, 3, "--hop 1us"},
              {"alltoall", 1, 0.875, on_star("alltoall"), kOneOrTwo, 3, "--hop 1us"},
          })};
}

}  // namespace

std::vector<Claim> cheatsheet() { return {bounds(), algorithms_table(), topologies_table(), switches_table()}; }

}  // namespace heddle::claims::explainer_notes
