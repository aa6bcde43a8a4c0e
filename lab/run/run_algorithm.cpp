// SPDX-License-Identifier: Apache-2.0
#include "lab/run/run_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <utility>

#include "emu/check/checked_calls.hpp"
#include "emu/engine/wall_dilation.hpp"
#include "emu/record/memory_estimate.hpp"
#include "emu/run/emulate.hpp"
#include "lab/run/sum_errors.hpp"
#include "mpi/run/function_algorithm.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "schedules/run/run_schedule.hpp"

namespace heddle {

namespace {

/// An order that names what does not come about is a mistake.
void require_met(const ExploredOrder& order, const std::vector<MetPoint>& met, const std::string& name) {
  for (const Deviation& delay : order.delays) {
    if (std::ranges::find(met, delay.point, &MetPoint::point) != met.end()) continue;
    ExploredOrder alone;
    alone.delays = {delay};
    throw InputError(fmt::format("--order {}: in the run of {} that does not come about", to_string(alone), name));
  }
}

/// What the virtual clock says is there already: it sets the dilation, and is what the measured time is held against.
template <class Run>
auto run_on_wall(const ClockChoice& clock, const Run& run, EmulationSettings settings, WallClockOutcome& wall) {
  double dilation = 1;
  if (clock.dilation) {
    dilation = *clock.dilation;
  } else {
    wall.lateness = measure_lateness(wall.virtually.peak_tasks);
    const Dilation chosen = choose_dilation(wall.virtually, wall.lateness, kDilationError, kLongestDilated);
    dilation = chosen.factor;
    wall.expected_error = chosen.expected_error;
  }
  settings.wall = {.dilation = dilation, .deadline_seconds = clock.deadline_seconds};
  return run(settings);
}

std::string indented(const std::string& lines) {
  std::string text = "    ";
  for (const char c : lines) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return text;
}

/// The wall clock orders events as they come, which no repeat brings back: so there are no values to show.
void require_virtual_bits(const Algorithm& algorithm, const Report& virtually, const Report& measured) {
  const auto [usual, other] = std::ranges::mismatch(virtually.result_bits, measured.result_bits);
  if (usual == virtually.result_bits.end() || !algorithm.same_bits_in_any_order) return;
  throw CheckError(
      CheckError::Kind::run_to_run,
      fmt::format("the result changes with the order of events, from run to run: after call {} of {} rank {} of group {} "
                  "holds other bits under the wall clock than under the virtual one, both within what roundings allow; "
                  "--explore 1 without --clock wall may find an order that repeats it",
                  usual->call + 1, algorithm.name, usual->rank, usual->group));
}

/// What is measured is the median of several runs, whose times by rank these are; the rest is the virtual run's.
Report median_of(std::vector<std::vector<Time>> runs, const Report& virtually) {
  const auto median = runs.begin() + std::ssize(runs) / 2;
  std::ranges::nth_element(runs, median, {}, [](const std::vector<Time>& ranks) { return std::ranges::max(ranks); });
  Report report = virtually;  // the same messages, over the same links
  report.completion = std::ranges::max(*median);
  report.critical_path.parts = {.local_work = report.completion};
  for (std::size_t rank = 0; rank < median->size(); ++rank) report.ranks[rank].completion = (*median)[rank];
  report.host.dilation = 1;
  return report;
}

/// Ctrl-C and the deadline end it after the iteration under way, in warm-up too; one that is measured is made in any case.
Report run_in_memory(const CallOfGroups& call, WallClockOutcome& wall) {
  const Setup& setup = call.setup;
  const ClockChoice& clock = setup.asked.clock;
  const auto begin = std::chrono::steady_clock::now();
  const auto is_to_stop = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return (clock.interrupted && clock.interrupted()) || (clock.deadline_seconds && spent.count() > *clock.deadline_seconds);
  };
  const auto run = [&] {
    return run_checked_in_memory(setup.fabric, setup.placement, call.calls.front(), setup.settings.buffering);
  };
  for (std::int64_t i = 0; i < *setup.asked.warmup && !is_to_stop(); ++i) run();
  std::vector<std::vector<Time>> iterations;
  do {
    iterations.push_back(run());
    wall.in_memory.push_back(std::ranges::max(iterations.back()).seconds());
  } while (std::ssize(iterations) < *setup.asked.iterations && !is_to_stop());
  return median_of(std::move(iterations), wall.virtually);
}

/// For real, with all elements. Each process makes as many.
Report run_over(const CallOfGroups& call, WallClockOutcome& wall) {
  const Experiment& asked = call.setup.asked;
  CollectiveCall whole = call.calls.front();
  whole.sampled = whole.count;
  wall.network = asked.over->description();
  const StreamsReport& streams = wall.virtually.streams;
  if (const std::string why = asked.over->why_not(streams.most_tag, streams.most_context); !why.empty())
    throw InputError(fmt::format("--transport: {} cannot run over {}: {}", call.calls.front().name, wall.network, why));
  for (std::int64_t i = 0; i < *asked.warmup; ++i) asked.over->run(whole);
  std::vector<std::vector<Time>> iterations;
  for (std::int64_t i = 0; i < *asked.iterations; ++i) {
    iterations.push_back(asked.over->run(whole));
    wall.over.push_back(std::ranges::max(iterations.back()).seconds());
  }
  return median_of(std::move(iterations), wall.virtually);
}

GroupsReport run_on_clock(CallOfGroups& call, const EmulationSettings& settings, WallClockOutcome& wall) {
  const Setup& setup = call.setup;
  if (setup.asked.over) return {.report = run_over(call, wall), .completion = {}};
  if (setup.in_memory) return {.report = run_in_memory(call, wall), .completion = {}};
  return run_on_wall(
      setup.asked.clock, [&](const EmulationSettings& given) { return call.run(given); }, settings, wall);
}

/// Without groups all ranks are one.
std::vector<std::vector<int>> groups_of(const Setup& setup) {
  if (!setup.groups.empty()) return setup.groups.members;
  return {emu::all_ranks(static_cast<std::size_t>(setup.ranks()))};
}

}  // namespace

