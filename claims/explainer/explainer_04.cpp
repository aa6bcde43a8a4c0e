// SPDX-License-Identifier: Apache-2.0
// Note 04: collectives in the network, the ladder of 512 ranks, sizes.
#include <fmt/format.h>

#include "algorithms/registry/registry.hpp"
#include "claims/explainer/explainer_rows.hpp"

namespace heddle::claims::explainer_notes {

namespace {

constexpr const char* kIdeal = " --size 16MB --preset explainer-n512";
constexpr const char* kNoBytes = " --bw inf";
constexpr const char* kNoLatency = " --alpha 0 --latency 0 --hop 0";

std::string software(const std::string& collective, const std::string& algorithm, const std::string& fabric) {
  return fmt::format("{} --algo {} --topo {}{}", collective, algorithm, fabric, kIdeal);
}
std::string in_switch(const std::string& collective) {
  return software(collective, "in_network", "star:512,alu,multicast,a2a");
}

const std::string kRing = software("allreduce", "ring", "star:512");
const std::string kButterfly = software("allreduce", "rabenseifner", "star:512");
const std::string kTorus = software("allreduce", "torus_ring", "torus:8x8x8");

constexpr const char* kPipeline =
    "a pipeline: the printed cost is that of infinitely many segments that cost nothing each. The best number costs "
    "2√((L-1)·α·M/BW) more (01, App. C.3)";

Claim hardware_alltoall() {
  const std::string pairs = "alltoall --algo pairwise --topo star:72 --size 16MB --preset explainer-n512";
  const std::string in_one = "alltoall --algo in_network --topo star:72,a2a --size 16MB --preset explainer-n512 --hop 0.2us";
  const std::string one_pass = "alltoall --algo in_network --topo star:72,a2a --size 16MB --bw 900GB/s --latency 0";
  return {.name = "explainer/04-hardware-alltoall",
          .section = "[explainer-04] §1.3",
          .statement = "Among 72, 16 MB, an alltoall by pairs takes 53 us, one that the switch takes apart 18 us.",
          .check = all_of({
              times({
                  {"by pairs", 53, 0, pairs},
                  {"by pairs: α", 35.5, 1, pairs + kNoBytes},
                  {"by the switch", 18, 0, in_one},
                  {"by the switch: α", 0.4, 1, in_one + kNoBytes},
                  {"by the switch: bytes", 17.5, 1, one_pass},
              }),
              ratios({{"pairs beside the switch, 16 MB", 3, 0, pairs, in_one},
                      {"the same, start-ups counted by number: (N-1)/2", 36, 0,
                       "alltoall --algo pairwise --topo star:72 --size 288 --alpha 0.5us --latency 0 --bw inf",
                       "alltoall --algo in_network --topo star:72,a2a --size 288 --hop 0.5us --latency 0 --bw inf"}}),
          })};
}

Claim savings() {
  const auto row = [](const char* subject, double n_alpha, double n_beta, const char* collective, const char* why = "") {
    return CostRow{
        subject, n_alpha, n_beta,     fmt::format("{} --algo in_network --topo star:512,alu,multicast,a2a", collective),
        why,     2,       "--hop 1us"};
  };
  return {.name = "explainer/04-savings",
          .section = "[explainer-04] §1.4",
          .statement =
              "In the network, at N = 512 and α that of the switch, an allreduce takes 2α, a reduce_scatter and an allgather "
              "2α, a broadcast, a reduce and an alltoall α; each moves M through a port once.",
          .check = costs({
              row("allreduce", 2, 1, "allreduce"),
              row("reduce", 1, 1, "reduce"),
              row("reduce_scatter", 2, 1, "reduce_scatter"),
              row("allgather", 2, 1, "allgather"),
              row("broadcast", 1, 1, "broadcast"),
              row("alltoall", 1, 1, "alltoall",
                  "§1.3 and §3.3 compute with 2·α_switch, as a run pays: up to the switch and down from it"),
          })};
}

Claim software_baseline() {
  return {.name = "explainer/04-software",
          .section = "[explainer-04] §1.4",
          .statement =
              "The best software needs 2(N-1) or 2⌈log2 N⌉ steps for an allreduce, ⌈log2 N⌉ for a broadcast or reduce, N-1 "
              "for ring's allgather and pairs' alltoall, at N = 512.",
          .check = rounds({
              {"allreduce, ring", 1022, kRing},
              {"allreduce, halving and doubling", 18, kButterfly},
              {"allreduce, double binary tree, uncut", 18,
               "allreduce --algo double_binary_tree:segments=1 --topo star:512 --size 16MB --preset explainer-n512"},
              {"broadcast, binomial tree", 9, software("broadcast", "binomial_halving", "star:512")},
              {"reduce, binomial tree", 9, software("reduce", "binomial_halving", "star:512")},
              {"allgather, ring", 511, software("allgather", "ring", "star:512")},
              {"alltoall, pairwise", 511, software("alltoall", "pairwise", "star:512")},
          })};
}

Claim many_tiers() {
  return {
      .name = "explainer/04-tiers",
      .section = "[explainer-04] §2.2, §3",
      .statement = "Over k tiers of switches an allreduce takes 2k·α_switch + M/BW: about 20 us instead of 19 at k = 2, 16 MB.",
      .check = times({
          {"512 ranks, k = 1", 18.8, 1, in_switch("allreduce")},
          {"512 ranks, k = 2", 20, 0, software("allreduce", "in_network", "clos:hosts=16,leaves=32,spines=16,alu,multicast")},
          {"1,024 ranks, k = 3: 3 + 17.8", 20.8, 1, software("allreduce", "in_network", "fattree:k=16,alu,multicast")},
      })};
}

Claim radix() {
  constexpr const char* kHalf =
      "r is taken as the switches' fan-in; with r ports, half of which go up (s = 1, as 03 App. B.2 has it), two tiers serve "
      "r²/2 and three r³/4 endpoints";
  return {.name = "explainer/04-radix",
          .section = "[explainer-04] §2.2",
          .statement = "With 64 ports per switch two tiers cover 4,096 endpoints, three 262,144.",
          .check = counts({
              {"two tiers of 64 ports", 4096, "clos:hosts=32,leaves=64,spines=32", &TopologyProperties::endpoints, kHalf},
              {"three tiers of 64 ports", 262144, "fattree:k=64", &TopologyProperties::endpoints, kHalf},
          })};
}

Finding steps_of_a_ring(Lab&) {
  return compare_exactly("steps of a ring of 4,096", 8190,
                         find_algorithm(Collective::allreduce, "ring").rounds({.ranks = 4096}),
                         "heddle list --collective allreduce --algo ring");
}

Finding short_allreduce(Lab& lab) {
  const std::string run =
      "allreduce --algo in_network --topo fattree:k=26,alu,multicast --ranks 4096 --size 16KiB --hop 400ns --latency 0 --bw "
      "900GB/s";
  const double time = lab.microseconds(run);
  return compare_words("4,096 ranks, k = 3, 400 ns a switch, 16 KiB", "2 to 3 us", fmt::format("{:.2f} us", time),
                       time >= 2 && time <= 3, command_of(run), "2k·α_switch is 2.4 us; the bytes take the rest");
}

Claim thousands() {
  return {.name = "explainer/04-thousands",
          .section = "[explainer-04] §2.2",
          .statement =
              "4,096 ranks over three tiers take 2 to 3 us for a short allreduce, where a ring takes 8,190 steps; 16 MB take "
              "2k·α_switch + M/BW.",
          .full = true,
          .check = all_of({one(short_allreduce), one(steps_of_a_ring),
                           times({{"8,192 ranks, 16 MB, k = 3: 3 + 17.8", 20.8, 1,
                                   software("allreduce", "in_network",
                                            "clos:hosts=32,leaves=16,spines=16,pods=16,cores=64,alu,multicast")}})})};
}

Claim ladder() {
  constexpr const char* kTree =
      "the printed cost is that of halving and doubling. A double binary tree is a pipeline: it nears 2·M/BW with many "
      "segments, of which each costs a step (01, App. C.3)";
  const std::string tree = software("allreduce", "double_binary_tree", "star:512");
  return {.name = "explainer/04-ladder",
          .section = "[explainer-04] §3.1",
          .statement = "Allreduce of 16 MB among 512 ranks, 900 GB/s, 0.5 us.",
          .check = all_of({
              times({
                  {"star, ring", 546, 0, kRing},
                  {"star, DBT / RHD (halving and doubling)", 45, 0, kButterfly, "", 0.02},
                  {"star, DBT / RHD (double binary tree)", 45, 0, tree, kTree},
                  {"star, in the network", 18.8, 1, in_switch("allreduce")},
                  {"torus 8x8x8, rings", 57, 0, kTorus, "", 0.02},
                  {"ring: α", 511, 0, kRing + kNoBytes},
                  {"halving and doubling: α", 9, 0, kButterfly + kNoBytes},
                  {"in the network: α", 1, 0, in_switch("allreduce") + kNoBytes},
                  {"torus: α", 21, 0, kTorus + kNoBytes},
                  {"halving and doubling: bytes", 35.5, 1, kButterfly + kNoLatency},
                  {"in the network: bytes", 17.8, 1, in_switch("allreduce") + kNoLatency},
                  {"torus: bytes", 35.5, 1, kTorus + kNoLatency},
              }),
              ratios({
                  {"halving and doubling beside the network", 2.4, 1, kButterfly, in_switch("allreduce")},
                  {"torus beside the network", 3, 0, kTorus, in_switch("allreduce")},
                  {"ring beside the network", 29, 0, kRing, in_switch("allreduce")},
              }),
          })};
}

Claim six_ports() {
  const std::string bucket = software("allreduce", "bucket", "torus:8x8x8");
  return {.name = "explainer/04-torus-ports",
          .section = "[explainer-04] §3.1, §4",
          .statement = "A torus pays 2·M/BW for an allreduce as software on a star does; at 512 ranks it takes 57 us at best.",
          .check = times({{"8x8x8, six ports at once (bucket)", 57, 0, bucket,
                           "the form is that of one port at a time; rings on all six ports move six slices at once"}})};
}

Claim sizes() {
  struct Row {
    const char* size;
    double software;
    int decimals;
    double network;
    int network_decimals;
    double times;
    int times_decimals;
  };
  std::vector<TimeRow> rows;
  std::vector<RatioRow> gains;
  for (const auto& [size, printed, decimals, network, network_decimals, gain, gain_decimals] :
       {Row{"10KB", 9.02, 2, 1.01, 2, 9, 0}, Row{"1MB", 11.2, 1, 2.1, 1, 5, 0}, Row{"16MB", 45, 0, 18.8, 1, 2.4, 1},
        Row{"1GB", 2230, -1, 1110, -1, 2, 0}}) {
    const std::string halving =
        fmt::format("allreduce --algo rabenseifner --topo star:512 --preset explainer-n512 --size {}", size);
    const std::string one_pass =
        fmt::format("allreduce --algo in_network --topo star:512,alu,multicast --preset explainer-n512 --size {}", size);
    rows.push_back({fmt::format("{}, software", size), printed, decimals, halving, "", 0.02});
    rows.push_back({fmt::format("{}, in the network", size), network, network_decimals, one_pass, "", 0.02});
    gains.push_back({fmt::format("{}, times", size), gain, gain_decimals, halving, one_pass, "", 0.06});
  }
  return {.name = "explainer/04-sizes",
          .section = "[explainer-04] §3.2",
          .statement = "From 10 KB to 1 GB the network is 9, 5, 2.4 and 2 times as fast as software, 512 ranks.",
          .check = all_of({times(rows), ratios(gains)})};
}

Finding turn(Lab& lab) {
  const std::string run = "allreduce --algo rabenseifner --topo star:512 --preset explainer-n512 --size 16MB";
  const double latency = lab.microseconds(run + kNoBytes);
  const double bytes = lab.microseconds(run + kNoLatency);
  return compare("N = 512: α and bytes take equally long", 4, 0, latency / bytes * 16, "MB", 0.02,
                 command_of(run + kNoBytes) + " && " + command_of(run + kNoLatency));
}

Claim turning_point() {
  return {.name = "explainer/04-turning-point",
          .section = "[explainer-04] §3.2",
          .statement = "In software, latency and bytes take equally long at M* = n_α·α·BW/2, about 4 MB at 512 ranks.",
          .check = one(turn)};
}

Claim ladder_of_others() {
  constexpr const char* kChain =
      "a chain of 511 hops: where all of 0.5 us is α, 255.5 + 17.8 + 2√(510·0.5·17.8) = 408 us at the best number of "
      "segments; with the 0.5 us in the switch, as here, segments overlap theirs, and the chain pays them once per hop";
  const auto reduce_scatter = [](const char* algorithm) { return software("reduce_scatter", algorithm, "star:512"); };
  const auto allgather = [](const char* algorithm) { return software("allgather", algorithm, "star:512"); };
  return {
      .name = "explainer/04-ladder-of-others",
      .section = "[explainer-04] §3.3",
      .statement = "The other collectives of 16 MB among 512 ranks, 900 GB/s, 0.5 us.",
      .check = all_of({
          times({
              {"allgather, ring", 273, 0, allgather("ring")},
              {"reduce_scatter, ring", 273, 0, reduce_scatter("ring")},
              {"allgather, doubling", 22.2, 1, allgather("recursive_doubling")},
              {"reduce_scatter, halving", 22.2, 1, reduce_scatter("recursive_halving")},
              {"allgather, in the network", 18.7, 1, in_switch("allgather")},
              {"reduce_scatter, in the network: the ALU takes M, own blocks too", 18.7, 1, in_switch("reduce_scatter")},
              {"allgather, torus", 28.2, 1, software("allgather", "torus_ring", "torus:8x8x8")},
              {"reduce_scatter, torus", 28.2, 1, software("reduce_scatter", "torus_ring", "torus:8x8x8")},
              {"broadcast, ring", 273, 0, software("broadcast", "chain", "star:512"), kChain},
              {"reduce, ring", 273, 0, software("reduce", "chain", "star:512"), kChain},
              {"broadcast, pipelined tree", 22.3, 1, software("broadcast", "double_binary_tree", "star:512"), kPipeline},
              {"reduce, pipelined tree", 22.3, 1, software("reduce", "double_binary_tree", "star:512"), kPipeline},
              {"broadcast, in the network", 18.3, 1, in_switch("broadcast")},
              {"reduce, in the network", 18.3, 1, in_switch("reduce")},
              {"broadcast, torus, both ways", 23.8, 1, software("broadcast", "torus_ring", "torus:8x8x8"), kPipeline},
              {"reduce, torus, both ways", 23.8, 1, software("reduce", "torus_ring", "torus:8x8x8"), kPipeline},
              {"alltoall, pairwise", 273, 0, software("alltoall", "pairwise", "star:512")},
              {"alltoall, by the switch", 19, 0, in_switch("alltoall"), "", 0.02},
              {"alltoall, torus", 23.8, 1, software("alltoall", "torus_relay", "torus:8x8x8")},
          }),
          ratios({
              {"allgather, doubling beside the network", 1.2, 1, allgather("recursive_doubling"), in_switch("allgather")},
              {"allgather, torus beside the network", 1.5, 1, software("allgather", "torus_ring", "torus:8x8x8"),
               in_switch("allgather")},
              {"allgather, ring beside torus", 10, 0, allgather("ring"), software("allgather", "torus_ring", "torus:8x8x8")},
              {"alltoall, pairwise beside torus", 11.5, 1, software("alltoall", "pairwise", "star:512"),
               software("alltoall", "torus_relay", "torus:8x8x8")},
          }),
      })};
}

/// How many times as long as in the network: for few bytes, where latency is all, and for many.
struct Gain {
  const char* subject;
  double few;
  double many;
  std::string software;
  std::string network;
  const char* why = "";
};

Check gains(const std::vector<Gain>& table) {
  std::vector<RatioRow> rows;
  for (const auto& [subject, few, many, software, network, why] : table) {
    rows.push_back({fmt::format("{}, small M", subject), few, 0, software + kNoBytes, network + kNoBytes, why, 0.001});
    rows.push_back({fmt::format("{}, large M", subject), many, 0, software + kNoLatency, network + kNoLatency});
  }
  return ratios(rows);
}

Claim network_or_not() {
  constexpr const char* kTwoCrossings =
      "a run pays two crossings of the switch for an alltoall, as §1.3 and §3.3 do; the table counts one";
  const auto on_star = [](const char* collective, const char* algorithm) {
    return software(collective, algorithm, "star:512");
  };
  const auto on_torus = [](const char* collective, const char* algorithm) {
    return software(collective, algorithm, "torus:8x8x8");
  };
  return {
      .name = "explainer/04-network-or-torus",
      .section = "[explainer-04] §4 (table)",
      .statement =
          "How many times as fast an operation in the network is at its limits, beside a star's software and a torus of "
          "8x8x8: for latency by the steps saved, for bytes twice for an allreduce and not at all for the others.",
      .check = gains({
          {"allreduce, ring: N-1, 2", 511, 2, on_star("allreduce", "ring"), in_switch("allreduce")},
          {"allreduce, halving and doubling: log2 N, 2", 9, 2, on_star("allreduce", "rabenseifner"), in_switch("allreduce")},
          {"allgather, ring: (N-1)/2, 1", 256, 1, on_star("allgather", "ring"), in_switch("allgather")},
          {"alltoall, pairwise: N-1, 1", 511, 1, on_star("alltoall", "pairwise"), in_switch("alltoall"), kTwoCrossings},
          {"allreduce, torus: Σ(dᵢ-1), 2", 21, 2, on_torus("allreduce", "torus_ring"), in_switch("allreduce")},
          {"allgather, torus: Σ(dᵢ-1)/2, 1", 11, 1, on_torus("allgather", "torus_ring"), in_switch("allgather")},
          {"alltoall, torus: diameter, d_max/8", 12, 1, on_torus("alltoall", "torus_relay"), in_switch("alltoall"),
           kTwoCrossings},
      })};
}

}  // namespace

std::vector<Claim> in_network() {
  return {hardware_alltoall(), savings(), software_baseline(), many_tiers(),       radix(),         thousands(), ladder(),
          six_ports(),         sizes(),   turning_point(),     ladder_of_others(), network_or_not()};
}

}  // namespace heddle::claims::explainer_notes
