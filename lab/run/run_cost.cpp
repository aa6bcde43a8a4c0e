// SPDX-License-Identifier: Apache-2.0
// What a run holds, and what it will take of this machine.
#include "lab/run/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "emu/record/memory_estimate.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle {

namespace {

// Measured: a ring holds little more than its vectors, bruck_latency on 64 ranks 6 times as much (what is sent of them, under
// way and merged); hamiltonian_rings on 4,096 ranks takes 4 times what its tasks and links are estimated at.
constexpr double kVectorsAtWorst = 6.5;
constexpr double kTasksAtWorst = 4;

// Measured on one core of a server of 2023: a ring's messages on a star take 0.4 µs each, those of an alltoall on a torus, which
// share links, 3 µs; a byte is made, moved, reduced and compared.
constexpr double kSecondsPerMessage = 0.7e-6;
/// In rounds that all ranks make together (emu/run/lockstep_rounds.hpp): a ring's, on any fabric that its messages do not share.
constexpr double kSecondsPerMessageTogether = 0.1e-6;
constexpr double kSecondsPerByte = 0.6e-9;
/// A packet on a link, with queues of some packets.
constexpr double kSecondsPerPacketHop = 0.5e-6;
/// A call that is not timed travels outside the network.
constexpr double kLaterCall = 0.33;

/// What one algorithm does for the ranks of one shape.
struct Work {
  double messages = 0;
  double bytes = 0;
  double sent = 0;  ///< of these, on the wire
};

Work work_of(const Algorithm& algorithm, const Shape& shape) {
  const double rounds = algorithm.rounds ? algorithm.rounds(shape) : shape.ranks;
  const double each = algorithm.messages_a_round ? algorithm.messages_a_round(shape) : 1;
  // Of who sends most; the roots of trees send more than others.
  const double sent = algorithm.bytes ? static_cast<double>(algorithm.bytes(shape)) : static_cast<double>(shape.bytes);
  return {shape.ranks * (1 + rounds * each), shape.ranks * (sent + static_cast<double>(shape.bytes)), shape.ranks * sent};
}

void add(Work& work, const Work& more) {
  work.messages += more.messages;
  work.bytes += more.bytes;
  work.sent += more.sent;
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

/// Links between two ranks, on average over some pairs: an algorithm whose messages go to neighbours needs less.
double mean_hops(const Setup& setup) {
  constexpr std::size_t kPairs = 32;
  const std::size_t ranks = setup.placement.size();
  if (ranks < 2) return 0;
  FilledRoutes routes(setup.fabric);
  Route route;
  double hops = 0;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const std::size_t from = i * ranks / kPairs;
    const std::size_t to = (from + 1 + i * 7919 % (ranks - 1)) % ranks;
    if (setup.placement[from] == setup.placement[to]) continue;
    routes.find(setup.placement[from], setup.placement[to], route);
    if (!route.paths().empty()) hops += route.paths().front().count;
  }
  return hops / kPairs;
}

/// At most about so many.
double packet_hops(const Setup& setup, const Work& work) {
  if (setup.settings.model.name() != Model::packets.name()) return 0;
  const auto mtu = static_cast<double>(setup.settings.model.packet_settings().mtu.count());
  return (work.messages + work.sent / mtu) * mean_hops(setup);
}

/// Whether nearly all messages are of such rounds.
bool goes_together(const Setup& setup, const Algorithm& algorithm) {
  const EmulationSettings& settings = setup.settings;
  return setup.families.empty() && algorithm.uniform && settings.model.name() == Model::fluid.name() &&
         !settings.buffering.credits && settings.faults.empty() && settings.sinks.empty() && !settings.wall;
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

double Setup::vectors() const {
  double vectors = 0;
  for (const int size : group_sizes()) vectors += vectors_held(asked.collective, size, *asked.in_place);
  return vectors;
}

double Setup::vector_bytes_per_rank(std::int64_t held) const {
  return vectors() / ranks() * static_cast<double>(held) * static_cast<double>(type().size());
}

bool Setup::is_held_whole() const {
  if (!asked.payload || !blocks.empty()) return true;
  return vectors() * static_cast<double>(bytes()) <= static_cast<double>(asked.payload->count());
}

std::int64_t Setup::block_count(const Algorithm& algorithm, std::span<const Shape> shapes) const {
  std::int64_t block_count = counts_block_count();
  for (const Shape& shape : shapes) {
    block_count = std::lcm(block_count, std::max<std::int64_t>(1, block_count_of(algorithm, shape)));
    if (has_blocks(asked.collective) && sends.empty()) block_count = std::lcm(block_count, std::int64_t{shape.ranks});
    if (block_count >= count) return std::max<std::int64_t>(1, count);
  }
  return block_count;
}

std::int64_t Setup::sampled(const Algorithm& algorithm, std::span<const Shape> shapes) const {
  if (!families.empty()) return count / common_scale(*this, algorithm);
  if (is_held_whole() || !may_hold_part(algorithm)) return count;
  const std::int64_t together = block_count(algorithm, shapes);
  return together >= count ? count : choose_sampled(count, together, vectors(), type().size(), *asked.payload);
}

bool Setup::is_independent_of_size(const Algorithm& algorithm) const {
  if (families.empty()) return algorithm.independent_of_size;
  return std::ranges::all_of(families, [&](const GroupFamily& family) { return family.row(algorithm).independent_of_size; });
}

Bytes Setup::memory(const Algorithm& algorithm, std::span<const Shape> shapes) const {
  const double vectors = vector_bytes_per_rank(sampled(algorithm, shapes)) * ranks();
  const auto tasks = static_cast<double>(estimate_memory(ranks(), fabric.topology().links(), Bytes(0)).count());
  return Bytes(static_cast<std::int64_t>(std::min(kVectorsAtWorst * vectors + kTasksAtWorst * tasks, 1e15)));
}

RunCost run_cost(const Setup& setup, const Algorithm& algorithm, std::span<const Shape> shapes) {
  const Work work = work_of(setup, algorithm, shapes);
  const std::int64_t held = setup.sampled(algorithm, shapes);
  const double scale = held > 0 ? static_cast<double>(setup.count) / static_cast<double>(held) : 1;
  const int calls = setup.called_once.contains(algorithm.name) ? 1 : setup.asked.calls;
  RunCost cost;
  cost.messages = work.messages * calls;
  const double each = goes_together(setup, algorithm) ? kSecondsPerMessageTogether : kSecondsPerMessage;
  cost.seconds = work.messages * each * (1 + kLaterCall * (calls - 1)) + work.bytes / scale * kSecondsPerByte * calls;
  cost.packet_hops = packet_hops(setup, work);
  cost.seconds += cost.packet_hops * kSecondsPerPacketHop;
  cost.memory = setup.memory(algorithm, shapes);
  cost.is_guess = !has_rounds(setup, algorithm);
  return cost;
}

std::optional<std::string> long_run_text(std::span<const RunCost> runs, int workers) {
  RunCost all;
  double longest = 0;
  for (const RunCost& run : runs) {
    all.messages += run.messages;
    all.packet_hops += run.packet_hops;
    all.seconds += run.seconds;
    all.memory = std::max(all.memory, run.memory);
    all.is_guess = all.is_guess || run.is_guess;
    longest = std::max(longest, run.seconds);
  }
  const double seconds = std::max(longest, all.seconds / std::max(1, workers));
  if (seconds < kLongRun) return std::nullopt;
  // What does not fit was refused before.
  const Bytes memory = std::min(all.memory, machine_memory());
  const std::string hops = all.packet_hops > 0 ? fmt::format(", up to {} packet-hops", number_text(all.packet_hops)) : "";
  return fmt::format("about {} messages{}, {} and up to {} of memory{}", number_text(all.messages), hops,
                     duration_text(seconds), to_string(memory),
                     all.is_guess ? ", if what has no formula for its rounds takes one for each rank" : "");
}

std::optional<std::string> long_run_text(const Setup& setup, int workers) {
  const std::vector<Shape> shapes = setup.shapes();
  std::vector<RunCost> runs;
  for (const PlannedAlgorithm& run : setup.planned()) runs.push_back(run_cost(*run.setup, *run.algorithm, shapes));
  return long_run_text(runs, workers);
}

}  // namespace heddle
