// SPDX-License-Identifier: Apache-2.0
#include "lab/run/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "emu/record/memory_estimate.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/rank_groups.hpp"

namespace heddle {

namespace {

/// What a part asks for, as an experiment of its groups alone.
Experiment experiment_of(const Experiment& common, const GroupsPart& part) {
  Experiment own = common;
  own.groups = part.groups;
  if (part.collective) own.collective = *part.collective;
  if (part.size) own.size = part.size;
  return own;
}

Setup set_up_part(const Experiment& common, const GroupsPart& part, std::string_view algorithms, const Fabric& fabric,
                  Unfitting unfitting) {
  const Experiment own = experiment_of(common, part);
  const bool takes_row = part.algorithm.empty();
  try {
    if (takes_row && own.collective != common.collective)
      throw InputError(fmt::format("which {0}? Name its algorithm: {0}/NAME ('heddle list --collective {0}' shows them)",
                                   to_string(own.collective)));
    if (!own.size && own.collective != Collective::barrier && !own.lists_its_size())
      throw InputError("its size is missing; put one behind it, as @16MiB, or give --size");
    Setup setup = set_up(own, takes_row ? algorithms : std::string_view(part.algorithm), fabric,
                         takes_row ? unfitting : Unfitting::refused);
    if (!takes_row && setup.algorithms.chosen.size() != 1)
      throw InputError(fmt::format("'{}': a part has one algorithm", part.algorithm));
    return setup;
  } catch (const InputError& error) {
    throw InputError(fmt::format("--groups '{}': {}", part.text, error.what()));
  }
}

/// The part whose call the row shows.
std::size_t main_part(const Experiment& experiment, const std::vector<GroupsPart>& parts) {
  const auto takes_row = std::ranges::find_if(parts, [](const GroupsPart& part) { return part.algorithm.empty(); });
  if (takes_row != parts.end()) return static_cast<std::size_t>(takes_row - parts.begin());
  const auto same = std::ranges::find(parts, std::optional<Collective>(experiment.collective), &GroupsPart::collective);
  if (same == parts.end())
    throw InputError(fmt::format("{}: no group calls it; --groups '{}' begins with {}", to_string(experiment.collective),
                                 experiment.groups, to_string(*parts.front().collective)));
  return static_cast<std::size_t>(same - parts.begin());
}

/// Leaves those algorithms that another family could not take.
void keep_common_rows(AlgorithmChoice& rows, const AlgorithmChoice& others) {
  std::erase_if(rows.chosen, [&](const Algorithm& row) {
    const bool fits = std::ranges::find(others.chosen, row.name, &Algorithm::name) != others.chosen.end();
    const auto left = std::ranges::find(others.left_out, row.name, &LeftOut::algorithm);
    if (!fits) rows.left_out.push_back({row.name, left == others.left_out.end() ? "it does not fit all groups" : left->reason});
    return !fits;
  });
}

/// The parts fit by themselves; together they may not.
void require_fitting_memory(const Setup& setup, const Algorithm& algorithm) {
  double bytes = 0;
  for (const GroupFamily& family : setup.families)
    bytes += family.setup->vectors() * static_cast<double>(family.setup->bytes());
  bytes /= static_cast<double>(common_scale(setup, algorithm)) * setup.ranks();
  const Topology& topology = setup.fabric.topology();
  require_memory(estimate_memory(setup.ranks(), topology.links(), Bytes(static_cast<std::int64_t>(std::min(bytes, 9e18)))),
                 [&] { return topology.spec(); });
}

}  // namespace

const Algorithm& GroupFamily::row(const Algorithm& algorithm) const {
  return takes_row ? algorithm : setup->algorithms.chosen.front();
}

Setup set_up_families(const Experiment& experiment, std::string_view algorithms, const Fabric& fabric, Unfitting unfitting,
                      const std::optional<Tuning>& tuning) {
  if (tuning) throw InputError("--tune: groups with calls of their own are not tuned; leave it out");
  const std::vector<GroupsPart> parts = read_flag("--groups", experiment.groups, split_group_calls);
  const std::size_t shown = main_part(experiment, parts);
  const bool has_rows = parts[shown].algorithm.empty();
  if (!has_rows && algorithms != "all" && algorithms != parts[shown].algorithm)
    throw InputError(fmt::format("--algo '{}': all groups have algorithms of their own; leave it out", algorithms));
  std::vector<GroupFamily> families;
  std::size_t first = 0;
  for (const GroupsPart& part : parts) {
    auto setup = std::make_shared<const Setup>(set_up_part(experiment, part, algorithms, fabric, unfitting));
    const std::size_t end = first + setup->groups.size();
    families.push_back({std::move(setup), part.algorithm.empty(), first, end});
    first = end;
  }
  Setup setup = *families[shown].setup;
  setup.groups = {};
  for (const GroupFamily& family : families) {
    const Setup& own = *family.setup;
    std::ranges::copy(own.groups.members, std::back_inserter(setup.groups.members));
    std::ranges::copy(own.groups.names, std::back_inserter(setup.groups.names));
    setup.settings.most_slices_at_once = std::max(setup.settings.most_slices_at_once, own.settings.most_slices_at_once);
    if (has_rows && family.takes_row) keep_common_rows(setup.algorithms, own.algorithms);
  }
  setup.asked.groups = experiment.groups;
  setup.asked.size = experiment.size;
  setup.families = std::move(families);
  for (const Algorithm& algorithm : setup.algorithms.chosen) require_fitting_memory(setup, algorithm);
  return setup;
}

std::int64_t common_scale(const Setup& setup, const Algorithm& algorithm) {
  if (!setup.asked.payload || !setup.may_hold_part(algorithm)) return 1;
  double bytes = 0;
  std::int64_t divides = 0;
  for (const GroupFamily& family : setup.families) {
    const Setup& own = *family.setup;
    bytes += own.vectors() * static_cast<double>(own.bytes());
    if (own.count == 0) continue;
    const std::int64_t block_count = own.block_count(family.row(algorithm), own.shapes());
    divides = std::gcd(divides, own.blocks.empty() && own.count % block_count == 0 ? own.count / block_count : 1);
  }
  const double wanted = bytes / static_cast<double>(setup.asked.payload->count());
  if (wanted <= 1 || divides <= 1) return 1;
  std::int64_t scale = divides;
  for (std::int64_t low = 1; low <= divides / low; ++low) {
    if (divides % low != 0) continue;
    for (const std::int64_t divisor : {low, divides / low})
      if (static_cast<double>(divisor) >= wanted) scale = std::min(scale, divisor);
  }
  return scale;
}

std::vector<CollectiveCall> calls_of_groups(const Setup& setup, const Algorithm& algorithm) {
  if (setup.families.empty()) return std::vector(std::max<std::size_t>(setup.groups.size(), 1), setup.call(algorithm));
  const std::int64_t scale = common_scale(setup, algorithm);
  std::vector<CollectiveCall> calls;
  for (const GroupFamily& family : setup.families) {
    CollectiveCall call = family.setup->call(family.row(algorithm));
    call.sampled = call.count / scale;
    calls.insert(calls.end(), family.end - family.first, call);
  }
  return calls;
}

const Algorithm& algorithm_of_group(const Setup& setup, std::size_t group, const Algorithm& algorithm) {
  for (const GroupFamily& family : setup.families)
    if (group < family.end) return family.row(algorithm);
  return algorithm;
}

const Setup& setup_of_group(const Setup& setup, std::size_t group) {
  for (const GroupFamily& family : setup.families)
    if (group < family.end) return *family.setup;
  return setup;
}

}  // namespace heddle
