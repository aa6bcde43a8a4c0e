// SPDX-License-Identifier: Apache-2.0
// What the public headers promise, by what the other folders do.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/studies/explore.hpp"
#include "emu/studies/least_credits.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/reports/fuzz_reports.hpp"
#include "heddle/fuzz.hpp"
#include "heddle/network.hpp"
#include "heddle/registry.hpp"
#include "heddle/run.hpp"
#include "heddle/sweep.hpp"
#include "heddle/version.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "lab/sweep/sweep.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/ranks/run_rank.hpp"
#include "net/tcp/tcp_transport.hpp"
#include "show/document/document.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "show/reports/run_table.hpp"
#include "show/reports/sweep_report.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

namespace {

/// Throws InputError for flags that `heddle run` has not.
Experiment experiment_of(const Machine& machine, const Call& call, const Settings& settings) {
  Experiment what = Experiment::parse(fmt::format("{} {}", to_string(call.collective), settings.flags));
  what.fabric.topology = machine.topology;
  if (!machine.preset.empty()) what.fabric.preset = machine.preset;
  if (machine.ranks) what.ranks = machine.ranks;
  if (machine.placement != Machine().placement) what.placement = machine.placement;
  if (machine.bandwidth) what.fabric.bandwidth = {*machine.bandwidth};
  if (machine.latency) what.fabric.latency = {*machine.latency};
  if (machine.switch_latency) what.fabric.hop = machine.switch_latency;
  if (machine.alpha) what.fabric.alpha = machine.alpha;
  what.own = added_entries();
  what.algorithm = call.algorithm;
  if (call.function) {
    if (what.algorithm.empty()) what.algorithm = "mine";
    auto entries = std::make_shared<std::vector<Algorithm>>(*what.own);
    entries->insert(entries->begin(), {.collective = call.collective, .name = what.algorithm, .run = call.function});
    what.own = std::move(entries);
  }
  const auto element = static_cast<std::int64_t>(call.type.size());
  what.size = call.size ? *call.size : Bytes(call.count * element);
  if (call.type != Call().type) what.type = call.type;
  if (call.op != Call().op) what.op = call.op;
  if (call.root != 0) what.root = call.root;
  if (settings.seed != Settings().seed) what.seed = settings.seed;
  if (settings.explore) what.explore = settings.explore;
  what.clock.interrupted = settings.interrupted;
  return what;
}

/// Of what is no call of a collective.
Testbed testbed_of(const Experiment& what) { return build_testbed(what, what, build_fabric(what.fabric)); }

Record record_of(const Outcome& outcome, const Topology& topology) {
  constexpr std::size_t kShown = 16;
  Record record;
  if (outcome.failure() != nullptr) record.failure = *outcome.failure();
  if (outcome.exploration) record.explored = outcome.exploration->text();
  if (outcome.report() == nullptr) return record;
  const Report& report = *outcome.report();
  record.completion = report.completion;
  record.contention_free = report.contention_free;
  record.rounds = report.rounds_max();
  record.messages = report.messages();
  record.sent_max = report.sent_max();
  for (const RankReport& rank : report.ranks)
    record.ranks.push_back({rank.completion, rank.rounds, rank.messages, rank.sent, rank.received});
  for (const LinkReport& link : report.busiest_links(kShown))
    record.busiest.push_back({topology.link_name(link.link), link.bytes, link.busy, link.peak_flows});
  return record;
}

std::string json_of_program(const Record& record, const Machine& machine) {
  nlohmann::ordered_json json = {{"version", version()}, {"topology", machine.topology}, {"ranks", record.ranks.size()}};
  if (record.failure) {
    json["error"] = {{"kind", to_string(record.failure->kind)}, {"explanation", record.failure->explanation}};
    return json_text(json);
  }
  json["time_s"] = record.completion.seconds();
  json["contention_free_s"] = record.contention_free.seconds();
  json["rounds"] = record.rounds;
  json["messages"] = record.messages;
  json["sent_max_bytes"] = record.sent_max.count();
  for (const LinkRecord& link : record.busiest)
    json["busiest_links"].push_back(
        {{"link", link.name}, {"bytes", link.bytes.count()}, {"busy_s", link.busy.seconds()}, {"peak_flows", link.peak_flows}});
  return json_text(json);
}

}  // namespace

FabricFacts describe(const Machine& machine) {
  const Testbed testbed = testbed_of(experiment_of(machine, {}, {}));
  FabricFacts facts{.name = testbed.fabric.topology().spec(), .endpoints = testbed.fabric.topology().endpoints()};
  if (const std::optional<Grid> grid = grid_under(testbed.placement, testbed.fabric.topology())) facts.dims = grid->dims();
  return facts;
}

