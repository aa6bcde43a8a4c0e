// SPDX-License-Identifier: Apache-2.0
// Note 05: contention as (η_α, η_β), measured; the ladder of 512 ranks under the published η.
#include <fmt/format.h>

#include <utility>

#include "claims/explainer/explainer_rows.hpp"

namespace heddle::claims::explainer_notes {

namespace {

const std::string kAlone = " --alpha 0.5us --latency 0 --bw 900GB/s";

/// (η_α, η_β): how much longer groups take together than one of them alone, in latency, and how much less bandwidth they have.
Finding etas(Lab& lab, const std::string& subject, const std::string& printed, const std::string& together,
             const std::string& alone, Unless unless) {
  const auto ratio = [&](const char* part) { return lab.microseconds(together + part) / lab.microseconds(alone + part); };
  const double measured_alpha = ratio(" --alpha 0.5us --latency 0 --bw inf");
  const double measured_beta = 1 / ratio(" --alpha 0 --latency 0 --bw 900GB/s");
  const std::string measured = fmt::format("({:.3g}, {:.3g})", measured_alpha, measured_beta);
  return compare_words(subject, printed, measured, printed == measured, command_of(together + kAlone), std::move(unless));
}

Claim concurrent_groups() {
  const auto groups = [](const char* fabric, const char* which) {
    return fmt::format("allreduce --algo ring --topo {} --groups {} --alone none --size 1024000", fabric, which);
  };
  return {
      .name = "explainer/05-concurrent-groups",
      .section = "[explainer-05] §3.2; [explainer-02] §5.2",
      .statement =
          "On a star eight groups of eight ports do not disturb each other. On a torus groups along one dimension traverse "
          "the same links and split their bandwidth. As (η_α, η_β), all groups beside one alone.",
      .check = [=](Lab& lab) {
        return std::vector{
            etas(lab, "star:64, eight octets", "(1, 1)", groups("star:64", "8"), groups("star:64", "0-7"), "they share a port"),
            etas(lab, "torus:8x8x8, all groups of 8 along X", "η_β < 1: their bandwidth is split",
                 groups("torus:8x8x8", "dim:0"), groups("torus:8x8x8", "0,64,128,192,256,320,384,448"),
                 contradiction(
                     "05, §3.2: `those 8 rings physically traverse the same links, and their aggregate BW is split`; 02, §3.1: "
                     "`different rings of the same dim live on different dim-lines`",
                     "Each of the 64 lines along X has links of its own: groups on whole lines share none, however "
                     "many run.")),
            etas(lab, "torus:8x8x8, all along X and all along Z at once (orthogonal)", "(1, 1)",
                 groups("torus:8x8x8", "dim:0+dim:2"), groups("torus:8x8x8", "0,64,128,192,256,320,384,448"),
                 "lines of two dimensions share links"),
            etas(lab, "ring:8, even and odd ranks: each link shared by two", "(1, 0.5)", groups("ring:8", "strided:2"),
                 groups("ring:8", "0,2,4,6"), "the two groups share less"),
        };
      }};
}

/// One group of 16 on 8x8x8: as a prefix it is 8x2, by rings per dimension; scattered it is one ring of all.
std::vector<Finding> scattered_group(Lab& lab) {
  const std::string speeds = " --size 1024000 --hop 0.5us --latency 0 --bw inf";
  const std::string prefix = "allreduce --algo torus_ring --topo torus:8x2" + speeds;
  const auto scattered = [&](const std::string& placement) {
    return "allreduce --algo ring --topo torus:8x8x8 --ranks 16 --placement " + placement + speeds;
  };
  const auto times = [&](const std::string& placement) {
    return lab.microseconds(scattered(placement)) / lab.microseconds(prefix);
  };
  std::vector<Finding> findings;
  for (const char* placement : {"fragmented:1", "fragmented:2", "fragmented:3"})
    findings.push_back(compare_words(
        fmt::format("16 ranks on 8x8x8, {}", placement), "2 to 4 times", fmt::format("{:.1f} times", times(placement)),
        times(placement) >= 2 && times(placement) <= 4, command_of(scattered(placement)) + " && " + command_of(prefix),
        refuted("05, §3.1: `often 2-4× the ideal`", "This scatter takes more or less.")));
  findings.push_back(compare_words(
      "16 ranks on 8x8x8, each drawn by chance (random:1)", "2 to 4 times", fmt::format("{:.1f} times", times("random:1")),
      times("random:1") >= 2 && times("random:1") <= 4, command_of(scattered("random:1")) + " && " + command_of(prefix),
      assumed(fmt::format("{:.1f} times where the ranks come in runs (fragmented:1)", times("fragmented:1")),
              "Two ranks drawn by chance are 6 hops apart on average, so that each step of the ring is longer too; the printed "
              "2(N-1) counts steps alone. Allocators scatter in runs (first rows).")));
  return findings;
}

Claim off_prefix() {
  return {.name = "explainer/05-off-prefix",
          .section = "[explainer-05] §3.1; [explainer-02] §5.2",
          .statement = "A group that is scattered over a torus takes 2 to 4 times as long as along prefixes of its dimensions.",
          .check = scattered_group};
}

Finding hot_link(Lab& lab) {
  const std::string run = "alltoall --algo linear --topo star:64 --size 81920kB --preset explainer-n512";
  const double even = lab.microseconds(run);
  const double skewed = lab.microseconds(run + " --skew hot=4,factor=5");
  // The same bytes in all: 64 weights become 60 + 4·5 = 80, of which a hot rank gets 5.
  return compare_words(
      "64 ranks, 4 of them sent 5 times as much, as many bytes in all", "as long as without skew",
      fmt::format("{:.2f} times as long", skewed / even), std::abs(skewed / even - 1) < 0.02,
      command_of(run + " --skew hot=4,factor=5"),
      refuted("05, §3.3: `Star absorbs skew uniformly because every port has the same BW`",
              "Every port has the same bandwidth, but the hot rank's takes in 5/80 of all instead of 1/64, four times as much, "
              "and sets the time."));
}

Claim skew() {
  return {.name = "explainer/05-skew",
          .section = "[explainer-05] §3.3; [explainer-02] §5.2",
          .statement = "A star absorbs an alltoall's skew uniformly, since every port has the same bandwidth.",
          .check = one(hot_link)};
}

Claim calibration() {
  return {.name = "explainer/05-calibration",
          .section = "[explainer-05] §4.1; [explainer-00] §8",
          .statement =
              "Derated by the table's η_β, a crossbar gives an allreduce 0.80 of a link, NVLS 0.52, a torus 0.60; NVLS is "
              "1.3 times as fast as software.",
          .check = all_of({definitions({{"crossbar", "η (1, 0.80)"}, {"NVLS", "η (1, 0.52)"}, {"torus", "η (1.2, 0.60)"}},
                                       "The source's values: heddle's presets `explainer-n512-crossbar`, `-nvls` and `-torus` "
                                       "are made of them."),
                           [](Lab&) {
                             return std::vector{
                                 compare("360 of 450 GB/s", 0.80, 2, 360.0 / 450, "", 0, ""),
                                 compare("470 beside 360 GB/s", 1.3, 1, 470.0 / 360, "times", 0, ""),
                                 compare("1.3·0.80/2", 0.52, 2, 1.3 * 0.80 / 2, "", 0, ""),
                                 compare("1/1.63", 0.60, 2, 1 / 1.63, "", 0.03, ""),
                             };
                           }})};
}

/// Eight pairs across the leaves of a Clos oversubscribed by s, one to each host.
std::string pairs(int oversubscription, const std::string& eta_beta) {
  return fmt::format(
      "allreduce --algo recursive_doubling --topo clos:hosts=8,leaves=2,spines={} --groups "
      "0,8;1,9;2,10;3,11;4,12;5,13;6,14;7,15 --alone none --size 900MB --latency 0 --bw 900GB/s --eta-beta {}",
      8 / oversubscription, eta_beta);
}

Claim oversubscription() {
  const Unless multiplied = contradiction(
      "05, §4.2: Spine `0.80 | 0.40 | 0.20`; `The spine row's η_β is min(0.80, 1/s)`",
      "With 0.80 on every link, the uplinks' too, the two multiply: s messages share an uplink of 0.80. The same table's "
      "last row and 03 §3.2 print min(0.80, 1/s), which is a run's where only the hosts' links are derated (rows above).");
  return {
      .name = "explainer/05-oversubscription",
      .section = "[explainer-05] §4.2; [explainer-03] §3.2; [explainer-00] §6",
      .statement = "Across leaves of a Clos oversubscribed by s, η_β is min(0.80, 1/s). The row of the spine prints 0.80/s.",
      .check = [=](Lab& lab) {
        const auto share = [&](int s, const char* eta_beta) { return 1000 / lab.microseconds(pairs(s, eta_beta)); };
        const auto row = [&](const std::string& subject, double printed, int s, const char* eta_beta,
                             const Unless& unless = {}) {
          return compare(subject, printed, 2, share(s, eta_beta), "of 900 GB/s", 0, command_of(pairs(s, eta_beta)), unless);
        };
        return std::vector{
            row("no derating, s = 1", 1, 1, "1"),
            row("no derating, s = 2: 1/s", 0.5, 2, "1"),
            row("no derating, s = 4: 1/s", 0.25, 4, "1"),
            row("hosts' links 0.80, s = 1: min(0.80, 1)", 0.8, 1, "0.8,1"),
            row("hosts' links 0.80, s = 2: min(0.80, 0.50)", 0.5, 2, "0.8,1"),
            row("hosts' links 0.80, s = 4: min(0.80, 0.25)", 0.25, 4, "0.8,1"),
            row("all links 0.80, s = 2, spine row", 0.4, 2, "0.8"),
            row("all links 0.80, s = 4, spine row", 0.2, 4, "0.8"),
            row("all links 0.80, s = 2: min(0.80, 0.50)", 0.5, 2, "0.8", multiplied),
        };
      }};
}

std::string rung(const std::string& collective, const std::string& algorithm, const std::string& fabric,
                 const std::string& eta) {
  return fmt::format("{} --algo {} --topo {} --size 16MB --preset explainer-n512{}", collective, algorithm, fabric, eta);
}
std::string nvls(const std::string& eta) { return rung("allreduce", "in_network", "star:512,alu,multicast", eta); }
std::string butterfly(const std::string& eta) { return rung("allreduce", "rabenseifner", "star:512", eta); }
std::string torus(const std::string& eta) { return rung("allreduce", "torus_ring", "torus:8x8x8", eta); }

Finding longer(Lab& lab, const std::string& subject, double printed, const std::string& ideal, const std::string& derated) {
  return compare(
      subject, printed, 0, 100 * (lab.microseconds(derated) / lab.microseconds(ideal) - 1), "%", 0.1,
      command_of(derated) + " && " + command_of(ideal),
      contradiction("05, §5.1: `9 μs | 35.5 μs | 45 μs`, `9 μs | 44.4 μs | 53 μs`; §5.2: `18% increase`",
                    fmt::format("{:.2f} us instead of {:.2f}; the source divides totals that it has rounded, 53 by 45.",
                                lab.microseconds(derated), lab.microseconds(ideal))));
}

Claim contended_ladder() {
  return {
      .name = "explainer/05-ladder",
      .section = "[explainer-05] §5.1–§5.3",
      .statement =
          "The allreduce of 16 MB among 512 ranks under the table's η: 35, 53 and 84 us instead of 18.8, 45 and 57; the "
          "order stays.",
      .check = all_of({
          times({
              {"in the network, η (1, 0.52)", 35, 0, nvls("-nvls")},
              {"in the network: bytes", 34.2, 1, nvls("-nvls") + " --hop 0"},
              {"star, DBT (halving and doubling), η (1, 0.80)", 53, 0, butterfly("-crossbar"), "", 0.01},
              {"star, DBT: bytes", 44.4, 1, butterfly("-crossbar") + " --hop 0"},
              {"torus, η (1.2, 0.60)", 84, 0, torus("-torus"), "", 0.01},
              {"torus: α", 25.2, 1, torus("-torus") + " --bw inf"},
              {"torus: bytes", 59.2, 1, torus("-torus") + " --hop 0"},
          }),
          limits({{"star, DBT (double binary tree)", 53, 0, rung("allreduce", "double_binary_tree", "star:512", "-crossbar"),
                   rung("allreduce", "double_binary_tree:segments=1", "star:512", "-crossbar") + " --bw inf",
                   rung("allreduce", "double_binary_tree:segments=512", "star:512", "-crossbar") + " --alpha 0 --hop 0"}}),
          [](Lab& lab) {
            return std::vector{longer(lab, "in the network, longer by", 86, nvls(""), nvls("-nvls")),
                               longer(lab, "star, DBT, longer by", 18, butterfly(""), butterfly("-crossbar")),
                               longer(lab, "torus, longer by", 47, torus(""), torus("-torus"))};
          },
          ratios({
              {"DBT beside the network, ideal", 2.4, 1, butterfly(""), nvls("")},
              {"DBT beside the network, under η", 1.5, 1, butterfly("-crossbar"), nvls("-nvls")},
              {"torus beside the network, ideal", 3.0, 1, torus(""), nvls("")},
              {"torus beside the network, under η", 2.4, 1, torus("-torus"), nvls("-nvls")},
          }),
      })};
}

Claim other_ladders() {
  constexpr const char* kStar = "star:512";
  constexpr const char* kSwitch = "star:512,alu,multicast";
  const std::string one_pass = rung("allgather", "in_network", kSwitch, "-crossbar");
  const std::string doubling = rung("allgather", "recursive_doubling", kStar, "-crossbar");
  const std::string pairwise = rung("alltoall", "pairwise", kStar, "-crossbar");
  const std::string relay = rung("alltoall", "torus_relay", "torus:8x8x8", "-torus");
  return {.name = "explainer/05-ladder-of-others",
          .section = "[explainer-05] §5.4",
          .statement =
              "Allgather, reduce_scatter and alltoall under η, the network's as the crossbar's 0.80 (for a reduce_scatter "
              "too, though that is the ALU's work).",
          .check = all_of({
              times({
                  {"allgather, in the network", 23.2, 1, one_pass},
                  {"reduce_scatter, in the network", 23.2, 1, rung("reduce_scatter", "in_network", kSwitch, "-crossbar")},
                  {"allgather, RHD", 26.7, 1, doubling},
                  {"reduce_scatter, RHD", 26.7, 1, rung("reduce_scatter", "recursive_halving", kStar, "-crossbar")},
                  {"allgather, torus", 42.2, 1, rung("allgather", "torus_ring", "torus:8x8x8", "-torus")},
                  {"reduce_scatter, torus", 42.2, 1, rung("reduce_scatter", "torus_ring", "torus:8x8x8", "-torus")},
                  {"alltoall, pairwise", 278, 0, pairwise},
                  {"alltoall, torus", 36.8, 1, relay},
              }),
              ratios({
                  {"allgather, RHD beside the network", 1.15, 2, doubling, one_pass},
                  {"alltoall, pairwise beside torus", 7.5, 1, pairwise, relay},
                  {"alltoall, pairwise beside torus, ideal", 11.5, 1, rung("alltoall", "pairwise", kStar, ""),
                   rung("alltoall", "torus_relay", "torus:8x8x8", "")},
              }),
          })};
}

}  // namespace

std::vector<Claim> contention() {
  return {off_prefix(), concurrent_groups(), skew(), calibration(), oversubscription(), contended_ladder(), other_ladders()};
}

}  // namespace heddle::claims::explainer_notes
