// SPDX-License-Identifier: Apache-2.0
#include "claims/sources/swing_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims::swing {

namespace {

struct Runner {
  std::string algorithm;
  std::string family;
};

std::vector<Runner> runners(const Setting& setting, const std::string& size) {
  std::vector<Runner> runners = {
      {"swing_bandwidth", "Swing"}, {"torus_rabenseifner", "recursive doubling"}, {"bucket:stages=sync", "bucket"}};
  static const std::set<std::string> kUpTo2MiB = {"32B", "2KiB", "8KiB", "32KiB", "128KiB", "512KiB", "2MiB"};
  if (setting.latency_optimal_always || kUpTo2MiB.contains(size)) {
    runners.push_back({"swing_latency", "Swing"});
    runners.push_back({"torus_recursive_doubling", "recursive doubling"});
  }
  if (setting.rings == Rings::run) runners.push_back({"hamiltonian_rings", "rings"});
  if (setting.mirrored_doubling) runners.push_back({"torus_recursive_doubling_multiport", "mirrored recursive doubling"});
  return runners;
}

std::string arguments(const Setting& setting, const std::string& size, std::string_view algorithms) {
  return fmt::format("allreduce --algo {} --topo {} --size {} {}", algorithms, setting.topology, size, setting.flags);
}

/// Who is not first by less is level with the first.
constexpr double kLevel = 0.05;

/// Microseconds of start-up a message from which on `wanted` is before the winner; none where that is no matter of start-up.
std::optional<double> start_up_needed(const Entry& wanted, const Entry& winner) {
  constexpr double kMost = 2;
  if (wanted.rounds >= winner.rounds) return std::nullopt;
  const double needed = (wanted.microseconds - winner.microseconds) / (winner.rounds - wanted.rounds);
  return needed <= kMost ? std::optional(needed) : std::nullopt;
}

/// What a run with a start-up of a tenth more than that shows.
Unless with_start_up(Lab& lab, const ClaimData& data, const Comparison& comparison, const Entry& wanted, const Entry& winner,
                     double needed) {
  Setting setting = comparison.setting;
  const std::string start_up = fmt::format("{:.0f}ns", std::ceil(1.1e3 * needed));
  setting.flags += " --alpha " + start_up;
  const auto time_of = [&](const Entry& entry) {
    return lab.microseconds(arguments(setting, comparison.size, entry.algorithm));
  };
  return data.reason("with a start-up", start_up, wanted.algorithm, time_of(wanted), winner.algorithm, time_of(winner),
                     wanted.algorithm, wanted.rounds, winner.algorithm, winner.rounds, needed,
                     100 * (wanted.microseconds / winner.microseconds - 1));
}

}  // namespace

double rings_microseconds(double ranks, double bytes) {
  constexpr double kHop = 0.9;    // us, 0.5 of it the host links
  constexpr double kLink = 50e3;  // bytes per us
  return 2 * (ranks - 1) * (kHop + bytes / (4 * ranks * kLink));
}

const Entry& Comparison::best(std::string_view family) const {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    const bool is_of =
        family == "others" ? entry.family != "Swing" && entry.family != "mirrored recursive doubling" : entry.family == family;
    if (is_of && (best == nullptr || entry.microseconds < best->microseconds)) best = &entry;
  }
  if (best == nullptr) throw UsageError(fmt::format("nobody of {} ran on {}", family, setting.topology));
  return *best;
}

const Entry& Comparison::winner() const {
  const Entry& swing = best("Swing");
  const Entry& other = best("others");
  return swing.microseconds <= other.microseconds ? swing : other;
}

std::string Comparison::command(const std::vector<std::string>& algorithms) const {
  return "heddle run " + arguments(setting, size, joined(algorithms, ","));
}

Comparison run_comparison(Lab& lab, const Setting& setting, const std::string& size) {
  Comparison comparison{.setting = setting, .size = size, .entries = {}};
  for (const Runner& runner : runners(setting, size)) {
    const Report& report = lab.run(arguments(setting, size, runner.algorithm));
    comparison.entries.push_back(
        {runner.algorithm, runner.family, static_cast<double>(report.completion.ps()) / 1e6, report.rounds_max()});
  }
  if (setting.rings == Rings::closed_form) {
    const int ranks = parse_topology(setting.topology)->endpoints();
    comparison.entries.push_back({"hamiltonian_rings", "rings",
                                  rings_microseconds(ranks, static_cast<double>(parse_bytes(size).count())), 2 * (ranks - 1)});
  }
  return comparison;
}

std::vector<Comparison> run_comparisons(Lab& lab, const Setting& setting, const std::vector<std::string>& sizes) {
  std::vector<std::string> runs;
  for (const std::string& size : sizes) {
    for (const Runner& runner : runners(setting, size)) runs.push_back(arguments(setting, size, runner.algorithm));
  }
  if (parse_topology(setting.topology)->endpoints() < 4096) lab.prepare(runs);
  std::vector<Comparison> comparisons;
  for (const std::string& size : sizes) comparisons.push_back(run_comparison(lab, setting, size));
  return comparisons;
}

