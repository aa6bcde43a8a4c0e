// SPDX-License-Identifier: Apache-2.0
// Note 00, the cheatsheet: rows by algorithm, by topology, in the network, each evaluated at a small N.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

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

Unless pipelining_keeps_steps() {
  return contradiction(
      "`(N-1) raw / → 1 pipelined`; 01, §3.1: `n_α = N-1, n_β = 1`; 01, App. C.3: `The base Lα hop-count cost is untouched`",
      "Pipelining takes L off the bytes, not off the latency: the last segment of P still follows P-1 others "
      "over the first one's hops, N+P-2 steps in all.");
}

Unless raw_is_not_pipelined(const char* quote) {
  return contradiction(quote,
                       "The row pairs the steps of the uncut algorithm with the bytes of the pipelined one. Uncut, each step "
                       "takes M/BW.");
}

/// Each coefficient at its own limit: the fewest steps, uncut; the fewest bytes, in many segments.
Finding both_limits(Lab& lab, const std::string& subject, double n_alpha, double n_beta, const std::string& collective) {
  const auto cost = [&](int segments) {
    return cost_of(lab, {.subject = subject,
                         .n_alpha = n_alpha,
                         .n_beta = n_beta,
                         .call = fmt::format("{}:segments={} --topo star:8", collective, segments)});
  };
  const double steps = cost(1).n_alpha;
  const double vectors = cost(1024).n_beta;
  return compare_words(
      subject, fmt::format("{:g} α + {:.3f} M/BW", n_alpha, n_beta),
      fmt::format("{:g} α uncut, {:.3f} M/BW in 1024 segments", steps, vectors),
      std::abs(steps - n_alpha) < 1e-6 && std::abs(vectors / n_beta - 1) < 0.01,
      command_of(fmt::format("{}:segments=1024 --topo star:8 --size 36864kB --alpha 0 --latency 0 --bw 100GB/s", collective)));
}

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
          .check = all_of(
              {one([](Lab& lab) {
                 return both_limits(lab, "allreduce, double binary tree, under asymptotic pipelining: each term at its limit",
                                    6, 2, "allreduce --algo double_binary_tree");
               }),
               costs({
                   {"broadcast, chain, raw", 7, 1, on_star("broadcast --algo chain:segments=1"),
                    raw_is_not_pipelined("`(N-1) raw`, n_β `1`; 01, App. C.3: `Non-pipelined (P = 1): cost = 3α + 3M/BW`")},
                   {"broadcast, chain, pipelined (P = 64)", 1, 1, on_star("broadcast --algo chain:segments=64"),
                    pipelining_keeps_steps()},
                   {"broadcast, binomial tree, raw", 3, 1, on_star("broadcast --algo binomial_halving"),
                    raw_is_not_pipelined("`⌈log2 N⌉ raw`, n_β `1`; 01, §3.2: `n_β = ⌈log2 N⌉ (bandwidth-suboptimal`")},
                   {"reduce, chain, pipelined (P = 64)", 1, 1, on_star("reduce --algo chain:segments=64"),
                    pipelining_keeps_steps()},
                   {"allreduce, ring", 14, 1.75, on_star("allreduce --algo ring")},
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
               })})};
}

Unless less_than_all() {
  return contradiction(
      "`fat-tree s · N · BW (oversubscription)`; 02, §3.6: `the total one-direction throughput across the worst-case "
      "equal-halves "
      "cut`; 00, §6: `equivalent to η_β = 1/s`",
      "A half of N/2 endpoints sends at most N/2·BW one way, which the torus' 2N/d_max in the same line counts too, and "
      "oversubscription divides it: N/(2s) links. With s as a factor, fewer spines would mean more bandwidth.");
}

Claim topologies_table() {
  return {.name = "explainer/00-topologies",
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
                   less_than_all()},
                  {"bisection of a Clos, s = 2, 16 endpoints: s·N·BW", 32, "clos:hosts=4,leaves=4,spines=2",
                   &TopologyProperties::bisection, less_than_all()},
              }),
          })};
}

Claim switches_table() {
  const auto row = [](const char* collective, double crossings, Unless unless = {}) {
    return CostRow{.subject = collective,
                   .n_alpha = crossings,
                   .n_beta = 1,
                   .call = fmt::format("{} --algo in_network --topo star:512,alu,multicast,a2a", collective),
                   .unless = std::move(unless),
                   .decimals = 2,
                   .step = "--hop 1us"};
  };
  return {.name = "explainer/00-in-network",
          .section = "[explainer-00] §7",
          .statement =
              "In the network n_α is 1 or 2 crossings of the switch whatever N, and each operation has all of BW; here N = "
              "512, α the switch's.",
          .check = costs({
              row("allreduce", 2),
              row("reduce", 1),
              row("reduce_scatter", 2),
              row("allgather", 2),
              row("broadcast", 2,
                  contradiction("BC `∼ 2 α_switch`; 04, §1.4: BC `∼ α_switch`",
                                "One message crosses the switch once on its way to all: a run pays 1.")),
              row("alltoall", 1,
                  contradiction("A2A `∼ α_switch`; 04, §1.3: `∼ 2 α_switch ≈ 0.4 μs`",
                                "A run pays 2, up to the switch and down from it, as 04, §1.3 and §3.3 compute.")),
          })};
}

}  // namespace

std::vector<Claim> cheatsheet() { return {bounds(), algorithms_table(), topologies_table(), switches_table()}; }

}  // namespace heddle::claims::explainer_notes
