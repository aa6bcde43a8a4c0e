// SPDX-License-Identifier: Apache-2.0
// Operations of the switches: asked for by each rank, started when the last has asked, streamed, done.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emu/network/network.hpp"
#include "emu/run/run_recorder.hpp"
#include "emu/run/run_state.hpp"

namespace heddle::emu {

/// On the engine's thread, or inside of its guard.
class SwitchCalls final : private Alarm {
 public:
  /// All outlive it.
  SwitchCalls(RunState& run, Network& network, const AloneTimes& alone) : run_(run), network_(network), alone_(alone) {}

  /// What a task has asked for takes effect. All ranks must ask for the same, or the run fails.
  void take(TaskId task, const SwitchCallEffect& effect);
  /// What the network says: a call has left its sources.
  void streamed(StreamId id);

  /// Of a task that is blocked in a call: what it waits for, and the first rank that has not asked.
  std::string describe_wait(const TaskState& task, int& peer) const;
  /// Whether a rank has still to ask for what this task is blocked in.
  bool wait_for(const TaskState& task, int rank) const;

 private:
  void ring(std::uint64_t id) override { enter_network(static_cast<StreamId>(id)); }
  SwitchCall& call_of(TaskId task, const SwitchCallEffect& effect);
  bool agrees(const SwitchCall& call, const SwitchCallEffect& effect);
  void spend_overhead(SwitchCall& call, const TaskState& task);
  void start(StreamId id);
  void enter_network(StreamId id);

  RunState& run_;
  Network& network_;
  const AloneTimes& alone_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, StreamId> gathering_;  ///< by context and call
  std::vector<std::unique_ptr<SwitchCall>> calls_;                         ///< by StreamId; nullptr: free
  std::vector<StreamId> free_;
};

}  // namespace heddle::emu
