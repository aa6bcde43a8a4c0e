// SPDX-License-Identifier: Apache-2.0
#include "lab/run/run_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "emu/record/memory_estimate.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

namespace {

// Measured on one core of a server of 2023: a ring's messages on a star take 0.4 µs each, those of an alltoall on a torus, which
// share links, 3 µs; a byte is made, moved, reduced and compared.
constexpr double kSecondsPerMessage = 0.7e-6;
constexpr double kSecondsPerByte = 0.6e-9;
/// A call that is not timed travels outside the network.
constexpr double kLaterCall = 0.33;

/// What one algorithm does for the ranks of one shape.
struct Work {
  double messages = 0;
  double bytes = 0;
};

Work work_of(const Algorithm& algorithm, const Shape& shape) {
  const double rounds = algorithm.rounds ? algorithm.rounds(shape) : shape.ranks;
  const double each = algorithm.messages_a_round ? algorithm.messages_a_round(shape) : 1;
  // Of who sends most; the roots of trees send more than others.
  const double sent = algorithm.bytes ? static_cast<double>(algorithm.bytes(shape)) : static_cast<double>(shape.bytes);
  return {shape.ranks * (1 + rounds * each), shape.ranks * (sent + static_cast<double>(shape.bytes))};
}

void add(Work& work, const Work& more) {
  work.messages += more.messages;
  work.bytes += more.bytes;
}

/// In one call of all groups; bytes as charged.
Work work_of(const Setup& setup, const Algorithm& algorithm, std::span<const Shape> shapes) {
  Work work;
  if (setup.families.empty()) {
    for (const Shape& shape : shapes) add(work, work_of(algorithm, shape));
    return work;
  }
  for (const GroupFamily& family : setup.families)
    add(work, work_of(*family.setup, family.row(algorithm), family.setup->shapes()));
  return work;
}

bool has_rounds(const Setup& setup, const Algorithm& algorithm) {
  if (setup.families.empty()) return static_cast<bool>(algorithm.rounds);
  return std::ranges::all_of(setup.families,
                             [&](const GroupFamily& family) { return static_cast<bool>(family.row(algorithm).rounds); });
}

/// "40 seconds", "12 minutes", "3 hours"
std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} seconds", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} minutes", seconds / 60);
  return fmt::format("{:.0f} hours", seconds / 3600);
}

/// "812 million", "1.2 billion"
std::string number_text(double number) {
  if (number >= 1e12) return fmt::format("{:.2g}", number);
  if (number >= 1e9) return fmt::format("{:.1f} billion", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.0f} million", number / 1e6);
  return fmt::format("{:.0f}", number);
}

}  // namespace

RunCost run_cost(const Setup& setup, const Algorithm& algorithm, std::span<const Shape> shapes) {
  const Work work = work_of(setup, algorithm, shapes);
  const std::int64_t held = setup.sampled(algorithm, shapes);
  const double scale = held > 0 ? static_cast<double>(setup.count) / static_cast<double>(held) : 1;
  const int calls = setup.called_once.contains(algorithm.name) ? 1 : setup.asked.calls;
  RunCost cost;
  cost.messages = work.messages * calls;
  cost.seconds =
      work.messages * kSecondsPerMessage * (1 + kLaterCall * (calls - 1)) + work.bytes / scale * kSecondsPerByte * calls;
  cost.memory = setup.memory(algorithm, shapes);
  cost.is_guess = !has_rounds(setup, algorithm);
  return cost;
}

std::optional<std::string> long_run_text(std::span<const RunCost> runs, int workers) {
  RunCost all;
  double longest = 0;
  for (const RunCost& run : runs) {
    all.messages += run.messages;
    all.seconds += run.seconds;
    all.memory = std::max(all.memory, run.memory);
    all.is_guess = all.is_guess || run.is_guess;
    longest = std::max(longest, run.seconds);
  }
  const double seconds = std::max(longest, all.seconds / std::max(1, workers));
  if (seconds < kLongRun) return std::nullopt;
  // What does not fit was refused before.
  const Bytes memory = std::min(all.memory, machine_memory());
  return fmt::format("about {} messages, {} and up to {} of memory{}", number_text(all.messages), duration_text(seconds),
                     to_string(memory), all.is_guess ? ", if what has no formula for its rounds takes one for each rank" : "");
}

std::optional<std::string> long_run_text(const Setup& setup, int workers) {
  const std::vector<Shape> shapes = setup.shapes();
  std::vector<RunCost> runs;
  for (const Algorithm& algorithm : setup.algorithms.chosen) runs.push_back(run_cost(setup, algorithm, shapes));
  return long_run_text(runs, workers);
}

}  // namespace heddle
