// SPDX-License-Identifier: Apache-2.0
#include "emu/check/checked_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <new>
#include <numeric>
#include <utility>

#include "emu/check/checked_calls.hpp"
#include "emu/check/lower_bound.hpp"
#include "emu/data/expected_call.hpp"
#include "emu/explain/traced_run.hpp"
#include "emu/memory/in_memory_runtime.hpp"
#include "emu/record/failure.hpp"
#include "emu/record/memory_estimate.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

void check_sends(const CollectiveCall& call, std::int64_t ranks) {
  if (call.collective != Collective::alltoall || !call.blocks.empty())
    throw InputError("only an alltoall without sizes of blocks takes a matrix of counts");
  if (call.sends.ranks() != ranks) throw InputError(fmt::format("counts of {} ranks for {}", call.sends.ranks(), ranks));
  if (call.in_place && !call.sends.is_symmetric())
    throw InputError("in place two ranks send each other as much as they receive; these counts are out of place");
  if (call.sends.most_sent() != call.count)
    throw InputError(fmt::format("a rank sends {} elements at most, and the call has {}", call.sends.most_sent(), call.count));
  if (call.count > 0 && call.sampled % (call.count / call.sends.unit()) != 0)
    throw InputError(fmt::format("{} of {} elements held: no whole part of each count, which are multiples of {}", call.sampled,
                                 call.count, call.sends.unit()));
}

void check_blocks(const CollectiveCall& call, std::int64_t ranks) {
  if (!call.sends.empty()) return check_sends(call, ranks);
  const std::string name = to_string(call.collective);
  if (call.blocks.empty()) {
    if (call.collective == Collective::alltoall && (call.count % ranks != 0 || call.sampled % ranks != 0))
      throw InputError(
          fmt::format("{} of {} elements ({} held): {} ranks must divide them", name, call.count, call.sampled, ranks));
    return;
  }
  if (!has_blocks(call.collective)) throw InputError(fmt::format("{} has no blocks to give sizes of", name));
  if (static_cast<std::int64_t>(call.blocks.size()) != ranks)
    throw InputError(fmt::format("{} sizes of blocks for {} ranks: one for each is needed", call.blocks.size(), ranks));
  if (std::any_of(call.blocks.begin(), call.blocks.end(), [](std::int64_t size) { return size < 0; }))
    throw InputError("a block's size must not be negative");
  const std::int64_t sum = std::accumulate(call.blocks.begin(), call.blocks.end(), std::int64_t{0});
  if (sum != call.count || call.sampled != call.count)
    throw InputError(fmt::format("blocks of {} elements in all, {} of {} held: all must be, and the vector is that long", sum,
                                 call.sampled, call.count));
}

void check_call(const CollectiveCall& call, std::int64_t ranks) {
  const std::string name = to_string(call.collective);
  if (!call.function) throw InputError(fmt::format("{} '{}' has no function to run", name, call.name));
  if (call.op == nullptr) throw InputError(fmt::format("{} '{}' needs an operation to reduce with", name, call.name));
  if (reduces(call.collective) && !call.op->supports(call.type)) {
    throw InputError(fmt::format("op {} does not work on {}", call.op->name(), to_string(call.type)));
  }
  if (call.count < 0) throw InputError(fmt::format("a count of {}: it must not be negative", call.count));
  if (call.sampled < std::min<std::int64_t>(call.count, 1) || call.sampled > call.count) {
    throw InputError(fmt::format("{} of {} elements held per rank: hold at least one and at most all (choose_sampled picks)",
                                 call.sampled, call.count));
  }
  if (ranks == 0) throw InputError("a run needs at least one rank");
  if (has_root(call.collective) && (call.root.value() < 0 || call.root.value() >= ranks))
    throw InputError(fmt::format("root {}: ranks are 0 to {}", call.root.value(), ranks - 1));
  if (call.calls < 1) throw InputError(fmt::format("{} calls: 1 or more can be made", call.calls));
  check_blocks(call, ranks);
}

double bytes_held(const CollectiveCall& call, std::size_t ranks) {
  return vectors_held(call.collective, static_cast<int>(ranks), call.in_place) * static_cast<double>(call.sampled) *
         static_cast<double>(call.type.size());
}

