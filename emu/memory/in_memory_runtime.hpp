// SPDX-License-Identifier: Apache-2.0
// Ranks as kernel threads of one process, with nothing between them: a message is one copy, made by its receiver straight from
// the sender's memory. No clock, no timers.
//
// A send completes when its receiver has copied. Where that would block everybody, though sends may be buffered, those that
// ranks wait for are: so a program that is right with eager sends is right here, and one that posts its receives pays no second
// copy. Nobody awake and nothing left to buffer is a deadlock.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "emu/engine/task_identity.hpp"
#include "emu/messages/channel_table.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/messages/payload.hpp"
#include "emu/record/failure.hpp"
#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"
#include "heddle/messages.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

class InMemoryRuntime final : private TaskOwner {
 public:
  struct Task;

  struct Send {
    enum class State : std::uint8_t { open, taken, done, withdrawn };
    ChannelKey key{};
    int source = 0;  ///< world rank
    int dest = 0;
    std::int64_t count = 0;
    std::uint64_t label = 0;
    bool must_meet = false;  ///< it is not kept: it completes when it has been received
    Datatype type = Datatype::user(1);
    Pieces<ConstVectorView> from;
    Payload kept;  ///< instead of `from`, once is_kept
    std::atomic<bool> is_kept = false;
    std::atomic<State> state = State::open;  ///< taken: the receiver copies
    Task* sender = nullptr;

    std::string text() const;
    Envelope envelope() const;
  };

  struct Receive {
    ChannelKey key{};
    int peer = -1;  ///< world rank; -1: any
    int rank = 0;
    std::int64_t count = 0;
    Datatype type = Datatype::user(1);
    Pieces<VectorView> into;
    const ReduceOp* op = nullptr;  ///< null: the message is copied; else combined with what is there
    Side side = Side::right;
    std::shared_ptr<Send> message;  ///< set before is_matched
    std::atomic<bool> is_matched = false;
    bool is_done = false;
    Status status;
    Task* receiver = nullptr;

    Envelope envelope() const;  ///< of one from a rank that it names
  };

  struct Slot {
    std::shared_ptr<Send> send;  ///< one of the two, or neither: free
    std::shared_ptr<Receive> receive;
    std::uint32_t generation = 0;
    bool is_awaited = false;

    /// Taken, and under way.
    bool is_pending() const {
      if (send) return send->state != Send::State::done && !send->is_kept;
      return receive && !receive->is_done;
    }
    /// Of one that is taken: "to send …", "to receive …".
    std::string text() const;
  };

  struct Task {
    int rank = 0;
    int number = 0;
    TaskIdentity identity;
    std::uint32_t id = 0;
    std::vector<Slot> slots;  ///< touched by its own thread, and by the last to fall asleep
    std::vector<std::uint32_t> free_slots;
    OpenMemory open;                     ///< of requests that have not been waited for to their end
    const MemoryNames* names = nullptr;  ///< what its rank's vectors are called; nullptr: nothing
    bool shares_messages = false;        ///< a branch of concurrently_shared()
    std::atomic<std::uint32_t> signals = 0;
    std::atomic<bool> may_sleep = false;
    bool is_asleep = false;  ///< this and what follows: under the runtime's lock
    bool is_delayed = false;
    int children_left = 0;
    std::optional<std::pair<std::shared_ptr<const Group>, std::pair<int, std::uint32_t>>> part;  ///< group, rank, context
    bool has_split = false;
    std::condition_variable woken;
    std::function<void()> end;      ///< what is left to be done once its function has returned
    std::binary_semaphore gone{0};  ///< all that its thread will do is done
    bool left_behind = false;
  };

  /// Thrown through a rank's function once the run has failed elsewhere.
  struct Released {};

  /// Both references outlive it. `can_buffer`: sends may complete before they are received.
  InMemoryRuntime(const Fabric& fabric, const Placement& placement, bool can_buffer);

  /// Once. Throws CheckError as emulate() does.
  void run(const MeasuredFunction& function);

  // ---- for InMemoryCommunicator, on the task's own thread ----

  std::uint32_t take_slot(Task& task);
  /// A request that is asked for, with memory in this range: throws UsageError if it shares some with open ones that it must not.
  static void require_apart(Task& task, const OpenRequest& asked);
  /// What was put off until the task waits.
  static void require_all_apart(Task& task);
  /// The task itself reads `from` and writes `into`, as `what` ("copy") does. Throws UsageError where a request forbids it.
  static void require_usable(const Task& task, const char* what, VectorView into, ConstVectorView from);
  /// Throws UsageError where no receive is posted for it, and `is_ready`.
  void send(const std::shared_ptr<Send>& send, bool is_ready = false);
  void receive(const std::shared_ptr<Receive>& receive);
  /// Takes in what has come for this task; true if that was anything.
  bool progress(Task& task);
  /// Until somebody signals, after the task has seen `seen` signals. Throws Released.
  void sleep(Task& task, std::uint32_t seen);
  /// Throws Released once the run has failed. False: it would, but an exception unwinds the task already, and lets no other out
  /// of a destructor: the call does nothing.
  bool goes_on(Task& task);
  /// As Host has it.
  void note_misuse(const std::string& text);
  void concurrently(Task& task, int n, const std::function<void(int, Task&)>& body);
  /// Of the branches of a call of concurrently(). Throws UsageError where ranks ask for different numbers of them.
  std::uint32_t first_context(std::uint32_t parent, std::uint32_t call, int tasks, int rank);
  void split(Task& task, const SplitCall& call);
  void delay(Task& task);
  /// Those that it has not waited for, in words; empty: none.
  static std::string left_requests(const Task& task);
  /// Returns, on all ranks, when every rank has called it.
  void barrier(Task& task);
  std::shared_ptr<const void> shared_plan(std::uint32_t group, const std::string& key,
                                          const std::function<std::shared_ptr<const void>()>& make) {
    return plans_.get(group, key, make);
  }
  const std::shared_ptr<const Group>& world() const { return world_; }