CallOfGroups::CallOfGroups(const Setup& its_setup, const Algorithm& algorithm)
    : setup(its_setup),
      groups(groups_of(setup)),
      calls(calls_of_groups(setup, algorithm)),
      usual(setup.fabric, setup.placement, groups, calls) {}

GroupsReport CallOfGroups::run(const EmulationSettings& settings) {
  GroupsReport report = run_checked_groups(setup.fabric, setup.placement, groups, calls, settings);
  usual.hold(settings, report.report);
  return report;
}

std::string known_of(const Algorithm& algorithm, std::optional<int> credits, bool in_place) {
  const std::string known = algorithm.explain ? algorithm.explain(credits, in_place) : "";
  return known.empty() ? "" : "\n  in the schedule:\n" + indented(known);
}

Failure explained(const Setup& setup, const Algorithm& algorithm, Failure failure) {
  failure.explanation += known_of(algorithm, setup.settings.buffering.credits, *setup.asked.in_place);
  return failure;
}

std::string remark_on(const Setup& setup, const Algorithm& algorithm) {
  if (!algorithm.remark) return "";
  for (const Shape& shape : setup.shapes()) {
    if (std::string remark = algorithm.remark(shape); !remark.empty()) return remark;
  }
  return "";
}

GroupsReport run_call(const Setup& setup, const Algorithm& algorithm, const EmulationSettings& settings) {
  const CallOfGroups call(setup, algorithm);
  return run_checked_groups(setup.fabric, setup.placement, call.groups, call.calls, settings);
}

