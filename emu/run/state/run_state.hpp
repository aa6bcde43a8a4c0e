// SPDX-License-Identifier: Apache-2.0
// What the parts of one run share, each piece with a class of its own.
#pragma once

#include <cstddef>
#include <memory>

#include "emu/communicators/rank_costs.hpp"
#include "emu/communicators/task_table.hpp"
#include "emu/engine/engine.hpp"
#include "emu/messages/message_store.hpp"
#include "emu/run/state/injected_faults.hpp"
#include "emu/run/state/ranks.hpp"
#include "emu/run/state/run_failure.hpp"
#include "emu/run/state/run_recorder.hpp"
#include "emu/run/state/wakes.hpp"

namespace heddle::emu {

/// Which records a run keeps besides its report, if any. They outlive the run.
struct RunRecords {
  Timeline* timeline = nullptr;
  RunSample* sample = nullptr;
  MessageObserver* observer = nullptr;
};

struct RunState {
  /// The engine outlives it, and so do `faults` (of messages and ranks). `tasks_side_by_side`: several send at once.
  RunState(Engine& its_engine, const RankCosts& its_costs, std::size_t its_ranks, bool tasks_side_by_side = false,
           RunRecords records = {}, const Faults& faults = {})
      : engine(its_engine),
        costs(its_costs),
        messages(tasks_side_by_side),
        ranks(its_ranks),
        failure(its_engine),
        recorder(its_engine, ranks, costs, {records.timeline, records.sample}, records.observer),
        wakes(its_engine, tasks, recorder),
        injected(faults.empty() ? nullptr : std::make_unique<InjectedFaults>(faults, its_ranks)) {}
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;

  /// What takes `time` on a rank that nothing slows down.
  Time slowed(int rank, Time time) const { return injected == nullptr ? time : injected->slowed(rank, time); }

  Engine& engine;
  RankCosts costs;
  TaskTable tasks;
  MessageStore messages;
  Ranks ranks;
  RunFailure failure;
  RunRecorder recorder;
  Wakes wakes;
  std::unique_ptr<InjectedFaults> injected;  ///< nullptr: none
};

}  // namespace heddle::emu
