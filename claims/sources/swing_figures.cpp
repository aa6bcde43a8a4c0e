// SPDX-License-Identifier: Apache-2.0
// Swing beside others on square tori (Figures 6 to 8 and §5.1), on oblong and higher-dimensional ones, HammingMesh and HyperX
// (Figures 10 to 14).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "claims/sources/swing_comparison.hpp"

namespace heddle::claims {

namespace swing {

namespace {

const std::vector<std::string> kSquareSizes = {"32B",  "2KiB", "32KiB", "128KiB", "512KiB",
                                               "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"};
const std::vector<std::string> kFewerSizes = {"32B", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB"};
/// What §5.1 says of each size: Swing first up to 32 MiB, bucket from 128 MiB.
std::string printed_first(const std::string& size) { return size == "128MiB" || size == "512MiB" ? "bucket" : "Swing"; }

Setting square(int size) { return {.topology = fmt::format("torus:{}x{}", size, size), .latency_optimal_always = size <= 16}; }

const Comparison& at(const std::vector<Comparison>& comparisons, const std::string& size) {
  return *std::find_if(comparisons.begin(), comparisons.end(),
                       [&](const Comparison& comparison) { return comparison.size == size; });
}

void check_scaling(Lab& lab, const ClaimData& data, Findings& findings) {
  std::vector<std::string> gains;
  std::vector<double> most;
  double worst = 0;
  for (const int size : {8, 16, 32}) {
    const std::vector<Comparison> comparisons = run_comparisons(lab, square(size), size == 32 ? kFewerSizes : kSquareSizes);
    for (const Comparison& comparison : comparisons) {
      findings.push_back(first_is(lab, data, comparison, printed_first(comparison.size), "regardless"));
      worst = std::min(worst, comparison.gain());
    }
    const Comparison& best = largest_gain(comparisons);
    most.push_back(best.gain());
    gains.push_back(fmt::format("{} {} at {}", best.setting.topology, percent(best.gain()), best.size));
  }
  // Sizes four times apart may miss the peak of one torus and not of the other by a few points.
  constexpr double kPoints = 0.05;
  const bool is_sorted = std::is_sorted(most.begin(), most.end());
  Finding growth = compare_words("Swing's largest gain, from 8x8 to 32x32", "grows with the network", joined(gains, ", "),
                                 is_sorted, "", data.reason("largest gain grows"));
  if (!is_sorted && std::is_sorted(most.begin(), most.end(), [](double a, double b) { return a + kPoints < b; }) &&
      most.front() < most.back()) {
    growth.verdict = Verdict::holds_within;
    growth.within = fmt::format("{:g} percentage points", 100 * kPoints);
    growth.why = "Sizes are four times apart, so that the peak of one torus may lie between two of them.";
    growth.quote.clear();
  }
  findings.push_back(std::move(growth));
  findings.words("Swing's largest loss", "around 20 % at most", percent(worst), worst > -0.2, "", data.reason("largest loss"));
}

/// Between which start-ups a message Swing is first at 32 MiB and bucket at 128 MiB, in µs: a note, the paper has none.
Finding note_start_ups(Lab& lab, const ClaimData& row) {
  const int size = row.integer(0);
  const auto even = [&](const std::string& bytes) {
    const Comparison comparison = run_comparison(lab, square(size), bytes);
    const Entry& swing = comparison.best("Swing");
    const Entry& bucket = comparison.best("bucket");
    return (swing.microseconds - bucket.microseconds) / (bucket.rounds - swing.rounds);
  };
  Finding finding = leave_untested(fmt::format("torus:{}x{}", size, size), "no cost of a message beside links and hops",
                                   row.reason("start-ups").why);
  finding.measured = fmt::format("{:.3f} to {:.3f} us", even("32MiB"), even("128MiB"));
  return finding;
}

void check_bandwidths(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::vector<std::string> rates = {"100Gbps", "200Gbps", "400Gbps", "800Gbps", "1600Gbps", "3200Gbps"};
  std::vector<double> small_gains;
  std::vector<std::string> texts;
  for (const std::string& rate : rates) {
    Setting setting = square(8);
    setting.flags += " --bw " + rate;
    setting.rings = Rings::run;
    const std::vector<Comparison> comparisons = run_comparisons(lab, setting, kSquareSizes);
    const Comparison& small = at(comparisons, "2KiB");
    small_gains.push_back(small.best("recursive doubling").microseconds / small.best("Swing").microseconds - 1);
    texts.push_back(fmt::format("{} {}", rate, percent(small_gains.back())));
    const Comparison& best = largest_gain(comparisons);
    findings.words(fmt::format("torus:8x8 at {}: a gain over the best of the others", rate), "above 0",
                   fmt::format("up to {}, at {}", percent(best.gain()), best.size), best.gain() > 0,
                   best.command({best.best("Swing").algorithm, best.best("others").algorithm}));
  }
  findings.words("2 KiB: gain over recursive doubling", "smaller at higher bandwidths", joined(texts, ", "),
                 std::is_sorted(small_gains.rbegin(), small_gains.rend()));
  for (const std::string size : {"32MiB", "128MiB", "512MiB"}) {
    Setting setting = square(8);
    setting.flags += " --bw 3200Gbps";
    setting.rings = Rings::run;
    Finding finding = first_is(lab, data, run_comparison(lab, setting, size), "Swing", "even 512 MiB");
    finding.subject += ", 3.2 Tb/s";
    findings.push_back(std::move(finding));
  }
}

void check_mirrored(Lab& lab, const ClaimData& data, Findings& findings) {
  Setting setting = square(16);
  setting.mirrored_doubling = true;
  for (const Comparison& comparison : run_comparisons(lab, setting, kSquareSizes)) {
    const Entry& swing = comparison.best("Swing");
    const Entry& mirrored = comparison.best("mirrored recursive doubling");
    findings.push_back(illustrate(
        compare_words(
            fmt::format("torus:16x16, {}", comparison.size), "Swing ahead",
            fmt::format("{} {:.3f} us, mirrored {:.3f} us", swing.algorithm, swing.microseconds, mirrored.microseconds),
            swing.microseconds < mirrored.microseconds, comparison.command({swing.algorithm, mirrored.algorithm})),
        data.reason("latency-optimal one").why));
  }
}

void check_rings(Lab& lab, const ClaimData&, Findings& findings) {
  for (const std::string topology : {"torus:8x8", "torus:16x16", "torus:32x8"}) {
    const double ranks = topology == "torus:8x8" ? 64 : 256;
    const std::string arguments = fmt::format(
        "allreduce --algo hamiltonian_rings --topo {} --size 512MiB --preset swing-nsdi24 --data-memory 1MiB", topology);
    findings.value(topology + ", 512 MiB: 2(p-1)(0.9 us + n/4p / 50 GB/s)", rings_microseconds(ranks, 512.0 * (1 << 20)), 3,
                   lab.microseconds(arguments), "us", 1e-6, "heddle run " + arguments);
  }
  for (const int size : {8, 16, 32}) {
    const Comparison comparison = run_comparison(lab, square(size), "512MiB");
    const double rings = rings_microseconds(size * size, 512.0 * (1 << 20));
    const double bucket = comparison.best("bucket").microseconds;
    findings.words(fmt::format("torus:{}x{}, 512 MiB, rings by that form", size, size), "bucket before rings",
                   fmt::format("bucket {:.3f} us, rings {:.3f} us", bucket, rings), bucket < rings);
  }
}

Finding peak_of(const Comparison& comparison, double printed, const Unless& unless) {
  constexpr double kPeak = 2 * 50e3;  // bytes per us: D · 400 Gb/s
  const Entry& swing = comparison.best("Swing");
  return compare(comparison.setting.topology + ", 512 MiB, goodput of the peak", printed, 0,
                 100 * 512.0 * (1 << 20) / swing.microseconds / kPeak, "%", 0.03, comparison.command({swing.algorithm}),
                 unless);
}

void check_peak_bound(Lab&, const ClaimData& data, Findings& findings) {
  findings = {compare("1 / 1.19", 81, 0, 100 / 1.19, "%", 0, "", data.reason("81 % is another"))};
}

void check_figure_6(Lab& lab, const ClaimData& data, Findings& findings) {
  const Setting setting = square(64);
  const std::vector<Comparison> comparisons =
      run_comparisons(lab, setting, {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"});
  for (const Comparison& comparison : comparisons)
    findings.push_back(first_is(lab, data, comparison, printed_first(comparison.size), "from 32 B to 32 MiB"));

  // Where the two lines through 32 and 128 MiB meet.
  const auto behind = [&](const std::string& size) {
    return at(comparisons, size).best("Swing").microseconds - at(comparisons, size).best("bucket").microseconds;
  };
  const double crossing = 32 - behind("32MiB") * (128 - 32) / (behind("128MiB") - behind("32MiB"));
  findings.words("where bucket overtakes Swing", "between 32 and 128 MiB", fmt::format("at {:.1f} MiB", crossing),
                 crossing > 32 && crossing < 128, "", data.reason("overtakes"));
  const Comparison& two = at(comparisons, "2MiB");
  const double doubling = two.best("recursive doubling").microseconds / two.best("Swing").microseconds;
  findings.words("2 MiB: Swing over recursive doubling", "more than 2x", fmt::format("{:.2f}x", doubling), doubling > 2,
                 two.command({two.best("Swing").algorithm, two.best("recursive doubling").algorithm}),
                 data.reason("over the better"));
  findings.value("2 MiB: gain over the best of the others", 120, 0, 100 * two.gain(), "%", 0.1,
                 two.command({two.best("Swing").algorithm, two.best("others").algorithm}),
                 data.reason("over the best", two.best("others").algorithm));
  std::vector<Comparison> small = run_comparisons(lab, setting, {"8KiB"});
  small.insert(small.end(), comparisons.begin(), comparisons.begin() + 2);
  const auto over_doubling = [](const Comparison& comparison) {
    return comparison.best("recursive doubling").microseconds / comparison.best("Swing").microseconds - 1;
  };
  const Comparison& most = *std::max_element(small.begin(), small.end(),
                                             [&](const auto& a, const auto& b) { return over_doubling(a) < over_doubling(b); });
  findings.value("32 B, 2 KiB, 8 KiB: the largest gain over recursive doubling", 50, 0, 100 * over_doubling(most), "%", 0.1,
                 most.command({most.best("Swing").algorithm, most.best("recursive doubling").algorithm}),
                 data.reason("largest small gain", most.size));
  const Comparison& large = at(comparisons, "512MiB");
  findings.push_back(peak_of(large, 77, data.reason("packets")));
  const double rings = rings_microseconds(4096, 512.0 * (1 << 20));
  findings.words("512 MiB: rings, by the closed form of swing/rings", "behind bucket",
                 fmt::format("rings {:.0f} us, bucket {:.0f} us", rings, large.best("bucket").microseconds),
                 rings > large.best("bucket").microseconds);
}

// ---- any fabric: Figures 10 to 14 ----

/// A topology, sizes, the family that is first at each, and the reason that quotes it. `stand in` names why it is an illustration.
void check_first(Lab& lab, const ClaimData& check, Findings& findings) {
  for (const ClaimData& row : check.rows())
    for (const Comparison& comparison : run_comparisons(lab, setting_on(row, row.text(0)), row.texts(1))) {
      findings.push_back(first_is(lab, row, comparison, row.text(2), row.text(3)));
      if (row.has("stand in")) findings.back() = illustrate(findings.back(), row.reason(row.text("stand in")).why);
    }
}

std::string with_gain(const Comparison& comparison) {
  return fmt::format("{:.2f}x at {}, over {}", 1 + comparison.gain(), comparison.size, comparison.best("others").algorithm);
}

/// A topology, sizes, Swing's largest gain there, and the reason's name.
Finding check_largest_gain(Lab& lab, const ClaimData& row) {
  const std::vector<Comparison> comparisons = run_comparisons(lab, setting_on(row, row.text(0)), row.texts(1));
  const Comparison& best = largest_gain(comparisons);
  const Comparison& two = at(comparisons, "2MiB");
  const Entry& swing = two.best("Swing");
  const Entry& bucket = two.best("bucket");
  return compare(row.text(0) + ": largest gain over the best of the others", row.printed(2), 1 + best.gain(), "x", 0.1,
                 best.command({best.best("Swing").algorithm, best.best("others").algorithm}),
                 row.reason(row.text(3), with_gain(best), bucket.microseconds / swing.microseconds,
                            two.best("recursive doubling").microseconds / swing.microseconds, bucket.rounds, swing.rounds));
}

void check_growing_gain(Lab& lab, const ClaimData& data, Findings& findings) {
  const auto gain_on = [&](const char* topology) {
    return largest_gain(run_comparisons(lab, setting_on(data, topology), data.texts("sizes"))).gain();
  };
  const double flat = gain_on("torus:8x8");
  const double cube = gain_on("torus:8x8x8");
  findings = {compare_words("the largest gain grows with the dimensions", "8x8 below 8x8x8",
                            fmt::format("8x8 {}, 8x8x8 {}", percent(flat), percent(cube)), flat < cube)};
}

void check_figure_10(Lab& lab, const ClaimData& data, Findings& findings) {
  for (const std::string topology : {"torus:128x8", "torus:256x4"}) {
    const Comparison comparison = run_comparison(lab, setting_on(data, topology), "2MiB");
    const double over_doubling = comparison.best("recursive doubling").microseconds / comparison.best("Swing").microseconds;
    const double ratio = 1 + comparison.gain();
    findings.value(
        topology + ", 2 MiB: Swing over the best of the others", 3, 0, ratio, "x", 0.1,
        comparison.command({comparison.best("Swing").algorithm, comparison.best("others").algorithm,
                            comparison.best("recursive doubling").algorithm}),
        data.reason("up to 3x", over_doubling, comparison.best("bucket").microseconds / comparison.best("Swing").microseconds));
  }
  const Comparison long_one = run_comparison(lab, setting_on(data, "torus:256x4"), "512MiB");
  const Entry& swing = long_one.best("Swing");
  const Entry& rings = long_one.best("rings");
  findings.value(
      "torus:256x4, 512 MiB: Swing's goodput beside rings'", -60, 0, 100 * (rings.microseconds / swing.microseconds - 1), "%",
      0.1, long_one.command({swing.algorithm}),
      data.reason("60 % worse", swing.microseconds, rings.microseconds, 100 * (swing.microseconds / rings.microseconds - 1),
                  100 * (1 - rings.microseconds / swing.microseconds)));
  std::vector<double> times;
  for (const std::string topology : {"torus:32x32", "torus:64x16", "torus:256x4"})
    times.push_back(run_comparison(lab, setting_on(data, topology), "512MiB").best("bucket").microseconds);
  findings.words("bucket, 512 MiB, on 32x32, 64x16, 256x4", "slower the longer the torus",
                 fmt::format("{:.0f}, {:.0f}, {:.0f} us", times[0], times[1], times[2]),
                 std::is_sorted(times.begin(), times.end()));
}

/// A run's bandwidth term over the optimum's.
double congestion(Lab& lab, const std::string& topology) {
  constexpr double kLargest = 128.0 * (1 << 20);
  return lab.microseconds(fmt::format("allreduce --algo swing_bandwidth --topo {} --size 128MiB --data-memory 1MiB --preset "
                                      "swing-nsdi24 --latency 0 --switch-latency 0 --host-link 0",
                                      topology)) *
         2 * 50e3 / kLargest;
}

/// How many nodes: a torus, HammingMeshes of 4x4 and 2x2 boards, a HyperX.
void check_congestion(Lab& lab, const ClaimData& check, Findings& findings) {
  const std::vector<std::string> fabrics = check.texts("congestion");
  const auto below = [&](std::size_t less, std::size_t more) {
    const double a = congestion(lab, fabrics[less]);
    const double b = congestion(lab, fabrics[more]);
    Unless unless = check.reason("lower on a HammingMesh");
    if (more != 0) unless.why.clear();  // it speaks of the torus
    findings.words(fmt::format("Xi of {} and {}", fabrics[less], fabrics[more]), "the first is lower",
                   fmt::format("{:.3f}, {:.3f}", a, b), a < b, "", unless);
  };
  below(1, 0);
  below(2, 1);
  below(3, 2);
  findings.value(fabrics[3] + ": no congestion deficiency", 1, 2, congestion(lab, fabrics[3]), "", 0.01, "");
  const auto hops = [&](const std::string& topology) {
    return run_comparison(lab, Setting{.topology = topology}, "32B").best("Swing").microseconds;
  };
  findings.push_back(
      compare_words("32 B: Swing on a HammingMesh beside the torus", "faster on the HammingMesh",
                    fmt::format("{} {:.3f} us, {} {:.3f} us", fabrics[2], hops(fabrics[2]), fabrics[0], hops(fabrics[0])),
                    hops(fabrics[2]) < hops(fabrics[0])));
  if (check.has("stand in"))
    for (Finding& finding : findings) finding = illustrate(finding, check.reason(check.text("stand in")).why);
}

}  // namespace

}  // namespace swing

Vocabulary swing_figure_vocabulary() {
  using namespace swing;
  return {.rows = {{"start-ups", note_start_ups}, {"largest gain", check_largest_gain}},
          .checks = {{"scaling", check_scaling},
                     {"bandwidths", check_bandwidths},
                     {"mirrored", check_mirrored},
                     {"rings", check_rings},
                     {"peak bound", check_peak_bound},
                     {"figure 6 of Swing", check_figure_6},
                     {"first", check_first},
                     {"growing gain", check_growing_gain},
                     {"figure 10 of Swing", check_figure_10},
                     {"congestion", check_congestion}},
          .charts = {{"goodput by size", goodput_by_size}}};
}

}  // namespace heddle::claims
