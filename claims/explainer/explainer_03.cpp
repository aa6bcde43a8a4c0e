// SPDX-License-Identifier: Apache-2.0
// Note 03: the Clos, the SuperPOD's latencies and counts, collectives over two tiers, k-ary fat-trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims/explainer/explainer_rows.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims::explainer_notes {

namespace {

constexpr const char* kSixteen = " --size 16MB --preset superpod";
constexpr const char* kFlatNvlink = " --topo star:144 --alpha 0.5us --latency 0 --bw 900GB/s --size 16MB";
constexpr const char* kFlatInfiniBand = " --topo star:144 --alpha 8us --latency 0 --bw 50GB/s --size 16MB";

TopologyProperties fabric(const std::string& spec) { return parse_topology(spec)->properties(); }

Claim clos() {
  return {.name = "explainer/03-clos",
          .section = "[explainer-03] §1",
          .statement =
              "16 endpoints on 4 leaves below 2 spines: 8 links between them, oversubscription 2, 4 links across and 2 "
              "within a leaf; a third tier makes it 6.",
          .check = all_of({counts({
                               {"endpoints", 16, "clos:hosts=4,leaves=4,spines=2", &TopologyProperties::endpoints},
                               {"links across", 4, "clos:hosts=4,leaves=4,spines=2", &TopologyProperties::diameter},
                               {"links within a leaf", 2, "clos:hosts=4,leaves=1,spines=1", &TopologyProperties::diameter},
                               {"links over three tiers", 6, "fattree:k=4", &TopologyProperties::diameter},
                           }),
                           [](Lab&) {
                             const std::string spec = "clos:hosts=4,leaves=4,spines=2";
                             const TierProperties up = fabric(spec).tiers.at(1);
                             return std::vector{
                                 compare_exactly("leaf-spine links", 8, up.cables, "heddle topo " + spec),
                                 compare("oversubscription", 2, 0, up.oversubscription, "", 0, "heddle topo " + spec)};
                           }})};
}

Claim latencies() {
  return {.name = "explainer/03-latencies",
          .section = "[explainer-03] §1.1, §1.2",
          .statement =
              "A message takes 0.5 us inside a pod, 2 us between pods on one leaf, 8 us over a spine, and 0.5 us more from "
              "one rail to another.",
          .check = definitions({{"in a pod", "0.5 us"},
                                {"same rail, same leaf", "2 us"},
                                {"same rail, over a spine", "8 us"},
                                {"another rail: over NVLink first", "0.5 us more"}},
                               "The source's values: heddle's preset `superpod` is made of them.")};
}

/// A broadcast or reduce in segments: the two phases after each other, and one tree over both tiers. All GPUs are of one rail,
/// so that no message crosses to another first.
Finding rooted_bytes(Lab& lab, const std::string& collective) {
  constexpr double kVector = 368.64;
  const auto run = [&](const char* algorithm) {
    return fmt::format("{} --algo {} --topo superpod:pods=4,gpus=8,trays=8 --size 36864kB --alpha 0 --latency 0 --bw 100GB/s",
                       collective, algorithm);
  };
  const std::string phases = run("hierarchical:inner=double_binary_tree/segments=256:outer=double_binary_tree/segments=256");
  const std::string one_tree = run("double_binary_tree:segments=1024");
  const double whole = lab.microseconds(one_tree);
  constexpr const char* kTwoPipelines =
      "Each phase is a pipeline of its own, and the second begins when the first is done: 2·M/BW. `M/BW (pipelined)` is that "
      "of "
      "one pipeline through both tiers at once.";
  return compare(
      collective + ", bytes, in segments: M/BW", kVector, 2, lab.microseconds(phases), "us", 0.03, command_of(phases),
      std::abs(whole / kVector - 1) < 0.03
          ? assumed(fmt::format("{:.2f} us by one segmented tree over both tiers (`{}`)", whole, command_of(one_tree)),
                    kTwoPipelines)
          : refuted("03, §2.1: `M/BW (pipelined)`", kTwoPipelines));
}

Claim two_tiers() {
  const auto call = [](const char* collective) {
    return fmt::format("{} --algo hierarchical --topo superpod:pods=4,gpus=8", collective);
  };
  const auto latency = [&](const char* collective) { return call(collective) + " --size 36864kB --preset superpod --bw inf"; };
  // As times of M/BW = 368.64 us.
  const auto bytes = [&](const char* collective) { return call(collective) + " --size 36864kB --latency 0 --bw 100GB/s"; };
  return {
      .name = "explainer/03-two-tiers",
      .section = "[explainer-03] §2.1 (table)",
      .statement =
          "Over pods, with rings in both tiers: 2(n-1)·α_in + 2(L-1)·α_out for an allreduce, half of it for an allgather "
          "or reduce_scatter, ⌈log2 L⌉·α_out + ⌈log2 n⌉·α_in for a broadcast or reduce; bytes at equal speeds as on a "
          "star. Here L = 4, n = 8, α_in = 0.5, α_out = 2 us, M/BW = 368.64 us.",
      .check = all_of(
          {times({
               {"allreduce, α", 19, 0, latency("allreduce")},
               {"allgather, α", 9.5, 1, latency("allgather")},
               {"reduce_scatter, α", 9.5, 1, latency("reduce_scatter")},
               {"broadcast, α", 5.5, 1, latency("broadcast")},
               {"reduce, α", 5.5, 1, latency("reduce")},
               {"allreduce, bytes: 2·31/32 M/BW", 714.24, 2, bytes("allreduce")},
               {"allgather, bytes: 31/32 M/BW", 357.12, 2, bytes("allgather")},
               {"reduce_scatter, bytes: 31/32 M/BW", 357.12, 2, bytes("reduce_scatter")},
               // 14 rounds of (6·2 + 2·8)/8 us, 6 of 0.5 us.
               {"ring over 8 pods, 4 and 4 on a leaf, allreduce, α: 14·(6·2 + 2·8)/8 + 3", 52, 0,
                "allreduce --algo hierarchical:tiers=2 --topo superpod:pods=8,gpus=4,trays=1,ports=8 --size 36864kB --preset "
                "superpod --bw inf",
                // A block goes 14 hops, no whole turns: the slowest ones' are 4 over a spine and 10 not, 4·8 + 10·2 + 3 us.
                refuted("03, §1.2: `6 same-ToR hops at α_leaf and 2 cross-ToR hops at α_spine`", "No weighted average."), 0.06},
           }),
           one([](Lab& lab) { return rooted_bytes(lab, "broadcast"); }),
           one([](Lab& lab) { return rooted_bytes(lab, "reduce"); })})};
}

Finding order_of_phases(Lab& lab, const char* collective, const char* printed, const char* reversed) {
  const std::string both = fmt::format("{} --algo hierarchical --topo superpod:pods=2{}", collective, kSixteen);
  // The printed order: half of the vector within each pod of 72, then all of it between the two, each GPU by itself.
  const std::string within =
      fmt::format("{} --algo ring --topo star:72 --alpha 0.5us --latency 0 --bw 900GB/s --size 8MB", collective);
  const std::string between =
      fmt::format("{} --algo ring --topo star:2 --alpha 2us --latency 0 --bw 50GB/s --size 16MB", collective);
  const double as_printed = lab.microseconds(within) + lab.microseconds(between);
  const double other = lab.microseconds(both);
  return compare_words(
      collective, printed,
      fmt::format("{} ({:.1f} us; {} takes {:.1f} us)", as_printed <= other ? printed : reversed, std::min(as_printed, other),
                  as_printed <= other ? reversed : printed, std::max(as_printed, other)),
      as_printed <= other, command_of(both) + " && " + command_of(within) + " && " + command_of(between),
      contradiction(
          "03, §2.1: `standalone AG runs inner AG → outer AG`, `standalone RS runs outer RS → inner RS`; AR `already contains "
          "AG "
          "and RS as its two halves`; 03, §2: `so the outer tier sees as little data as possible`",
          "The halves of inner RS → outer AR → inner AG are inner RS → outer RS and outer AG → inner AG, the other order. In "
          "the printed one each GPU carries whole blocks of a pod over the slow tier, n times as many bytes."));
}

Claim order() {
  return {.name = "explainer/03-order-of-phases",
          .section = "[explainer-03] §2.1 (table)",
          .statement =
              "An allgather gathers within pods first, then between them; a reduce_scatter scatters between pods first. So "
              "that the slow tier carries little; two pods of 72, 16 MB.",
          .check = [](Lab& lab) {
            return std::vector{order_of_phases(lab, "allgather", "inner, then outer", "outer, then inner"),
                               order_of_phases(lab, "reduce_scatter", "outer, then inner", "inner, then outer")};
          }};
}

Claim allreduce_case() {
  const std::string pods = "allreduce --algo hierarchical --topo superpod:pods=2";
  return {.name = "explainer/03-superpod-allreduce",
          .section = "[explainer-03] §2.1 (case study)",
          .statement =
              "Two pods of 72 GPUs, 16 MB: 114 us over both fabrics, 178 on one NVSwitch of 144, 2,920 over InfiniBand alone.",
          .check = all_of({
              times({
                  {"NVLink and InfiniBand: α", 75, 0, pods + kSixteen + " --bw inf"},
                  {"NVLink and InfiniBand: bytes", 39, 0, pods + kSixteen + " --latency 0", "", 0.02},
                  {"NVLink and InfiniBand", 114, 0, pods + kSixteen},
                  {"NVSwitch of 144", 178, 0, std::string("allreduce --algo ring") + kFlatNvlink},
                  {"InfiniBand alone", 2920, 0, std::string("allreduce --algo ring") + kFlatInfiniBand},
                  {"NVSwitch of 144: α", 143, 0,
                   "allreduce --algo ring --topo star:144 --alpha 0.5us --latency 0 --bw inf --size 16MB"},
                  {"InfiniBand alone: α", 2288, 0,
                   "allreduce --algo ring --topo star:144 --alpha 8us --latency 0 --bw inf --size 16MB"},
                  {"NVSwitch of 144: bytes", 35, 0,
                   "allreduce --algo ring --topo star:144 --alpha 0 --latency 0 --bw 900GB/s --size 16MB"},
                  {"InfiniBand alone: bytes", 636, 0,
                   "allreduce --algo ring --topo star:144 --alpha 0 --latency 0 --bw 50GB/s --size 16MB"},
              }),
              ratios({{"InfiniBand alone beside both", 26, 0, std::string("allreduce --algo ring") + kFlatInfiniBand,
                       pods + kSixteen}}),
              rounds({{"steps of one ring of 144", 286, std::string("allreduce --algo ring") + kFlatNvlink},
                      {"steps over two tiers", 144, pods + kSixteen}}),
          })};
}

Claim best_pods() {
  return {.name = "explainer/03-best-number-of-groups",
          .section = "[explainer-03] §2.1 (first takeaway)",
          .statement =
              "With about √N groups, the latency of rings in two tiers is about √N times less than that of one ring; here N "
              "= 144, 12 leaves of 12.",
          .check = [](Lab& lab) {
            const std::string flat = std::string("allreduce --algo ring") + kFlatNvlink;
            const std::string tiers = "allreduce --algo hierarchical --topo clos:hosts=12,leaves=12,spines=12 --size 16MB";
            return std::vector{compare(
                "times fewer steps", 12, 0, static_cast<double>(lab.run(flat).rounds_max()) / lab.run(tiers).rounds_max(), "",
                0.1, command_of(flat) + " && " + command_of(tiers),
                contradiction("03, §2.1: `2(N/L - 1)α + 2(L - 1)α_outer`; `optimal L ≈ √N gives roughly √N speedup`",
                              "2(N-1) steps become 4(√N-1) by the first: (√N+1)/2 times fewer, about "
                              "half of the second."))};
          }};
}

Claim alltoall_case() {
  const std::string one_leaf = "alltoall --algo hierarchical --topo superpod:pods=2,gpus=72,trays=72,ports=288";
  const std::string spines = "alltoall --algo hierarchical --topo superpod:pods=2,layout=pod-local";
  const std::string rails = "alltoall --algo hierarchical --topo superpod:pods=2";
  const std::string nvlink = std::string("alltoall --algo pairwise") + kFlatNvlink;
  const Unless bridge = contradiction(
      "03, §1.1: `Cross-pod, cross-rail … NVLink rail bridge — 1 NVLink hop + 4 IB hops`; 03, §2.2: `72 same-leaf cross-pod "
      "sends "
      "over IB through shared ToR`",
      "54 of a GPU's 72 peers in the other pod are on another rail, and a message to them first crosses the NVLink bridge of "
      "§1.1: 54·0.5 us more, which the sum of §2.2 leaves out. Through one leaf for all rails (first rows) it takes what is "
      "printed.");
  return {
      .name = "explainer/03-superpod-alltoall",
      .section = "[explainer-03] §2.2 (case study)",
      .statement =
          "Two pods of 72 GPUs, 16 MB: an alltoall takes 89 us on one NVSwitch of 144, 348 through shared leaves, 780 "
          "through spines, 1,460 over InfiniBand alone.",
      .check = all_of({
          times({
              {"NVSwitch of 144", 89, 0, nvlink},
              {"through one leaf for all", 348, 0, one_leaf + kSixteen},
              {"through one leaf for all: α", 179, 0, one_leaf + kSixteen + " --bw inf", "", 0.005},
              {"through one leaf for all: bytes", 169, 0, one_leaf + kSixteen + " --latency 0"},
              {"through a leaf for each of four rails", 348, 0, rails + kSixteen, bridge},
              {"through spines", 780, 0, spines + kSixteen},
              {"through spines: α", 611, 0, spines + kSixteen + " --bw inf", "", 0.005},
              {"through spines, four rails", 780, 0,
               "alltoall --algo hierarchical --topo superpod:pods=2,gpus=72,trays=18,ports=36" + std::string(kSixteen), bridge},
              {"InfiniBand alone", 1460, 0, std::string("alltoall --algo pairwise") + kFlatInfiniBand},
          }),
          ratios({{"through a leaf beside one NVSwitch", 4, 0, one_leaf + kSixteen, nvlink},
                  {"through spines beside one NVSwitch", 9, 0, spines + kSixteen, nvlink}}),
      })};
}

Finding payload_between_pods(Lab& lab) {
  const std::string run = "allreduce --algo hierarchical --topo superpod:pods=16,gpus=64,trays=16 --size 4MiB";
  const auto topology = parse_topology("superpod:pods=16,gpus=64,trays=16");
  std::int64_t most = 0;
  for (const LinkReport& link : lab.run(run).links)
    if (topology->tier(link.link) == 1) most = std::max(most, link.bytes.count());
  // A ring of 16 sends 2·15/16 of what it reduces.
  const double part = (4 << 20) / (static_cast<double>(most) / (2 * 15.0 / 16));
  return compare("L = 16, N = 1024: the outer allreduce is of M over", 64, 0, part, "", 0, command_of(run),
                 "the outer tier carries another part");
}

Claim pod_telescoping() {
  return {.name = "explainer/03-outer-payload",
          .section = "[explainer-03] §2.3",
          .statement = "Between L groups of N ranks in all, each rank's outer allreduce is of M·L/N bytes.",
          .check = one(payload_between_pods)};
}

Claim latency_by_tier() {
  const Unless once = contradiction("03, §3.1: AG and RS `∼ α_sw^inner ≈ 0.2 μs`; 04, §1.4: AG and RS `∼ 2 α_switch`",
                                    "All give and take: up to the switch and down from it, which a run pays as two crossings.");
  const auto inner = [](const char* call) {
    return fmt::format("{} --topo star:72 --size 4096 --alpha 0.5us --latency 0 --bw inf", call);
  };
  const auto outer = [](const char* call) {
    return fmt::format("{} --topo star:32 --size 4096 --alpha 8us --latency 0 --bw inf", call);
  };
  const auto in_switch = [](const char* call, int ranks, const char* latency) {
    return fmt::format("{} --algo in_network --topo star:{},alu,multicast --size 36864 --latency 0 --bw inf --hop {}", call,
                       ranks, latency);
  };
  return {.name = "explainer/03-latency-by-tier",
          .section = "[explainer-03] §3.1 (table)",
          .statement =
              "α of each tier of 32 pods of 72, in software and in the switches: α_in = 0.5, α_out = 8, α_switch 0.2 and 0.5 "
              "us.",
          .check = times({
              {"allreduce in a pod, double binary tree", 7, 0, inner("allreduce --algo double_binary_tree:segments=1")},
              {"allreduce between pods, double binary tree", 80, 0, outer("allreduce --algo double_binary_tree:segments=1")},
              {"allgather in a pod", 3.5, 1, inner("allgather --algo bruck")},
              {"allgather between pods", 40, 0, outer("allgather --algo recursive_doubling")},
              {"reduce_scatter in a pod", 3.5, 1, inner("reduce_scatter --algo pat")},
              {"reduce_scatter between pods", 40, 0, outer("reduce_scatter --algo recursive_halving")},
              {"broadcast in a pod", 3.5, 1, inner("broadcast --algo binomial_halving")},
              {"broadcast between pods", 40, 0, outer("broadcast --algo binomial_halving")},
              {"reduce in a pod", 3.5, 1, inner("reduce --algo double_binary_tree:segments=1")},
              {"reduce between pods", 40, 0, outer("reduce --algo binomial_halving")},
              {"alltoall in a pod", 35.5, 1,
               "alltoall --algo pairwise --topo star:72 --size 36864 --alpha 0.5us --latency 0 --bw inf"},
              {"allreduce in a pod's switch", 0.4, 1, in_switch("allreduce", 72, "0.2us")},
              {"allreduce in the switch between pods", 1, 0, in_switch("allreduce", 32, "0.5us")},
              {"broadcast in a pod's switch", 0.2, 1, in_switch("broadcast", 72, "0.2us")},
              {"reduce in a pod's switch", 0.2, 1, in_switch("reduce", 72, "0.2us")},
              {"allgather in a pod's switch", 0.2, 1, in_switch("allgather", 72, "0.2us"), once},
              {"reduce_scatter in a pod's switch", 0.2, 1, in_switch("reduce_scatter", 72, "0.2us"), once},
          })};
}

Claim both_tiers() {
  return {
      .name = "explainer/03-switches-in-both-tiers",
      .section = "[explainer-03] §3.1 (last paragraph)",
      .statement =
          "With switches that compute in both tiers, an allreduce over 32 pods takes about 10 us, essentially as fast as "
          "within one pod.",
      .check = [](Lab&) {
        return std::vector{leave_untested(
            "32 pods of 72, in the switches of both tiers", "about 10 us",
            "No size is printed beside it, and the bytes are most of it (`1.4 μs of α total + ∼9 μs BW`). The 0.4 and 1 us of "
            "its α are rows of explainer/03-latency-by-tier. The 16 MB of the note's case studies take 17.8 us through one "
            "NVLink port of 900 GB/s, more than all of this.")};
      }};
}

}  // namespace

std::vector<Claim> hierarchies() {
  return {clos(),      latencies(),     two_tiers(),       order(),           allreduce_case(),
          best_pods(), alltoall_case(), pod_telescoping(), latency_by_tier(), both_tiers()};
}

}  // namespace heddle::claims::explainer_notes
