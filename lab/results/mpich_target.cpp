// SPDX-License-Identifier: Apache-2.0
// MPICH's collective selection at the level of MPIR: algorithms by the names of its JSON tuning files. Version 4.0 has all that
// stands here.
#include "lab/results/target.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/read_file.hpp"
#include "heddle/errors.hpp"

namespace heddle::decisions {

namespace {

constexpr TargetCollective kMpichCollectives[] = {
    {Collective::broadcast, "bcast"},
    {Collective::reduce, "reduce"},
    {Collective::allreduce, "allreduce"},
    {Collective::reduce_scatter, "reduce_scatter"},
    {Collective::reduce_scatter, "reduce_scatter_block"},
    {Collective::allgather, "allgather"},
    {Collective::gather, "gather"},
    {Collective::scatter, "scatter"},
    {Collective::alltoall, "alltoall"},
    {Collective::barrier, "barrier"},
};

constexpr std::string_view kMpichBase = "what its base file says";
// Where p is no power of two, MPICH has even ranks hand over what they hold to odd ones first.
constexpr std::string_view kEvenFold = "even ranks fold where p is no power of two";

constexpr Mapping kMpichMappings[] = {
    {.collective = "bcast", .row = "binomial_halving", .algorithm = "MPIR_Bcast_intra_binomial"},
    {.collective = "bcast", .row = "scatter_allgather", .algorithm = "MPIR_Bcast_intra_scatter_ring_allgather"},
    {.collective = "reduce", .row = "binomial_halving", .algorithm = "MPIR_Reduce_intra_binomial"},
    {.collective = "reduce",
     .row = "reduce_scatter_gather",
     .algorithm = "MPIR_Reduce_intra_reduce_scatter_gather",
     .limit = Limit::element_for_each_of_power_of_two,
     .instead = kMpichBase,
     .note = kEvenFold},
    {.collective = "allreduce",
     .row = "recursive_doubling",
     .algorithm = "MPIR_Allreduce_intra_recursive_doubling",
     .note = kEvenFold},
    {.collective = "allreduce",
     .row = "rabenseifner",
     .algorithm = "MPIR_Allreduce_intra_reduce_scatter_allgather",
     .limit = Limit::element_for_each_of_power_of_two,
     .instead = kMpichBase,
     .note = kEvenFold},
    {.collective = "reduce_scatter",
     .row = "recursive_halving",
     .algorithm = "MPIR_Reduce_scatter_intra_recursive_halving",
     .note = kEvenFold},
    {.collective = "reduce_scatter", .row = "pairwise", .algorithm = "MPIR_Reduce_scatter_intra_pairwise"},
    {.collective = "reduce_scatter_block",
     .row = "recursive_halving",
     .algorithm = "MPIR_Reduce_scatter_block_intra_recursive_halving",
     .note = kEvenFold},
    {.collective = "reduce_scatter_block", .row = "pairwise", .algorithm = "MPIR_Reduce_scatter_block_intra_pairwise"},
    {.collective = "allgather", .row = "bruck", .algorithm = "MPIR_Allgather_intra_brucks"},
    {.collective = "allgather",
     .row = "recursive_doubling",
     .algorithm = "MPIR_Allgather_intra_recursive_doubling",
     .limit = Limit::power_of_two_ranks,
     .instead = kMpichBase},
    {.collective = "allgather", .row = "ring", .algorithm = "MPIR_Allgather_intra_ring"},
    {.collective = "gather", .row = "binomial", .algorithm = "MPIR_Gather_intra_binomial"},
    {.collective = "scatter", .row = "binomial", .algorithm = "MPIR_Scatter_intra_binomial"},
    {.collective = "alltoall", .row = "linear", .algorithm = "MPIR_Alltoall_intra_scattered"},
    {.collective = "alltoall", .row = "pairwise", .algorithm = "MPIR_Alltoall_intra_pairwise"},
    {.collective = "alltoall", .row = "bruck", .algorithm = "MPIR_Alltoall_intra_brucks"},
    {.collective = "barrier", .row = "dissemination", .algorithm = "MPIR_Barrier_intra_dissemination"},
};

constexpr Absence kMpichAbsences[] = {
    {"chain", "", "cuts nothing into segments in version 4.0"},
    {"binomial_pipelined", "", "cuts nothing into segments in version 4.0"},
    {"binomial_doubling", "broadcast", "begins its binomial tree with the farthest rank, as binomial_halving does"},
    {"binomial_doubling", "reduce", "takes neighbours first in its binomial tree, as binomial_halving does"},
    {"reduce_broadcast", "", "has no reduce and broadcast as one allreduce"},
    {"ring", "allreduce", "has no ring allreduce in version 4.0"},
    {"ring", "reduce_scatter", "has no ring reduce_scatter"},
    {"ring_bidirectional", "", "has no ring in both directions"},
    {"pairwise", "allgather", "has no pairwise allgather"},
    {"neighbor_exchange", "", "has no neighbour exchange"},
    {"sparbit", "", "has no Sparbit"},
    {"pat", "", "has no PAT"},
    {"linear", "gather", "has a linear gather between two groups alone"},
    {"linear", "scatter", "has a linear scatter between two groups alone"},
    {"binomial", "barrier", "has no barrier along a tree"},
    {"double_binary_tree", "", "has no double binary tree"},
    {"ring_relay", "", "has no alltoall that passes blocks on"},
    {"census", "", "has no allreduce over windows of ranks"},
    {"circulant", "", "has no circulants in version 4.0"},
    {"bruck*", "", "has Bruck's algorithm for allgather and alltoall alone"},
    {"bine*", "", "has no Bine trees"},
    {"swing*", "", "has no Swing"},
    {"trivance*", "", "has no Trivance"},
    {"torus_*", "", "does not know a grid's dimensions"},
    {"bucket", "", "does not know a grid's dimensions"},
    {"hamiltonian_rings", "", "does not know a grid's dimensions"},
    {"hierarchical", "", "has levels in the compositions of its devices, which this file does not reach"},
    {"in_network", "", "does not ask switches"},
};

constexpr Target kMpichTarget = {"mpich", "MPICH", "4.0, MPIR", kMpichCollectives, kMpichMappings, kMpichAbsences};

}  // namespace

const Target& mpich_target() { return kMpichTarget; }

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCollective = "\"collective=allreduce\"";
constexpr std::string_view kAlgorithm = "algorithm=MPIR_";  // the files of its devices name compositions
constexpr int kDeepest = 64;

[[noreturn]] void refuse_base(const std::string& path, std::string_view what) {
  throw InputError(fmt::format("'{}': {}", path, what));
}

/// Whoever goes through a document goes down it, its copies for one.
Json parse_base(const std::string& path, std::string_view text) {
  const auto note = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) refuse_base(path, fmt::format("objects more than {} deep in each other", kDeepest));
    return true;
  };
  try {
    return Json::parse(text, note);
  } catch (const Json::exception&) {
    refuse_base(path, "is no JSON");
  }
}

