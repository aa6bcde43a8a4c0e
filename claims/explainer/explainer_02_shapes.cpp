// SPDX-License-Identifier: Apache-2.0
// Note 02, §3.6, §4.2, §5.1 and Appendices A–C: alltoalls over the bisection, shapes, halving and doubling on a torus.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "claims/explainer/explainer_rows.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims::explainer_notes {

namespace {

std::string all_at_once(const std::string& shape) { return "alltoall --algo linear --topo " + shape; }
std::string relay(const std::string& shape) { return "alltoall --algo torus_relay --topo " + shape; }
std::string decomposed(const std::string& shape) { return "alltoall --algo torus_decomposed --topo " + shape; }

Claim torus_alltoall() {
  return {.name = "explainer/02-alltoall-torus",
          .section = "[explainer-02] §3.6",
          .statement = "A torus' alltoall takes Σ⌊dᵢ/2⌋·α + d_max/8·M/BW; dimension by dimension Σdᵢ/8·M/BW.",
          .check = costs({
              {"4x4, all blocks at once", 4, 0.5, all_at_once("torus:4x4"), "", 3, "--hop 1us"},
              {"4x4, in rounds", 4, 0.5, relay("torus:4x4")},
              {"8x8, in rounds", 8, 1, relay("torus:8x8")},
              {"16x4, in rounds", 10, 2, relay("torus:16x4")},
              {"8x8x8, in rounds", 12, 1, relay("torus:8x8x8")},
              {"4x4, dimension by dimension", 4, 1, decomposed("torus:4x4")},
              {"8x8, dimension by dimension", 8, 2, decomposed("torus:8x8")},
              {"16x4, dimension by dimension", 10, 2.5, decomposed("torus:16x4")},
              {"8x8x8, dimension by dimension", 12, 3, decomposed("torus:8x8x8")},
          })};
}

/// All blocks of a line at once, one dimension after the other: each line of each dimension is a group.
Finding mesh_by_dimension(Lab& lab) {
  const auto phase = [&](int dimension) {
    return cost_of(lab, {.subject = "",
                         .n_alpha = 0,
                         .n_beta = 0,
                         .call = fmt::format("{} --groups dim:{} --alone none", all_at_once("mesh:8x8"), dimension),
                         .step = "--hop 1us"});
  };
  const Cost x = phase(0);
  const Cost y = phase(1);
  const bool same = std::abs(x.n_alpha + y.n_alpha - 14) < 1e-6 && std::abs(x.n_beta + y.n_beta - 4) < 1e-3;
  return compare_words(
      "8x8, dimension by dimension, a line's blocks at once", "14 α + 4.000 M/BW",
      fmt::format("{:g} α + {:.3f} M/BW", x.n_alpha + y.n_alpha, x.n_beta + y.n_beta), same,
      command_of(all_at_once("mesh:8x8") + " --groups dim:0 --alone none --size 36864kB --alpha 0 --latency 0 --bw 100GB/s"),
      refuted("02, §4.2: `diam · α + (Σ d_i)/4 · M/BW`", "The two phases take another time."));
}

/// What lock step costs on a mesh, which the note warns of.
Finding mesh_in_lock_step(Lab& lab, const std::string& subject, const std::string& call, double form) {
  const double factor = cost_of(lab, {.subject = subject, .n_alpha = 0, .n_beta = 0, .call = call}).n_beta / form;
  return compare_words(subject, "up to 2 times the form's bytes", fmt::format("{:.2f} times", factor),
                       factor > 1 && factor <= 2, command_of(call + " --size 36864kB --alpha 0 --latency 0 --bw 100GB/s"),
                       refuted("02, §4.2: `up to 2× worse BW because middle links bottleneck`", "A run's factor is another."));
}

Claim mesh_alltoall() {
  return {.name = "explainer/02-alltoall-mesh",
          .section = "[explainer-02] §4.2",
          .statement =
              "A mesh's alltoall takes Σ(dᵢ-1)·α + d_max/4·M/BW, twice a torus'; dimension by dimension Σdᵢ/4·M/BW. A naive "
              "schedule takes up to twice as long for bytes: here the relay's rounds in lock step.",
          .check = all_of({
              costs({
                  {"4x4, all blocks at once", 6, 1, all_at_once("mesh:4x4"), "", 3, "--hop 1us"},
                  {"8x8, all blocks at once", 14, 2, all_at_once("mesh:8x8"), "", 3, "--hop 1us"},
                  {"16, all blocks at once", 15, 4, all_at_once("mesh:16"), "", 3, "--hop 1us"},
              }),
              one(mesh_by_dimension),
              one([](Lab& lab) { return mesh_in_lock_step(lab, "8x8, in lock step", relay("mesh:8x8"), 2); }),
              one([](Lab& lab) {
                return mesh_in_lock_step(lab, "8x8, in lock step, dimension by dimension", decomposed("mesh:8x8"), 4);
              }),
          })};
}

constexpr const char* kBytesOnly = " --size 16777216 --alpha 0 --latency 0 --bw 900GB/s";

Claim shapes() {
  const std::string cube = relay("torus:8x8x8") + kBytesOnly;
  const auto beside_cube = [&](const std::string& shape, double printed) {
    return RatioRow{shape + " beside 8x8x8", printed, 0, relay("torus:" + shape) + kBytesOnly, cube};
  };
  return {
      .name = "explainer/02-alltoall-shapes",
      .section = "[explainer-02] §3.1, §3.6, §5.1",
      .statement =
          "For bytes, 512 ranks' alltoall on 8x8x8 is as fast as on a star; other shapes of as many ranks are slower by "
          "their longest dimension.",
      .check = all_of({
          ratios({{"8x8x8 beside a star", 1, 0, cube, "alltoall --algo pairwise --topo star:512" + std::string(kBytesOnly)},
                  beside_cube("16x8x4", 2),
                  beside_cube("32x4x4", 4),
                  beside_cube("32x16", 4)}),
          counts({{"ranks of 256x2x2, 'at the same N' as 8x8x8", 512, "torus:256x2x2", &TopologyProperties::endpoints,
                   contradiction(
                       "02, §3.1: `a pathological shape like 256 × 2 × 2 costs far more than cubic 8 × 8 × 8 at the same N`",
                       "256·2·2 = 1,024, 8·8·8 = 512.")}}),
      })};
}

Claim long_shape() {
  return {.name = "explainer/02-alltoall-256x2x2",
          .section = "[explainer-02] §5.1 (observations)",
          .statement = "On 256x2x2 the bytes of an alltoall take 32 times as long as on a star.",
          .full = true,
          .check = ratios({{"256x2x2 beside a star", 32, 0, relay("torus:256x2x2") + kBytesOnly,
                            "alltoall --algo pairwise --topo star:1024" + std::string(kBytesOnly)}})};
}

/// Blocks that the busiest link carries while every rank sends every other a block.
Finding blocks_on_a_link(Lab& lab, const std::string& shape, int ranks, int printed) {
  const std::string run = fmt::format("{} --size {}", all_at_once(shape), 64 * ranks);
  return compare_exactly(shape + ": blocks on each link of the cut", printed,
                         lab.run(run).busiest_links(1).front().bytes.count() / 64, command_of(run),
                         "ways of equal length take even parts; the cut's links carry fewer or more");
}

Claim cuts() {
  return {.name = "explainer/02-cut",
          .section = "[explainer-02] §3.6, App. C.3",
          .statement =
              "Over the narrowest even cut of a torus go 2N/d_max links and N²/4 blocks of an alltoall each way, N·d_max/8 "
              "on each link.",
          .check = all_of({
              counts({{"links cut, 4x4", 8, "torus:4x4", &TopologyProperties::bisection},
                      {"links cut, 8x8", 16, "torus:8x8", &TopologyProperties::bisection},
                      {"links cut, 8x8x8", 128, "torus:8x8x8", &TopologyProperties::bisection},
                      {"links cut, 16x16x16", 512, "torus:16x16x16", &TopologyProperties::bisection},
                      {"links cut, mesh 8x8: N/d_max", 8, "mesh:8x8", &TopologyProperties::bisection}}),
              one([](Lab& lab) { return blocks_on_a_link(lab, "torus:4x4", 16, 8); }),
              one([](Lab& lab) { return blocks_on_a_link(lab, "torus:8x8", 64, 64); }),
              one([](Lab& lab) { return blocks_on_a_link(lab, "torus:8x8x8", 512, 512); }),
              one([](Lab& lab) { return blocks_on_a_link(lab, "mesh:4x4", 16, 16); }),
              [](Lab&) {
                std::vector<Finding> findings;
                for (const auto& [shape, printed, ratio] :
                     {std::tuple("torus:4x4", 8, 2), std::tuple("torus:8x8", 64, 8), std::tuple("torus:8x8x8", 512, 43),
                      std::tuple("torus:16x16x16", 8192, 341)}) {
                  const TopologyProperties fabric = parse_topology(shape)->properties();
                  const std::int64_t blocks = std::int64_t{fabric.endpoints} * fabric.endpoints / 4 / fabric.bisection;
                  const std::string command = std::string("heddle topo ") + shape;
                  findings.push_back(compare_exactly(std::string(shape) + ": N²/4 blocks over the links of its cut", printed,
                                                     blocks, command));
                  findings.push_back(compare(std::string(shape) + ": these per link of the longest way", ratio, 0,
                                             static_cast<double>(blocks) / fabric.diameter, "", 0, command));
                }
                return findings;
              },
              ratios({{"4x4: a link's time beside one block's way of 4 hops", 2, 0,
                       all_at_once("torus:4x4") + " --size 16MB --alpha 0 --latency 0 --bw 1GB/s",
                       "broadcast --algo torus_ring:segments=1 --topo torus:4x4 --size 1MB --alpha 0 --latency 0 --bw 1GB/s"}}),
          })};
}

Claim diameters() {
  const auto row = [](const char* topology, int diameter) {
    return CountRow{topology, diameter, topology, &TopologyProperties::diameter};
  };
  return {.name = "explainer/02-diameters",
          .section = "[explainer-02] App. B",
          .statement = "Diameters, in links, of a torus Σ⌊dᵢ/2⌋, a mesh Σ(dᵢ-1), a star 2, a full mesh 1, a Clos 4 or 6.",
          .check = counts({row("torus:3x3", 2), row("mesh:3x3", 4), row("ring:512", 256), row("mesh:512", 511),
                           row("torus:32x16", 24), row("mesh:32x16", 46), row("torus:8x8x8", 12), row("mesh:8x8x8", 21),
                           row("torus:8x4x4x4", 10), row("mesh:8x4x4x4", 16), row("torus:16x16x16", 24), row("torus:4x4", 4),
                           row("torus:8x8", 8), row("star:72", 2), row("fullmesh:8", 1),
                           row("clos:hosts=4,leaves=4,spines=2", 4), row("fattree:k=4", 6)})};
}

Claim shape_butterflies() {
  const Unless hops = refuted(
      "02, App. A: `keeping the same (d_i - 1)/d_i · chunk/BW bandwidth term per phase`; `9 μs α + 35.5 μs BW = 45 μs`",
      "On a ring of 8 the partners 2 and 4 places away are as many hops away, and two messages meet on each link between "
      "them, though heddle has long messages go the short ways. The form counts each step as one hop on links of its own, "
      "which a torus has only between neighbours. At the note's 0.5 us per hop the latency is longer too: 1 + 2 + 4 hops a "
      "dimension are a ring's 7.");
  return {.name = "explainer/02-rabenseifner",
          .section = "[explainer-02] App. A",
          .statement =
              "Rabenseifner's halving and doubling per dimension takes 2Σ⌈log2 dᵢ⌉·α + 2(N-1)/N·M/BW: 8 steps instead of 12 "
              "on 4x4, 18 instead of 42 on 8x8x8, 45 us instead of 57.",
          .check = all_of({
              rounds({{"4x4", 8, "allreduce --algo torus_rabenseifner --topo torus:4x4 --size 64KiB"},
                      {"4x4, ring per dimension", 12, "allreduce --algo torus_ring --topo torus:4x4 --size 64KiB"},
                      {"8x8x8", 18, "allreduce --algo torus_rabenseifner --topo torus:8x8x8 --size 64KiB"},
                      {"8x8x8, ring per dimension", 42, "allreduce --algo torus_ring --topo torus:8x8x8 --size 64KiB"},
                      {"8x8x8, one ring of all", 1022, "allreduce --algo ring --topo torus:8x8x8 --size 64KiB"}}),
              costs({{"4x4", 8, 1.875, "allreduce --algo torus_rabenseifner --topo torus:4x4", hops},
                     {"8x8x8", 18, 1.996, "allreduce --algo torus_rabenseifner --topo torus:8x8x8", hops}}),
              times({{"8x8x8, 16 MB, ring per dimension", 57, 0,
                      "allreduce --algo torus_ring --topo torus:8x8x8 --size 16MB --preset explainer-n512"},
                     {"8x8x8, 16 MB, Rabenseifner per dimension", 45, 0,
                      "allreduce --algo torus_rabenseifner --topo torus:8x8x8 --size 16MB --preset explainer-n512", hops}}),
          })};
}

/// §5.1 row by row, for stars of 64, 4x4x4 tori and meshes, full meshes of 64.
Claim summary() {
  const Unless twice =
      contradiction("02, §5.1: AR, double binary tree (pipelined) `M/BW`; 00, §5: Star `2⌈log2 N⌉ DBT`, `2(N-1)/N → 2`",
                    "A double binary tree's allreduce moves 2·M through a port, as any software's, and segments cost α each.");
  const Unless ports = contradiction(
      "02, §5.1: BC, binomial tree (pipelined) `M/BW`; 01, App. C.5: `root fan-out needs ⌈log2 N⌉ ports for full pipeline`",
      "The root's one port sends ⌈log2 N⌉ vectors however they are cut.");
  const std::string speeds = " --size 900MB --preset explainer-n512";
  const auto row = [&](const char* subject, double printed, const char* call, const Unless& unless = {},
                       double tolerance = 0.01) { return TimeRow{subject, printed, 1, call + speeds, unless, tolerance}; };
  return {.name = "explainer/02-summary",
          .section = "[explainer-02] §5.1",
          .statement =
              "The table of costs by topology, at 64 ranks, α = 0.5 us and M/BW = 1000 us: steps·0.5 us and the bandwidth "
              "term, BW terms those of infinitely many segments.",
          .check = times({
              row("star, broadcast, binomial tree (pipelined): 6α + M/BW", 1003,
                  "broadcast --algo binomial_pipelined --topo star:64", ports),
              row("star, broadcast, double binary tree: 6α + M/BW", 1003, "broadcast --algo double_binary_tree --topo star:64",
                  "segments cost α each", 0.12),
              row("star, allreduce, double binary tree: 12α + M/BW", 1006, "allreduce --algo double_binary_tree --topo star:64",
                  twice),
              row("star, allreduce, ring: 126α + 1.969 M/BW", 2031.75, "allreduce --algo ring --topo star:64"),
              row("star, allgather, ring: 63α + 0.984 M/BW", 1015.9, "allgather --algo ring --topo star:64"),
              row("star, reduce_scatter, ring", 1015.9, "reduce_scatter --algo ring --topo star:64"),
              row("star, alltoall, pairwise", 1015.9, "alltoall --algo pairwise --topo star:64"),
              row("torus, broadcast, both ways: 6α + M/BW", 1003, "broadcast --algo torus_ring --topo torus:4x4x4",
                  "segments cost α each", 0.12),
              row("torus, reduce, both ways: 6α + M/BW", 1003, "reduce --algo torus_ring --topo torus:4x4x4",
                  "segments cost α each", 0.12),
              row("torus, allreduce, rings: 18α + 1.969 M/BW", 1977.75, "allreduce --algo torus_ring --topo torus:4x4x4"),
              row("torus, allgather, rings: 9α + 0.984 M/BW", 988.9, "allgather --algo torus_ring --topo torus:4x4x4"),
              row("torus, reduce_scatter, rings", 988.9, "reduce_scatter --algo torus_ring --topo torus:4x4x4"),
              row("torus, alltoall: 6α + 4/8 M/BW", 503, "alltoall --algo torus_relay --topo torus:4x4x4"),
              row("full mesh, allreduce, double binary tree: 12α + M/BW", 1006,
                  "allreduce --algo double_binary_tree --topo fullmesh:64", "segments cost α each", 0.12),
              row("full mesh, allreduce, ring", 2031.75, "allreduce --algo ring --topo fullmesh:64"),
              row("full mesh, alltoall, pairwise", 1015.9, "alltoall --algo pairwise --topo fullmesh:64"),
              row("mesh, broadcast: 9α + M/BW", 1004.5, "broadcast --algo torus_ring --topo mesh:4x4x4", "segments cost α each",
                  0.15),
              row("mesh, allreduce: 18α + 1.969 M/BW", 1977.75, "allreduce --algo torus_ring --topo mesh:4x4x4"),
              row("mesh, allgather: 9α + 0.984 M/BW", 988.9, "allgather --algo torus_ring --topo mesh:4x4x4"),
              row("mesh, alltoall: 9α + 4/4 M/BW", 1004.5, "alltoall --algo linear --topo mesh:4x4x4"),
          })};
}

Claim same_bytes() {
  constexpr const char* kBytes = " --size 36864kB --alpha 0 --latency 0 --bw 100GB/s";
  const auto run = [&](const std::string& call) { return call + kBytes; };
  return {.name = "explainer/02-observations",
          .section = "[explainer-02] §5.1 (observations)",
          .statement =
              "For bytes a torus and a mesh take as long as a star for allreduce, allgather and reduce_scatter; a mesh twice "
              "as long as a torus for alltoall.",
          .check = ratios({
              {"allreduce, 64 ranks: torus beside star", 1, 0, run("allreduce --algo torus_ring --topo torus:4x4x4"),
               run("allreduce --algo ring --topo star:64"), "", 0.001},
              {"allgather, 64 ranks: mesh beside star", 1, 0, run("allgather --algo torus_ring --topo mesh:4x4x4"),
               run("allgather --algo ring --topo star:64"), "", 0.001},
              {"alltoall, 4x4x4: mesh beside torus", 2, 0, run(all_at_once("mesh:4x4x4")), run(all_at_once("torus:4x4x4")), "",
               0.001},
          })};
}

}  // namespace

std::vector<Claim> topology_shapes() {
  return {torus_alltoall(), mesh_alltoall(),     shapes(),   long_shape(), cuts(), summary(),
          same_bytes(),     shape_butterflies(), diameters()};
}

}  // namespace heddle::claims::explainer_notes