void check_groups(const std::vector<std::vector<int>>& groups, std::size_t ranks) {
  if (groups.empty()) throw InputError("no group of ranks to call with");
  std::vector<std::size_t> last_seen_in(ranks, groups.size());  // by rank: a group, or none
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const int rank : groups[g]) {
      if (rank < 0 || static_cast<std::size_t>(rank) >= ranks)
        throw InputError(fmt::format("rank {} in a group: ranks are 0 to {}", rank, ranks - 1));
      if (std::exchange(last_seen_in[static_cast<std::size_t>(rank)], g) == g)
        throw InputError(fmt::format("rank {} is in one group twice", rank));
    }
  }
}

Bytes memory_of_calls(const Fabric& fabric, const Placement& placement, const std::vector<CollectiveCall>& calls,
                      const std::vector<std::vector<int>>& groups) {
  double bytes = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) bytes += bytes_held(calls[g], groups[g].size());
  const auto ranks = static_cast<std::int64_t>(placement.size());
  const double per_rank = std::min(bytes / static_cast<double>(ranks), 9e18);
  return estimate_memory(ranks, fabric.topology().links(), Bytes(static_cast<std::int64_t>(per_rank)));
}

void require_possible(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                      const std::vector<CollectiveCall>& calls) {
  check_groups(groups, placement.size());
  if (calls.size() != groups.size())
    throw InputError(fmt::format("{} calls for {} groups: one for each is needed", calls.size(), groups.size()));
  for (std::size_t g = 0; g < groups.size(); ++g) check_call(calls[g], static_cast<std::int64_t>(groups[g].size()));
  const Bytes memory = memory_of_calls(fabric, placement, calls, groups);
  require_memory(memory, [&] { return fabric.topology().spec(); });
  grow_heap(memory);
}

/// Whether a wrong result is one of order alone: the same call is right with an operation that gives the same in any order.
bool is_right_but_for_order(const Fabric& fabric, const emu::CheckedCalls& group, const EmulationSettings& settings) {
  CollectiveCall call = group.call();
  call.calls = std::min(call.calls, 2);
  call.op = &emu::bytewise_sum(false);
  return emu::wrong_when_repeated(fabric, group.placement(), call, settings).empty();
}

/// Of all calls up to this one, and of two at least: what ranks do depends on whether they call again. A schedule does not.
std::vector<emu::CallLayout> layouts_until(const CollectiveCall& call, int ranks, int last) {
  std::vector<emu::CallLayout> layouts;
  for (int number = 0; number <= std::max(last, call.schedule_chunks > 0 ? 0 : 1); ++number)
    layouts.push_back(emu::layout_of(call, ranks, number));
  return layouts;
}

/// How many elements in a row have the same done with them in each of the calls.
std::int64_t elements_together(const CollectiveCall& call, const std::vector<emu::CallLayout>& layouts) {
  if (call.schedule_chunks == 0 || !call.blocks.empty() || !call.sends.empty()) return 1;
  std::int64_t together = 0;
  for (const emu::CallLayout& layout : layouts) {
    if (layout.count() % call.schedule_chunks != 0) return 1;  // some chunks have an element more
    together = std::gcd(together, layout.count() / call.schedule_chunks);
  }
  return std::max<std::int64_t>(together, 1);
}

/// Of a call that is right with elements that know what they are made of: whether it is with other data, and so what is left that it
/// may depend on. Of a group: whether it is alone, with its own data. Only what was tried is said.
std::string dependence_on_values(const Fabric& fabric, const emu::CheckedCalls& group, bool is_world,
                                 const EmulationSettings& settings, const emu::Trace& trace) {
  if (!trace.is_right) return "";
  constexpr std::uint64_t kOtherSeeds = 2;
  CollectiveCall call = group.call();
  call.keep = nullptr;
  if (!is_world && emu::wrong_when_repeated(fabric, group.placement(), call, settings).empty())
    return ", and alone, in a run of its own ranks with the same data, the group is right: what goes wrong depends on the "
           "other groups, or on the ranks' numbers in the run (world_rank())";
  for (std::uint64_t i = 1; i <= kOtherSeeds; ++i) {
    call.seed = group.call().seed + i;
    if (emu::wrong_when_repeated(fabric, group.placement(), call, settings).empty())
      return fmt::format(", and with other data (seed {}) the call is right: what goes wrong depends on the values", call.seed);
  }
  return fmt::format(
      ", but with other data (seeds {} to {}) the call is wrong as well. What makes it so is not known: arithmetic, values "
      "of that kind{} and what earlier calls have left differ between the two",
      group.call().seed + 1, call.seed, trace.has_other_type ? ", the type or size of elements" : "");
}

