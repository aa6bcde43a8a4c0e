// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "emu/check/checked_calls.hpp"
#include "emu/data/call_bits.hpp"

namespace heddle::emu {

namespace {

/// By group: the first layer in which all of its ranks are free.
std::vector<std::size_t> layers_of(const std::vector<std::vector<int>>& groups, std::size_t ranks) {
  std::vector<std::vector<bool>> taken;  // by layer and rank
  std::vector<std::size_t> layers;
  for (const std::vector<int>& group : groups) {
    const auto has_room = [&group](const std::vector<bool>& layer) {
      return std::none_of(group.begin(), group.end(), [&](int rank) { return layer[static_cast<std::size_t>(rank)]; });
    };
    const auto layer = static_cast<std::size_t>(std::find_if(taken.begin(), taken.end(), has_room) - taken.begin());
    if (layer == taken.size()) taken.emplace_back(ranks);
    for (const int rank : group) taken[layer][static_cast<std::size_t>(rank)] = true;
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace

std::vector<int> all_ranks(std::size_t count) {
  std::vector<int> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

CheckedCalls::CheckedCalls(CollectiveCall call, std::vector<int> ranks, Placement placement)
    : call_(std::move(call)),
      ranks_(std::move(ranks)),
      placement_(std::move(placement)),
      completions_(ranks_.size(), Time::max()) {}

void CheckedCalls::make_other_calls(MeasuredCommunicator& communicator) {
  for (int number = 1; number < calls(); ++number) {
    if (is_elsewhere(number))
      make_call(*communicator.split_measured(0, communicator.rank().value()), number);
    else
      make_call(communicator, number);
  }
}

GroupsRun::GroupsRun(const std::vector<CollectiveCall>& calls, const std::vector<std::vector<int>>& groups,
                     const Placement& placement, const StopQuestion& interrupted)
    : is_world_(groups.size() == 1 && groups.front() == all_ranks(placement.size())) {
  const std::vector<std::size_t> layers = layers_of(groups, placement.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    CollectiveCall own = calls[g];
    own.seed += g;  // one group's data must not pass for another's
    if (own.keep != nullptr && own.keep->group != static_cast<int>(g)) own.keep = nullptr;
    Placement endpoints;
    for (const int rank : groups[g]) endpoints.push_back(placement[static_cast<std::size_t>(rank)]);
    groups_.push_back(make_checked_calls(std::move(own), groups[g], std::move(endpoints), {}, interrupted));
    if (layers[g] == positions_.size()) positions_.emplace_back(placement.size());
    for (std::size_t i = 0; i < groups[g].size(); ++i)
      positions_[layers[g]][static_cast<std::size_t>(groups[g][i])] = {static_cast<int>(g), static_cast<int>(i)};
  }
}

void GroupsRun::operator()(MeasuredCommunicator& world) {
  if (is_world_) {
    groups_.front()->make_call(world, 0);
    world.begin_second_call();
    groups_.front()->make_other_calls(world);
    return;
  }
  if (layers() == 1) {
    const auto part = enter(world, 0);
    if (part) group_of(world, 0).make_call(*part, 0);
    world.begin_second_call();
    if (part) group_of(world, 0).make_other_calls(*part);
    return;
  }
  world.measure_concurrently(layers(), MessageSpace::own, [this](int layer, MeasuredCommunicator& task) {
    if (const auto part = enter(task, layer)) group_of(task, layer).make_call(*part, 0);
  });
  world.begin_second_call();
  for (int layer = 0; layer < layers(); ++layer)
    if (const auto part = enter(world, layer)) group_of(world, layer).make_other_calls(*part);
}

std::optional<std::string> GroupsRun::different_bits() const {
  std::optional<std::string> nowhere;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::optional<std::string> text = groups_[g]->different_bits();
    if (text && !text->empty()) return is_world_ ? *text : fmt::format("{}, in group {}", *text, g);
    if (text) nowhere = "";
  }
  return nowhere;
}

std::vector<ResultBits> GroupsRun::result_bits() const {
  std::vector<ResultBits> all;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (ResultBits bits : groups_[g]->result_bits()) {
      bits.group = static_cast<int>(g);
      all.push_back(bits);
    }
  }
  return all;
}

const GroupsRun::Position& GroupsRun::position_of(const Communicator& world, int layer) const {
  return positions_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(world.rank().value())];
}

CheckedCalls& GroupsRun::group_of(const Communicator& world, int layer) {
  return *groups_[static_cast<std::size_t>(position_of(world, layer).group)];
}

/// The communicator of the rank's group in this layer, or nullptr.
std::unique_ptr<MeasuredCommunicator> GroupsRun::enter(MeasuredCommunicator& world, int layer) const {
  const Position& position = position_of(world, layer);
  return world.split_measured(position.group, position.rank);
}

}  // namespace heddle::emu
