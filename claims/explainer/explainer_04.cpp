// SPDX-License-Identifier: Apache-2.0
// Note 04: collectives in the network, the ladder of 512 ranks, sizes.
#include <fmt/format.h>

#include <utility>

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

/// A pipeline's row: as cut best, uncut without bytes, in many segments without latency.
LimitRow pipeline(const std::string& subject, double printed, int decimals, const std::string& collective,
                  const std::string& algorithm, const std::string& fabric, int segments = 512) {
  const auto cut = [&](int pieces) { return software(collective, fmt::format("{}:segments={}", algorithm, pieces), fabric); };
  return {subject, printed, decimals, software(collective, algorithm, fabric), cut(1) + kNoBytes, cut(segments) + kNoLatency};
}

constexpr const char* kForm =
    "What heddle's time model says of an operation in the network (docs/model.md, `In-network operations`): no message of an "
    "algorithm is run.";

Claim hardware_alltoall() {
  const std::string pairs = "alltoall --algo pairwise --topo star:72 --size 16MB --preset explainer-n512";
  const std::string in_one = "alltoall --algo in_network --topo star:72,a2a --size 16MB --preset explainer-n512 --hop 0.2us";
  return {.name = "explainer/04-hardware-alltoall",
          .section = "[explainer-04] §1.3",
          .statement = "Among 72, 16 MB, an alltoall by pairs takes 53 us, one that the switch takes apart 18 us.",
          .check = all_of({
              times({
                  {"by pairs", 53, 0, pairs},
                  {"by pairs: α", 35.5, 1, pairs + kNoBytes},
              }),
              definitions({{"by the switch: α", "2 α_switch"}, {"by the switch: bytes", "(N-1)/N · M/BW"}}, kForm),
              ratios({{"pairs beside the switch, 16 MB", 3, 0, pairs, in_one},
                      {"the same, start-ups counted by number: (N-1)/2", 36, 0,
                       "alltoall --algo pairwise --topo star:72 --size 288 --alpha 0.5us --latency 0 --bw inf",
                       "alltoall --algo in_network --topo star:72,a2a --size 288 --hop 0.5us --latency 0 --bw inf"}}),
          })};
}

Claim savings() {
  const auto row = [](const char* subject, double n_alpha, double n_beta, const char* collective, Unless unless = {}) {
    return CostRow{subject,
                   n_alpha,
                   n_beta,
                   fmt::format("{} --algo in_network --topo star:512,alu,multicast,a2a", collective),
                   std::move(unless),
                   2,
                   "--hop 1us"};
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
                  contradiction("04, §1.4: A2A `∼ α_switch`; 04, §1.3: `∼ 2 α_switch ≈ 0.4 μs`",
                                "A run pays 2, up to the switch and down from it, as §1.3 and §3.3 compute.")),
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
      .check = definitions({{"allreduce over k tiers", "2k·α_switch + M/BW"}}, kForm)};
}

Claim radix() {
  const Unless half = contradiction(
      "04, §2.2: `r = 64 ports per switch covers N = 4096 endpoints in k = 2 tiers`, `N = 262,144 in k = 3`; 03, App. B.2: k = "
      "64, "
      "`Total endpoints 65,536`",
      "r is taken as the switches' fan-in; with r ports, half of which go up (s = 1, as 03 App. B.2 has it), two tiers serve "
      "r²/2 and three r³/4 endpoints.");
  return {.name = "explainer/04-radix",
          .section = "[explainer-04] §2.2",
          .statement = "With 64 ports per switch two tiers cover 4,096 endpoints, three 262,144.",
          .check = counts({
              {"two tiers of 64 ports", 4096, "clos:hosts=32,leaves=64,spines=32", &TopologyProperties::endpoints, half},
              {"three tiers of 64 ports", 262144, "fattree:k=64", &TopologyProperties::endpoints, half},
          })};
}

Claim thousands() {
  return {.name = "explainer/04-thousands",
          .section = "[explainer-04] §2.2",
          .statement =
              "4,096 ranks over three tiers take 2 to 3 us for a short allreduce, where a ring takes 8,190 steps; 16 MB take "
              "2k·α_switch + M/BW.",
          .check = all_of({definitions({{"4,096 ranks, k = 3, α_switch of 400 ns: 2k·α_switch", "2 to 3 us"}}, kForm),
                           definitions({{"steps of a ring of 4,096", "2(N-1) = 8,190"}},
                                       "Too many messages for a run; rings of up to 512 ranks take 2(N-1) steps in runs "
                                       "(explainer/04-software).")})};
}

