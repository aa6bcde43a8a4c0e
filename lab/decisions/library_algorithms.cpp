// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/library_algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "heddle/registry.hpp"

namespace heddle::decisions {

namespace {

// Collective, row, algorithm, id: what heddle never exports, as another name of the library serves as well.

constexpr Mapping kOpenmpiOthers[] = {
    {"allgather", "recursive_doubling", "two_proc", 6},
    {"alltoall", "pairwise", "two_proc", 5},
    {"barrier", "dissemination", "two_proc", 5},
};

/// Open MPI's algorithms on two ranks alone.
constexpr std::string_view kTwoRanks = "two_proc";

constexpr Mapping kMpichOthers[] = {
    {"allreduce", "ring", "MPIR_Allreduce_intra_ring"},
    {"barrier", "dissemination", "MPIR_Barrier_intra_k_dissemination:k=2"},
};

/// Of coll_tuned_<collective>_algorithm, those that heddle has none of.
struct Missing {
  std::string_view collective;
  int id;
  std::string_view name;
};

constexpr Missing kOpenmpiMissing[] = {
    {"bcast", 1, "basic_linear"},
    {"bcast", 2, "chain"},
    {"bcast", 4, "split_binary_tree"},
    {"bcast", 5, "binary_tree"},
    {"bcast", 7, "knomial"},
    {"bcast", 8, "scatter_allgather"},
    {"reduce", 1, "linear"},
    {"reduce", 2, "chain"},
    {"reduce", 4, "binary"},
    {"reduce", 6, "in-order_binary"},
    {"allreduce", 1, "basic_linear"},
    {"allreduce", 2, "nonoverlapping"},
    {"allreduce", 5, "segmented_ring"},
    {"reduce_scatter", 1, "non-overlapping"},
    {"reduce_scatter", 4, "butterfly"},
    {"reduce_scatter_block", 1, "basic_linear"},
    {"reduce_scatter_block", 2, "recursive_doubling"},
    {"reduce_scatter_block", 4, "butterfly"},
    {"allgather", 1, "linear"},
    {"gather", 3, "linear_sync"},
    {"scatter", 3, "linear_nb"},
    {"alltoall", 4, "linear_sync"},
    {"barrier", 1, "linear"},
    {"barrier", 2, "double_ring"},
    {"barrier", 3, "recursive_doubling"},
};

/// A part of a library's name, and heddle's rows that are most like it, the first that the collective has.
struct Likeness {
  std::string_view part;
  std::string_view row;
};

constexpr Likeness kLike[] = {
    {"scatter_allgather", "scatter_allgather"},
    {"scatter_recursive_doubling_allgather", "scatter_allgather"},
    {"k_reduce_scatter_allgather", "rabenseifner"},
    {"nonoverlapping", "reduce_broadcast"},
    {"smp", "hierarchical"},
    {"segmented_ring", "ring"},
    {"binary", "double_binary_tree"},
    {"binary", "binomial_halving"},
    {"knomial", "binomial_doubling"},
    {"chain", "chain"},
    {"butterfly", "recursive_halving"},
    {"non-overlapping", "recursive_halving"},
    {"noncommutative", "recursive_halving"},
    {"nvls", "in_network"},
    {"collnet", "in_network"},
    {"brucks", "bruck"},
    {"pairwise", "pairwise"},
    {"recexch", "recursive_doubling"},
    {"recursive_multiplying", "recursive_doubling"},
    {"recursive_doubling", "recursive_doubling"},
    {"recursive_doubling", "recursive_halving"},
    {"recursive_doubling", "dissemination"},
    {"dissemination", "dissemination"},
    {"double_ring", "dissemination"},
    {"tree", "double_binary_tree"},
    {"tree", "binomial_halving"},
    {"tree", "binomial"},
    {"ring", "ring"},
    {"linear", "linear"},
    {"linear", "pairwise"},
    {"linear", "binomial_doubling"},
    {"linear", "reduce_broadcast"},
    {"linear", "binomial"},
    {"linear", "recursive_halving"},
};

std::span<const Mapping> others_of(const Target& target) {
  if (&target == &openmpi_target()) return kOpenmpiOthers;
  if (&target == &mpich_target()) return kMpichOthers;
  return {};
}

bool is_meant(const Mapping& mapping, const TargetCollective& collective, const NamedAlgorithm& algorithm) {
  if (mapping.collective != collective.name) return false;
  return algorithm.name.empty() ? mapping.id == algorithm.id : mapping.algorithm == algorithm.name;
}

bool cuts(const Mapping& mapping) { return mapping.segments != Segments::none && mapping.segments != Segments::own; }

}  // namespace

const Mapping* mapping_of_library(const Target& target, const TargetCollective& collective, const NamedAlgorithm& algorithm,
                                  int ranks) {
  const Mapping* found = nullptr;
  for (const Mapping& mapping : target.mappings) {
    if (!is_meant(mapping, collective, algorithm)) continue;
    if (found == nullptr || cuts(mapping) == algorithm.has_segments) found = &mapping;
  }
  // A tree whose segments heddle's row does not cut.
  const bool is_tree = collective.name == "bcast" || collective.name == "reduce";
  const bool is_whole = found != nullptr && is_tree && &target == &openmpi_target() && !cuts(*found);
  if (is_whole && algorithm.has_segments && found->algorithm == "binomial") return nullptr;
  if (found != nullptr) return found;
  for (const Mapping& mapping : others_of(target))
    if (is_meant(mapping, collective, algorithm) && (mapping.algorithm != kTwoRanks || ranks == 2)) return &mapping;
  return nullptr;
}

std::string name_of_library(const Target& target, const TargetCollective& collective, const NamedAlgorithm& algorithm) {
  if (!algorithm.name.empty()) return std::string(algorithm.name);
  for (const std::span<const Mapping> mappings : {target.mappings, others_of(target)})
    for (const Mapping& mapping : mappings)
      if (is_meant(mapping, collective, algorithm))
        return fmt::format("{}{}", mapping.algorithm, algorithm.has_segments ? " in segments" : "");
  for (const Missing& missing : kOpenmpiMissing)
    if (missing.collective == collective.name && missing.id == algorithm.id) return std::string(missing.name);
  return fmt::format("an algorithm that {} {} does not have", target.title,
                     target.versions.substr(0, target.versions.find(',')));
}

std::string nearest_row(const TargetCollective& collective, std::string_view name) {
  const std::vector<const Algorithm*> rows = algorithms_of(collective.collective);
  for (const Likeness& like : kLike)
    if (name.find(like.part) != name.npos &&
        std::ranges::any_of(rows, [&](const Algorithm* row) { return row->name == like.row; }))
      return std::string(like.row);
  return "";
}

std::optional<int> id_of_name(const Target& target, const TargetCollective& collective, std::string_view name) {
  for (const std::span<const Mapping> mappings : {target.mappings, others_of(target)})
    for (const Mapping& mapping : mappings)
      if (mapping.collective == collective.name && mapping.algorithm == name) return mapping.id;
  for (const Missing& missing : kOpenmpiMissing)
    if (missing.collective == collective.name && missing.name == name) return missing.id;
  return std::nullopt;
}

}  // namespace heddle::decisions
