// SPDX-License-Identifier: Apache-2.0
// A library that takes its choice of algorithms from a file: what it calls heddle's, and why it has no name for the others. The
// tables are in target.cpp, target by target; docs/exports.md has the sources of their facts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/collective.hpp"

namespace heddle::decisions {

/// Where a target's algorithm serves.
enum class Limit : std::uint8_t {
  none,
  power_of_two_ranks,
  even_ranks,
  element_for_each_rank,             ///< count ≥ p
  element_for_each_of_power_of_two,  ///< count ≥ 2^⌊log2 p⌋
  one_switch,                        ///< a fabric of endpoints round one switch
  every_nic                          ///< as many channels as ranks of a node that have network cards of their own
};

/// One size at one number of ranks.
struct Cell {
  int ranks = 1;
  std::int64_t count = 0;          ///< elements of the whole vector
  std::string_view topology = {};  ///< as in SweepResult
  int channels = 1;                ///< of the algorithm
  int channels_needed = 1;         ///< to enter each node by all network cards
};

bool serves(Limit limit, const Cell& cell);
/// Where it does not, after "where": "p is no power of two".
std::string_view elsewhere(Limit limit);

/// How a row cuts the vector into segments that follow each other; what a run's rounds say of their number.
enum class Segments : std::uint8_t {
  none,
  on_chain,          ///< rounds = p + P - 2
  on_binomial_tree,  ///< rounds = ⌊log2 p⌋ + P - 1
  own                ///< the target cuts by rules of its own
};

/// P, the number of segments; 1 where there is one rank alone.
std::int64_t segments_of(Segments segments, int ranks, int rounds);

/// A collective as the target has it. Of heddle's reduce_scatter, MPI has two.
struct TargetCollective {
  Collective collective = Collective::allreduce;
  std::string_view name = {};  ///< "reduce_scatter_block"
  int id = 0;                  ///< Open MPI's number
};

/// A row of heddle's that the target has, with its default options and, if it cuts into segments or runs over channels, any number
/// of these.
struct Mapping {
  std::string_view collective = {};  ///< TargetCollective::name
  std::string_view row = {};         ///< heddle's, options apart
  std::string_view algorithm = {};   ///< the target's name
  int id = 0;                        ///< Open MPI's number
  Segments segments = Segments::none;
  Limit limit = Limit::none;
  std::string_view instead = {};  ///< what the target runs beyond the limit
  std::string_view note = {};     ///< what differs from heddle's row
};

/// Why the target has no name for rows: "has no Bine trees", the target being the subject.
struct Absence {
  std::string_view rows = {};        ///< a name, or its beginning with * behind it
  std::string_view collective = {};  ///< heddle's; empty: of any
  std::string_view why = {};
};

struct Target {
  std::string_view name = {};      ///< "openmpi"
  std::string_view title = {};     ///< "Open MPI"
  std::string_view versions = {};  ///< "4.1 and 5, coll_tuned"
  std::span<const TargetCollective> collectives = {};
  std::span<const Mapping> mappings = {};
  std::span<const Absence> absences = {};
};

const Target& openmpi_target();
const Target& mpich_target();
const Target& nccl_target();

/// The target's own names for a collective of heddle's; none, one or two.
std::vector<const TargetCollective*> collectives_of(const Target& target, Collective collective);

/// Of an algorithm with its options ("ring:channels=8"); 1 if it says nothing.
int channels_in(std::string_view algorithm);

/// What an algorithm with its options ("chain:segments=8") is there; nullptr: nothing.
const Mapping* mapping_of(const Target& target, const TargetCollective& collective, std::string_view algorithm);

/// Why mapping_of() gives nothing.
std::string why_not_mapped(const Target& target, const TargetCollective& collective, std::string_view algorithm);

/// Why the mapping does not serve the cell; empty: it does.
std::string why_not_served(const Mapping& mapping, const Cell& cell);

/// MPICH's own complete tuning file, whose rules hold where there are no others: the JSON file itself
/// (maint/tuning/coll/mpir/generic.json of its sources) or the library, libmpich.so, which has it as a text. Throws InputError that
/// names `path` if it is neither.
nlohmann::ordered_json read_mpich_base(const std::string& path);

}  // namespace heddle::decisions
