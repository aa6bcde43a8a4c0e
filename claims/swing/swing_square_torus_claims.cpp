// SPDX-License-Identifier: Apache-2.0
// Swing on square 2D tori: Figures 6 to 8 and §5.1.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "claims/swing/swing_claims.hpp"
#include "claims/swing/swing_comparison.hpp"

namespace heddle::claims {

namespace {

const std::vector<std::string> kSizes = {"32B",  "2KiB", "32KiB", "128KiB", "512KiB",
                                         "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"};
const std::vector<std::string> kFewerSizes = {"32B", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB"};
const char* const kRegardless =
    "Swing outperforms state-of-the-art algorithms regardless of the network size, for up to 32MiB allreduce … the bucket "
    "algorithm outperforms Swing for large vectors (≥ 128MiB)";
/// What §5.1 says of each size: Swing first up to 32 MiB, bucket from 128 MiB.
std::string printed_first(const std::string& size) { return size == "128MiB" || size == "512MiB" ? "bucket" : "Swing"; }

Setting square(int size) { return {.topology = fmt::format("torus:{}x{}", size, size), .latency_optimal_always = size <= 16}; }

const Comparison& at(const std::vector<Comparison>& comparisons, const std::string& size) {
  return *std::find_if(comparisons.begin(), comparisons.end(),
                       [&](const Comparison& comparison) { return comparison.size == size; });
}

std::vector<Finding> check_scaling(Lab& lab) {
  std::vector<Finding> findings;
  std::vector<std::string> gains;
  std::vector<double> most;
  double worst = 0;
  for (const int size : {8, 16, 32}) {
    const std::vector<Comparison> comparisons = run_comparisons(lab, square(size), size == 32 ? kFewerSizes : kSizes);
    for (const Comparison& comparison : comparisons) {
      findings.push_back(first_is(lab, comparison, printed_first(comparison.size), kRegardless));
      worst = std::min(worst, comparison.gain());
    }
    const Comparison& best = largest_gain(comparisons);
    most.push_back(best.gain());
    gains.push_back(fmt::format("{} {} at {}", best.setting.topology, percent(best.gain()), best.size));
  }
  // Sizes four times apart may miss the peak of one torus and not of the other by a few points.
  constexpr double kPoints = 0.05;
  const bool is_sorted = std::is_sorted(most.begin(), most.end());
  Finding growth = compare_words(
      "Swing's largest gain, from 8x8 to 32x32", "grows with the network", fmt::format("{}", fmt::join(gains, ", ")), is_sorted,
      "", refuted("the maximum Swing gain increases when increasing the network size", "Over bucket and recursive doubling."));
  if (!is_sorted && std::is_sorted(most.begin(), most.end(), [](double a, double b) { return a + kPoints < b; }) &&
      most.front() < most.back()) {
    growth.verdict = Verdict::holds_within;
    growth.within = fmt::format("{:g} percentage points", 100 * kPoints);
    growth.why = "Sizes are four times apart, so that the peak of one torus may lie between two of them.";
    growth.quote.clear();
  }
  findings.push_back(std::move(growth));
  findings.push_back(compare_words("Swing's largest loss", "around 20 % at most", percent(worst), worst > -0.2, "",
                                   refuted("at most a negative gain of around 20%", "On these sizes.")));
  return findings;
}

/// Between which start-ups a message Swing is first at 32 MiB and bucket at 128 MiB, in µs: a note, the paper has none.
std::vector<Finding> note_start_ups(Lab& lab, const std::vector<int>& sizes) {
  std::vector<Finding> findings;
  for (const int size : sizes) {
    const auto even = [&](const std::string& bytes) {
      const Comparison comparison = run_comparison(lab, square(size), bytes);
      const Entry& swing = comparison.best("Swing");
      const Entry& bucket = comparison.best("bucket");
      return (swing.microseconds - bucket.microseconds) / (bucket.rounds - swing.rounds);
    };
    Finding finding = leave_untested(
        fmt::format("torus:{}x{}", size, size), "no cost of a message beside links and hops",
        "The paper does not say what a message costs its host. The order at 32 MiB needs more than the first figure on this "
        "torus, that at 128 MiB less than the second; below zero, none is needed.");
    finding.measured = fmt::format("{:.3f} to {:.3f} us", even("32MiB"), even("128MiB"));
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> check_bandwidths(Lab& lab) {
  const std::vector<std::string> rates = {"100Gbps", "200Gbps", "400Gbps", "800Gbps", "1600Gbps", "3200Gbps"};
  std::vector<Finding> findings;
  std::vector<double> small_gains;
  std::vector<std::string> texts;
  for (const std::string& rate : rates) {
    Setting setting = square(8);
    setting.flags += " --bw " + rate;
    setting.rings = Rings::run;
    const std::vector<Comparison> comparisons = run_comparisons(lab, setting, kSizes);
    const Comparison& small = at(comparisons, "2KiB");
    small_gains.push_back(small.best("recursive doubling").microseconds / small.best("Swing").microseconds - 1);
    texts.push_back(fmt::format("{} {}", rate, percent(small_gains.back())));
    const Comparison& best = largest_gain(comparisons);
    findings.push_back(compare_words(fmt::format("torus:8x8 at {}: a gain over the best of the others", rate), "above 0",
                                     fmt::format("up to {}, at {}", percent(best.gain()), best.size), best.gain() > 0,
                                     best.command({best.best("Swing").algorithm, best.best("others").algorithm})));
  }
  findings.push_back(compare_words("2 KiB: gain over recursive doubling", "smaller at higher bandwidths",
                                   fmt::format("{}", fmt::join(texts, ", ")),
                                   std::is_sorted(small_gains.rbegin(), small_gains.rend())));
  for (const std::string size : {"32MiB", "128MiB", "512MiB"}) {
    Setting setting = square(8);
    setting.flags += " --bw 3200Gbps";
    setting.rings = Rings::run;
    Finding finding = first_is(lab, run_comparison(lab, setting, size), "Swing",
                               "on 3.2 Tb/s networks, Swing outperforms all the other algorithms even for 512MiB allreduce");
    finding.subject += ", 3.2 Tb/s";
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> check_mirrored(Lab& lab) {
  std::vector<Finding> findings;
  Setting setting = square(16);
  setting.mirrored_doubling = true;
  for (const Comparison& comparison : run_comparisons(lab, setting, kSizes)) {
    const Entry& swing = comparison.best("Swing");
    const Entry& mirrored = comparison.best("mirrored recursive doubling");
    findings.push_back(illustrate(
        compare_words(
            fmt::format("torus:16x16, {}", comparison.size), "Swing ahead",
            fmt::format("{} {:.3f} us, mirrored {:.3f} us", swing.algorithm, swing.microseconds, mirrored.microseconds),
            swing.microseconds < mirrored.microseconds, comparison.command({swing.algorithm, mirrored.algorithm})),
        "The figure is of 64x64 and of mirrored variants of both kinds; this is the latency-optimal one on 16x16."));
  }
  return findings;
}

std::vector<Finding> check_rings(Lab& lab) {
  std::vector<Finding> findings;
  for (const std::string topology : {"torus:8x8", "torus:16x16", "torus:32x8"}) {
    const double ranks = topology == "torus:8x8" ? 64 : 256;
    const std::string arguments = fmt::format(
        "allreduce --algo hamiltonian_rings --topo {} --size 512MiB --preset swing-nsdi24 --payload 1MiB", topology);
    findings.push_back(compare(topology + ", 512 MiB: 2(p-1)(0.9 us + n/4p / 50 GB/s)",
                               rings_microseconds(ranks, 512.0 * (1 << 20)), 3, lab.microseconds(arguments), "us", 1e-6,
                               "heddle run " + arguments));
  }
  for (const int size : {8, 16, 32}) {
    const Comparison comparison = run_comparison(lab, square(size), "512MiB");
    const double rings = rings_microseconds(size * size, 512.0 * (1 << 20));
    const double bucket = comparison.best("bucket").microseconds;
    findings.push_back(compare_words(fmt::format("torus:{}x{}, 512 MiB, rings by that form", size, size), "bucket before rings",
                                     fmt::format("bucket {:.3f} us, rings {:.3f} us", bucket, rings), bucket < rings));
  }
  return findings;
}

Finding peak_of(const Comparison& comparison, double printed, const Unless& unless) {
  constexpr double kPeak = 2 * 50e3;  // bytes per us: D · 400 Gb/s
  const Entry& swing = comparison.best("Swing");
  return compare(comparison.setting.topology + ", 512 MiB, goodput of the peak", printed, 0,
                 100 * 512.0 * (1 << 20) / swing.microseconds / kPeak, "%", 0.03, comparison.command({swing.algorithm}),
                 unless);
}

std::vector<Finding> check_peak_bound(Lab&) {
  return {compare(
      "1 / 1.19", 81, 0, 100 / 1.19, "%", 0, "",
      contradiction(
          "a congestion deficiency of 1.19 on a 2D torus (see Table 2) means Swing can reach at most 81% of peak goodput",
          "1/1.19 is 84 %; 81 % is 1 - 0.19. heddle claims swing/figure-6 has the run on 64x64: 84 %, which is 1/1.184 "
          "less 24 rounds' latency."))};
}

std::vector<Finding> check_figure_6(Lab& lab) {
  std::vector<Finding> findings;
  const Setting setting = square(64);
  const std::vector<Comparison> comparisons =
      run_comparisons(lab, setting, {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"});
  for (const Comparison& comparison : comparisons)
    findings.push_back(first_is(lab, comparison, printed_first(comparison.size),
                                "Swing outperforms all the other allreduce algorithms for vectors ranging from 32B to 32MiB … "
                                "The bucket algorithm performs better than Swing starting from 128MiB"));

  // Where the two lines through 32 and 128 MiB meet.
  const auto behind = [&](const std::string& size) {
    return at(comparisons, size).best("Swing").microseconds - at(comparisons, size).best("bucket").microseconds;
  };
  const double crossing = 32 - behind("32MiB") * (128 - 32) / (behind("128MiB") - behind("32MiB"));
  findings.push_back(compare_words(
      "where bucket overtakes Swing", "between 32 and 128 MiB", fmt::format("at {:.1f} MiB", crossing),
      crossing > 32 && crossing < 128, "",
      refuted("The bucket algorithm performs better than Swing starting from 128MiB", "By the line through both times.")));
  const Comparison& two = at(comparisons, "2MiB");
  const double doubling = two.best("recursive doubling").microseconds / two.best("Swing").microseconds;
  findings.push_back(compare_words("2 MiB: Swing over recursive doubling", "more than 2x", fmt::format("{:.2f}x", doubling),
                                   doubling > 2,
                                   two.command({two.best("Swing").algorithm, two.best("recursive doubling").algorithm}),
                                   refuted("more than 2x improvement over the recursive doubling algorithm for 2MiB allreduce",
                                           "Over the better of its variants.")));
  findings.push_back(compare("2 MiB: gain over the best of the others", 120, 0, 100 * two.gain(), "%", 0.1,
                             two.command({two.best("Swing").algorithm, two.best("others").algorithm}),
                             refuted("the highest goodput gains (around 120%) for 2MiB vectors",
                                     fmt::format("Over {}.", two.best("others").algorithm))));
  std::vector<Comparison> small = run_comparisons(lab, setting, {"8KiB"});
  small.insert(small.end(), comparisons.begin(), comparisons.begin() + 2);
  const auto over_doubling = [](const Comparison& comparison) {
    return comparison.best("recursive doubling").microseconds / comparison.best("Swing").microseconds - 1;
  };
  const Comparison& most = *std::max_element(small.begin(), small.end(),
                                             [&](const auto& a, const auto& b) { return over_doubling(a) < over_doubling(b); });
  findings.push_back(compare(
      "32 B, 2 KiB, 8 KiB: the largest gain over recursive doubling", 50, 0, 100 * over_doubling(most), "%", 0.1,
      most.command({most.best("Swing").algorithm, most.best("recursive doubling").algorithm}),
      refuted("up to 50% improvement for small vectors (< 32KiB) compared to the latency-optimal recursive doubling algorithm",
              fmt::format("At {}.", most.size))));
  const Comparison& large = at(comparisons, "512MiB");
  findings.push_back(
      peak_of(large, 77,
              untested("Packets cost what a fluid does not: headers, buffers that fill, uneven adaptive routing. 1/1.184, "
                       "which is what Xi on 64x64 allows, is 84.5 %, and runs come near that.")));
  const double rings = rings_microseconds(4096, 512.0 * (1 << 20));
  findings.push_back(compare_words("512 MiB: rings, by the closed form of swing/rings", "behind bucket",
                                   fmt::format("rings {:.0f} us, bucket {:.0f} us", rings, large.best("bucket").microseconds),
                                   rings > large.best("bucket").microseconds));
  return findings;
}

}  // namespace

std::vector<Claim> swing_square_torus_claims() {
  return {
      {.name = "swing/figure-6",
       .section = "§5.1, Fig. 6",
       .statement = "On 64x64 Swing is first from 32 B to 32 MiB, by 50 % for small vectors and by about 120 % at 2 MiB (more "
                    "than 2x recursive doubling); bucket from 128 MiB. At 512 MiB Swing has 77 % of the peak goodput.",
       .full = true,
       .check = check_figure_6},
      {.name = "swing/peak-goodput",
       .section = "§5.1",
       .statement = "A congestion deficiency of 1.19 lets Swing reach at most 81 % of the peak goodput.",
       .check = check_peak_bound},
      {.name = "swing/mirrored-recursive-doubling",
       .section = "§5.1",
       .statement = "Swing is ahead of recursive doubling through all ports at any size (Fig. 6 on 64x64; here on 16x16).",
       .check = check_mirrored},
      {.name = "swing/rings",
       .section = "§2.3.1, §5.1",
       .statement = "Hamiltonian rings share no link, so that a run takes 2(p-1) rounds of a hop and a block; their latency "
                    "keeps them behind bucket even at 512 MiB.",
       .check = check_rings},
      {.name = "swing/figure-7",
       .section = "§5.1.1, Fig. 7",
       .statement = "Swing is first up to 32 MiB whatever the size of the torus, 64 to 16,384 nodes (here 64 to 1,024), and "
                    "bucket from 128 MiB, by 20 % at most; Swing's largest gain grows with the network.",
       .check = check_scaling},
      {.name = "swing/start-up",
       .section = "§5.1.1, Fig. 7",
       .statement =
           "A note: which start-up a message, which the paper does not print, would give the orders of Figures 6 and 7 "
           "on a square torus, Swing first at 32 MiB and bucket at 128 MiB.",
       .check =
           [](Lab& lab) {
             return note_start_ups(lab, {8, 16, 32});
           }},
      {.name = "swing/start-up-64x64",
       .section = "§5.1.1, Figs. 6 and 7",
       .statement = "The same note on 64x64.",
       .full = true,
       .check = [](Lab& lab) { return note_start_ups(lab, {64}); }},
      {.name = "swing/figure-8",
       .section = "§5.1.2, Fig. 8",
       .statement = "On 8x8 from 100 Gb/s to 3.2 Tb/s Swing gains at every bandwidth; over recursive doubling at small sizes, "
                    "less at higher ones; at 3.2 Tb/s it is first even at 512 MiB.",
       .check = check_bandwidths},
  };
}

}  // namespace heddle::claims