/// What is wrong with a group's calls, down to the contributions and the message that made it so. The group is repeated alone.
emu::WrongCalls explain_failures(const Fabric& fabric, const emu::CheckedCalls& group, bool is_world,
                                 EmulationSettings settings) {
  emu::WrongCalls wrong = group.explain_failures();
  if (!wrong.first) return wrong;
  settings.sinks.clear();  // which hear of the run alone
  const bool is_schedule = group.call().schedule_chunks > 0;
  const emu::Dependence dependence =
      is_world && !is_schedule ? emu::find_dependence(fabric, group, settings, wrong.text) : emu::Dependence();
  if (!dependence.text.empty()) wrong.text += '\n' + dependence.text;
  settings.faults = faults_among(settings.faults, group.ranks());
  const CollectiveCall& call = group.call();
  const std::vector<emu::CallLayout> layouts = layouts_until(call, group.size(), wrong.first->place.call);
  const bool is_trusted = is_schedule && settings.faults.empty();
  const emu::TracedCalls traced{.function = call.function,
                                .type = call.type,
                                .op = &emu::op_of(call, wrong.first->place.call),
                                .layouts = layouts,
                                .in_place = call.in_place,
                                .is_elsewhere = emu::CheckedCalls::is_elsewhere,
                                .right = wrong.right,
                                .ignores_values = is_trusted,
                                .together = is_trusted ? elements_together(call, layouts) : 1};
  const emu::Trace trace = emu::trace(fabric, group.placement(), traced, settings, wrong.first->place, wrong.first->name);
  if (!dependence.comes_again) {
    if (trace.is_of_open_receive)
      wrong.text += "\n  but a repeat shows what was read:\n" + trace.text + trace.notes;
    else if (!trace.notes.empty())
      wrong.text += "\n  but a repeat shows:" + trace.notes;
    return wrong;
  }
  wrong.facts.missing = trace.facts.missing;
  wrong.facts.doubled = trace.facts.doubled;
  wrong.facts.foreign = trace.facts.foreign;
  if (!trace.text.empty())
    wrong.text +=
        '\n' + trace.text + (is_schedule ? "" : dependence_on_values(fabric, group, is_world, settings, trace)) + trace.notes;
  if (trace.is_out_of_order && is_right_but_for_order(fabric, group, settings)) {
    wrong.kind = CheckError::Kind::order;
    wrong.text += "\n  every contribution is there once, but they were not combined in rank order";
  }
  return wrong;
}

/// Of all groups; the kind is the first wrong one's.
emu::WrongCalls explain_failures(const Fabric& fabric, const emu::GroupsRun& run, const EmulationSettings& settings) {
  emu::WrongCalls all;
  for (std::size_t g = 0; g < run.groups().size(); ++g) {
    const emu::CheckedCalls& group = *run.groups()[g];
    emu::WrongCalls wrong = explain_failures(fabric, group, run.is_world(), settings);
    if (wrong.text.empty()) continue;
    if (!run.is_world()) {
      std::vector<Rank> ranks(group.ranks().begin(), group.ranks().end());
      std::sort(ranks.begin(), ranks.end());
      const auto name = [&](int& rank) { rank = group.ranks()[static_cast<std::size_t>(rank)]; };
      if (wrong.facts.rank) name(*wrong.facts.rank);
      std::ranges::for_each(wrong.facts.missing, name);
      std::ranges::for_each(wrong.facts.doubled, name);
      std::ranges::for_each(wrong.facts.foreign, name, &FailureFacts::Contribution::rank);
      wrong.text = fmt::format("group {} ({} of the run), by the group's own ranks: {}", g, emu::ranks_text(ranks), wrong.text);
    }
    if (all.text.empty())
      all = std::move(wrong);
    else
      all.text += '\n' + wrong.text;
  }
  return all;
}

