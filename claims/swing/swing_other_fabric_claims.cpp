// SPDX-License-Identifier: Apache-2.0
// Swing on oblong and higher-dimensional tori, HammingMesh and HyperX: Figures 10 to 14.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/swing/swing_claims.hpp"
#include "claims/swing/swing_comparison.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims {

namespace {

Setting on(std::string topology, bool latency_optimal_always = true) {
  return {.topology = std::move(topology), .latency_optimal_always = latency_optimal_always};
}

std::string with_gain(const Comparison& comparison) {
  return fmt::format("{:.2f}x at {}, over {}", 1 + comparison.gain(), comparison.size, comparison.best("others").algorithm);
}

// ---- Fig. 10 ----

Setting oblong(const std::string& topology) {
  Setting setting = on(topology, false);
  setting.rings = Rings::closed_form;
  return setting;
}

void check_oblong(Lab& lab, const std::string& topology, const std::vector<std::string>& sizes,
                  std::vector<Finding>& findings) {
  for (const Comparison& comparison : run_comparisons(lab, oblong(topology), sizes)) {
    Finding finding =
        first_is(lab, comparison, comparison.size == "2GiB" ? "rings" : "Swing",
                 "Swing still outperforms the other algorithms up to 32MiB regardless of the network shape … the "
                 "ring algorithm … outperforms both the bucket and Swing algorithms for allreduce larger than 512MiB");
    if (parse_topology(topology)->endpoints() < 1024)
      finding = illustrate(std::move(finding), "256 nodes stand for the figure's 1,024 (its caption names 32x8 among them).");
    findings.push_back(std::move(finding));
  }
}

std::vector<Finding> check_figure_10_small(Lab& lab) {
  std::vector<Finding> findings;
  for (const std::string topology : {"torus:32x8", "torus:64x4"})
    check_oblong(lab, topology, {"32B", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "2GiB"}, findings);
  return findings;
}

std::vector<Finding> check_figure_10(Lab& lab) {
  std::vector<Finding> findings;
  check_oblong(lab, "torus:64x16", {"2MiB", "32MiB", "2GiB"}, findings);
  check_oblong(lab, "torus:256x4", {"2MiB", "32MiB", "2GiB"}, findings);

  for (const std::string topology : {"torus:128x8", "torus:256x4"}) {
    const Comparison comparison = run_comparison(lab, oblong(topology), "2MiB");
    const double over_doubling = comparison.best("recursive doubling").microseconds / comparison.best("Swing").microseconds;
    const double ratio = 1 + comparison.gain();
    findings.push_back(compare(
        topology + ", 2 MiB: Swing over the best of the others", 3, 0, ratio, "x", 0.1,
        comparison.command({comparison.best("Swing").algorithm, comparison.best("others").algorithm,
                            comparison.best("recursive doubling").algorithm}),
        refuted("Swing still outperforms the other algorithms up to 32MiB regardless of the network shape (up to 3x on the "
                "128x8 and 256x4 torus)",
                fmt::format("Over recursive doubling it is {:.2f}x, over a bucket in step {:.2f}x. Recursive doubling takes "
                            "as many rounds as Swing, so that no start-up per message makes it more.",
                            over_doubling, comparison.best("bucket").microseconds / comparison.best("Swing").microseconds))));
  }
  const Comparison long_one = run_comparison(lab, oblong("torus:256x4"), "512MiB");
  const Entry& swing = long_one.best("Swing");
  const Entry& rings = long_one.best("rings");
  findings.push_back(compare(
      "torus:256x4, 512 MiB: Swing's goodput beside rings'", -60, 0, 100 * (rings.microseconds / swing.microseconds - 1), "%",
      0.1, long_one.command({swing.algorithm}),
      refuted("For 256x4 torus, Swing performs around 60% worse than the ring algorithm on 512MiB allreduce",
              fmt::format("Swing takes {:.0f} us, rings by their closed form (swing/rings) {:.0f} us: Swing takes {:.0f} % "
                          "longer, which is {:.0f} % less goodput. \"60 % worse\" lies between the two ways to say it.",
                          swing.microseconds, rings.microseconds, 100 * (swing.microseconds / rings.microseconds - 1),
                          100 * (1 - rings.microseconds / swing.microseconds)))));
  std::vector<double> times;
  for (const std::string topology : {"torus:32x32", "torus:64x16", "torus:256x4"})
    times.push_back(run_comparison(lab, on(topology, false), "512MiB").best("bucket").microseconds);
  findings.push_back(compare_words("bucket, 512 MiB, on 32x32, 64x16, 256x4", "slower the longer the torus",
                                   fmt::format("{:.0f}, {:.0f}, {:.0f} us", times[0], times[1], times[2]),
                                   std::is_sorted(times.begin(), times.end())));
  return findings;
}

// ---- Fig. 11 ----

const std::vector<std::string> kAllSizes = {"32B",  "2KiB",  "32KiB",  "128KiB", "512KiB", "2MiB",
                                            "8MiB", "32MiB", "128MiB", "512MiB", "2GiB"};

const char* const kTwice =
    "for 3D and 4D torus networks, Swing outperforms by up to 2x all existing algorithms on allreduce ranging from 32B to 2GB";

std::vector<Finding> check_dimensions(Lab& lab) {
  std::vector<Finding> findings;
  const std::vector<Comparison> cube = run_comparisons(lab, on("torus:8x8x8"), kAllSizes);
  for (const Comparison& comparison : cube) findings.push_back(first_is(lab, comparison, "Swing", kTwice));
  const Comparison& best = largest_gain(cube);
  findings.push_back(compare("torus:8x8x8: largest gain over the best of the others", 2, 0, 1 + best.gain(), "x", 0.1,
                             best.command({best.best("Swing").algorithm, best.best("others").algorithm}),
                             refuted(kTwice, "At " + with_gain(best))));
  const Comparison& flat = largest_gain(run_comparisons(lab, on("torus:8x8"), kAllSizes));
  findings.push_back(compare_words("the largest gain grows with the dimensions", "8x8 below 8x8x8",
                                   fmt::format("8x8 {}, 8x8x8 {}", percent(flat.gain()), percent(best.gain())),
                                   flat.gain() < best.gain()));
  return findings;
}

std::vector<Finding> check_four_dimensions(Lab& lab) {
  std::vector<Finding> findings;
  const std::vector<Comparison> comparisons =
      run_comparisons(lab, on("torus:8x8x8x8", false), {"32B", "32KiB", "2MiB", "32MiB", "512MiB"});
  for (const Comparison& comparison : comparisons) findings.push_back(first_is(lab, comparison, "Swing", kTwice));
  const Comparison& best = largest_gain(comparisons);
  findings.push_back(compare("torus:8x8x8x8: largest gain over the best of the others", 2, 0, 1 + best.gain(), "x", 0.1,
                             best.command({best.best("Swing").algorithm, best.best("others").algorithm}),
                             refuted(kTwice, "At " + with_gain(best))));
  return findings;
}

// ---- Fig. 12 to 14 ----

const char* const kStandIn = "256 nodes stand for the figure's 4,096: an illustration.";
const char* const kMeshes =
    "Swing outperforms the state-of-the-art algorithms at any size, up to 2.5x for 2MiB allreduce … on HyperX … Swing "
    "outperforms all the other algorithms at any allreduce size … increases from 2.5x in Hx2Mesh and Hx4Mesh, to 3x in HyperX";

struct ComparedMeshes {
  std::string torus;
  std::string of_four;  ///< boards of 4x4
  std::string of_two;
  std::string hyperx;
  bool latency_optimal_always;
  std::optional<double> gain_of_two = {};  ///< as printed, which is of 4,096 nodes
  std::optional<double> gain_of_hyperx = {};
};

const ComparedMeshes kSmallMeshes = {
    "torus:16x16", "hxmesh:board=4x4,grid=4x4", "hxmesh:board=2x2,grid=8x8", "hyperx:16x16", true, {}, {}};
const ComparedMeshes kLargeMeshes = {
    "torus:64x64", "hxmesh:board=4x4,grid=16x16", "hxmesh:board=2x2,grid=32x32", "hyperx:64x64", false, 2.5, 3.0};

const std::vector<std::string> kSmallSizes = {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"};
const std::vector<std::string> kLargeSizes = {"32B", "32KiB", "2MiB", "32MiB", "512MiB"};

void check_first(Lab& lab, const Setting& setting, const std::vector<std::string>& sizes, std::optional<double> printed_gain,
                 std::vector<Finding>& findings) {
  const std::vector<Comparison> comparisons = run_comparisons(lab, setting, sizes);
  for (const Comparison& comparison : comparisons) findings.push_back(first_is(lab, comparison, "Swing", kMeshes));
  if (!printed_gain) return;
  const Comparison& best = largest_gain(comparisons);
  const auto two = std::find_if(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.size == "2MiB"; });
  const Entry& swing = two->best("Swing");
  const Entry& bucket = two->best("bucket");
  findings.push_back(compare(
      setting.topology + ": largest gain over the best of the others", *printed_gain, 1, 1 + best.gain(), "x", 0.1,
      best.command({best.best("Swing").algorithm, best.best("others").algorithm}),
      refuted(kMeshes,
              fmt::format("{}. At 2 MiB {:.2f}x over bucket and {:.2f}x over recursive doubling; a start-up adds to bucket's "
                          "{} rounds more than to Swing's {}.",
                          with_gain(best), bucket.microseconds / swing.microseconds,
                          two->best("recursive doubling").microseconds / swing.microseconds, bucket.rounds, swing.rounds))));
}

/// A run's bandwidth term over the optimum's.
double congestion(Lab& lab, const std::string& topology) {
  constexpr double kLargest = 128.0 * (1 << 20);
  return lab.microseconds(fmt::format("allreduce --algo swing_bandwidth --topo {} --size 128MiB --payload 1MiB --preset "
                                      "swing-nsdi24 --latency 0 --hop 0 --host-link 0",
                                      topology)) *
         2 * 50e3 / kLargest;
}

std::vector<Finding> check_congestion(Lab& lab, const ComparedMeshes& meshes) {
  std::vector<Finding> findings;
  const double torus = congestion(lab, meshes.torus);
  const double of_four = congestion(lab, meshes.of_four);
  const double of_two = congestion(lab, meshes.of_two);
  const double hyperx = congestion(lab, meshes.hyperx);
  const auto below = [&](const std::string& less, double a, const std::string& more, double b, std::string why) {
    findings.push_back(compare_words(
        fmt::format("Xi of {} and {}", less, more), "the first is lower", fmt::format("{:.3f}, {:.3f}", a, b), a < b, "",
        refuted("the congestion deficiency of Swing on a HammingMesh is lower than that on a 2D torus", std::move(why))));
  };
  below(meshes.of_four, of_four, meshes.torus, torus,
        "Peers at distance 3 are in different boards of four, or on the two edges of one, nearer by the switch: all leave over "
        "the board's two edges, four messages on each of these links where a torus has three. Beyond distance 3 it stays at "
        "four, where a torus has delta: so it gains on it as lines grow.");
  below(meshes.of_two, of_two, meshes.of_four, of_four, "");
  below(meshes.hyperx, hyperx, meshes.of_two, of_two, "");
  findings.push_back(compare(meshes.hyperx + ": no congestion deficiency", 1, 2, hyperx, "", 0.01, ""));
  const auto hops = [&](const std::string& topology) {
    return run_comparison(lab, on(topology), "32B").best("Swing").microseconds;
  };
  findings.push_back(compare_words(
      "32 B: Swing on a HammingMesh beside the torus", "faster on the HammingMesh",
      fmt::format("{} {:.3f} us, {} {:.3f} us", meshes.of_two, hops(meshes.of_two), meshes.torus, hops(meshes.torus)),
      hops(meshes.of_two) < hops(meshes.torus)));
  return findings;
}

std::vector<Finding> check_hx2(Lab& lab, const ComparedMeshes& meshes, const std::vector<std::string>& sizes) {
  std::vector<Finding> findings;
  check_first(lab, on(meshes.of_two, meshes.latency_optimal_always), sizes, meshes.gain_of_two, findings);
  return findings;
}

std::vector<Finding> check_hx4(Lab& lab, const ComparedMeshes& meshes, const std::vector<std::string>& sizes) {
  std::vector<Finding> findings;
  for (const Comparison& comparison : run_comparisons(lab, on(meshes.of_four, meshes.latency_optimal_always), sizes)) {
    const bool large = comparison.size == "128MiB" || comparison.size == "512MiB";
    findings.push_back(
        first_is(lab, comparison, large ? "bucket" : "Swing",
                 "on Hx4Mesh Swing has a higher congestion deficiency, as we can see starting from 128MiB allreduce"));
  }
  return findings;
}

std::vector<Finding> check_hyperx(Lab& lab, const ComparedMeshes& meshes, const std::vector<std::string>& sizes) {
  std::vector<Finding> findings;
  check_first(lab, on(meshes.hyperx, meshes.latency_optimal_always), sizes, meshes.gain_of_hyperx, findings);
  return findings;
}

std::vector<Finding> stand_in(std::vector<Finding> findings) {
  for (Finding& finding : findings) finding = illustrate(std::move(finding), kStandIn);
  return findings;
}

using MeshCheck = std::vector<Finding> (*)(Lab&, const ComparedMeshes&, const std::vector<std::string>&);

void add_mesh_claims(std::vector<Claim>& claims, const std::string& name, const std::string& section,
                     const std::string& statement, MeshCheck check) {
  claims.push_back(
      {.name = name, .section = section, .statement = statement + " (Here with 256 nodes.)", .check = [check](Lab& lab) {
         return stand_in(check(lab, kSmallMeshes, kSmallSizes));
       }});
  claims.push_back(
      {.name = name + "-4096", .section = section, .statement = statement, .full = true, .check = [check](Lab& lab) {
         return check(lab, kLargeMeshes, kLargeSizes);
       }});
}

}  // namespace

