// SPDX-License-Identifier: Apache-2.0
// Note 02, §1–§4: neighbours, collectives dimension by dimension on tori and meshes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "claims/explainer/explainer_rows.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims::explainer_notes {

namespace {

int neighbours(const Topology& topology, VertexId endpoint) {
  std::set<VertexId> others;
  for (LinkId link = 0; link < topology.links(); ++link)
    if (topology.ends(link).from == endpoint) others.insert(topology.ends(link).to);
  return static_cast<int>(others.size());
}

struct Degree {
  const char* topology;
  const char* vertex;
  int printed;
};

Claim degrees() {
  return {
      .name = "explainer/02-neighbours",
      .section = "[explainer-02] §1.2, §4.2",
      .statement = "A rank of a torus has Σ min(dᵢ-1, 2) neighbours; one on a mesh's boundary has one less per axis.",
      .check = [](Lab&) {
        std::vector<Finding> findings;
        for (const auto& [spec, vertex, printed] :
             {Degree{"torus:3x3x3", "(0,0,0)", 6}, Degree{"torus:3x3x4", "(0,0,0)", 6}, Degree{"torus:16x16x4", "(0,0,0)", 6},
              Degree{"torus:4x4x2", "(0,0,0)", 5}, Degree{"torus:2x2x2", "(0,0,0)", 3}, Degree{"torus:8x1x1", "(0,0,0)", 2},
              Degree{"torus:2x2", "(0,0)", 2}, Degree{"torus:3x3", "(0,0)", 4}, Degree{"mesh:3x3x3", "(1,1,1)", 6},
              Degree{"mesh:3x3x3", "(1,1,0)", 5}, Degree{"mesh:3x3x3", "(0,1,0)", 4}, Degree{"mesh:3x3x3", "(0,0,0)", 3}}) {
          const auto topology = parse_topology(spec);
          VertexId endpoint = 0;
          while (topology->vertex_name(endpoint) != vertex) ++endpoint;
          findings.push_back(compare_exactly(fmt::format("{} {}", spec, vertex), printed, neighbours(*topology, endpoint),
                                             fmt::format("heddle topo {} --dot -", spec)));
        }
        return findings;
      }};
}

Claim star_latency() {
  return {.name = "explainer/02-star",
          .section = "[explainer-02] §2",
          .statement =
              "On a star of NVLink 5 a step takes α = 0.5 us, 400 ns of start-up and 100 ns of the switch, and bytes pass at "
              "900 GB/s.",
          .check = definitions({{"α", "0.5 us"}, {"BW", "900 GB/s"}},
                               "The source's calibration: heddle's preset `nvl72` is made of these values.")};
}

Check fewer_hops(const std::string& torus, int flat, int by_dimension, double times_fewer, int decimals) {
  return [=](Lab& lab) {
    const auto steps = [&](const char* algorithm) {
      return lab.run(fmt::format("allgather --algo {} --topo {} --size 64KiB", algorithm, torus)).rounds_max();
    };
    const std::string command = fmt::format("heddle run allgather --algo ring,torus_ring --topo {} --size 64KiB", torus);
    return std::vector{compare_exactly(torus + ": steps round one ring of all", flat, steps("ring"), command),
                       compare_exactly(torus + ": steps dimension by dimension", by_dimension, steps("torus_ring"), command),
                       compare(torus + ": times fewer", times_fewer, decimals,
                               static_cast<double>(steps("ring")) / steps("torus_ring"), "", 0.02, command)};
  };
}

Claim compression() {
  return {.name = "explainer/02-hops",
          .section = "[explainer-02] §3.1",
          .statement = "Dimension by dimension, a traversal takes Σ(dᵢ-1) steps instead of N-1.",
          .check = all_of({fewer_hops("torus:2x2x2", 7, 3, 2.3, 1), fewer_hops("torus:8x8x8", 511, 21, 24, 0)})};
}

Claim full_compression() {
  return {.name = "explainer/02-hops-4096",
          .section = "[explainer-02] §3.1, §3.4",
          .statement = "On 16x16x16 a traversal takes 45 steps instead of 4095, an allreduce 90 steps and 2(N-1)/N·M/BW.",
          .full = true,
          .check = all_of({
              rounds({{"torus:16x16x16, allgather", 45, "allgather --algo torus_ring --topo torus:16x16x16 --size 64KiB"}}),
              costs({{"torus:16x16x16, allreduce", 90, 2.00, "allreduce --algo torus_ring --topo torus:16x16x16", "", 2}}),
          })};
}

Claim broadcasts() {
  return {
      .name = "explainer/02-broadcast",
      .section = "[explainer-02] §3.2, §3.3",
      .statement =
          "A broadcast or reduce dimension by dimension takes Σ(dᵢ-1) steps one way round, Σ⌊dᵢ/2⌋ both ways, and M/BW where "
          "it is pipelined.",
      .check = rounds({
          {"broadcast, 2x2x2", 3, "broadcast --algo torus_ring:segments=1 --topo torus:2x2x2 --size 64KiB"},
          {"reduce, 2x2x2", 3, "reduce --algo torus_ring:segments=1 --topo torus:2x2x2 --size 64KiB"},
          {"broadcast, 3x3, both ways", 2, "broadcast --algo torus_ring:segments=1 --topo torus:3x3 --size 64KiB"},
          {"broadcast, 3x3, one way", 4, "broadcast --algo torus_ring:segments=1:direction=uni --topo torus:3x3 --size 64KiB"},
          {"reduce, 3x3, both ways", 2, "reduce --algo torus_ring:segments=1 --topo torus:3x3 --size 64KiB"},
          {"reduce, 3x3, one way", 4, "reduce --algo torus_ring:segments=1:direction=uni --topo torus:3x3 --size 64KiB"},
          {"broadcast, ring of 4, both ways", 2, "broadcast --algo torus_ring:segments=1 --topo ring:4 --size 64KiB"},
          {"broadcast, ring of 8, both ways", 4, "broadcast --algo torus_ring:segments=1 --topo ring:8 --size 64KiB"},
          {"broadcast, 8x8x8, both ways", 12, "broadcast --algo torus_ring:segments=1 --topo torus:8x8x8 --size 64KiB"},
      })};
}

Claim pipelined_broadcasts() {
  const auto call = [](const std::string& collective, const std::string& shape) {
    return fmt::format("{} --algo torus_ring --topo {} --size 9GB --alpha 0.5us --latency 0 --bw 900GB/s", collective, shape);
  };
  return {.name = "explainer/02-broadcast-bytes",
          .section = "[explainer-02] §3.2, §3.3, §4.2",
          .statement =
              "Pipelined over all dimensions, a broadcast or reduce takes M/BW and its steps, on a mesh one end to the "
              "other; here M/BW = 10 ms, of which pipelining costs 2√((L-1)αM/BW) more (01, App. C).",
          .check = times({
              {"broadcast, torus 4x4x4: 6α", 10003, 0, call("broadcast", "torus:4x4x4"), "", 0.04},
              {"reduce, torus 4x4x4: 6α", 10003, 0, call("reduce", "torus:4x4x4"), "", 0.04},
              {"broadcast, mesh 4x4x4: 9α", 10005, 0, call("broadcast", "mesh:4x4x4"), "", 0.05},
              {"reduce, mesh 4x4x4: 9α", 10005, 0, call("reduce", "mesh:4x4x4"), "", 0.05},
          })};
}

Claim allreduces() {
  const auto torus = [](const char* shape) { return fmt::format("allreduce --algo torus_ring --topo torus:{}", shape); };
  return {.name = "explainer/02-allreduce",
          .section = "[explainer-02] §3.4",
          .statement = "An allreduce by a ring per dimension takes 2Σ(dᵢ-1)·α + 2(N-1)/N·M/BW.",
          .check = costs({
              {"2x2x2", 6, 1.75, torus("2x2x2"), "", 2},
              {"4x4", 12, 1.875, torus("4x4")},
              {"4x4x4", 18, 1.969, torus("4x4x4")},
              {"8x8x8", 42, 1.996, torus("8x8x8")},
              {"16x16x4", 66, 1.998, torus("16x16x4")},
          })};
}

/// What each rank sends by round, as a part of the vector.
std::string chunks(const Report& report, double bytes, int ranks) {
  std::string text;
  for (const RoundReport& round : report.rounds)
    text += fmt::format("{}M/{:g}", text.empty() ? "" : ", ",
                        std::round(1000 * bytes * ranks / static_cast<double>(round.bytes.count())) / 1000);
  return text;
}

Finding phases(Lab& lab) {
  const std::string run = "allreduce --algo torus_ring --topo torus:2x2x2 --size 36864kB";
  const std::string printed = "M/2, M/4, M/8, M/8, M/4, M/2";
  const std::string measured = chunks(lab.run(run), 36'864'000, 8);
  return compare_words("2x2x2, what a rank sends in each phase", printed, measured, printed == measured, command_of(run),
                       "the phases send other parts");
}

Claim telescoping() {
  return {.name = "explainer/02-phases",
          .section = "[explainer-02] §3.4 (tables of phases)",
          .statement =
              "Each dimension of the reduce-scatter shrinks what is left by dᵢ, and the allgather grows it back in reverse "
              "order.",
          .check = one(phases)};
}

Claim halves() {
  return {.name = "explainer/02-allgather",
          .section = "[explainer-02] §3.5",
          .statement = "An allgather or reduce_scatter by a ring per dimension takes Σ(dᵢ-1)·α + (N-1)/N·M/BW.",
          .check = costs({
              {"allgather, 4x4x4", 9, 0.984, "allgather --algo torus_ring --topo torus:4x4x4"},
              {"reduce_scatter, 4x4x4", 9, 0.984, "reduce_scatter --algo torus_ring --topo torus:4x4x4"},
              {"allgather, 16x16x4", 33, 0.999, "allgather --algo torus_ring --topo torus:16x16x4"},
          })};
}

Claim full_mesh() {
  return {.name = "explainer/02-full-mesh",
          .section = "[explainer-02] §4.1",
          .statement =
              "On a full mesh every collective costs what it does on a star; an alltoall gains essentially nothing where, as "
              "the note assumes, a rank uses one of its links at a time.",
          .check = costs({
              {"allreduce, ring, N = 8", 14, 1.75, "allreduce --algo ring --topo fullmesh:8"},
              {"allreduce, Rabenseifner, N = 8", 6, 1.75, "allreduce --algo rabenseifner --topo fullmesh:8"},
              {"allreduce, recursive doubling, N = 8", 3, 3, "allreduce --algo recursive_doubling --topo fullmesh:8"},
              {"allgather, PAT, N = 8", 3, 0.875, "allgather --algo pat --topo fullmesh:8"},
              {"alltoall, pairwise, N = 8", 7, 0.875, "alltoall --algo pairwise --topo fullmesh:8"},
              {"alltoall, Bruck, N = 8", 3, 1.5, "alltoall --algo bruck --topo fullmesh:8"},
          })};
}

Claim meshes() {
  return {.name = "explainer/02-mesh",
          .section = "[explainer-02] §4.2",
          .statement = "Line by line, a mesh's allreduce, allgather and reduce_scatter cost what a torus' do.",
          .check = costs({
              {"allreduce, 4x4", 12, 1.875, "allreduce --algo torus_ring --topo mesh:4x4"},
              {"allreduce, 8x8x8", 42, 1.996, "allreduce --algo torus_ring --topo mesh:8x8x8"},
              {"allgather, 4x4x4", 9, 0.984, "allgather --algo torus_ring --topo mesh:4x4x4"},
              {"reduce_scatter, 4x4x4", 9, 0.984, "reduce_scatter --algo torus_ring --topo mesh:4x4x4"},
          })};
}

}  // namespace

std::vector<Claim> topologies() {
  return {degrees(),    star_latency(), compression(), full_compression(), broadcasts(), pipelined_broadcasts(),
          allreduces(), telescoping(),  halves(),      full_mesh(),        meshes()};
}

}  // namespace heddle::claims::explainer_notes