PositionsCheck check_positions(const Setup& setup, const Algorithm& algorithm, const PositionsBound& bound) {
  if (!setup.families.empty()) return {"groups make calls of their own"};
  if (algorithm.needs.in_network) return {"the switches compute it"};
  Placement placement = setup.placement;
  if (!setup.groups.empty()) {
    placement.clear();
    for (const int rank : setup.groups.members.front()) placement.push_back(setup.placement[static_cast<std::size_t>(rank)]);
  }
  return check_positions(setup.fabric, placement, setup.whole_call(algorithm), setup.settings, bound);
}

namespace {

/// Whether it counts beyond 31 bits where nobody sees it: a part of the data is held, and tests of heddle's own rows do not speak
/// of this one.
bool counts_unseen(const Setup& setup, const Algorithm& algorithm) {
  constexpr std::int64_t kFirst = std::int64_t{1} << 31;
  if (setup.bytes() < kFirst || setup.asked.over || !setup.families.empty()) return false;
  const std::vector<const Algorithm*> known = algorithms_of(setup.asked.collective);
  const bool is_known = std::ranges::any_of(
      known, [&](const Algorithm* row) { return row->name == bare_name(algorithm.name) && row->source == algorithm.source; });
  return !is_known && setup.sampled(algorithm, setup.shapes()) < setup.count;
}

/// What repeats the run of one algorithm under this order.
std::string command_of(const Setup& setup, const Algorithm& algorithm, const FailingOrder& failing) {
  Experiment what = setup.asked;
  what.algorithm = algorithm.name;
  what.explore.reset();
  what.order_seed = failing.order_seed;
  what.order = failing.order;
  return "heddle run " + what.text();
}

std::shared_ptr<RunSample> sample_of(const Testbed& testbed) {
  const Topology& topology = testbed.fabric.topology();
  return std::make_shared<RunSample>(static_cast<std::size_t>(topology.links() + topology.trunks()), testbed.ranks());
}

/// Of those that are there.
std::vector<emu::RecordSink*> sinks_of(Timeline* timeline, RunSample* sample) {
  std::vector<emu::RecordSink*> sinks;
  if (timeline != nullptr) sinks.push_back(timeline);
  if (sample != nullptr) sinks.push_back(sample);
  return sinks;
}

/// Finds the worst link, whose fault the settings then have, and explores other orders, where that is asked for; the outcome says so.
/// `run_once` makes a run under the settings given. `run` does too, and may hold it against the usual order. Returns the order
/// that failed, or nullptr.
template <class Run, class RunOnce>
const FailingOrder* prepare(const Testbed& testbed, const SettingsSpec& asked, const Run& run, const RunOnce& run_once,
                            EmulationSettings& settings, Outcome& outcome) {
  if (settings.faults.worst) {
    outcome.worst_link = find_worst_link(testbed.fabric, settings, run_once);
    settings.faults.worst.reset();
    settings.faults.links.push_back(outcome.worst_link->fault);
  }
  if (!asked.explore) return nullptr;
  ExploreBound bound;
  bound.delays = *asked.explore;
  outcome.exploration = explore([&](const EmulationSettings& given) { run(given); }, settings, bound);
  return outcome.exploration->failure ? &*outcome.exploration->failure : nullptr;
}

}  // namespace

Outcome outcome_with(const Setup& setup, const Algorithm& algorithm, std::variant<Report, Failure, RunStopped> result) {
  const std::shared_ptr<const void> nobody;  // owns the setup here
  return {std::make_shared<const Algorithm>(algorithm), std::move(result), {nobody, &setup}};
}