Claim ladder() {
  return {.name = "explainer/04-ladder",
          .section = "[explainer-04] §3.1",
          .statement = "Allreduce of 16 MB among 512 ranks, 900 GB/s, 0.5 us.",
          .check = all_of({
              times({
                  {"star, ring", 546, 0, kRing},
                  {"star, DBT / RHD (halving and doubling)", 45, 0, kButterfly, "", 0.02},
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
              limits({pipeline("star, DBT / RHD (double binary tree)", 45, 0, "allreduce", "double_binary_tree", "star:512")}),
              ratios({
                  {"halving and doubling beside the network", 2.4, 1, kButterfly, in_switch("allreduce")},
                  {"torus beside the network", 3, 0, kTorus, in_switch("allreduce")},
                  {"ring beside the network", 29, 0, kRing, in_switch("allreduce")},
              }),
          })};
}

Claim six_ports() {
  return {.name = "explainer/04-torus-ports",
          .section = "[explainer-04] §3.1, §4",
          .statement =
              "A torus pays 2·M/BW for an allreduce as software on a star does; at 512 ranks it takes 57 us. Here with as much "
              "to send per rank as on the star: six links of 150 GB/s for one of 900.",
          .check = times({{"8x8x8, rings on all six ports at once (bucket), 150 GB/s each", 57, 0,
                           software("allreduce", "bucket", "torus:8x8x8") + " --bw 150GB/s",
                           refuted("04, §3.1: Torus `21 μs | 35.5 μs | 57 μs`", "Six rings at once take another time.")}})};
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
              {"broadcast, in the network", 18.3, 1, in_switch("broadcast")},
              {"reduce, in the network", 18.3, 1, in_switch("reduce")},
              {"alltoall, pairwise", 273, 0, software("alltoall", "pairwise", "star:512")},
              {"alltoall, by the switch", 19, 0, in_switch("alltoall"), "", 0.02},
              {"alltoall, torus", 23.8, 1, software("alltoall", "torus_relay", "torus:8x8x8")},
          }),
          limits({
              pipeline("broadcast, ring", 273, 0, "broadcast", "chain", "star:512", 2048),
              pipeline("reduce, ring", 273, 0, "reduce", "chain", "star:512", 2048),
              pipeline("broadcast, pipelined tree", 22.3, 1, "broadcast", "double_binary_tree", "star:512"),
              pipeline("reduce, pipelined tree", 22.3, 1, "reduce", "double_binary_tree", "star:512"),
              pipeline("broadcast, torus, both ways", 23.8, 1, "broadcast", "torus_ring", "torus:8x8x8"),
              pipeline("reduce, torus, both ways", 23.8, 1, "reduce", "torus_ring", "torus:8x8x8"),
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
  Unless unless = {};
};

Check gains(const std::vector<Gain>& table) {
  std::vector<RatioRow> rows;
  for (const auto& [subject, few, many, software, network, unless] : table) {
    rows.push_back({fmt::format("{}, small M", subject), few, 0, software + kNoBytes, network + kNoBytes, unless, 0.001});
    rows.push_back({fmt::format("{}, large M", subject), many, 0, software + kNoLatency, network + kNoLatency});
  }
  return ratios(rows);
}

Claim network_or_not() {
  const Unless two_crossings = contradiction("04, §4: A2A, INC `α_switch`; 04, §1.3: `∼ 2 α_switch ≈ 0.4 μs`",
                                             "A run pays two crossings of the switch for an alltoall, as §1.3 and §3.3 do.");
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
          {"alltoall, pairwise: N-1, 1", 511, 1, on_star("alltoall", "pairwise"), in_switch("alltoall"), two_crossings},
          {"allreduce, torus: Σ(dᵢ-1), 2", 21, 2, on_torus("allreduce", "torus_ring"), in_switch("allreduce")},
          {"allgather, torus: Σ(dᵢ-1)/2, 1", 11, 1, on_torus("allgather", "torus_ring"), in_switch("allgather")},
          {"alltoall, torus: diameter, d_max/8", 12, 1, on_torus("alltoall", "torus_relay"), in_switch("alltoall"),
           two_crossings},
      })};
}

}  // namespace

std::vector<Claim> in_network() {
  return {hardware_alltoall(), savings(), software_baseline(), many_tiers(),       radix(),         thousands(), ladder(),
          six_ports(),         sizes(),   turning_point(),     ladder_of_others(), network_or_not()};
}

}  // namespace heddle::claims::explainer_notes
