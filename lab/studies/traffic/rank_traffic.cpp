// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/traffic/rank_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/errors.hpp"
#include "emu/check/checked_run.hpp"
#include "emu/record/message_observer.hpp"
#include "lab/experiment/algorithm_choice.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// Adds up the elements that go from rank to rank in the measured call.
class PairCounter final : public emu::MessageObserver {
 public:
  void posted(const emu::PostedMessage& message) override {
    if (message.verification || message.source == message.dest) return;
    elements_[{message.source, message.dest}] += message.data.count();
  }
  void received(std::uint64_t, bool, Time, std::span<const VectorView>) override {}

  const std::map<std::pair<int, int>, std::int64_t>& elements() const { return elements_; }

 private:
  std::map<std::pair<int, int>, std::int64_t> elements_;
};

}  // namespace

std::vector<RankTraffic> count_rank_traffic(const Algorithm& algorithm, int ranks) {
  const Fabric fabric(parse_topology(fmt::format("star:{}", ranks)), {});
  Shape shape{.ranks = ranks};
  if (ranks > 1) shape.cost = message_cost(fabric, 0, 1);
  std::int64_t count = algorithm.collective == Collective::barrier ? 0 : granule_of(algorithm, shape);
  if (has_blocks(algorithm.collective)) count = std::lcm(count, std::int64_t{ranks});
  shape.count = count;
  shape.bytes = count * static_cast<std::int64_t>(Datatype::i32().size());
  if (const std::string reason = why_not(algorithm, shape, ReduceOp::sum()); !reason.empty())
    throw InputError(
        fmt::format("{} '{}' does not fit {} ranks: {}", to_string(algorithm.collective), algorithm.name, ranks, reason));

  PairCounter counter;
  EmulationSettings settings;
  settings.observer = &counter;
  const CollectiveCall call{
      .collective = algorithm.collective, .function = algorithm.run, .name = algorithm.name, .count = count, .held = count};
  try {
    run_checked(fabric, linear_placement(ranks, fabric.topology()), call, settings);
  } catch (const CheckError& error) {
    throw CheckError(error.kind(), error.what() + known_of(algorithm, settings.buffering.credits, call.in_place));
  }
  std::vector<RankTraffic> traffic;
  for (const auto& [pair, elements] : counter.elements())
    traffic.push_back({pair.first, pair.second, static_cast<double>(elements) / static_cast<double>(count)});
  return traffic;
}

double traffic_between_groups(std::span<const RankTraffic> traffic, std::span<const int> group) {
  double vectors = 0;
  for (const RankTraffic& pair : traffic) {
    if (group[static_cast<std::size_t>(pair.source)] != group[static_cast<std::size_t>(pair.dest)]) vectors += pair.vectors;
  }
  return vectors;
}

Quartiles quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
  };
  return {values.front(), at(0.25), at(0.5), at(0.75), values.back()};
}

}  // namespace heddle