/// Bytes that an element costs on the wire at least. A message of k elements is charged k·size·scale bytes rounded to the
/// nearest, hence at least k·(size·scale - 1/2).
double least_wire_bytes(const CollectiveCall& call, const Report& report) {
  const double scale = report.byte_scale;
  const double bytes = static_cast<double>(report.switch_precision.value_or(call.type).size()) * scale;
  return scale == std::floor(scale) ? bytes : bytes - 0.5;
}

void check_not_too_fast(const Fabric& fabric, const emu::CheckedCalls& group, Time completion, const Report& report,
                        const EmulationSettings& settings) {
  const CollectiveCall& call = group.call();
  const emu::CallLayout layout = emu::layout_of(call, group.size());
  // Bytes take time for certain only where messages share links: else any number of short ones may go at once.
  const bool bytes_take_time = why_not(settings.model, ModelNeed::contention).empty() && !settings.latency_only;
  const emu::LowerBound bound =
      emu::lower_bound(fabric, group.placement(), layout, bytes_take_time ? least_wire_bytes(call, report) : 0,
                       report.switches_computed ? emu::Arithmetic::switches : emu::Arithmetic::ranks, completion.seconds());
  // Each message of a chain may be rounded to whole picoseconds as it drains and as it arrives.
  const double roundings = 2e-12 * (report.rounds_max() + 1);
  if (completion.seconds() >= bound.seconds * (1 - 1e-9) - roundings) return;
  const FailureFacts facts{
      .time = completion, .got = to_string(completion), .expected = to_string(Time::from_seconds(bound.seconds))};
  throw CheckError(
      CheckError::Kind::too_fast,
      fmt::format("too fast to be true: {} took {}, and {} cannot do it in less than {}: {}",
                  emu::call_text(call, layout, *call.op), facts.got, fabric.topology().spec(), facts.expected, bound.reason),
      facts);
}

/// In any of its calls.
bool may_round(const CollectiveCall& call) {
  for (int number = 0; number < std::min(call.calls, 2); ++number)
    if (emu::rounds(call.type, emu::op_of(call, number))) return true;
  return false;
}

}  // namespace

std::vector<std::string> checks_of(const CollectiveCall& call) {
  std::vector<std::string> checks = {"result"};
  if (!call.in_place && call.collective != Collective::barrier) checks.emplace_back("input");
  if (reduces(call.collective) && !call.op->commutative()) checks.emplace_back("order");
  if (call.collective == Collective::allreduce && call.same_bits && may_round(call)) checks.emplace_back("same_bits");
  checks.emplace_back("hygiene");
  if (call.calls > 1 || call.collective == Collective::barrier) checks.emplace_back("again");
  checks.insert(checks.end(), {"too_fast", "deadlock"});
  return checks;
}

Report run_checked(const Fabric& fabric, const Placement& placement, const CollectiveCall& call, EmulationSettings settings) {
  return run_checked_groups(fabric, placement, {emu::all_ranks(placement.size())}, std::vector{call}, std::move(settings))
      .report;
}

namespace {

/// What is left by each call is more after more calls. So much was `left` after this call's number of them.
std::string growth_text(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                        std::vector<CollectiveCall> calls, EmulationSettings settings, std::int64_t left) {
  constexpr int kOneOfEachKind = 4;
  if (left == 0 || !settings.faults.empty()) return "";
  const int before = calls.front().calls;
  for (CollectiveCall& call : calls) call.calls += kOneOfEachKind, call.keep = nullptr;
  settings.sinks.clear();
  settings.met_points = nullptr;
  try {
    emu::GroupsRun more(calls, groups, placement, settings.interrupted);
    emu::emulate_measured(fabric, placement, std::ref(more), settings);
  } catch (const CheckError& error) {
    if (error.facts().left > left)
      return fmt::format("\n  it leaves more with each call: {} after {} call{}, {} after {}", left, before,
                         before == 1 ? "" : "s", error.facts().left, before + kOneOfEachKind);
  }
  return "";
}

/// How many bytes one stands for, which is the same in all calls that have data.
double byte_scale_of(const std::vector<CollectiveCall>& calls) {
  std::optional<double> scale;
  for (const CollectiveCall& call : calls) {
    if (call.sampled == 0) continue;
    const double own = static_cast<double>(call.count) / static_cast<double>(call.sampled);
    if (scale && *scale != own)
      throw InputError(
          fmt::format("one group holds a part of 1/{} of its elements, another one of 1/{}: it must be the same", *scale, own));
    scale = own;
  }
  return scale.value_or(1);
}

}  // namespace

GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                const CollectiveCall& call, EmulationSettings settings) {
  return run_checked_groups(fabric, placement, groups, std::vector(groups.size(), call), std::move(settings));
}

GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                std::vector<CollectiveCall> calls, EmulationSettings settings) try {
  require_possible(fabric, placement, groups, calls);
  settings.faults.from_starting_line = true;
  settings.byte_scale = byte_scale_of(calls);
  for (CollectiveCall& call : calls)
    if (reduces(call.collective)) call.switch_precision = alu_precision(fabric.topology(), call.type);
  EmulationSettings again = settings;  // what went wrong goes wrong under either clock
  again.wall.reset();
  if (settings.wall) settings.wall->waits_for_starting_line = true;
  emu::GroupsRun run(calls, groups, placement, settings.interrupted);
  GroupsReport report;
  try {
    settings.ranks_are_quiet = true;
    report.report = emu::emulate_measured(fabric, placement, std::ref(run), settings);
  } catch (const CheckError& error) {
    std::string text = error.what();
    text += growth_text(fabric, placement, groups, calls, again, error.facts().left);
    const emu::WrongCalls wrong = explain_failures(fabric, run, again);
    if (run.is_world()) text += run.groups().front()->where();
    // No fault makes a wrong result, and it may have made all else.
    if (!wrong.text.empty() && !settings.faults.empty())
      throw CheckError(wrong.kind, wrong.text + "\nbesides, " + text, wrong.facts);
    if (!wrong.text.empty()) text += "\nbesides, " + wrong.text;
    if (text == error.what()) throw;
    throw CheckError(error.kind(), text, error.facts());
  }
  if (const emu::WrongCalls wrong = explain_failures(fabric, run, again); !wrong.text.empty())
    throw CheckError(wrong.kind, wrong.text, wrong.facts);
  for (const auto& group : run.groups()) {
    report.completion.push_back(std::ranges::max(group->completions()));
    check_not_too_fast(fabric, *group, report.completion.back(), report.report, settings);
  }
  report.report.different_bits = run.different_bits();
  report.report.result_bits = run.result_bits();
  return report;
} catch (const std::bad_alloc&) {
  throw no_memory(memory_of_calls(fabric, placement, calls, groups), fabric.topology().spec());
}

bool is_unlimited(const Fabric& fabric) {
  const FabricSettings& speeds = fabric.settings();
  const bool has_free_links = std::all_of(speeds.tiers.begin(), speeds.tiers.end(), [](const LinkSpeed& tier) {
    return tier.bandwidth.is_unlimited() && tier.latency == Time();
  });
  const Time others = speeds.hop + fabric.host_links() + speeds.alpha + speeds.send_overhead + speeds.recv_overhead;
  return has_free_links && others == Time() && speeds.gamma == 0 && !has_computing_switches(fabric.topology());
}

std::vector<Time> run_checked_in_memory(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                        Buffering buffering) {
  if (call.sampled != call.count) throw InputError("a run in memory holds all elements: there is nothing to scale");
  if (buffering.credits.value_or(0) != 0)
    throw InputError("a run in memory buffers without bound or not at all: eager or sync, no number of credits");
  emu::GroupsRun run({call}, {emu::all_ranks(placement.size())}, placement);
  emu::InMemoryRuntime(fabric, placement, !buffering.credits).run(std::ref(run));
  const emu::CheckedCalls& calls = *run.groups().front();
  if (const emu::WrongCalls wrong = calls.explain_failures(); !wrong.text.empty())
    throw CheckError(wrong.kind, wrong.text, wrong.facts);
  return calls.completions();
}

}  // namespace heddle
