// SPDX-License-Identifier: Apache-2.0
#include "heddle/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "emu/studies/explore.hpp"
#include "emu/studies/least_credits.hpp"
#include "heddle/registry.hpp"
#include "heddle/version.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "library/experiment_of.hpp"
#include "show/document/document.hpp"
#include "show/reports/run_table.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

Experiment experiment_of(const Machine& machine, const Call& call, const Settings& settings) {
  Experiment what = Experiment::parse(fmt::format("{} {}", to_string(call.collective), settings.flags));
  what.fabric.topology = machine.topology;
  if (!machine.preset.empty()) what.fabric.preset = machine.preset;
  if (machine.ranks) what.ranks = machine.ranks;
  if (machine.placement != Machine().placement) what.placement = machine.placement;
  if (machine.bandwidth) what.fabric.bandwidth = {*machine.bandwidth};
  if (machine.latency) what.fabric.latency = {*machine.latency};
  if (machine.hop) what.fabric.hop = machine.hop;
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

namespace {

/// Of a program: on a setup whose call is not made.
Setup set_up_program(const Machine& machine, const Settings& settings) {
  Experiment what = experiment_of(machine, {.collective = Collective::barrier, .algorithm = "dissemination"}, settings);
  Setup setup = set_up(what);
  if (what.clock.is_wall) setup.settings.wall = wall_settings(what.clock, what.clock.dilation.value_or(1));
  setup.settings.interrupted = what.clock.interrupted;
  return setup;
}

void measure(Record& record, const Report& report, const Topology& topology) {
  constexpr std::size_t kShown = 16;
  record.completion = report.completion;
  record.contention_free = report.contention_free;
  record.rounds = report.rounds_max();
  record.messages = report.messages();
  record.sent_max = report.sent_max();
  for (const RankReport& rank : report.ranks)
    record.ranks.push_back({rank.completion, rank.rounds, rank.messages, rank.sent, rank.received});
  for (const LinkReport& link : report.busiest_links(kShown))
    record.busiest.push_back({topology.link_name(link.link), link.bytes, link.busy, link.peak_flows});
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

Record run_call(const Machine& machine, const Call& call, const Settings& settings) {
  const auto setup = std::make_shared<Setup>(set_up(experiment_of(machine, call, settings)));
  setup->settings.interrupted = settings.interrupted;
  const auto outcome = std::make_shared<Outcome>(run_algorithm(*setup, setup->algorithms.chosen.front()));
  outcome->setup = setup;
  Record record{.algorithm = outcome->algorithm->name};
  if (outcome->failure() != nullptr) record.failure = *outcome->failure();
  if (outcome->report() != nullptr) measure(record, *outcome->report(), setup->fabric.topology());
  if (outcome->exploration) record.explored = outcome->exploration->text();
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

Record run_program(const Machine& machine, const Program& program, const Settings& settings) {
  const Setup setup = set_up_program(machine, settings);
  Record record;
  try {
    if (settings.explore) {
      ExploreBound bound;
      bound.delays = *settings.explore;
      const Exploration found = explore(setup.fabric, setup.placement, program, setup.settings, bound);
      if (found.failure) throw CheckError(found.failure->failure.kind, found.text(), found.failure->failure.facts);
      record.explored = found.text();
    }
    measure(record, emulate(setup.fabric, setup.placement, program, setup.settings), setup.fabric.topology());
  } catch (const CheckError& error) {
    record.failure = error.failure();
  }
  record.json = [machine, numbers = record] { return json_of_program(numbers, machine); };
  return record;
}

}  // namespace

FabricFacts describe(const Machine& machine) {
  const Setup setup = set_up_program(machine, {});
  FabricFacts facts{.name = setup.fabric.topology().spec(), .endpoints = setup.fabric.topology().endpoints()};
  if (const std::optional<Grid> grid = grid_under(setup.placement, setup.fabric.topology())) facts.dims = grid->dims();
  return facts;
}

Record run(const Machine& machine, const Workload& workload, const Settings& settings) {
  if (const Call* call = std::get_if<Call>(&workload)) return run_call(machine, *call, settings);
  return run_program(machine, std::get<Program>(workload), settings);
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
  const Setup setup = set_up_program(machine, settings);
  return of(least_credits(setup.fabric, setup.placement, std::get<Program>(workload), setup.settings));
}

}  // namespace heddle
