// SPDX-License-Identifier: Apache-2.0
// Which rank sits on which endpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/grid.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/jobs/recorded_jobs.hpp"

namespace heddle {

/// endpoint[r] is where rank r sits; no two ranks share one.
using Placement = std::vector<VertexId>;

/// Rank r on endpoint r. Throws InputError if there are more ranks than endpoints.
Placement linear_placement(int ranks, const Topology& topology);
/// Drawn by seed; the same seed gives the same placement on every machine.
Placement random_placement(int ranks, const Topology& topology, std::uint64_t seed);
/// Round the fabric's groups of a tier, 0 the innermost: with G groups rank r is on group r mod G, on the first endpoint there
/// that is free; a full group is left out. Throws InputError if the fabric has no groups of that tier.
Placement scattered_placement(int ranks, const Topology& topology, int tier = 0);
/// The first ranks_of_group[g] endpoints of each innermost group g in turn; groups beyond have none. Throws InputError if a
/// group is too small, there are too few groups, or the ranks do not add up to `ranks`.
Placement grouped_placement(const std::vector<int>& ranks_of_group, int ranks, const Topology& topology);
/// One endpoint for each rank, rank 0 first. Throws InputError for endpoints that there are not, or that have a rank already.
Placement given_placement(const std::vector<VertexId>& endpoints, int ranks, const Topology& topology);
/// One endpoint per line, rank 0 first; blank lines and lines that begin with # are skipped. Throws InputError with the line
/// number.
Placement placement_from_file(const std::string& path, int ranks, const Topology& topology);

/// The seed of a "random" or "fragmented" that names none.
inline constexpr std::uint64_t kDefaultPlacementSeed = 1;

/// "linear", "random", "random:SEED", "fragmented", "fragmented:SEED", "scattered", "scattered:TIER", "groups:13+7+12",
/// "job:leonardo/14075154" (job_placement), "endpoints:3+0+1" (given_placement) or "file:PATH". Throws InputError.
Placement parse_placement(std::string_view text, int ranks, const Topology& topology);
/// How many ranks the text itself is about: 32 of "groups:13+7+12", a job's nodes, 3 of "endpoints:3+0+1"; no value if it leaves that open. Throws
/// InputError.
std::optional<int> ranks_of_placement(std::string_view text);

/// The grid that ranks on these endpoints fill, if they fill one: the fabric's own, or a box of it (a row, a plane, some
/// neighbouring rows), with the dimensions in which it is longer than 1. A box wraps where the fabric does and no ring of more
/// than two of its ranks is cut short. `endpoints` are different ones.
std::optional<Grid> grid_under(const Placement& endpoints, const Topology& topology);

/// How ranks on these endpoints fall into the fabric's groups, innermost first, groups numbered in the order of their first
/// ranks. The last tier is one group of all. Tiers that say nothing new of these ranks are left out: those of one rank per
/// group, and those with the groups of the tier before.
Tiers tiers_of(const Placement& endpoints, const Topology& topology);

// Where a batch system puts a job on a busy machine.

/// Ranks in the order of the endpoints, in runs of 1 to 16 neighbours with gaps between, somewhere on the machine: of the
/// endpoints that the job spans, at most half belong to others. Groups get uneven numbers of ranks, but near ranks stay near,
/// as on machines that hand out free nodes in order. Drawn by seed, the same on every machine. Throws InputError as
/// linear_placement.
Placement fragmented_placement(int ranks, const Topology& topology, std::uint64_t seed);

// The ranks of a recorded job on a fabric with groups.

/// The job's groups, in the order of the machine's numbers, are the first groups of the fabric's largest tier that is not all of
/// it; within a group ranks sit on its first endpoints in order. Throws InputError if the job has another number of nodes than
/// `ranks`, or the fabric has no groups, too few or too small ones.
Placement job_placement(const RecordedJob& job, int ranks, const Topology& topology);

}  // namespace heddle