Outcome run_algorithm(const Setup& setup, const Algorithm& algorithm) {
  Outcome outcome = outcome_with(setup, algorithm, Report());
  try {
    if (setup.asked.positions || counts_unseen(setup, algorithm)) outcome.positions = check_positions(setup, algorithm);
    CallOfGroups call(setup, algorithm);
    EmulationSettings settings = setup.settings;
    const auto once = [&](const EmulationSettings& given) {
      return run_checked_groups(setup.fabric, setup.placement, call.groups, call.calls, given).report;
    };
    if (const FailingOrder* failed = prepare(
            setup, setup.asked, [&](const EmulationSettings& given) { return call.run(given); }, once, settings, outcome))
      return outcome_with(
          setup, algorithm,
          explained(setup, algorithm,
                    {failed->failure.kind, failed->text(command_of(setup, algorithm, *failed)), failed->failure.facts}));
    std::vector<MetPoint> met;
    if (!settings.order.delays.empty()) settings.met_points = &met;
    auto timeline = setup.asked.keep_timeline ? std::make_shared<Timeline>() : nullptr;
    auto sample = setup.keep_sample ? sample_of(setup) : nullptr;
    const std::vector<emu::RecordSink*> sinks = sinks_of(timeline.get(), sample.get());
    if (!setup.asked.clock.is_wall || setup.in_memory || setup.asked.over) settings.sinks = sinks;
    GroupsReport run = run_checked_groups(setup.fabric, setup.placement, call.groups, call.calls, settings);
    call.usual.hold(settings, run.report);
    require_met(settings.order, met, algorithm.name);
    if (setup.has_contention()) {
      EmulationSettings alone = setup.settings;  // without this run's timeline
      alone.faults = settings.faults;
      outcome.contention =
          measure_contention(setup.fabric, setup.placement, call.groups, call.calls, alone, run.completion, setup.asked.alone);
    }
    if (setup.asked.clock.is_wall) {
      outcome.wall.emplace().virtually = std::move(run.report);
      settings.sinks = sinks;
      run = run_on_clock(call, settings, *outcome.wall);
      if (!setup.asked.over && setup.families.empty()) require_virtual_bits(algorithm, outcome.wall->virtually, run.report);
    }
    if (setup.asked.errors) run.report.sum_errors = measure_sum_errors(setup, algorithm);
    outcome.result = std::move(run.report);
    outcome.timeline = std::move(timeline);
    outcome.sample = std::move(sample);
    outcome.left_over = mpi::leftovers(algorithm);
    if (!setup.groups.empty()) outcome.group_completion = std::move(run.completion);
    return outcome;
  } catch (const CheckError& error) {
    return outcome_with(setup, algorithm, explained(setup, algorithm, error.failure()));
  } catch (const std::bad_alloc&) {
    throw no_memory(setup.memory(algorithm, setup.shapes()), setup.fabric.topology().spec());
  }
}

namespace {

Outcome run_program(const Testbed& testbed, const ProgramSpec& program, const SettingsSpec& asked, bool keep_sample) {
  const auto once = [&](const EmulationSettings& given) {
    if (program.begin) program.begin();
    Report report = emulate(testbed.fabric, testbed.placement, program.run, given);
    if (program.check) program.check();
    return report;
  };
  const auto explored = [&](const EmulationSettings& given) {
    if (!program.explored) {
      once(given);
      return;
    }
    program.explored({given.order_seed, given.order, {}}, [&] { once(given); });
  };
  Outcome outcome{std::make_shared<const Algorithm>(Algorithm{.name = program.name}), {}};
  try {
    EmulationSettings settings = testbed.settings;
    if (const FailingOrder* failed = prepare(testbed, asked, explored, once, settings, outcome)) {
      const std::string command = program.command ? program.command(*failed) : "";
      return {outcome.algorithm, Failure{failed->failure.kind, outcome.exploration->text(command), failed->failure.facts}};
    }
    std::vector<MetPoint> met;
    if (!settings.order.delays.empty()) settings.met_points = &met;
    auto timeline = asked.keep_timeline ? std::make_shared<Timeline>() : nullptr;
    auto sample = keep_sample ? sample_of(testbed) : nullptr;
    const std::vector<emu::RecordSink*> sinks = sinks_of(timeline.get(), sample.get());
    if (!asked.clock.is_wall) settings.sinks = sinks;
    Report report = once(settings);
    require_met(settings.order, met, program.name);
    if (asked.clock.is_wall) {
      outcome.wall.emplace().virtually = std::move(report);
      settings.sinks = sinks;
      report = run_on_wall(asked.clock, once, settings, *outcome.wall);
    }
    outcome.result = std::move(report);
    outcome.timeline = std::move(timeline);
    outcome.sample = std::move(sample);
    return outcome;
  } catch (const CheckError& error) {
    return {outcome.algorithm, error.failure()};
  }
}

}  // namespace

