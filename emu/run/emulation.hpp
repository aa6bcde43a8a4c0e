// SPDX-License-Identifier: Apache-2.0
// One run: wires its parts together. Ranks ask through their communicators; what they asked for takes effect here, between the
// instants at which they run, on the engine's thread alone.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include "emu/engine/engine.hpp"
#include "emu/groups/group_maker.hpp"
#include "emu/network/network.hpp"
#include "emu/orders/order_director.hpp"
#include "emu/run/effects/communicator_calls.hpp"
#include "emu/run/effects/directed_order.hpp"
#include "emu/run/effects/message_flow.hpp"
#include "emu/run/effects/rank_faults.hpp"
#include "emu/run/effects/switch_calls.hpp"
#include "emu/run/effects/task_runner.hpp"
#include "emu/run/look_ahead.hpp"
#include "emu/run/measured_run.hpp"
#include "emu/run/run_diagnosis.hpp"
#include "emu/run/state/run_state.hpp"

namespace heddle::emu {

class Emulation final : private EngineClient, private NetworkClient {
 public:
  /// All references must outlive the run.
  Emulation(const Fabric& fabric, const Placement& placement, const MeasuredFunction& function,
            const EmulationSettings& settings);

  /// Once. Throws what emulate() throws.
  Report run();

 private:
  // What the engine asks.
  void take_effect(TaskId task) override;
  void expect_effect(TaskId task, int stage) override { look_ahead_.expect_effect(task, stage); }
  bool goes_on(TaskId task) override;
  bool expect_turn(TaskId task, int stage) override { return look_ahead_.expect_turn(task, stage); }
  bool effects_stay_apart() const override { return run_.ranks.nobody_verifies() && !run_.failure.is_near(); }
  bool may_run_ahead() const override;
  bool end_instant() override {
    network_->solve();
    return network_->has_unsolved();
  }
  void goes_on_for_ever(std::span<const TaskId> tasks) override { diagnosis_.fail_endless(tasks); }
  bool holds_back(TaskId task) override { return directed_->holds_back(task); }
  bool release() override { return directed_->release(); }

  // What the network says.
  void drained(MessageId message) override { flow_.drained(message); }
  void arrived(MessageId message) override { flow_.arrived(message); }
  void expect_drained(MessageId message, int stage) override { look_ahead_.expect_drained(message, stage); }
  void expect_arrived(MessageId message, int stage) override { look_ahead_.expect_arrived(message, stage); }
  void streamed(StreamId stream, Time full_rate) override { switches_.streamed(stream, full_rate); }

  // Each kind of effect.
  void take_effects_now(TaskId task);
  void take(TaskId task, const SendEffect& effect) { flow_.take(task, effect); }
  void take(TaskId task, const ReceiveEffect& effect);
  void take(TaskId task, const RoomEffect& effect) { flow_.take(task, effect); }
  void take(TaskId task, const WorkEffect& effect);
  void take(TaskId task, const std::unique_ptr<BranchesEffect>& effect) { communicators_.take(task, *effect); }
  void take(TaskId task, const std::unique_ptr<SplitCall>& effect) { communicators_.take(task, *effect); }
  void take(TaskId task, const std::unique_ptr<SwitchCallEffect>& effect) { switches_.take(task, *effect); }
  void take(TaskId task, const std::unique_ptr<PhaseEffect>& effect) {
    run_.recorder.note_phase(run_.tasks[task], effect->depth, effect->name);
  }

  Report report() const;
  [[noreturn]] void throw_stopped(Report so_far) const;

  const Fabric& fabric_;
  const MeasuredFunction& function_;
  std::optional<OrderDirector> director_;  ///< none in the usual order
  std::unique_ptr<Engine> engine_;
  RunState run_;
  std::unique_ptr<Network> network_;
  MessageFlow flow_;
  SwitchCalls switches_;
  GroupMaker groups_;
  TaskRunner runner_;
  RankFaults rank_faults_;
  CommunicatorCalls communicators_;
  std::optional<DirectedOrder> directed_;  ///< where there is a director
  LookAhead look_ahead_;
  RunDiagnosis diagnosis_;
};

}  // namespace heddle::emu
