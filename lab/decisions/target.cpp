// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <optional>

#include "core/read_file.hpp"
#include "heddle/errors.hpp"

namespace heddle::decisions {

namespace {

constexpr std::string_view kChannels = "channels=";

std::string_view row_of(std::string_view algorithm) { return algorithm.substr(0, algorithm.find(':')); }

std::string_view options_of(std::string_view algorithm) {
  const std::size_t colon = algorithm.find(':');
  return colon == algorithm.npos ? std::string_view() : algorithm.substr(colon + 1);
}

bool is_of(const Mapping& mapping, const TargetCollective& collective, std::string_view row) {
  return mapping.collective == collective.name && mapping.row == row;
}

bool takes_options(const Mapping& mapping, std::string_view options) {
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find(':'));
    const bool is_segments = mapping.segments != Segments::none && option.starts_with("segments=");
    const bool is_channels = mapping.limit == Limit::every_nic && option.starts_with(kChannels);
    if (!is_segments && !is_channels) return false;
    options.remove_prefix(std::min(options.size(), option.size() + 1));
  }
  return true;
}

bool is_for(const Absence& absence, const TargetCollective& collective, std::string_view row) {
  if (!absence.collective.empty() && absence.collective != to_string(collective.collective)) return false;
  const bool is_beginning = absence.rows.ends_with('*');
  return is_beginning ? row.starts_with(absence.rows.substr(0, absence.rows.size() - 1)) : row == absence.rows;
}

int log2_floor(int ranks) { return std::bit_width(static_cast<unsigned>(ranks)) - 1; }

}  // namespace

bool serves(Limit limit, const Cell& cell) {
  switch (limit) {
    case Limit::none:
      return true;
    case Limit::power_of_two_ranks:
      return std::has_single_bit(static_cast<unsigned>(cell.ranks));
    case Limit::even_ranks:
      return cell.ranks % 2 == 0;
    case Limit::element_for_each_rank:
      return cell.count >= cell.ranks;
    case Limit::element_for_each_of_power_of_two:
      return cell.count >= std::int64_t{1} << log2_floor(cell.ranks);
    case Limit::one_switch:
      return cell.topology.starts_with("star:");
    case Limit::every_nic:
      return cell.channels >= cell.channels_needed;
  }
  return false;
}

std::string_view elsewhere(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "";
    case Limit::power_of_two_ranks:
      return "p is no power of two";
    case Limit::even_ranks:
      return "p is odd";
    case Limit::element_for_each_rank:
      return "there are fewer than p elements";
    case Limit::element_for_each_of_power_of_two:
      return "there are fewer elements than the largest power of two up to p";
    case Limit::one_switch:
      return "the fabric is not one switch";
    case Limit::every_nic:
      return "a node has several and channels are fewer than its ranks";
  }
  return "";
}

std::int64_t segments_of(Segments segments, int ranks, int rounds) {
  if (ranks < 2) return 1;
  if (segments == Segments::on_chain) return std::max(1, rounds - ranks + 2);
  if (segments == Segments::on_binomial_tree) return std::max(1, rounds - log2_floor(ranks) + 1);
  return 1;
}

std::vector<const TargetCollective*> collectives_of(const Target& target, Collective collective) {
  std::vector<const TargetCollective*> found;
  for (const TargetCollective& one : target.collectives)
    if (one.collective == collective) found.push_back(&one);
  return found;
}

int channels_in(std::string_view algorithm) {
  const std::string_view options = options_of(algorithm);
  const std::size_t at = options.starts_with(kChannels) ? 0 : options.find(fmt::format(":{}", kChannels));
  if (at == options.npos) return 1;
  const std::string_view number = options.substr(options.find('=', at) + 1);
  int channels = 1;
  std::from_chars(number.data(), number.data() + number.size(), channels);
  return channels;
}

const Mapping* mapping_of(const Target& target, const TargetCollective& collective, std::string_view algorithm) {
  for (const Mapping& mapping : target.mappings)
    if (is_of(mapping, collective, row_of(algorithm)) && takes_options(mapping, options_of(algorithm))) return &mapping;
  return nullptr;
}