 private:
  struct Mailbox {
    std::mutex mutex;
    std::deque<std::shared_ptr<Send>> sends;        ///< that no receive was posted for
    std::deque<std::shared_ptr<Receive>> receives;  ///< that no message has come for
  };

  void leave_behind(std::uint32_t id) override;
  /// The task's thread, which runs `body`, then `end`. Throws std::system_error if there are no more.
  std::thread thread_of(Task& task, std::function<void()> body, std::function<void()> end);
  static void join(Task& task, std::thread& thread);
  void run_task(Task& task, const std::function<void()>& body);
  Task& new_task(int rank, const Task* parent);
  void ended();
  void take_in(Receive& receive);
  void require_fit(const Receive& receive);
  void signal(Task& task);
  void wake(Task& task);
  void fall_asleep(Task& task, std::unique_lock<std::mutex>& lock);
  void all_asleep();
  bool keep_sends(Task& task);
  void withdraw_sends(Task& task);
  void make_groups(const SplitCalls<Task*>::Gathered& call);
  void fail(CheckError::Kind kind, const std::string& explanation);
  void fail(const std::exception_ptr& error);
  void fail_now(const std::exception_ptr& error);
  Failure explain_deadlock() const;
  void check_all_received();

  const std::size_t ranks_;
  const bool can_buffer_;
  GroupMaker group_maker_;
  std::shared_ptr<const Group> world_;
  std::vector<Mailbox> mailboxes_;  ///< by world rank

  std::atomic<bool> is_over_ = false;  ///< failed
  SharedPlans plans_;                  ///< until the tasks are gone
  std::mutex mutex_;                   ///< of all below, and of who sleeps
  std::deque<Task> tasks_;
  std::size_t live_ = 0;
  std::size_t asleep_ = 0;
  std::vector<int> tasks_made_;  ///< by rank
  SplitCalls<Task*> splits_;
  Contexts contexts_;
  std::size_t met_ = 0;
  std::uint64_t meetings_ = 0;
  std::exception_ptr failure_;
  std::string misuse_;
};

/// The Communicator of a rank that shares its memory with the others. Times are the wall clock's.
class InMemoryCommunicator final : public MeasuredCommunicator {
 public:
  InMemoryCommunicator(InMemoryRuntime& runtime, InMemoryRuntime::Task& task, std::shared_ptr<const Group> group, int rank,
                       std::uint32_t context)
      : runtime_(runtime), task_(task), group_(std::move(group)), rank_(rank), context_(context) {}

  Rank rank() const override { return Rank(rank_); }
  int size() const override { return static_cast<int>(group_->members.size()); }
  Rank world_rank() const override { return Rank(world_rank(rank())); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) override;
  /// Cuts no message.
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) override;
  bool is_complete(Request request) override;
  std::size_t wait_any(std::span<const Request> requests, Status* status) override;
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  void sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> sums,
                       VectorView scratch, const ReduceOp& op, Side side) override;
  const Grid* grid() const override { return group_->grid ? &*group_->grid : nullptr; }
  const Tiers& tiers() const override { return group_->tiers; }
  MessageCost message_cost() const override { return group_->message_cost; }

  /// Since the start line; 0 before.
  Time now() const override;
  std::optional<Datatype> switch_precision() const override { return std::nullopt; }
  void let_watch(BlockingWatch*) override {}
  void name_memory(const MemoryNames* names) override { task_.names = names; }
  void require_all_waited_for() override;
  void begin_second_call() override {}
  void delay() override { runtime_.delay(task_); }
  void start_line() override;
  Time finish_line() override;

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override;
  const MemoryNames* memory_names() const override { return task_.names; }

 private:
  /// `op` null: a plain receive; else `pieces` are combined with what comes.
  Request begin_receive(Rank source, std::span<const VectorView> pieces, Tag tag, const ReduceOp* op, Side side);
  /// As EmulatedCommunicator has it; of a run that has failed, too, while the task is unwound.
  bool is_refused(const char* function) const;
  int world_rank(Rank rank) const { return group_->members[static_cast<std::size_t>(rank.value())]; }
  Request handle(std::uint32_t slot) const;
  bool is_mine(Request request) const;
  void begin_wait(std::span<const Request> requests);
  void end_wait(std::span<const Request> requests, std::span<Status> statuses);

  InMemoryRuntime& runtime_;
  InMemoryRuntime::Task& task_;
  std::shared_ptr<const Group> group_;
  int rank_;
  std::uint32_t context_;
  std::uint32_t concurrently_calls_ = 0;
  std::uint32_t split_calls_ = 0;
  std::optional<std::chrono::steady_clock::time_point> begin_;
};

}  // namespace heddle::emu
