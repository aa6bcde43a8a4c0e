// SPDX-License-Identifier: Apache-2.0
// Rounds in which every task that acts sends one message and receives one, while nothing else is under way. Such a round is a few passes
// over arrays: no message, request, event or copy of what is sent is made for it. It can be made so
//
// - if all begin it at one time, and all its messages drain in the same time, whatever links they share; or
// - if no two of its messages share a link, whenever each task begins it;
//
// and if all its messages have drained before the first task goes on: what comes next then finds the network empty. In a second call,
// which takes no time, it always can. What is reported is what it would be without, to the bit. All else is left to messages one by one
// (emu/run/message_flow.hpp): runs with sinks, faults, credits or a rank's own work, and tasks that share memory.
#pragma once

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
  /// How many it has had.
  std::int64_t made() const { return made_; }

  // As EngineClient has them.
  bool may_take(std::size_t tasks) const {
    return may_be_ && tasks >= kFewest && tasks == run_.tasks.acting() && run_.messages.in_use() == 0 &&
           !run_.makes_special_calls && !run_.failure.is_near();
  }
  bool can_wait(TaskId task) const;
  bool take(std::span<const TaskId> tasks, std::span<const Time> times);
  /// All ranks begin their second call.
  void begin_second_calls() { to_skip_ = failed_ = 0; }

 private:
  /// With fewer, messages one by one cost as little.
  static constexpr std::size_t kFewest = 32;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// So many tasks ahead the memory is fetched into the cache.
  static constexpr std::size_t kPartiesAhead = 8;

  /// A task, and what it exchanges in this round: all that a round needs of it, but for messages of several pieces.
  struct Party {
    Party(ExchangeSteps* its_steps, std::int32_t its_rank, std::int32_t its_world_rank, std::uint32_t its_first_slot)
        : steps(its_steps), rank(its_rank), world_rank(its_world_rank), first_slot(its_first_slot) {}

    ExchangeSteps* steps;
    std::int32_t rank;  ///< in its communicator
    std::int32_t world_rank;
    std::uint32_t first_slot;      ///< of its communicator
    std::uint32_t sender = kNone;  ///< whose message it receives
    Rank source{-1};               ///< whom `sender` is of
    Rank dest{-1};
    int world_dest = -1;
    bool is_plain = false;       ///< one piece each way, and nobody asks what has come
    bool combines_late = false;  ///< as ExchangeSteps has it
    bool sends_sums = false;     ///< and sends the very sums, in one piece
    AddressRange into;           ///< from the lowest address to the highest
    AddressRange data;
    std::int64_t given = 0;
    std::int64_t gotten = 0;
    Datatype given_type = Datatype::user(1);
    Datatype gotten_type = Datatype::user(1);
    std::size_t bytes = 0;        ///< of what is given, in memory
    std::int64_t wire_bytes = 0;  ///< and on the wire
    std::int64_t messages = 0;    ///< in all rounds, of what crosses the network
    Bytes sent;
    Bytes received;
  };
  /// Where a task stands between two rounds.
  struct Moment {
    Time time;
    Time contention_free;
    CriticalPath path;
  };

  bool is_skipped();
  bool gather(std::span<const TaskId> tasks, std::span<const Time> times);
  void take_step(Party& party);
  bool make_round();
  bool pair();
  bool is_apart();
  bool branches_are_apart(std::size_t first, std::size_t end) const;
  bool pass_time(const Crossings& crossings);
  void count();
  void deliver();
  bool are_swapped(std::size_t party) const;
  bool look_up_next();
  void let_go_on(std::span<const TaskId> tasks);

  RunState& run_;
  const Placement& placement_;
  Network& network_;
  bool may_be_;
  std::int64_t made_ = 0;
  std::uint64_t rounds_looked_at_ = 0;
  int failed_ = 0;   ///< in a row
  int to_skip_ = 0;  ///< so many before it is tried again

  std::vector<Party> parties_;
  bool have_branches_ = false;  ///< some ranks have several tasks
  bool are_in_order_ = true;    ///< the steps of this round, each by itself
  bool second_call_ = false;
  int round_ = 0;                          ///< that all have made
  std::int64_t rounds_made_ = 0;           ///< of those since they came together
  std::vector<std::uint32_t> first_slot_;  ///< by context
  std::vector<std::uint32_t> party_in_;    ///< by slot: a rank of a context
  std::vector<Sending> sendings_;          ///< by party, as what follows
  std::vector<Moment> moments_;
  std::vector<Moment> next_;  ///< after this round
  std::vector<UsedMemory> memory_;
  std::vector<std::uint32_t> kept_;  ///< parties for whom a message is kept
  std::vector<std::byte> aside_;
};

}  // namespace heddle::emu