std::vector<Claim> swing_other_fabric_claims() {
  std::vector<Claim> claims = {
      {.name = "swing/figure-10",
       .section = "§5.2, Fig. 10",
       .statement = "On oblong tori Swing is first up to 32 MiB, and rings beyond 512 MiB. (Here with 256 nodes: the figure's "
                    "32x8, and 64x4.)",
       .check = check_figure_10_small},
      {.name = "swing/figure-10-1024",
       .section = "§5.2, Fig. 10; §5.5",
       .statement = "On oblong tori of 1,024 nodes (64x16, 128x8, 256x4) Swing is first up to 32 MiB, by up to 3x on 128x8 and "
                    "256x4; rings are "
                    "first beyond 512 MiB; at 512 MiB on 256x4 Swing does 60 % worse than rings. Bucket's goodput falls as the "
                    "torus grows longer.",
       .full = true,
       .check = check_figure_10},
      {.name = "swing/figure-11",
       .section = "§5.3, Fig. 11",
       .statement = "On 8x8x8 and 8x8x8x8 Swing is first from 32 B to 2 GB, by up to 2x; its gain grows with the dimensions. "
                    "(Here 8x8 and 8x8x8.)",
       .check = check_dimensions},
      {.name = "swing/figure-11-4096",
       .section = "§5.3, Fig. 11",
       .statement = "The same on 8x8x8x8.",
       .full = true,
       .check = check_four_dimensions},
      {.name = "swing/torus-like-congestion",
       .section = "§5.4",
       .statement = "More links, less congestion: Xi is lower on a HammingMesh than on a 2D torus, lower with boards of 2x2 "
                    "than of 4x4, and 1 on a HyperX. (Here with 256 nodes.)",
       .check = [](Lab& lab) { return stand_in(check_congestion(lab, kSmallMeshes)); }},
      {.name = "swing/torus-like-congestion-4096",
       .section = "§5.4",
       .statement = "The same with 4,096 nodes.",
       .full = true,
       .check = [](Lab& lab) { return check_congestion(lab, kLargeMeshes); }},
  };
  add_mesh_claims(claims, "swing/figure-12", "§5.4.1, Fig. 12",
                  "On a HammingMesh of 2x2 boards Swing is first at every size, by up to 2.5x at 2 MiB.", check_hx2);
  add_mesh_claims(claims, "swing/figure-13", "§5.4.1, Fig. 13",
                  "On a HammingMesh of 4x4 boards Swing's congestion shows from 128 MiB on.", check_hx4);
  add_mesh_claims(claims, "swing/figure-14", "§5.4.2, Fig. 14", "On a HyperX Swing is first at every size, by up to 3x.",
                  check_hyperx);
  return claims;
}

}  // namespace heddle::claims
