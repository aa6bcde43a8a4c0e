// SPDX-License-Identifier: Apache-2.0
#include "cli/credits_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "cli/flag_value.hpp"
#include "cli/side_by_side.hpp"
#include "cli/sweep/number_range.hpp"
#include "core/errors.hpp"

namespace heddle {

namespace {

constexpr std::string_view kRankCount = "{p}";
constexpr std::string_view kAnyFabric = "star:{p}";
constexpr std::string_view kSmallVector = "64KiB";

void require_given(const RunOptions& options, std::string_view topology) {
  constexpr std::string_view kExample = "try: heddle credits allreduce --algo ring --ranks 2:16";
  if (options.collective.empty()) throw InputError(fmt::format("the collective is missing; {}", kExample));
  parse_collective(options.collective);
  if (!options.ranks && topology.find(kRankCount) != std::string_view::npos)
    throw InputError(fmt::format("--ranks is missing, which {} needs; {}", topology, kExample));
}

std::string with_rank_count(std::string text, const std::string& count) {
  for (std::size_t at = text.find(kRankCount); at != std::string::npos; at = text.find(kRankCount, at + count.size()))
    text.replace(at, kRankCount.size(), count);
  return text;
}

bool gives_sizes(const RunOptions& options) { return options.blocks != "even" && !options.blocks.starts_with("random"); }

/// One for each number of ranks; a single one for the ranks that the fabric or the placement has.
std::vector<RunOptions> options_by_ranks(const RunOptions& options, std::string_view topology) {
  RunOptions common = options;
  common.fabric.topology = topology;
  if (common.size.empty() && !gives_sizes(options)) common.size = kSmallVector;
  if (!options.ranks) return {common};
  std::vector<RunOptions> all;
  for (const int ranks : read_flag("--ranks", *options.ranks, parse_rank_counts)) {
    RunOptions& one = all.emplace_back(common);
    one.ranks = fmt::format("{}", ranks);
    one.fabric.topology = with_rank_count(one.fabric.topology, *one.ranks);
  }
  return all;
}

/// A fabric that is made for each number of ranks has one name in all reasons.
std::string general_reason(std::string reason, const RunPlan& plan, const std::string& topology) {
  const std::string& spec = plan.fabric.topology().spec();
  if (const std::size_t at = reason.find(spec); at != std::string::npos) reason.replace(at, spec.size(), topology);
  return reason;
}

void add_left_out(CreditsStudy& study, const LeftOut& left, int ranks) {
  const auto same = std::ranges::find_if(study.left_out, [&](const CreditsLeftOut& other) {
    return other.what.algorithm == left.algorithm && other.what.reason == left.reason;
  });
  if (same != study.left_out.end())
    same->ranks.push_back(ranks);
  else
    study.left_out.push_back({.what = left, .ranks = {ranks}});
}

/// Those of one algorithm together, as they come first.
void group_by_algorithm(std::vector<CreditsCase>& cases) {
  std::vector<std::string> names;
  for (const CreditsCase& one : cases)
    if (std::ranges::find(names, one.algorithm.name) == names.end()) names.push_back(one.algorithm.name);
  std::ranges::stable_sort(cases, {}, [&](const CreditsCase& one) { return std::ranges::find(names, one.algorithm.name); });
}

std::variant<LeastCredits, Failure> search(const CreditsCase& one) {
  const RunPlan& plan = *one.plan;
  try {
    const CollectiveCall call = plan.call(one.algorithm);
    if (plan.groups.empty()) return least_credits(plan.fabric, plan.placement, call, plan.settings);
    return least_credits_of_groups(plan.fabric, plan.placement, plan.groups.members, call, plan.settings);
  } catch (const CheckError& error) {
    return Failure{error.kind(), error.what()};
  }
}

}  // namespace

CreditsStudy plan_credits(const RunOptions& options) {
  CreditsStudy study;
  study.topology = options.fabric.topology.empty() ? std::string(kAnyFabric) : options.fabric.topology;
  require_given(options, study.topology);
  study.ranks = options.ranks.value_or("");
  for (const RunOptions& one : options_by_ranks(options, study.topology)) {
    const auto plan = std::make_shared<const RunPlan>(plan_run(one, read_fabric(one.fabric, "--topo"), Unfitting::left_out));
    for (const Algorithm& algorithm : plan->algorithms.chosen) study.cases.push_back({.plan = plan, .algorithm = algorithm});
    for (const LeftOut& left : plan->algorithms.left_out)
      add_left_out(study, {left.algorithm, general_reason(left.reason, *plan, study.topology)}, plan->ranks());
  }
  if (study.cases.empty()) {
    if (study.left_out.empty()) throw InputError(fmt::format("no algorithm for {} fits", options.collective));
    const LeftOut& left = study.left_out.front().what;
    throw InputError(fmt::format("--algo '{}': fits nowhere, {}", left.algorithm, left.reason));
  }
  group_by_algorithm(study.cases);
  return study;
}

void search(CreditsStudy& study) {
  const std::size_t n = study.cases.size();
  std::vector<std::exception_ptr> stopped(n);
  // The last ones have the most ranks, and would be the last to end.
  side_by_side(n, [&](std::size_t i) {
    CreditsCase& one = study.cases[n - 1 - i];
    try {
      one.result = search(std::as_const(one));
    } catch (const InputError&) {
      stopped[n - 1 - i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& first : stopped)
    if (first) std::rethrow_exception(first);
}

}  // namespace heddle