std::string why_not_mapped(const Target& target, const TargetCollective& collective, std::string_view algorithm) {
  const std::string_view row = row_of(algorithm);
  const auto has_row = [&](const Mapping& mapping) { return is_of(mapping, collective, row); };
  if (std::ranges::any_of(target.mappings, has_row)) return fmt::format("has {} with other options alone", row);
  for (const Absence& absence : target.absences)
    if (is_for(absence, collective, row)) return std::string(absence.why);
  return "does not know it";
}

std::string why_not_served(const Mapping& mapping, const Cell& cell) {
  if (serves(mapping.limit, cell)) return "";
  return fmt::format("takes {} where {}", mapping.instead, elsewhere(mapping.limit));
}

// Open MPI's component coll_tuned: collectives by the numbers of its rules files (COLLTYPE), algorithms by those of
// coll_tuned_<collective>_algorithm. Version 4.1 has all that stands here, version 5 has kept their numbers.

namespace {

constexpr TargetCollective kOpenmpiCollectives[] = {
    {Collective::broadcast, "bcast", 7},
    {Collective::reduce, "reduce", 11},
    {Collective::allreduce, "allreduce", 2},
    {Collective::reduce_scatter, "reduce_scatter", 12},
    {Collective::reduce_scatter, "reduce_scatter_block", 13},
    {Collective::allgather, "allgather", 0},
    {Collective::gather, "gather", 9},
    {Collective::scatter, "scatter", 15},
    {Collective::alltoall, "alltoall", 3},
    {Collective::barrier, "barrier", 6},
};

// Where p is no power of two, Open MPI has other ranks send first what they hold, and other parts of it.
constexpr std::string_view kOtherFold = "other ranks fold where p is no power of two";
constexpr std::string_view kOtherBlocks = "other blocks are longer where p does not divide the elements";

// Collective, row, algorithm, id, segments, limit, what runs beyond it, note.
constexpr Mapping kOpenmpiMappings[] = {
    {"bcast", "chain", "pipeline", 3, Segments::on_chain},
    {"bcast", "binomial_doubling", "binomial", 6},
    {"bcast", "scatter_allgather", "scatter_allgather_ring", 9, Segments::none, Limit::element_for_each_rank, "basic_linear",
     kOtherBlocks},
    {"reduce", "chain", "pipeline", 3, Segments::on_chain},
    {"reduce", "binomial_halving", "binomial", 5},
    {"reduce", "binomial_pipelined", "binomial", 5, Segments::on_binomial_tree},
    {"reduce", "reduce_scatter_gather", "rabenseifner", 7, Segments::none, Limit::element_for_each_of_power_of_two, "linear",
     kOtherFold},
    {"allreduce", "recursive_doubling", "recursive_doubling", 3, Segments::none, Limit::none, "", kOtherFold},
    {"allreduce", "ring", "ring", 4, Segments::none, Limit::element_for_each_rank, "recursive_doubling", kOtherBlocks},
    {"allreduce", "rabenseifner", "rabenseifner", 6, Segments::none, Limit::element_for_each_of_power_of_two, "basic_linear",
     kOtherFold},
    {"reduce_scatter", "recursive_halving", "recursive_halving", 2, Segments::none, Limit::none, "", kOtherFold},
    {"reduce_scatter", "ring", "ring", 3},
    {"reduce_scatter_block", "recursive_halving", "recursive_halving", 3, Segments::none, Limit::none, "", kOtherFold},
    {"allgather", "bruck", "bruck", 2},
    {"allgather", "recursive_doubling", "recursive_doubling", 3, Segments::none, Limit::power_of_two_ranks, "bruck"},
    {"allgather", "ring", "ring", 4},
    {"allgather", "neighbor_exchange", "neighbor", 5, Segments::none, Limit::even_ranks, "ring"},
    {"gather", "linear", "basic_linear", 1},
    {"gather", "binomial", "binomial", 2},
    {"scatter", "linear", "basic_linear", 1},
    {"scatter", "binomial", "binomial", 2},
    {"alltoall", "linear", "linear", 1},
    {"alltoall", "pairwise", "pairwise", 2},
    {"alltoall", "bruck", "modified_bruck", 3},
    {"barrier", "dissemination", "bruck", 4},
    {"barrier", "binomial", "tree", 6},
};

constexpr Absence kOpenmpiAbsences[] = {
    {"binomial_halving", "broadcast", "begins its binomial tree with the neighbour, as binomial_doubling does"},
    {"binomial_doubling", "reduce", "takes neighbours first in its binomial tree, as binomial_halving does"},
    {"binomial_pipelined", "broadcast", "begins its binomial tree with the neighbour, and cuts segments for no other"},
    {"reduce_broadcast", "", "has it as nonoverlapping, whose reduce and broadcast are those decided for these two"},
    {"ring", "reduce_scatter", "has a ring for reduce_scatter, and none for reduce_scatter_block"},
    {"pairwise", "reduce_scatter", "has no pairwise reduce_scatter"},
    {"pairwise", "allgather", "has no pairwise allgather"},
    {"sparbit", "", "has it from version 5 on, and 4.1 fails at a number that it does not know"},
    {"pat", "", "has no PAT"},
    {"double_binary_tree", "", "has no double binary tree"},
    {"ring_bidirectional", "", "has no ring in both directions"},
    {"ring_relay", "", "has no alltoall that passes blocks on"},
    {"census", "", "has no allreduce over windows of ranks"},
    {"circulant", "", "has no circulants"},
    {"bruck*", "", "has Bruck's algorithm for allgather and alltoall alone"},
    {"bine*", "", "has no Bine trees"},
    {"swing*", "", "has no Swing"},
    {"trivance*", "", "has no Trivance"},
    {"torus_*", "", "does not know a grid's dimensions"},
    {"bucket", "", "does not know a grid's dimensions"},
    {"hamiltonian_rings", "", "does not know a grid's dimensions"},
    {"hierarchical", "", "has levels in coll_han, which these rules do not reach"},
    {"in_network", "", "does not ask switches in coll_tuned"},
};

constexpr Target kOpenmpiTarget = {"openmpi",           "Open MPI",       "4.1 and 5, coll_tuned",
                                   kOpenmpiCollectives, kOpenmpiMappings, kOpenmpiAbsences};

}  // namespace

