// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/rank_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/nearest_name.hpp"
#include "core/random.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/tier_values.hpp"

namespace heddle {

namespace {

using Groups = std::vector<std::vector<int>>;

constexpr std::string_view kGroupsHelp =
    "groups are 4 (consecutive ranks), strided:4, rows, columns, dim:0, 8 along x, random:8,seed=3, tier:0, a list as 0-3;4-7, "
    "or some with +";

constexpr std::array<std::string_view, 4> kKinds = {"strided", "dim", "random", "tier"};
constexpr std::string_view kAlong = " along ";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

int parse_number(std::string_view text, int least, int most) { return static_cast<int>(parse_integer(text, least, most)); }

/// What groups are made of.
struct Ranks {
  const Placement& placement;
  const Topology& topology;
  std::optional<Grid> grid;

  int count() const { return static_cast<int>(placement.size()); }
};

/// Groups of as many ranks each; rank r is in group group_of(r).
template <class GroupOf>
Groups group_by(int ranks, int groups, GroupOf group_of) {
  Groups result(static_cast<std::size_t>(groups));
  for (int rank = 0; rank < ranks; ++rank) result[static_cast<std::size_t>(group_of(rank))].push_back(rank);
  return result;
}

int parse_divisor(std::string_view text, int ranks) {
  const int number = parse_number(text, 1, ranks);
  if (ranks % number != 0) throw InputError(fmt::format("{} ranks are no multiple of {}", ranks, number));
  return number;
}

const Grid& require_grid(std::string_view text, const Ranks& ranks) {
  if (!ranks.grid) throw InputError(fmt::format("'{}': these ranks fill no grid", text));
  return *ranks.grid;
}

/// Ranks by their coordinates in all dimensions but one.
Groups lines_along(int dimension, int ranks, const Grid& grid) {
  std::map<std::vector<int>, std::vector<int>> lines;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int> coordinates = grid.coordinates(Rank(rank));
    coordinates[static_cast<std::size_t>(dimension)] = 0;
    lines[coordinates].push_back(rank);
  }
  Groups groups;
  for (auto& [coordinates, line] : lines) {
    std::sort(line.begin(), line.end(),
              [&](int a, int b) { return grid.coordinate(Rank(a), dimension) < grid.coordinate(Rank(b), dimension); });
    groups.push_back(std::move(line));
  }
  return groups;
}

Groups parse_lines(std::string_view text, const Ranks& ranks) {
  const Grid& grid = require_grid(text, ranks);
  const int dimensions = grid.dimensions();
  if (text == "columns" && dimensions < 2) throw InputError("'columns': the grid has one dimension; try rows");
  const int dimension = text == "rows"      ? dimensions - 1
                        : text == "columns" ? dimensions - 2
                                            : parse_number(text.substr(std::string_view("dim:").size()), 0, dimensions - 1);
  return lines_along(dimension, ranks.count(), grid);
}

/// "x" or "0".
int parse_dimension(std::string_view text, const Grid& grid) {
  const std::optional<std::size_t> dimension = dimension_called(text);
  const auto dimensions = static_cast<std::size_t>(grid.dimensions());
  if (!dimension || *dimension >= dimensions)
    throw InputError(
        fmt::format("'{}': the grid has {}", text,
                    dimensions == 1 ? "one dimension, x" : fmt::format("dimensions x to {}", dimension_name(dimensions - 1))));
  return static_cast<int>(*dimension);
}

/// "8 along x"
Groups parse_along(std::string_view text, const Ranks& ranks) {
  const Grid& grid = require_grid(text, ranks);
  const std::size_t split = text.find(kAlong);
  const int dimension = parse_dimension(trimmed(text.substr(split + kAlong.size())), grid);
  const int length = grid.dims()[static_cast<std::size_t>(dimension)];
  const int size = parse_number(trimmed(text.substr(0, split)), 1, length);
  if (length % size != 0)
    throw InputError(fmt::format("'{}': its lines of {} ranks are no multiple of {}", text, length, size));
  Groups groups;
  for (const std::vector<int>& line : lines_along(dimension, ranks.count(), grid)) {
    for (auto first = line.begin(); first != line.end(); first += size) groups.emplace_back(first, first + size);
  }
  return groups;
}

/// "8" or "8,seed=3"
Groups parse_random(std::string_view text, int ranks) {
  constexpr std::string_view kSeed = "seed=";
  const std::size_t comma = text.find(',');
  std::uint64_t seed = kDefaultPlacementSeed;
  if (comma != std::string_view::npos) {
    const std::string_view option = trimmed(text.substr(comma + 1));
    if (!option.starts_with(kSeed))
      throw InputError(fmt::format("'random:{}': '{}' is no seed; try random:8,seed=3", text, option));
    seed = parse_seed(option.substr(kSeed.size()));
  }
  const int size = parse_divisor(text.substr(0, comma), ranks);
  std::vector<int> drawn(static_cast<std::size_t>(ranks));
  std::iota(drawn.begin(), drawn.end(), 0);
  SplitMix64 random(seed);
  for (std::size_t left = drawn.size(); left > 1; --left) std::swap(drawn[left - 1], drawn[random.below(left)]);
  Groups groups;
  for (auto first = drawn.begin(); first != drawn.end(); first += size) {
    groups.emplace_back(first, first + size);
    std::sort(groups.back().begin(), groups.back().end());
  }
  return groups;
}

/// In the order of their first ranks.
Groups parse_tier(std::string_view text, const Ranks& ranks) {
  const int tier = parse_number(text, 0, ranks.topology.group_tiers() - 1);
  std::map<int, std::vector<int>> groups;
  for (int rank = 0; rank < ranks.count(); ++rank)
    groups[ranks.topology.group(ranks.placement[static_cast<std::size_t>(rank)], tier)].push_back(rank);
  Groups result;
  for (auto& [number, group] : groups) result.push_back(std::move(group));
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<int> parse_group(std::string_view text, int ranks) {
  std::vector<int> group;
  for (const std::string_view run : split_list(text)) {
    const std::size_t dash = run.find('-');
    const int first = parse_number(run.substr(0, dash), 0, ranks - 1);
    const int last = dash == std::string_view::npos ? first : parse_number(run.substr(dash + 1), first, ranks - 1);
    for (int rank = first; rank <= last; ++rank) group.push_back(rank);
  }
  if (std::set<int>(group.begin(), group.end()).size() != group.size())
    throw InputError(fmt::format("'{}': a rank is in one group twice", text));
  return group;
}

Groups parse_rank_lists(std::string_view text, int ranks) {
  Groups groups;
  for (const std::string_view group : split_list(text, ';')) groups.push_back(parse_group(group, ranks));
  return groups;
}

/// What stands before the first colon, unless that is a kind of groups: the name of the set. It is cut off `text`.
std::string take_name(std::string_view& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return "";
  const std::string_view name = trimmed(text.substr(0, colon));
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  const bool begins_with_letter = !name.empty() && (name[0] > '9') && is_of_name(name[0]);
  if (!begins_with_letter || !std::all_of(name.begin(), name.end(), is_of_name)) return "";
  if (std::find(kKinds.begin(), kKinds.end(), name) != kKinds.end()) return "";
  // A misspelt kind must not pass for a name.
  if (const std::string_view meant = nearest_name(name, kKinds); !meant.empty())
    throw InputError(fmt::format("'{}': did you mean {}:? A set of groups needs a name less like that", text, meant));
  text = trimmed(text.substr(colon + 1));
  return std::string(name);
}

Groups parse_part(std::string_view text, const Ranks& ranks) {
  constexpr std::string_view kStrided = "strided:";
  constexpr std::string_view kRandomPrefix = "random:";
  constexpr std::string_view kTier = "tier:";
  if (text == "rows" || text == "columns" || text.starts_with("dim:")) return parse_lines(text, ranks);
  if (text.starts_with(kRandomPrefix)) return parse_random(text.substr(kRandomPrefix.size()), ranks.count());
  if (text.starts_with(kTier)) return parse_tier(text.substr(kTier.size()), ranks);
  if (text.find(kAlong) != std::string_view::npos) return parse_along(text, ranks);
  if (text.starts_with(kStrided)) {
    const int stride = parse_divisor(text.substr(kStrided.size()), ranks.count());
    return group_by(ranks.count(), stride, [&](int rank) { return rank % stride; });
  }
  if (text.empty() || text.find_first_not_of("0123456789,;-") != std::string_view::npos)
    throw InputError(fmt::format("'{}': no groups of ranks; {}", text, kGroupsHelp));
  if (text.find_first_of(",;-") != std::string_view::npos) return parse_rank_lists(text, ranks.count());
  const int size = parse_divisor(text, ranks.count());
  return group_by(ranks.count(), ranks.count() / size, [&](int rank) { return rank / size; });
}

}  // namespace

RankGroups parse_groups(std::string_view text, const Placement& placement, const Topology& topology) {
  const Ranks ranks{placement, topology, grid_under(placement, topology)};
  RankGroups groups;
  for (std::string_view part : split_list(text, '+')) {
    part = trimmed(part);
    const std::string name = take_name(part);
    for (std::vector<int>& group : parse_part(part, ranks)) {
      groups.members.push_back(std::move(group));
      groups.names.push_back(name);
    }
  }
  return groups;
}

namespace {

/// Where the = stands behind which the call begins; npos: there is none.
std::size_t find_call(std::string_view part) {
  for (std::size_t at = part.find('='); at != part.npos; at = part.find('=', at + 1)) {
    const std::string_view call = trimmed(part.substr(at + 1));
    const bool is_call = call.empty() || std::isalpha(static_cast<unsigned char>(call.front())) != 0;
    if (is_call && !part.substr(0, at).ends_with("seed")) return at;
  }
  return part.npos;
}

/// "allgather/ring@64MiB"
void read_call(std::string_view call, GroupsPart& part) {
  const std::size_t at = call.rfind('@');
  if (at != call.npos) part.size = parse_bytes(trimmed(call.substr(at + 1)));
  call = trimmed(call.substr(0, at));
  const std::size_t slash = call.find('/');
  if (call.empty()) throw InputError("the collective is missing behind =; try =allreduce@16MiB or =allgather/ring@64MiB");
  part.collective = parse_collective(std::string(trimmed(call.substr(0, slash))));
  if (slash == call.npos) return;
  part.algorithm = trimmed(call.substr(slash + 1));
  if (part.algorithm.empty()) throw InputError("the algorithm is missing behind /; try =allgather/ring@64MiB");
}

GroupsPart read_part(std::string_view text) {
  GroupsPart part{.text = std::string(text), .groups = std::string(text)};
  const std::size_t equals = find_call(text);
  if (equals == text.npos) return part;
  part.groups = trimmed(text.substr(0, equals));
  try {
    if (part.groups.empty()) throw InputError("the groups are missing before =; try tp:tier:0=allreduce@16MiB");
    read_call(trimmed(text.substr(equals + 1)), part);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", text, error.what()));
  }
  return part;
}

}  // namespace

std::vector<GroupsPart> split_group_calls(std::string_view text) {
  std::vector<GroupsPart> parts;
  for (const std::string_view part : split_list(text, '+')) parts.push_back(read_part(trimmed(part)));
  return parts;
}

bool have_calls(std::string_view groups) {
  return std::ranges::any_of(split_list(groups, '+'), [](std::string_view part) { return find_call(part) != part.npos; });
}

}  // namespace heddle
