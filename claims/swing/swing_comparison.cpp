// SPDX-License-Identifier: Apache-2.0
#include "claims/swing/swing_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "topo/topology.hpp"

namespace heddle::claims {

namespace {

struct Runner {
  std::string algorithm;
  std::string family;
};

std::vector<Runner> runners(const Setting& setting, const std::string& size) {
  std::vector<Runner> runners = {
      {"swing_bandwidth", "Swing"}, {"torus_rabenseifner", "recursive doubling"}, {"bucket", "bucket"}};
  static const std::set<std::string> kUpTo2MiB = {"32B", "2KiB", "32KiB", "128KiB", "512KiB", "2MiB"};
  if (setting.latency_optimal_always || kUpTo2MiB.contains(size)) {
    runners.push_back({"swing_latency", "Swing"});
    runners.push_back({"swing_latency_multiport", "Swing"});
    runners.push_back({"torus_recursive_doubling", "recursive doubling"});
  }
  if (setting.rings == Rings::run) runners.push_back({"hamiltonian_rings", "rings"});
  if (setting.mirrored_doubling) runners.push_back({"torus_recursive_doubling_multiport", "mirrored recursive doubling"});
  return runners;
}

std::string arguments(const Setting& setting, const std::string& size, std::string_view algorithms) {
  return fmt::format("allreduce --algo {} --topo {} --size {} {}", algorithms, setting.topology, size, setting.flags);
}

/// What a start-up would do to an order that a run without does not show.
std::string start_up_needed(const Entry& wanted, const Entry& winner) {
  const double behind = wanted.microseconds - winner.microseconds;
  const std::string counts =
      fmt::format("{} takes {} rounds and {} {}", wanted.algorithm, wanted.rounds, winner.algorithm, winner.rounds);
  if (wanted.rounds >= winner.rounds)
    return fmt::format("{}: a start-up of any length leaves the order as it is, {:.1f} % apart at none.", counts,
                       100 * behind / winner.microseconds);
  return fmt::format(
      "{}: with a start-up (--alpha), which the paper does not print, of more than {:.3g} us the order is as printed; without "
      "one, {:.1f} % are missing.",
      counts, behind / (winner.rounds - wanted.rounds), 100 * behind / winner.microseconds);
}

}  // namespace

double rings_microseconds(double ranks, double bytes) {
  constexpr double kHop = 0.4;    // us
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
  return "heddle run " + arguments(setting, size, fmt::format("{}", fmt::join(algorithms, ",")));
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

Finding first_is(const Comparison& comparison, const std::string& family) {
  const Entry& winner = comparison.winner();
  const Entry& wanted = comparison.best(family);
  const bool holds = winner.family == family;
  // Beside the winner: the one that should have won, or, where it did, the next of another family.
  const Entry& beside = !holds ? wanted : winner.family == "Swing" ? comparison.best("others") : comparison.best("Swing");
  return compare_words(
      fmt::format("{}, {}", comparison.setting.topology, comparison.size), family + " first",
      fmt::format("{} first: {} {:.3f} us, {} {:.3f} us ({})", winner.family, winner.algorithm, winner.microseconds,
                  beside.algorithm, beside.microseconds, percent(beside.microseconds / winner.microseconds - 1)),
      holds, comparison.command({winner.algorithm, beside.algorithm}), holds ? "" : start_up_needed(wanted, winner));
}

}  // namespace heddle::claims
