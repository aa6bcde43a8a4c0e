// SPDX-License-Identifier: Apache-2.0
#include "fuzz/placed_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/errors.hpp"
#include "core/read_number.hpp"
#include "emu/checks/checked_run.hpp"
#include "emu/faults/fault_spec.hpp"
#include "emu/switches/in_network.hpp"
#include "fuzz/run_case.hpp"

namespace heddle {

namespace {

Fabric fabric_of(const FuzzCase& what) {
  std::shared_ptr<const Topology> topology = parse_topology(what.topology);
  FabricSettings settings;
  // A fabric's own speeds, as far as the case says nothing else.
  if (std::vector<LinkSpeed> own = topology->tier_speeds(); !own.empty()) settings.tiers = std::move(own);
  const LinkSpeed usual;
  for (LinkSpeed& speed : settings.tiers) {
    if (what.bandwidth != usual.bandwidth) speed.bandwidth = what.bandwidth;
    if (what.latency != usual.latency) speed.latency = what.latency;
  }
  settings.hop = what.hop;
  settings.alpha = what.alpha;
  return {std::move(topology), std::move(settings)};
}

Placement placement_of(const FuzzCase& what, const Topology& topology) {
  const int ranks = what.ranks ? *what.ranks : ranks_of_placement(what.placement).value_or(topology.endpoints());
  return parse_placement(what.placement, ranks, topology);
}

int read_divisor(std::string_view text, int ranks) {
  const auto number = read_number<int>(text);
  if (!number || *number < 1 || ranks % *number != 0)
    throw InputError(fmt::format("--groups '{}': a number that divides {} ranks is expected", text, ranks));
  return *number;
}

/// One set of groups: "4" or "strided:4".
void add_groups(std::string_view text, int ranks, std::vector<std::vector<int>>& groups) {
  constexpr std::string_view kStrided = "strided:";
  const bool is_strided = text.starts_with(kStrided);
  const int number = read_divisor(is_strided ? text.substr(kStrided.size()) : text, ranks);
  const int stride = is_strided ? number : 1;
  const int size = is_strided ? ranks / number : number;
  for (int group = 0; group < ranks / size; ++group) {
    const int first = is_strided ? group : group * size;
    std::vector<int>& members = groups.emplace_back();
    for (int i = 0; i < size; ++i) members.push_back(first + i * stride);
  }
}

std::vector<std::vector<int>> groups_of(std::string_view text, int ranks) {
  std::vector<std::vector<int>> groups;
  if (text.empty()) add_groups(std::to_string(ranks), ranks, groups);
  while (!text.empty()) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    add_groups(text.substr(0, plus), ranks, groups);
    text.remove_prefix(std::min(plus + 1, text.size()));
  }
  for (const std::vector<int>& group : groups) {
    if (group.size() != groups.front().size())
      throw InputError(
          fmt::format("groups of {} and of {} ranks: a case has groups of one size", groups.front().size(), group.size()));
  }
  return groups;
}

}  // namespace

PlacedCase::PlacedCase(const FuzzCase& what, std::span<const Algorithm> rows)
    : PlacedCase(what, find_row(rows, what.collective, what.algorithm)) {}

PlacedCase::PlacedCase(const FuzzCase& what, Algorithm row)
    : row_(std::move(row)),
      fabric_(fabric_of(what)),
      placement_(placement_of(what, fabric_.topology())),
      groups_(groups_of(what.groups, static_cast<int>(placement_.size()))),
      faults_(parse_faults(what.faults, fabric_.topology(), static_cast<int>(placement_.size()))) {}

Shape PlacedCase::shape(const FuzzCase& what, const std::vector<int>& group) const {
  const Topology& topology = fabric_.topology();
  Placement endpoints;
  for (const int rank : group) endpoints.push_back(placement_[static_cast<std::size_t>(rank)]);
  Shape shape;
  shape.ranks = ranks();
  if (const std::optional<Grid> grid = grid_under(endpoints, topology)) {
    shape.dims = grid->dims();
    shape.wraps = grid->wraps();
  }
  shape.count = what.count;
  shape.bytes = what.count * static_cast<std::int64_t>(what.type.size());
  shape.root = what.root;
  shape.equal_blocks = what.blocks.empty();
  if (ranks() > 1) shape.cost = message_cost(fabric_, endpoints[0], endpoints[1]);
  shape.tiers = tiers_of(endpoints, topology);
  if (has_computing_switches(topology)) shape.in_network = InNetworkQuestion(fabric_, endpoints, what.type, faults_.switches);
  return shape;
}

std::string PlacedCase::refusal(const FuzzCase& what) const {
  for (const std::vector<int>& group : groups_) {
    if (std::string reason = why_not(row_, shape(what, group), *what.op); !reason.empty()) return reason;
  }
  return {};
}

Report PlacedCase::run(const FuzzCase& what, std::vector<MetPoint>* met_points) const {
  const CollectiveCall call{.collective = what.collective,
                            .function = row_.run,
                            .name = row_.name,
                            .type = what.type,
                            .op = what.op,
                            .count = what.count,
                            .seed = what.seed,
                            .held = what.count,
                            .root = Rank(what.root),
                            .blocks = what.blocks,
                            .in_place = what.in_place};
  EmulationSettings settings;
  settings.threads = what.threads;
  settings.buffering = what.buffering;
  settings.order_seed = what.order_seed;
  settings.order = what.order;
  settings.met_points = met_points;
  settings.faults = faults_;
  Report report = run_checked_groups(fabric_, placement_, groups_, call, settings).report;
  check_formulas(what, shape(what), report);
  return report;
}

void PlacedCase::check_formulas(const FuzzCase& what, const Shape& shape, const Report& report) const {
  const std::int64_t granule = row_.granule == nullptr ? 1 : row_.granule(shape);
  // What a row promises is on ranks in the fabric's order, for blocks of which each has an element.
  if (groups_.size() > 1 || !what.blocks.empty() || what.count < granule || what.placement != FuzzCase().placement) return;
  if (!formulas_are_exact(row_, shape)) return;
  const auto require = [this](std::string_view what_of, std::int64_t counted, std::int64_t promised, std::string_view formula) {
    if (counted == promised) return;
    throw CheckError(CheckError::Kind::formula,
                     fmt::format("{} {}: the run counted {} {}, its formula says {} ({})", to_string(row_.collective),
                                 row_.name, counted, what_of, promised, formula));
  };
  if (row_.rounds) require("rounds", report.rounds_max(), row_.rounds(shape), row_.rounds.text);
  if (report.switch_precision || granule == 0 || what.count % granule != 0) return;
  if (row_.bytes) require("bytes sent by the busiest rank", report.sent_max().count(), row_.bytes(shape), row_.bytes.text);
}

}  // namespace heddle
