// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/credits_study.hpp"
#include "lab/describe/rank_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <span>
#include <utility>

#include "emu/engine/parallel_for.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr std::string_view kRankCount = "{p}";
constexpr std::string_view kAnyFabric = "star:{p}";
constexpr Bytes kSmallVector(64 << 10);

void require_given(const CreditsQuestion& question, std::string_view topology) {
  constexpr std::string_view kExample = "try: heddle credits allreduce --algo ring --ranks 2:16";
  if (question.ranks.empty() && topology.find(kRankCount) != std::string_view::npos)
    throw InputError(fmt::format("--ranks is missing, which {} needs; {}", topology, kExample));
  if (have_calls(question.base.groups))
    throw InputError(fmt::format("--groups '{}': credits are of one call; 'heddle run' takes groups with calls of their own",
                                 question.base.groups));
}

std::string with_rank_count(std::string text, const std::string& count) {
  for (std::size_t at = text.find(kRankCount); at != std::string::npos; at = text.find(kRankCount, at + count.size()))
    text.replace(at, kRankCount.size(), count);
  return text;
}

/// One for each number of ranks; a single one for the ranks that the fabric or the placement has.
std::vector<Experiment> experiments_by_ranks(const CreditsQuestion& question, std::string_view topology) {
  Experiment common = question.base;
  common.fabric.topology = topology;
  if (!common.size && !common.lists_its_size()) common.size = kSmallVector;
  if (question.ranks.empty()) return {common};
  std::vector<Experiment> all;
  for (const int ranks : question.ranks) {
    Experiment& one = all.emplace_back(common);
    one.ranks = ranks;
    one.fabric.topology = with_rank_count(one.fabric.topology, fmt::format("{}", ranks));
  }
  return all;
}

/// A fabric that is made for each number of ranks has one name in all reasons.
std::string general_reason(std::string reason, const Setup& setup, const std::string& topology) {
  const std::string& spec = setup.fabric.topology().spec();
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

/// A search runs its algorithm without bound, without credits and with one, or with more.
RunCost search_cost(const Setup& setup, const Algorithm& algorithm, std::span<const Shape> shapes) {
  constexpr double kRuns = 3;
  RunCost cost = run_cost(setup, algorithm, shapes);
  cost.messages *= kRuns;
  cost.packet_hops *= kRuns;
  cost.seconds *= kRuns;
  return cost;
}

std::variant<LeastCredits, Failure> search(const CreditsCase& one) {
  const Setup& setup = *one.setup;
  try {
    const auto run = [&](const EmulationSettings& with) { return run_call(setup, one.algorithm, with).report.completion; };
    LeastCredits found = least_credits(run, setup.settings);
    if (found.safe > 0) found.deadlock += known_of(one.algorithm, found.safe - 1, *setup.asked.in_place);
    return found;
  } catch (const CheckError& error) {
    return Failure{error.kind(), error.what() + known_of(one.algorithm, std::nullopt, *setup.asked.in_place), error.facts()};
  }
}

}  // namespace

CreditsStudy plan_credits(const CreditsQuestion& question) {
  CreditsStudy study;
  study.topology = question.base.fabric.topology.empty() ? std::string(kAnyFabric) : question.base.fabric.topology;
  require_given(question, study.topology);
  study.ranks = question.ranks_text;
  for (const Experiment& one : experiments_by_ranks(question, study.topology)) {
    Setup made = set_up(one, question.algorithms, build_fabric(one.fabric), Unfitting::left_out);
    made.settings.buffering = Buffering::limited(1);  // as in searches, whose cost is that of such a run
    const auto setup = std::make_shared<const Setup>(std::move(made));
    const std::vector<Shape> shapes = setup->shapes();
    for (const Algorithm& algorithm : setup->algorithms.chosen)
      study.cases.push_back({.setup = setup, .algorithm = algorithm, .cost = search_cost(*setup, algorithm, shapes)});
    for (const LeftOut& left : setup->algorithms.left_out)
      add_left_out(study, {left.algorithm, general_reason(left.reason, *setup, study.topology)}, setup->ranks());
  }
  if (study.cases.empty()) {
    if (study.left_out.empty()) throw InputError(fmt::format("no algorithm for {} fits", to_string(question.base.collective)));
    const LeftOut& left = study.left_out.front().what;
    throw InputError(fmt::format("--algo '{}': fits nowhere, {}", left.algorithm, left.reason));
  }
  group_by_algorithm(study.cases);
  return study;
}

void search(CreditsStudy& study, const std::function<void()>& ended_one) {
  std::vector<std::exception_ptr> stopped(study.cases.size());
  // The last ones have the most ranks, and would be the last to end.
  emu::parallel_for(std::ssize(study.cases), [&](std::int64_t i) {
    const std::size_t number = study.cases.size() - 1 - static_cast<std::size_t>(i);
    CreditsCase& one = study.cases[number];
    try {
      one.result = search(std::as_const(one));
    } catch (const InputError&) {
      stopped[number] = std::current_exception();
    }
    ended_one();
  });
  for (const std::exception_ptr& first : stopped)
    if (first) std::rethrow_exception(first);
}

}  // namespace heddle