Outcome run(const Testbed& testbed, const ProgramSpec& program, const SettingsSpec& asked) {
  return run_program(testbed, program, asked, false);
}

Outcome run(const Setup& setup, const ProgramSpec& program) {
  Outcome outcome = run_program(setup, program, setup.asked, setup.keep_sample);
  const std::shared_ptr<const void> nobody;  // owns the setup here
  outcome.setup = {nobody, &setup};
  return outcome;
}

Outcome run(const MachineSpec& machine, const WorkloadSpec& workload, const SettingsSpec& settings) {
  if (const auto* program = std::get_if<ProgramSpec>(&workload)) {
    if (machine.over)
      throw InputError(fmt::format("{}: a program runs on an emulated fabric, not over a network", program->name));
    return run(build_testbed(machine, settings, build_fabric(machine.fabric)), *program, settings);
  }
  if (const auto* call = std::get_if<CallSpec>(&workload)) return Experiment{machine, *call, settings}.run();
  const auto& scheduled = std::get<ScheduledCall>(workload);
  Experiment experiment{machine, scheduled.call, settings};
  experiment.collective = scheduled.schedule.collective;
  experiment.algorithm = "schedule";
  experiment.own = std::make_shared<const std::vector<Algorithm>>(
      1, schedule_row(experiment.algorithm, std::make_shared<const CompiledSchedule>(scheduled.schedule)));
  return experiment.run();
}

Outcome Experiment::run() const {
  const auto setup = std::make_shared<const Setup>(set_up(*this));
  Outcome outcome = run_algorithm(*setup, setup->algorithms.chosen.front());
  outcome.setup = setup;
  return outcome;
}

std::optional<double> WallClockOutcome::error(const Report& measured) const {
  if (virtually.completion == Time()) return std::nullopt;
  return measured.completion.seconds() / virtually.completion.seconds() - 1;
}

Rates rates_of(const Setup& setup, Time completion, int ranks) {
  if (completion == Time() || setup.asked.collective == Collective::barrier || !setup.families.empty()) return {};
  const double algbw = static_cast<double>(setup.bytes()) / (static_cast<double>(completion.ps()) / 1e12);
  if (setup.sends.empty()) return {.algbw = algbw, .busbw = algbw * bus_bandwidth_factor(setup.asked.collective, ranks)};
  // By what passes the busiest port: of a rank that sends or receives most, its block to itself aside.
  std::int64_t most = 0;
  for (int rank = 0; rank < setup.sends.ranks(); ++rank)
    most = std::max(most, std::max(setup.sends.sent(rank), setup.sends.received(rank)) - setup.sends.at(rank, rank));
  const double share = setup.count == 0 ? 0 : static_cast<double>(most) / static_cast<double>(setup.count);
  return {.algbw = algbw, .busbw = algbw * share};
}

Rates rates_of(const Setup& setup, const Report& report) {
  const std::vector<int> sizes = setup.group_sizes();
  Rates rates = rates_of(setup, report.completion, sizes.front());
  if (std::any_of(sizes.begin(), sizes.end(), [&](int size) { return size != sizes.front(); })) rates.busbw.reset();
  return rates;
}

std::vector<LinkFault> link_faults_of(const Outcome& outcome) {
  std::vector<LinkFault> faults = outcome.setup->settings.faults.links;
  if (outcome.worst_link) faults.push_back(outcome.worst_link->fault);
  return faults;
}

int peak_flows(const Report& report) {
  int peak = 0;
  for (const LinkReport& link : report.links) peak = std::max(peak, link.peak_flows);
  return peak;
}

}  // namespace heddle
