// SPDX-License-Identifier: Apache-2.0
// What the explainer's notes state beside rows of tables, and its ladders: steps and vectors by number of ranks, times by size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "claims/compared_rows.hpp"
#include "heddle/units.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims {

namespace explainer {

namespace {

// ---- 00, the cheatsheet ----

/// The least n_β of several algorithms on a star of 8, one port each, beside the bound on all.
Finding least_bytes(Lab& lab, const ClaimData& row) {
  double least = std::numeric_limits<double>::infinity();
  std::string best;
  for (const std::string& algorithm : row.texts(2)) {
    const double vectors = cost_of(lab, fmt::format("{} --algo {} --topo star:8", row.text(0), algorithm)).n_beta;
    if (vectors < least) least = vectors, best = algorithm;
  }
  return compare_words(row.text(0) + ", N = 8", fmt::format("n_β ≥ {:.3f}", row.number(1)),
                       fmt::format("least n_β {:.3f} ({})", least, best), least >= row.number(1) - 1e-6,
                       bytes_only(fmt::format("{} --algo {} --topo star:8", row.text(0), best)),
                       "an algorithm moves less than the bound");
}

/// Each coefficient at its own limit: the fewest steps, uncut; the fewest bytes, in many segments.
Finding both_limits(Lab& lab, const ClaimData& row) {
  const auto call = [&](int segments) { return fmt::format("{}:segments={} --topo star:8", row.text(3), segments); };
  const double steps = cost_of(lab, call(1)).n_alpha;
  const double vectors = cost_of(lab, call(1024)).n_beta;
  return compare_words(row.text(0), fmt::format("{:g} α + {:.3f} M/BW", row.number(1), row.number(2)),
                       fmt::format("{:g} α uncut, {:.3f} M/BW in 1024 segments", steps, vectors),
                       std::abs(steps - row.number(1)) < 1e-6 && std::abs(vectors / row.number(2) - 1) < 0.01,
                       bytes_only(call(1024)));
}

// ---- 01, the collectives ----

void halves_of_an_allreduce(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::string speeds = " --topo star:64 --size 900MB --alpha 0.5us --latency 0 --bw 900GB/s";
  const std::string fused = "allreduce --algo double_binary_tree" + speeds;
  const std::string reduce = "reduce --algo double_binary_tree" + speeds;
  const std::string broadcast = "broadcast --algo double_binary_tree" + speeds;
  const double ratio = (lab.microseconds(reduce) + lab.microseconds(broadcast)) / lab.microseconds(fused);
  findings = {compare("reduce then broadcast over double binary trees, N = 64, M/BW = 1000 us, beside the allreduce", 2, 0,
                      ratio, "times", 0.05, command_of(reduce) + " && " + command_of(broadcast) + " && " + command_of(fused),
                      data.reason("both move 2 M"))};
}

/// Where ring overtakes a tree of 2⌈log2 N⌉·α + c_real·M/BW, as 01 §5.3 reckons it, with the ring's coefficients as measured. A row
/// has N and the gigabytes.
Finding practice_crossing(Lab& lab, const ClaimData& row) {
  constexpr double kReal = 2;
  constexpr double kAlphaTimesBw = 0.5e-6 * 900e9;
  const std::string call = fmt::format("allreduce --algo ring --topo star:{}", row.integer(0));
  const Cost ring = cost_of(lab, call);
  const double tree_steps = 2 * std::ceil(std::log2(row.integer(0)));
  const double bytes = (ring.n_alpha - tree_steps) * kAlphaTimesBw / (kReal - ring.n_beta);
  return compare(fmt::format("N = {}, c_real = 2: ring is faster from", row.integer(0)), row.number(1), 0, bytes / 1e9, "GB",
                 0.01, bytes_only(call), row.reason("forms meet elsewhere"));
}

void dominance(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::string call = " --topo star:64 --alpha 0.5us --latency 0 --bw 900GB/s --size ";
  const auto tree = [&](const char* size) { return lab.microseconds("allreduce --algo double_binary_tree" + call + size); };
  const auto ring = [&](const char* size) { return lab.microseconds("allreduce --algo ring" + call + size); };
  const auto first = [&](const char* size) { return tree(size) < ring(size) ? "double binary tree" : "ring"; };
  findings = {compare_words("N = 64, 64 KB and 900 MB", "double binary tree, double binary tree",
                            fmt::format("{}, {}", first("64KB"), first("900MB")),
                            tree("64KB") < ring("64KB") && tree("900MB") < ring("900MB"),
                            command_of("allreduce --algo double_binary_tree,ring" + call + "900MB"),
                            data.reason("ring needs no segments", ring("900MB"), tree("900MB")))};
}

/// Blocks that each link to the right carries where every block goes the shorter way round, ties to the right: one of d hops
/// passes d links. A row has the number of ranks.
Finding blocks_on_right_edges(Lab&, const ClaimData& row) {
  const int ranks = row.integer(0);
  int blocks = 0;
  for (int distance = 1; 2 * distance <= ranks; ++distance) blocks += distance;
  return compare_exactly(fmt::format("ring relay, N = {}: blocks on each link to the right", ranks), ranks - 1, blocks, "",
                         row.reason("ties to the right"));
}

/// What the messages of a round carry on average, or with `ranks` what each rank sends in it: "M/2, M/4", the run of field 2.
Finding parts_by_round(Lab& lab, const ClaimData& row) {
  const std::string run = row.run(2) + " --size 36864kB";
  std::string measured;
  for (const RoundReport& round : lab.run(run).rounds) {
    const double senders = row.number("ranks", static_cast<double>(round.messages));
    const double part = 36'864'000 * senders / static_cast<double>(round.bytes.count());
    measured += fmt::format("{}M/{:g}", measured.empty() ? "" : ", ", std::round(1000 * part) / 1000);
  }
  return compare_words(row.text(0), row.text(1), measured, row.text(1) == measured, command_of(run), row.unless(3));
}

/// M/(α·BW) at which L·(1 + x) of recursive doubling is 2L + x + 2√((2L-1)x) of a double binary tree by App. C.3.
double own_crossing(double steps) {
  const double segments = std::sqrt(2 * steps - 1);
  const double root = (segments + std::sqrt(segments * segments + (steps - 1) * steps)) / (steps - 1);
  return root * root;
}

void doubling_or_tree(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::string speeds = " --topo star:512 --alpha 0.5us --latency 0 --bw 900GB/s";
  const double bytes =
      crossing(lab, "allreduce --algo recursive_doubling" + speeds, "allreduce --algo double_binary_tree" + speeds, 4e6);
  findings = {compare_words(
      "N = 512", "double binary tree is faster from 506 KB", "from " + size_text(bytes), bytes > 480e3 && bytes < 530e3,
      command_of("allreduce --algo recursive_doubling,double_binary_tree" + speeds + fmt::format(" --size {:.0f}", bytes)),
      data.reason("hidden by the form", 2 * std::sqrt(17 * 0.5 * 506.25e3 / 900e3), 506.25e3 / 900e3,
                  size_text(own_crossing(9) * 0.5e-6 * 900e9)))};
}

Finding bruck_or_pairs(Lab& lab, const ClaimData& row) {
  const int ranks = row.integer(0);
  const std::string speeds = fmt::format(" --topo star:{} --alpha 0.5us --latency 0 --bw 900GB/s", ranks);
  const double bytes = crossing(lab, "alltoall --algo bruck" + speeds, "alltoall --algo pairwise" + speeds, 1e9);
  const double meet = (ranks - 1 - std::log2(ranks)) / (std::log2(ranks) / 2 - (ranks - 1.0) / ranks);
  return compare_words(fmt::format("N = {}", ranks), "pairwise is faster from about α·BW = 450 KB", "from " + size_text(bytes),
                       bytes > 300e3 && bytes < 675e3,
                       command_of("alltoall --algo bruck,pairwise" + speeds + fmt::format(" --size {:.0f}", bytes)),
                       row.reason("forms meet", meet));
}

/// Of a chain of 8, α = 0.6 us, M/BW = 4 us: P* = √(6·4/0.6) = 6.3.
void best_segments(Lab& lab, const ClaimData&, Findings& findings) {
  int best = 1;
  const auto run = [](int segments) {
    return fmt::format("broadcast --algo chain:segments={} --topo star:8 --size 3.6MB --alpha 0.6us --latency 0 --bw 900GB/s",
                       segments);
  };
  for (int segments = 2; segments <= 16; ++segments)
    if (lab.microseconds(run(segments)) < lab.microseconds(run(best))) best = segments;
  findings = {compare_words("chain, N = 8, α = 0.6 us, M/BW = 4 us, the best of 1 to 16 segments", "P* = 6.3",
                            fmt::format("P = {}", best), best == 6 || best == 7, command_of(run(best)),
                            "another number of segments is faster")};
}

/// n_β of the call of field 2; with `times`, so many times it, in `unit`.
Finding vectors(Lab& lab, const ClaimData& row) {
  const double measured = row.number("times", 1) * cost_of(lab, row.run(2)).n_beta;
  return compare(row.text(0), row.printed(1), measured, row.text("unit", ""), 0, row.has("times") ? "" : bytes_only(row.run(2)),
                 row.unless(3));
}

// ---- 02, tori and meshes ----

/// A fabric, a rank's name, its neighbours.
Finding neighbours(Lab&, const ClaimData& row) {
  const auto topology = parse_topology(row.text(0));
  VertexId endpoint = 0;
  while (topology->vertex_name(endpoint) != row.text(1)) ++endpoint;
  std::set<VertexId> others;
  for (LinkId link = 0; link < topology->links(); ++link)
    if (topology->ends(link).from == endpoint) others.insert(topology->ends(link).to);
  return compare_exactly(fmt::format("{} {}", row.text(0), row.text(1)), row.integer(2), std::ssize(others),
                         fmt::format("heddle topo {} --dot -", row.text(0)));
}

/// A torus, steps round one ring of all, steps dimension by dimension, how many times fewer.
void fewer_hops(Lab& lab, const ClaimData& check, Findings& findings) {
  for (const ClaimData& row : check.rows()) {
    const std::string torus = row.text(0);
    const auto steps = [&](const char* algorithm) {
      return lab.run(fmt::format("allgather --algo {} --topo {} --size 64KiB", algorithm, torus)).rounds_max();
    };
    const std::string command = fmt::format("heddle run allgather --algo ring,torus_ring --topo {} --size 64KiB", torus);
    findings.exactly(torus + ": steps round one ring of all", row.integer(1), steps("ring"), command);
    findings.exactly(torus + ": steps dimension by dimension", row.integer(2), steps("torus_ring"), command);
    findings.value(torus + ": times fewer", row.printed(3), static_cast<double>(steps("ring")) / steps("torus_ring"), "", 0.02,
                   command);
  }
}

/// All blocks of a line at once, one dimension after the other: each line of each dimension is a group.
void mesh_by_dimension(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::string call = "alltoall --algo linear --topo mesh:8x8 --groups dim:{} --isolated-groups none";
  const Cost x = cost_of(lab, fmt::format(fmt::runtime(call), 0), "--switch-latency 1us");
  const Cost y = cost_of(lab, fmt::format(fmt::runtime(call), 1), "--switch-latency 1us");
  const bool same = std::abs(x.n_alpha + y.n_alpha - 14) < 1e-6 && std::abs(x.n_beta + y.n_beta - 4) < 1e-3;
  findings = {compare_words("8x8, dimension by dimension, a line's blocks at once", "14 α + 4.000 M/BW",
                            fmt::format("{:g} α + {:.3f} M/BW", x.n_alpha + y.n_alpha, x.n_beta + y.n_beta), same,
                            bytes_only(fmt::format(fmt::runtime(call), 0)), data.reason("by dimension"))};
}

/// What lock step costs on a mesh, which the note warns of: the call of field 1 beside the form's vectors.
Finding mesh_in_lock_step(Lab& lab, const ClaimData& row) {
  const double factor = cost_of(lab, row.text(1)).n_beta / row.number(2);
  return compare_words(row.text(0), "up to 2 times the form's bytes", fmt::format("{:.2f} times", factor),
                       factor > 1 && factor <= 2, bytes_only(row.text(1)), row.reason("in lock step"));
}

/// Blocks that the busiest link carries while every rank sends every other a block: a fabric, its ranks, the blocks.
Finding blocks_on_a_link(Lab& lab, const ClaimData& row) {
  const std::string run = fmt::format("alltoall --algo linear --topo {} --size {}", row.text(0), 64 * row.integer(1));
  return compare_exactly(row.text(0) + ": blocks on each link of the cut", row.integer(2),
                         lab.run(run).busiest_links(1).front().bytes.count() / 64, command_of(run),
                         "ways of equal length take even parts; the cut's links carry fewer or more");
}

/// A fabric, N²/4 blocks over the links of its cut, these per link of the longest way.
void blocks_over_the_cut(Lab&, const ClaimData& check, Findings& findings) {
  for (const ClaimData& row : check.rows()) {
    const std::string shape = row.text(0);
    const TopologyProperties fabric = parse_topology(shape)->properties();
    const std::int64_t blocks = std::int64_t{fabric.endpoints} * fabric.endpoints / 4 / fabric.bisection;
    const std::string command = "heddle topo " + shape;
    findings.exactly(shape + ": N²/4 blocks over the links of its cut", row.integer(1), blocks, command);
    findings.value(shape + ": these per link of the longest way", row.number(2), 0,
                   static_cast<double>(blocks) / fabric.diameter, "", 0, command);
  }
}

// ---- 03, tiers ----

void clos_links(Lab&, const ClaimData&, Findings& findings) {
  const std::string spec = "clos:hosts=4,leaves=4,spines=2";
  const TierProperties up = parse_topology(spec)->properties().tiers.at(1);
  findings = {compare_exactly("leaf-spine links", 8, up.cables, "heddle topo " + spec),
              compare("oversubscription", 2, 0, up.oversubscription, "", 0, "heddle topo " + spec)};
}

/// A broadcast or reduce in segments: the two phases after each other, and one tree over both tiers. All GPUs are of one rail,
/// so that no message crosses to another first.
Finding rooted_bytes(Lab& lab, const ClaimData& row) {
  constexpr double kVector = 368.64;
  const auto run = [&](const char* algorithm) {
    return fmt::format("{} --algo {} --topo superpod:pods=4,gpus=8,trays=8 --size 36864kB --alpha 0 --latency 0 --bw 100GB/s",
                       row.text(0), algorithm);
  };
  const std::string phases = run("hierarchical:inner=double_binary_tree/segments=256:outer=double_binary_tree/segments=256");
  const std::string one_tree = run("double_binary_tree:segments=1024");
  const double whole = lab.microseconds(one_tree);
  return compare(row.text(0) + ", bytes, in segments: M/BW", kVector, 2, lab.microseconds(phases), "us", 0.03,
                 command_of(phases),
                 std::abs(whole / kVector - 1) < 0.03 ? row.reason("one pipeline", whole, command_of(one_tree))
                                                      : row.reason("two pipelines"));
}

/// A collective, the printed order of its phases and the other. In the printed one half of the vector goes within each pod of 72,
/// then all of it between the two, each GPU by itself.
Finding order_of_phases(Lab& lab, const ClaimData& row) {
  const std::string collective = row.text(0);
  const std::string printed = row.text(1);
  const std::string both = collective + " --algo hierarchical --topo superpod:pods=2 --size 16MB --preset superpod";
  const std::string within = collective + " --algo ring --topo star:72 --alpha 0.5us --latency 0 --bw 900GB/s --size 8MB";
  const std::string between = collective + " --algo ring --topo star:2 --alpha 2us --latency 0 --bw 50GB/s --size 16MB";
  const double as_printed = lab.microseconds(within) + lab.microseconds(between);
  const double other = lab.microseconds(both);
  const bool holds = as_printed <= other;
  return compare_words(collective, printed,
                       fmt::format("{} ({:.1f} us; {} takes {:.1f} us)", holds ? printed : row.text(2),
                                   std::min(as_printed, other), holds ? row.text(2) : printed, std::max(as_printed, other)),
                       holds, command_of(both) + " && " + command_of(within) + " && " + command_of(between),
                       row.reason("the other order"));
}

void best_number_of_groups(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::string flat = "allreduce --algo ring --topo star:144 --alpha 0.5us --latency 0 --bw 900GB/s --size 16MB";
  const std::string tiers = "allreduce --algo hierarchical --topo clos:hosts=12,leaves=12,spines=12 --size 16MB";
  findings = {compare("times fewer steps", 12, 0, static_cast<double>(lab.run(flat).rounds_max()) / lab.run(tiers).rounds_max(),
                      "", 0.1, command_of(flat) + " && " + command_of(tiers), data.reason("half of it"))};
}

void payload_between_pods(Lab& lab, const ClaimData&, Findings& findings) {
  const std::string run = "allreduce --algo hierarchical --topo superpod:pods=16,gpus=64,trays=16 --size 4MiB";
  const auto topology = parse_topology("superpod:pods=16,gpus=64,trays=16");
  std::int64_t most = 0;
  for (const LinkReport& link : lab.run(run).links)
    if (topology->tier(link.link) == 1) most = std::max(most, link.bytes.count());
  // A ring of 16 sends 2·15/16 of what it reduces.
  const double part = (4 << 20) / (static_cast<double>(most) / (2 * 15.0 / 16));
  findings = {compare("L = 16, N = 1024: the outer allreduce is of M over", 64, 0, part, "", 0, command_of(run),
                      "the outer tier carries another part")};
}

void superpod_counts(Lab&, const ClaimData&, Findings& findings) {
  const std::string command = "heddle topo superpod:pods=32";
  const std::vector<TierProperties> tiers = parse_topology("superpod:pods=32")->properties().tiers;
  const TierProperties& leaves = tiers.at(1);
  const TierProperties& spines = tiers.at(2);
  const TierProperties& of_four = parse_topology("superpod:pods=4")->properties().tiers.at(1);
  findings = {
      compare_exactly("leaves", 32, leaves.switches, command),
      compare_exactly("spines", 16, spines.switches, command),
      compare_exactly("InfiniBand switches", 48, leaves.switches + spines.switches, command),
      compare_exactly("NICs of a rail", 576, leaves.cables / 4, command),
      compare_exactly("cables from a leaf to a spine", 18, spines.cables / (leaves.switches * spines.switches / 4), command),
      compare_exactly("ports down of a leaf", 72, leaves.cables / leaves.switches, command),
      compare_exactly("ports of a spine", 144, spines.cables / spines.switches, command),
      compare_exactly("leaves of four pods: one a rail", 4, of_four.switches, "heddle topo superpod:pods=4")};
}

/// k, pods, edge switches of a pod, core switches, endpoints of a pod, endpoints, switches.
void fat_tree_counts(Lab&, const ClaimData& check, Findings& findings) {
  for (const ClaimData& row : check.rows()) {
    const std::string spec = fmt::format("fattree:k={}", row.integer(0));
    const auto topology = parse_topology(spec);
    const TopologyProperties built = topology->properties();
    const int pods = topology->group(built.endpoints - 1, 1) + 1;
    const auto add = [&](const char* what, int printed, int counted) {
      findings.exactly(fmt::format("k = {}: {}", row.integer(0), what), row.integer(printed), counted, "heddle topo " + spec);
    };
    add("pods", 1, pods);
    add("edge switches per pod", 2, built.tiers.at(0).switches / pods);
    add("aggregation switches per pod", 2, built.tiers.at(1).switches / pods);
    add("core switches", 3, built.tiers.at(2).switches);
    add("endpoints per edge switch", 2, built.endpoints / built.tiers.at(0).switches);
    add("endpoints per pod", 4, built.endpoints / pods);
    add("endpoints", 5, built.endpoints);
    add("switches", 6, built.switches);
  }
}

// ---- 04, in the network ----

/// The megabytes of which α and bytes take equally long.
void turning_point(Lab& lab, const ClaimData&, Findings& findings) {
  const std::string run = "allreduce --algo rabenseifner --topo star:512 --preset explainer-n512 --size 16MB";
  const std::string no_bytes = run + " --bw inf";
  const std::string no_latency = run + " --alpha 0 --latency 0 --switch-latency 0";
  findings = {compare("N = 512: α and bytes take equally long", 4, 0,
                      lab.microseconds(no_bytes) / lab.microseconds(no_latency) * 16, "MB", 0.02,
                      command_of(no_bytes) + " && " + command_of(no_latency))};
}

// ---- 05, contention ----

/// (η_α, η_β): how much longer groups, the run of field 2, take together than one of them alone, that of field 3, in latency, and
/// how much less bandwidth they have.
Finding etas(Lab& lab, const ClaimData& row) {
  const std::string together = row.run(2);
  const auto ratio = [&](const char* part) { return lab.microseconds(together + part) / lab.microseconds(row.run(3) + part); };
  const double measured_alpha = ratio(" --alpha 0.5us --latency 0 --bw inf");
  const double measured_beta = 1 / ratio(" --alpha 0 --latency 0 --bw 900GB/s");
  const std::string measured = fmt::format("({:.3g}, {:.3g})", measured_alpha, measured_beta);
  return compare_words(row.text(0), row.text(1), measured, row.text(1) == measured,
                       command_of(together + " --alpha 0.5us --latency 0 --bw 900GB/s"), row.unless(4));
}

/// One group of 16 on 8x8x8, a subject and a placement: as a prefix it is 8x2, by rings per dimension; scattered it is one ring of
/// all. Where that is drawn by chance, it is beside fragmented:1.
Finding scattered_group(Lab& lab, const ClaimData& row) {
  const std::string speeds = " --size 1024000 --switch-latency 0.5us --latency 0 --bw inf";
  const std::string prefix = "allreduce --algo torus_ring --topo torus:8x2" + speeds;
  const auto scattered = [&](const std::string& placement) {
    return "allreduce --algo ring --topo torus:8x8x8 --ranks 16 --placement " + placement + speeds;
  };
  const auto times = [&](const std::string& placement) {
    return lab.microseconds(scattered(placement)) / lab.microseconds(prefix);
  };
  const double factor = times(row.text(1));
  return compare_words(row.text(0), "2 to 4 times", fmt::format("{:.1f} times", factor), factor >= 2 && factor <= 4,
                       command_of(scattered(row.text(1))) + " && " + command_of(prefix),
                       row.text(1) == "random:1" ? row.reason("by chance", times("fragmented:1")) : row.reason("this scatter"));
}

void hot_link(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::string run = "alltoall --algo linear --topo star:64 --size 81920kB --preset explainer-n512";
  const double longer = lab.microseconds(run + " --skew hotspot=4,factor=5") / lab.microseconds(run);
  // The same bytes in all: 64 weights become 60 + 4·5 = 80, of which a hot rank gets 5.
  findings = {compare_words("64 ranks, 4 of them sent 5 times as much, as many bytes in all", "as long as without skew",
                            fmt::format("{:.2f} times as long", longer), std::abs(longer - 1) < 0.02,
                            command_of(run + " --skew hotspot=4,factor=5"), data.reason("the hot port"))};
}

/// A quotient, as printed, its dividend and divisor.
Finding quotients(Lab&, const ClaimData& row) {
  return compare(row.text(0), row.printed(1), row.number(2) / row.number(3), row.text(4), row.number(5, 0), "");
}

/// Eight pairs across the leaves of a Clos oversubscribed by field 2, one to each host, with the links' η_β of field 3.
Finding oversubscription(Lab& lab, const ClaimData& row) {
  const std::string pairs = fmt::format(
      "allreduce --algo recursive_doubling --topo clos:hosts=8,leaves=2,spines={} --groups "
      "0,8;1,9;2,10;3,11;4,12;5,13;6,14;7,15 --isolated-groups none --size 900MB --latency 0 --bw 900GB/s --eta-beta {}",
      8 / row.integer(2), row.text(3));
  return compare(row.text(0), row.number(1), 2, 1000 / lab.microseconds(pairs), "of 900 GB/s", 0, command_of(pairs),
                 row.unless(4));
}

/// By how many per cent the run of field 3 takes longer than that of field 2.
Finding longer_by(Lab& lab, const ClaimData& row) {
  const double ideal = lab.microseconds(row.run(2));
  const double derated = lab.microseconds(row.run(3));
  return compare(row.text(0), row.number(1), 0, 100 * (derated / ideal - 1), "%", 0.1,
                 command_of(row.run(3)) + " && " + command_of(row.run(2)), row.reason("rounded totals", derated, ideal));
}

// ---- figures ----

/// Two panels: steps, and vectors that pass a port one after the other. `lines`: names, algorithms, fabrics ("star:{ranks}",
/// "torus:{side}x{side}x{side}"). `ranks`: with the side of a torus. `printed`: of a line, at ranks, n_α and n_β.
pictures::Chart costs_by_ranks(Lab& lab, const ClaimData& data) {
  const pictures::ChartAxis by_ranks = {.title = "Ranks", .is_log = true};
  pictures::ChartPanel steps{.title = "Steps", .x = by_ranks, .y = {.title = "Steps, each of α", .is_log = true}, .lines = {}};
  pictures::ChartPanel bytes{.title = "Bytes", .x = by_ranks, .y = {.title = "Time of the bytes (M/BW)"}, .lines = {}};
  for (const ClaimData& line : data.parts("lines")) {
    pictures::ChartLine alpha{.name = line.text(0), .points = {}};
    pictures::ChartLine beta = alpha;
    for (const ClaimData& at : data.parts("ranks")) {
      const std::string fabric =
          fmt::format(fmt::runtime(line.text(2)), fmt::arg("ranks", at.integer(0)), fmt::arg("side", at.integer(1)));
      const Cost cost = cost_of(lab, fmt::format("allreduce --algo {} --topo {}", line.text(1), fabric));
      alpha.points.push_back({at.number(0), cost.n_alpha});
      beta.points.push_back({at.number(0), cost.n_beta});
    }
    steps.lines.push_back(std::move(alpha));
    bytes.lines.push_back(std::move(beta));
  }
  for (const ClaimData& mark : data.parts("printed")) {
    steps.printed.push_back({.line = mark.text(0), .at = {mark.number(1), mark.number(2)}});
    bytes.printed.push_back({.line = mark.text(0), .at = {mark.number(1), mark.number(3)}});
  }
  return {.title = data.text("title"), .panels = {std::move(steps), std::move(bytes)}};
}

/// `lines`: names, algorithms with their fabric, sizes. `printed`: of a line, at a number of bytes, microseconds.
pictures::Chart times_by_size(Lab& lab, const ClaimData& data) {
  pictures::ChartPanel panel{.title = "512 ranks, 900 GB/s, 0.5 us",
                             .x = {.title = "Size of the vector (MB)", .is_log = true},
                             .y = {.title = "Time (us)", .is_log = true},
                             .lines = {}};
  for (const ClaimData& of : data.parts("lines")) {
    pictures::ChartLine line{.name = of.text(0), .points = {}};
    for (const std::string& size : of.texts(2))
      line.points.push_back(
          {static_cast<double>(parse_bytes(size).count()) / 1e6,
           lab.microseconds(fmt::format("allreduce --algo {} --preset explainer-n512 --size {}", of.text(1), size))});
    panel.lines.push_back(std::move(line));
  }
  for (const ClaimData& mark : data.parts("printed"))
    panel.printed.push_back({.line = mark.text(0), .at = {mark.number(1) / 1e6, mark.number(2)}});
  return {.title = data.text("title"), .panels = {std::move(panel)}};
}

}  // namespace

}  // namespace explainer