const Comparison& largest_gain(const std::vector<Comparison>& comparisons) {
  return *std::max_element(comparisons.begin(), comparisons.end(),
                           [](const Comparison& a, const Comparison& b) { return a.gain() < b.gain(); });
}

std::string percent(double part) { return fmt::format("{:+.0f} %", 100 * part); }

Finding first_is(Lab& lab, const ClaimData& data, const Comparison& comparison, const std::string& family,
                 std::string_view quote) {
  const Entry& winner = comparison.winner();
  const Entry& wanted = comparison.best(family);
  const bool holds = winner.family == family;
  // Beside the winner: the one that should have won, or, where it did, the next of another family.
  const Entry& beside = !holds ? wanted : winner.family == "Swing" ? comparison.best("others") : comparison.best("Swing");
  const double behind = wanted.microseconds / winner.microseconds - 1;
  Unless unless;
  if (!holds && behind > kLevel) {
    const std::optional<double> needed = start_up_needed(wanted, winner);
    unless = needed ? with_start_up(lab, data, comparison, wanted, winner, *needed)
                    : refuted(data.reason(quote).quote,
                              data.reason("no start-up", wanted.algorithm, wanted.rounds, winner.algorithm, winner.rounds).why);
  }
  Finding finding = compare_words(
      fmt::format("{}, {}", comparison.setting.topology, comparison.size), family + " first",
      fmt::format("{} first: {} {:.3f} us, {} {:.3f} us ({})", winner.family, winner.algorithm, winner.microseconds,
                  beside.algorithm, beside.microseconds, percent(beside.microseconds / winner.microseconds - 1)),
      holds, comparison.command({winner.algorithm, beside.algorithm}), unless);
  if (!holds && behind <= kLevel) {
    finding.verdict = Verdict::holds_within;
    finding.within = fmt::format("{:g} % of the first", 100 * kLevel);
    finding.why = "Packets, which were simulated, and a fluid, which heddle runs, may differ by as much.";
  }
  return finding;
}

Finding illustrate(Finding finding, const std::string& why) {
  finding.verdict = Verdict::not_tested;
  finding.quote.clear();
  finding.otherwise.clear();
  finding.tolerance.reset();
  finding.within.clear();
  finding.why = why;
  return finding;
}

// ---- charts ----

namespace {

/// What the paper draws: bytes of the vector over time.
pictures::ChartPanel goodput(const std::vector<Comparison>& comparisons, std::string title) {
  pictures::ChartPanel panel{.title = std::move(title), .x = axis_by_size(), .y = {.title = "Goodput (Gb/s)"}, .lines = {}};
  for (const std::string family : {"Swing", "recursive doubling", "bucket", "rings"}) {
    pictures::ChartLine line{.name = family, .points = {}};
    for (const Comparison& comparison : comparisons) {
      const bool has_run = std::ranges::find(comparison.entries, family, &Entry::family) != comparison.entries.end();
      const double bytes = bytes_of(comparison.size);
      if (has_run) line.points.push_back({bytes, 8e-3 * bytes / comparison.best(family).microseconds});
    }
    if (!line.points.empty()) panel.lines.push_back(std::move(line));
  }
  return panel;
}

pictures::ChartLine gain_line(const std::string& name, const std::vector<Comparison>& comparisons) {
  pictures::ChartLine line{.name = name, .points = {}};
  for (const Comparison& comparison : comparisons) line.points.push_back({bytes_of(comparison.size), 100 * comparison.gain()});
  return line;
}

}  // namespace

Setting setting_on(const ClaimData& data, std::string topology) {
  const std::string rings = data.text("rings", "");
  return {.topology = std::move(topology),
          .rings = rings == "run"           ? Rings::run
                   : rings == "closed form" ? Rings::closed_form
                                            : Rings::none,
          .latency_optimal_always = !data.has("large")};
}

pictures::Chart goodput_by_size(Lab& lab, const ClaimData& data) {
  pictures::Chart chart{.title = data.text("title"), .panels = {}};
  std::vector<pictures::ChartLine> lines;
  for (const ClaimData& fabric : data.parts("fabrics")) {
    Setting setting = setting_on(data, fabric.text(1));
    setting.flags += fabric.text(3, "");
    const std::vector<Comparison> comparisons = run_comparisons(lab, setting, data.texts("sizes"));
    if (fabric.has(0)) {
      chart.panels.push_back(goodput(comparisons, fabric.text(0)));
      print_marks(chart.panels.back(), data);
    }
    lines.push_back(gain_line(fabric.text(2), comparisons));
  }
  chart.panels.push_back({.title = "Swing's gain over the best of the others",
                          .x = axis_by_size(),
                          .y = {.title = "Gain in goodput (%)"},
                          .lines = std::move(lines),
                          .printed = marks_of(data, "gains")});
  for (const ClaimData& level : data.parts("most gains"))
    chart.panels.back().printed_most.push_back({level.text(0), level.number(1)});
  return chart;
}

}  // namespace heddle::claims::swing
