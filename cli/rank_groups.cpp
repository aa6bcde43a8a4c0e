// SPDX-License-Identifier: Apache-2.0
#include "cli/rank_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "cli/flag_value.hpp"
#include "core/errors.hpp"

namespace heddle {

namespace {

constexpr std::string_view kHelp =
    "groups are 4 (consecutive ranks), strided:4, rows, columns, dim:0, a list as 0-3;4-7, or some with +";

/// Calls visit(part) for each part between separators.
template <class Visit>
void for_each_part(std::string_view text, char separator, Visit visit) {
  for (;;) {
    const std::size_t end = text.find(separator);
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

int parse_number(std::string_view text, int least, int most) { return static_cast<int>(parse_integer(text, least, most)); }

/// Groups of as many ranks each; rank r is in group group_of(r).
template <class GroupOf>
RankGroups group_by(int ranks, int groups, GroupOf group_of) {
  RankGroups result(static_cast<std::size_t>(groups));
  for (int rank = 0; rank < ranks; ++rank) result[static_cast<std::size_t>(group_of(rank))].push_back(rank);
  return result;
}

int parse_divisor(std::string_view text, int ranks) {
  const int number = parse_number(text, 1, ranks);
  if (ranks % number != 0) throw InputError(fmt::format("{} ranks are no multiple of {}", ranks, number));
  return number;
}

/// Ranks by their coordinates in all dimensions but one.
RankGroups lines_along(int dimension, int ranks, const Grid& grid) {
  std::map<std::vector<int>, std::vector<int>> lines;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int> coordinates = grid.coordinates(Rank(rank));
    coordinates[static_cast<std::size_t>(dimension)] = 0;
    lines[coordinates].push_back(rank);
  }
  RankGroups groups;
  for (auto& [coordinates, line] : lines) {
    std::sort(line.begin(), line.end(),
              [&](int a, int b) { return grid.coordinate(Rank(a), dimension) < grid.coordinate(Rank(b), dimension); });
    groups.push_back(std::move(line));
  }
  return groups;
}

RankGroups parse_lines(std::string_view text, int ranks, const Grid* grid) {
  if (grid == nullptr) throw InputError(fmt::format("'{}': these ranks fill no grid", text));
  const int dimensions = grid->dimensions();
  if (text == "columns" && dimensions < 2) throw InputError("'columns': the grid has one dimension; try rows");
  const int dimension = text == "rows"      ? dimensions - 1
                        : text == "columns" ? dimensions - 2
                                            : parse_number(text.substr(std::string_view("dim:").size()), 0, dimensions - 1);
  return lines_along(dimension, ranks, *grid);
}

std::vector<int> parse_group(std::string_view text, int ranks) {
  std::vector<int> group;
  for_each_part(text, ',', [&](std::string_view run) {
    const std::size_t dash = run.find('-');
    const int first = parse_number(run.substr(0, dash), 0, ranks - 1);
    const int last = dash == std::string_view::npos ? first : parse_number(run.substr(dash + 1), first, ranks - 1);
    for (int rank = first; rank <= last; ++rank) group.push_back(rank);
  });
  if (std::set<int>(group.begin(), group.end()).size() != group.size())
    throw InputError(fmt::format("'{}': a rank is in one group twice", text));
  return group;
}

RankGroups parse_list(std::string_view text, int ranks) {
  RankGroups groups;
  for_each_part(text, ';', [&](std::string_view group) { groups.push_back(parse_group(group, ranks)); });
  return groups;
}

RankGroups parse_part(std::string_view text, int ranks, const Grid* grid) {
  constexpr std::string_view kStrided = "strided:";
  if (text == "rows" || text == "columns" || text.starts_with("dim:")) return parse_lines(text, ranks, grid);
  if (text.starts_with(kStrided)) {
    const int stride = parse_divisor(text.substr(kStrided.size()), ranks);
    return group_by(ranks, stride, [&](int rank) { return rank % stride; });
  }
  if (text.empty() || text.find_first_not_of("0123456789,;-") != std::string_view::npos)
    throw InputError(fmt::format("'{}': no groups of ranks; {}", text, kHelp));
  if (text.find_first_of(",;-") != std::string_view::npos) return parse_list(text, ranks);
  const int size = parse_divisor(text, ranks);
  return group_by(ranks, ranks / size, [&](int rank) { return rank / size; });
}

}  // namespace

RankGroups parse_groups(std::string_view text, int ranks, const Grid* grid) {
  RankGroups groups;
  for_each_part(text, '+',
                [&](std::string_view part) { std::ranges::move(parse_part(part, ranks, grid), std::back_inserter(groups)); });
  return groups;
}

}  // namespace heddle