Vocabulary explainer_vocabulary() {
  using namespace explainer;
  return {.rows = {{"least bytes", least_bytes},
                   {"both limits", both_limits},
                   {"practice crossing", practice_crossing},
                   {"blocks on right edges", blocks_on_right_edges},
                   {"parts by round", parts_by_round},
                   {"bruck or pairs", bruck_or_pairs},
                   {"vectors", vectors},
                   {"neighbours", neighbours},
                   {"mesh in lock step", mesh_in_lock_step},
                   {"blocks on a link", blocks_on_a_link},
                   {"rooted bytes", rooted_bytes},
                   {"order of phases", order_of_phases},
                   {"etas", etas},
                   {"scattered group", scattered_group},
                   {"quotients", quotients},
                   {"oversubscription", oversubscription},
                   {"longer by", longer_by}},
          .checks = {{"halves of an allreduce", halves_of_an_allreduce},
                     {"dominance", dominance},
                     {"doubling or tree", doubling_or_tree},
                     {"best segments", best_segments},
                     {"fewer hops", fewer_hops},
                     {"mesh by dimension", mesh_by_dimension},
                     {"blocks over the cut", blocks_over_the_cut},
                     {"clos links", clos_links},
                     {"best number of groups", best_number_of_groups},
                     {"payload between pods", payload_between_pods},
                     {"superpod counts", superpod_counts},
                     {"fat-tree counts", fat_tree_counts},
                     {"turning point", turning_point},
                     {"hot link", hot_link}},
          .charts = {{"costs by ranks", costs_by_ranks}, {"times by size", times_by_size}}};
}

}  // namespace heddle::claims