Record run(const Machine& machine, const Workload& workload, const Settings& settings) {
  if (const Program* program = std::get_if<Program>(&workload)) {
    const Experiment what = experiment_of(machine, {}, settings);
    const Testbed testbed = testbed_of(what);
    Record record = record_of(run(testbed, ProgramSpec{*program}, what), testbed.fabric.topology());
    record.json = [machine, numbers = record] { return json_of_program(numbers, machine); };
    return record;
  }
  const auto outcome = std::make_shared<const Outcome>(experiment_of(machine, std::get<Call>(workload), settings).run());
  Record record = record_of(*outcome, outcome->setup->fabric.topology());
  record.algorithm = outcome->algorithm->name;
  record.json = [outcome] {
    std::ostringstream text;
    JsonReporter reporter(text);
    reporter.begin(*outcome->setup);
    reporter.add(*outcome);
    reporter.end(*outcome->setup);
    return text.str();
  };
  return record;
}

Record check(const Machine& machine, const Workload& workload, const Settings& settings) {
  Record record = run(machine, workload, settings);
  if (record.failure) throw CheckError(*record.failure);
  return record;
}

CreditsNeeded least_credits(const Machine& machine, const Workload& workload, const Settings& settings) {
  const auto of = [](const LeastCredits& found) {
    return CreditsNeeded{found.least, found.safe, found.enough, found.deadlock};
  };
  if (const Call* call = std::get_if<Call>(&workload)) {
    const Setup setup = set_up(experiment_of(machine, *call, settings));
    return of(least_credits(setup.fabric, setup.placement, setup.call(setup.algorithms.chosen.front()), setup.settings));
  }
  const Testbed testbed = testbed_of(experiment_of(machine, {}, settings));
  return of(least_credits(testbed.fabric, testbed.placement, std::get<Program>(workload), testbed.settings));
}

// Many runs, and runs elsewhere.

SweepTexts sweep(const Machine& machine, const Call& call, const SweepAxes& axes, const Settings& settings) {
  Sweep all{.common = experiment_of(machine, call, settings), .algorithms = axes.algorithms};
  all.common.algorithm.clear();
  all.topologies = axes.topologies;
  all.presets = axes.presets;
  all.placements = axes.placements;
  all.ranks = axes.ranks;
  all.sizes = axes.sizes;
  for (const Bandwidth bandwidth : axes.bandwidths) all.bandwidths.push_back({to_string(bandwidth), {bandwidth}});
  for (const Time latency : axes.latencies) all.latencies.push_back({to_string(latency), {latency}});
  for (const std::string& fault : axes.faults) {
    std::vector<std::string> at_once;
    if (fault != "none") at_once.push_back(fault);
    all.faults.push_back({fault, std::move(at_once)});
  }
  all.base = axes.base;
  if (axes.tune) all.tuning = Tuning{.budget = *axes.tune};
  const SweepDocument results = run(all);
  SweepTexts texts{.table = table_text_of(results), .csv = csv_text_of(results), .json = json_text_of(results)};
  try {
    texts.svg = svg_text_of(results);
  } catch (const InputError&) {
    // several pictures, or nothing that was measured
  }
  return texts;
}

FuzzResults fuzz(const std::vector<Algorithm>& entries, const FuzzBounds& bounds) {
  FuzzSettings settings{.seed = bounds.seed, .cases = bounds.cases, .most_ranks = bounds.most_ranks};
  if (!entries.empty()) settings.rows = entries;
  settings.fault_once_in = bounds.fault_once_in;
  settings.keep_going = bounds.keep_going;
  settings.in_processes = bounds.in_processes;
  const FuzzOutcome outcome = fuzz(settings);
  FuzzResults results{.failed = {}, .text = outcome.text()};
  for (const FuzzFinding& finding : outcome.findings)
    results.failed.push_back(
        {.line = finding.smallest.text(),
         .failure = finding.failure,
         .test = pasted_test(finding, finding.is_own ? RowSource::plugin : RowSource::registry, TestStyle::catch2_v2)});
  return results;
}

namespace {

Experiment case_of(std::string_view line, const std::vector<Algorithm>& entries) {
  Experiment what = Experiment::parse(line);
  what.own = std::make_shared<const std::vector<Algorithm>>(entries);
  return what;
}

}  // namespace

void check_case(std::string_view line, const std::vector<Algorithm>& entries) { run_case(case_of(line, entries)); }

void check_case_apart(std::string_view line, const std::vector<Algorithm>& entries) {
  std::string output;
  const std::optional<CaseEnd> end = end_in_process(case_of(line, entries), std::chrono::minutes(1), nullptr, output);
  if (end && end->failure) throw CheckError(*end->failure);
}

void run_on_network(const Program& program) {
  std::unique_ptr<net::Transport> network;
  if (net::started_by().empty())
    network = net::open_tcp(net::settings_from_environment());
  else
    network = net::open_mpi();
  net::run_program(*network, program);
}

}  // namespace heddle