/// The text without its end that a library has; no value if it has none.
std::optional<std::string_view> text_in_library(std::string_view content) {
  for (std::size_t at = 0; (at = content.find(kCollective, at)) != content.npos; ++at) {
    const std::size_t before = content.rfind('\0', at);
    if (before == content.npos) continue;
    const std::string_view text = content.substr(before + 1, content.find('\0', at) - before - 1);
    if (text.starts_with('{') && text.find(kAlgorithm) != text.npos) return text;
  }
  return std::nullopt;
}

std::string content_of_base(const std::string& path) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    refuse_base(path, error.what());
  }
}

}  // namespace

Json read_mpich_base(const std::string& path) {
  const std::string content = content_of_base(path);
  const bool is_library = content.find('\0') != std::string::npos;
  const std::optional<std::string_view> text = is_library ? text_in_library(content) : std::string_view(content);
  if (!text) refuse_base(path, "has no tuning file of MPICH in it; give libmpich.so, or generic.json of MPICH's sources");
  Json base = parse_base(path, *text);
  if (!base.is_object() || !base.contains("collective=allreduce") || text->find(kAlgorithm) == text->npos)
    refuse_base(path, "is no tuning file of MPICH's algorithms; give libmpich.so, or generic.json of MPICH's sources");
  return base;
}

}  // namespace heddle::decisions
