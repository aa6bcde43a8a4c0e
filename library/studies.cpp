// SPDX-License-Identifier: Apache-2.0
// Many runs, and runs elsewhere: what sweeps, fuzzing and networks are to users.
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "fuzz/fuzz.hpp"
#include "fuzz/reports/fuzz_reports.hpp"
#include "heddle/fuzz.hpp"
#include "heddle/network.hpp"
#include "heddle/sweep.hpp"
#include "lab/sweep/sweep.hpp"
#include "library/experiment_of.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/ranks/run_rank.hpp"
#include "net/tcp/tcp_transport.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "show/reports/sweep_report.hpp"

namespace heddle {

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
