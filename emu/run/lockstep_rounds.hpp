// SPDX-License-Identifier: Apache-2.0
// Rounds in which every task that acts sends one message and receives one, while nothing else is under way. Such a round is a few passes
// over arrays: no message, request, event or copy of what is sent is made for it. It can be made so
//
// - if all begin it at one time, and all its messages drain in the same time, whatever links they share; or
// - if no two of its messages share a link, whenever each task begins it;
//
// and if all its messages have drained before the first task goes on: what comes next then finds the network empty. In a second call,
// which takes no time, it always can. What is reported is what it would be without, to the bit. What this cannot vouch for is left to
// messages one by one (emu/run/message_flow.hpp): whatever a sink looks on at, faults, credits, a rank's own work, memory that two
// tasks share.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emu/engine/tasks.hpp"
#include "emu/messages/exchange_steps.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/messages/task_state.hpp"
#include "emu/network/network.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/run/run_state.hpp"
#include "heddle/units.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// On the engine's thread.
class LockstepRounds {
 public:
  /// All references outlive it. `may_be`: nothing in the run's settings stands against it.
  LockstepRounds(RunState& run, const Placement& placement, Network& network, bool may_be)
      : run_(run), placement_(placement), network_(network), may_be_(may_be && placement.size() >= kFewest) {}

  /// Whether this run may have such rounds.
  bool may_be() const { return may_be_; }

  // As EngineClient has them.
  bool may_take(std::size_t tasks) const {
    if (getenv("DBG") && tasks > 900) fprintf(stderr, "may %d %zu %zu %zu sp %d near %d\n", may_be_, tasks, run_.tasks.acting(), run_.messages.in_use(), run_.makes_special_calls, run_.failure.is_near());
    return may_be_ && tasks >= kFewest && tasks == run_.tasks.acting() && run_.messages.in_use() == 0 &&
           !run_.makes_special_calls && !run_.failure.is_near();
  }
  bool can_wait(TaskId task) const;
  bool take(std::span<const TaskId> tasks, std::span<const Time> times);

 private:
  /// With fewer, messages one by one cost as little.
  static constexpr std::size_t kFewest = 32;

  struct Party {
    Party(ExchangeSteps* its_steps, TaskState* its_state, std::uint32_t its_first_slot)
        : steps(its_steps), state(its_state), first_slot(its_first_slot) {}

    ExchangeSteps* steps;
    TaskState* state;
    std::uint32_t first_slot;  ///< of its communicator
    std::uint32_t sender = 0;  ///< whose message it receives in this round
    Rank source = Rank(-1);  ///< whom `sender` is of
    Rank dest = Rank(-1);
    int world_dest = -1;
    Bytes received;
  };
  /// Where a task stands between two rounds.
  struct Moment {
    Time time;
    Time contention_free;
    CriticalPath path;
  };

  bool gather(std::span<const TaskId> tasks, std::span<const Time> times);
  bool make_round();
  bool pair();
  bool is_apart();
  bool branches_are_apart(std::size_t first, std::size_t end) const;
  bool pass_time(const Crossings& crossings);
  bool look_up_next();
  void let_go_on(std::span<const TaskId> tasks);
  ExchangeSteps& sender_of(const Party& party) const { return *parties_[party.sender].steps; }

  RunState& run_;
  const Placement& placement_;
  Network& network_;
  bool may_be_;
  std::uint64_t rounds_looked_at_ = 0;

  std::vector<Party> parties_;
  bool second_call_ = false;
  int round_ = 0;  ///< that all have made
  std::vector<std::uint32_t> first_slot_;  ///< by context
  std::vector<std::uint32_t> party_in_;    ///< by slot: a rank of a context
  std::vector<Sending> sendings_;          ///< by party, as what follows
  std::vector<Moment> moments_;
  std::vector<Moment> next_;  ///< after this round
  std::vector<UsedMemory> memory_;
};

}  // namespace heddle::emu