const Target& openmpi_target() { return kOpenmpiTarget; }

// MPICH's collective selection at the level of MPIR: algorithms by the names of its JSON tuning files. Version 4.0 has all that
// stands here.

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

// Collective, row, algorithm, id, segments, limit, what runs beyond it, note.
constexpr Mapping kMpichMappings[] = {
    {"bcast", "binomial_halving", "MPIR_Bcast_intra_binomial"},
    {"bcast", "scatter_allgather", "MPIR_Bcast_intra_scatter_ring_allgather"},
    {"reduce", "binomial_halving", "MPIR_Reduce_intra_binomial"},
    {"reduce", "reduce_scatter_gather", "MPIR_Reduce_intra_reduce_scatter_gather", 0, Segments::none,
     Limit::element_for_each_of_power_of_two, kMpichBase, kEvenFold},
    {"allreduce", "recursive_doubling", "MPIR_Allreduce_intra_recursive_doubling", 0, Segments::none, Limit::none, "",
     kEvenFold},
    {"allreduce", "rabenseifner", "MPIR_Allreduce_intra_reduce_scatter_allgather", 0, Segments::none,
     Limit::element_for_each_of_power_of_two, kMpichBase, kEvenFold},
    {"reduce_scatter", "recursive_halving", "MPIR_Reduce_scatter_intra_recursive_halving", 0, Segments::none, Limit::none, "",
     kEvenFold},
    {"reduce_scatter", "pairwise", "MPIR_Reduce_scatter_intra_pairwise"},
    {"reduce_scatter_block", "recursive_halving", "MPIR_Reduce_scatter_block_intra_recursive_halving", 0, Segments::none,
     Limit::none, "", kEvenFold},
    {"reduce_scatter_block", "pairwise", "MPIR_Reduce_scatter_block_intra_pairwise"},
    {"allgather", "bruck", "MPIR_Allgather_intra_brucks"},
    {"allgather", "recursive_doubling", "MPIR_Allgather_intra_recursive_doubling", 0, Segments::none, Limit::power_of_two_ranks,
     kMpichBase},
    {"allgather", "ring", "MPIR_Allgather_intra_ring"},
    {"gather", "binomial", "MPIR_Gather_intra_binomial"},
    {"scatter", "binomial", "MPIR_Scatter_intra_binomial"},
    {"alltoall", "linear", "MPIR_Alltoall_intra_scattered"},
    {"alltoall", "pairwise", "MPIR_Alltoall_intra_pairwise"},
    {"alltoall", "bruck", "MPIR_Alltoall_intra_brucks"},
    {"barrier", "dissemination", "MPIR_Barrier_intra_dissemination"},
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

// NCCL's algorithms by the names that the CSV of its example tuner has. It cuts vectors into chunks and channels by rules of its
// own, so a row's number of segments is not asked for.

namespace {

constexpr TargetCollective kNcclCollectives[] = {
    {Collective::broadcast, "broadcast"},          {Collective::reduce, "reduce"},       {Collective::allreduce, "allreduce"},
    {Collective::reduce_scatter, "reducescatter"}, {Collective::allgather, "allgather"},
};

constexpr std::string_view kOtherSwitches = "another way through switches";
constexpr std::string_view kAllNics = "rings and trees over all NICs";

// Collective, row, algorithm, id, segments, limit, what runs beyond it, note.
constexpr Mapping kNcclMappings[] = {
    {"broadcast", "chain", "ring", 0, Segments::own, Limit::every_nic, kAllNics, "its ring without the last link"},
    {"reduce", "chain", "ring", 0, Segments::own, Limit::every_nic, kAllNics, "its ring without the first link"},
    {"allreduce", "ring", "ring", 0, Segments::none, Limit::every_nic, kAllNics},
    {"allreduce", "double_binary_tree", "tree", 0, Segments::own, Limit::every_nic, kAllNics,
     "over channels its trees are of nodes, whose GPUs are a chain, as NCCL's"},
    {"allreduce", "in_network", "nvls", 0, Segments::none, Limit::one_switch, kOtherSwitches},
    {"reducescatter", "ring", "ring", 0, Segments::none, Limit::every_nic, kAllNics},
    {"reducescatter", "pat", "pat", 0, Segments::none, Limit::none, "",
     "it chooses the aggregation by its buffers, and may refuse several GPUs to a node"},
    {"reducescatter", "in_network", "nvls", 0, Segments::none, Limit::one_switch, kOtherSwitches},
    {"allgather", "ring", "ring", 0, Segments::none, Limit::every_nic, kAllNics},
    {"allgather", "pat", "pat", 0, Segments::none, Limit::none, "",
     "it chooses the aggregation by its buffers, and may refuse several GPUs to a node"},
    {"allgather", "in_network", "nvls", 0, Segments::none, Limit::one_switch, kOtherSwitches},
};

constexpr Absence kNcclAbsences[] = {
    {"ring_bidirectional", "", "runs its rings in one direction"},
    {"double_binary_tree", "", "has its trees for allreduce alone"},
    {"in_network", "", "asks switches for allreduce, allgather and reduce_scatter alone"},
    {"hierarchical", "", "builds its rings and trees over nodes itself, and takes no levels from a file"},
    {"binomial*", "", "has no binomial trees"},
    {"scatter_allgather", "", "broadcasts along its ring alone"},
    {"reduce_scatter_gather", "", "reduces along its ring alone"},
    {"reduce_broadcast", "", "has no reduce and broadcast as one allreduce"},
    {"recursive_doubling", "", "has no recursive doubling"},
    {"recursive_halving", "", "has no recursive halving"},
    {"rabenseifner", "", "has no recursive halving"},
    {"pairwise", "", "sends to all others directly in no algorithm that the file can name"},
    {"neighbor_exchange", "", "has no neighbour exchange"},
    {"sparbit", "", "has no Sparbit"},
    {"census", "", "has no allreduce over windows of ranks"},
    {"circulant", "", "has no circulants"},
    {"bruck*", "", "has no Bruck"},
    {"bine*", "", "has no Bine trees"},
    {"swing*", "", "has no Swing"},
    {"trivance*", "", "has no Trivance"},
    {"torus_*", "", "does not know a grid's dimensions"},
    {"bucket", "", "does not know a grid's dimensions"},
    {"hamiltonian_rings", "", "does not know a grid's dimensions"},
};

constexpr Target kNcclTarget = {"nccl", "NCCL", "the CSV of ext-tuner/example", kNcclCollectives, kNcclMappings, kNcclAbsences};

}  // namespace

const Target& nccl_target() { return kNcclTarget; }

}  // namespace heddle::decisions
