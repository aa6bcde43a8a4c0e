// SPDX-License-Identifier: Apache-2.0
// The Communicator that rank functions get: it notes what they ask for and blocks them; its host does
// the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "emu/messages/endpoint.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/messages/task_state.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/messages.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

class EmulatedCommunicator : public MeasuredCommunicator {
 public:
  EmulatedCommunicator(Host& host, TaskId task, std::shared_ptr<const Group> group, int rank, std::uint32_t context);

  Rank rank() const override { return Rank(endpoint_.rank); }
  int size() const override { return endpoint_.size(); }
  Rank world_rank() const override { return Rank(endpoint_.group->members[static_cast<std::size_t>(endpoint_.rank)]); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void wait_for_room(Rank dest, Tag tag) override;

  // In special_communicator.cpp, each by make_call().
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) final;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) final;
  bool is_complete(Request request) final;
  std::size_t wait_any(std::span<const Request> requests, Status* status) final;
  bool cancel(Request request) final;
  void free_request(Request request) final;
  std::optional<Status> iprobe(Rank source, Tag tag) final;
  Status probe(Rank source, Tag tag) final;
  std::optional<TakenMessage> improbe(Rank source, Tag tag) final;
  TakenMessage mprobe(Rank source, Tag tag) final;
  Request imrecv(const TakenMessage& message, std::span<const VectorView> pieces, const ReceiveOptions& options) final;
  bool doze(const Polling& polling, Time limit) final;
  void sleep(Time duration) final;
  void call_from(const void* place) final;
  void let_describe(const PlaceDescriber* describer) final;
  Request start(const std::function<void(Communicator&)>& body) final;
  std::unique_ptr<Communicator> form(std::span<const Rank> members, int key) final;
  [[noreturn]] void leave() final;

  using Communicator::sendrecv;
  Status sendrecv(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> into,
                  Tag tag) override;
  void sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> sums,
                       VectorView scratch, const ReduceOp& op, Side side) override;
  void exchange(ExchangePlan& plan) override;
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  void exchange_concurrently(int n, const std::function<ExchangePlans(int, Communicator&)>& plans_of) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  void phase(std::string_view name) override;
  const Grid* grid() const override { return group()->grid ? &*group()->grid : nullptr; }
  const Tiers& tiers() const override { return group()->tiers; }
  MessageCost message_cost() const override;
  double byte_scale() const override;
  InNetwork* in_network() override { return group()->in_network ? &switches_ : nullptr; }

  Time now() const override;
  std::optional<Datatype> switch_precision() const override;
  void let_watch(BlockingWatch* watch) override;
  void name_memory(const MemoryNames* names) override;
  void require_all_waited_for() override;
  void stop_if_asked() override;
  void begin_second_call() override;
  void delay() override;
  void start_line() override;
  Time finish_line() override;

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override;
  const MemoryNames* memory_names() const override;

  /// As Endpoint has it.
  virtual void require_usable(const char* what, VectorView into, ConstVectorView from) const {
    endpoint_.require_usable(what, into, from);
  }

  /// The rank works as long as γ says for so many real bytes.
  virtual void charge(std::size_t bytes);

  /// What a call does, which lives as long as the call.
  class CallBody {
   public:
    template <class Body>
    explicit CallBody(const Body& body) : body_(&body), run_([](const void* it) { (*static_cast<const Body*>(it))(); }) {}
    void operator()() const { run_(body_); }

   private:
    const void* body_;
    void (*run_)(const void*);
  };
  /// Makes the call of that name, unless it is refused.
  virtual void make_call(const char* function, const CallBody& body) {
    if (!is_refused(function)) body();
  }
  /// A communicator of this kind over `group`, which has come of this one.
  virtual std::unique_ptr<EmulatedCommunicator> make_like(std::shared_ptr<const Group> group, int rank, std::uint32_t context);

  /// What this rank has become a part of by a split.
  struct Part {
    std::shared_ptr<const Group> group;
    int rank;
    std::uint32_t context;
  };
  /// No value: of nothing.
  std::optional<Part> split_part(int color, int key);
  /// What form() has made; no value: the run is being given up.
  std::optional<Part> formed_part(std::span<const Rank> members, int key);
  /// `part` has come of a split of this one.
  void note_below(EmulatedCommunicator& part) const { part.depth_ = depth_ + 1; }

  /// Asked first by each call, of that name. Throws UsageError where another task makes it; true where a thread that is no
  /// rank's does: the run fails with that, and the call does nothing. Where the run is to stop, the call does not return.
  bool is_refused(const char* function) const {
    if (calling_task != &identity_) return refuse(function);
    host().stop_if_asked(task());
    return false;
  }

  Host& host() const { return endpoint_.host; }
  TaskId task() const { return endpoint_.task; }
  const std::shared_ptr<const Group>& group() const { return endpoint_.group; }

 private:
  /// The engine takes the steps of the plan.
  void take_steps(ExchangeSteps& steps);

  /// What the switches do for this communicator.
  class Switches final : public InNetwork {
   public:
    explicit Switches(EmulatedCommunicator& communicator) : communicator_(communicator) {}
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override;
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    EmulatedCommunicator& communicator_;
    std::uint32_t calls_ = 0;
  };

  bool refuse(const char* function) const;

  Endpoint endpoint_;
  const TaskIdentity& identity_;
  Switches switches_;
  int depth_;  ///< so many split() and concurrently() below the rank's own
  // A rank that does not communicate in concurrently() need not call it: its calls of split() count for themselves.
  std::uint32_t concurrently_calls_ = 0;
  std::uint32_t split_calls_ = 0;
};

// The Communicator of a rank that runs while others do, under the wall clock: it is inside of the engine's guard while it uses
// what belongs to the run, and what it asks for takes effect at once.

class GuardedCommunicator final : public EmulatedCommunicator {
 public:
  GuardedCommunicator(Host& host, TaskGuard& guard, TaskId task, std::shared_ptr<const Group> group, int rank,
                      std::uint32_t context);

  /// While it lives, its task runs what does not belong to the run, outside of the guard.
  class Outside {
   public:
    Outside(TaskGuard& guard, TaskId task) : guard_(guard), task_(task) { guard_.leave(); }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
    ~Outside() { guard_.enter(task_); }

   private:
    TaskGuard& guard_;
    TaskId task_;
  };

  using EmulatedCommunicator::irecv;
  using EmulatedCommunicator::isend;
  using EmulatedCommunicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void wait_for_room(Rank dest, Tag tag) override;
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  InNetwork* in_network() override;
  void phase(std::string_view name) override;

  Time now() const override;
  std::optional<Datatype> switch_precision() const override;
  void require_all_waited_for() override;
  void begin_second_call() override;
  void delay() override;
  void start_line() override;
  Time finish_line() override;

 protected:
  void charge(std::size_t bytes) override;
  void require_usable(const char* what, VectorView into, ConstVectorView from) const override;
  void make_call(const char* function, const CallBody& body) override;
  std::unique_ptr<EmulatedCommunicator> make_like(std::shared_ptr<const Group> group, int rank, std::uint32_t context) override;

 private:
  class Inside;

  /// The switches' offers, asked inside.
  class Switches final : public InNetwork {
   public:
    Switches(GuardedCommunicator& communicator, InNetwork* offers) : communicator_(communicator), offers_(offers) {}
    bool is_there() const { return offers_ != nullptr; }
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override;
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    GuardedCommunicator& communicator_;
    InNetwork* offers_;
  };

  TaskGuard& guard_;
  Switches switches_;
};

// The communicator of a rank that a fault concerns: has each call counted before it makes it, so that communicators
// of healthy ranks need not ask.

/// Who knows what goes wrong with ranks, and when. Each function on the task's own thread.
class CallCounter {
 public:
  /// What is measured begins on this task: calls count, a late rank waits for its time.
  virtual void begin(TaskId task) = 0;
  /// What is measured has ended.
  virtual void end(TaskId task) = 0;
  /// The task is about to make this call: throws if the rank is to throw, never returns if it is to stop.
  virtual void count(TaskId task, const char* call) = 0;

 protected:
  ~CallCounter() = default;
};

class FaultyCommunicator final : public EmulatedCommunicator {
 public:
  FaultyCommunicator(Host& host, CallCounter& faults, TaskId task, std::shared_ptr<const Group> group, int rank,
                     std::uint32_t context);

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  // Each call that they make counts for itself.
  using Communicator::sendrecv;
  Status sendrecv(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> into,
                  Tag tag) override {
    return Communicator::sendrecv(dest, data, source, into, tag);
  }
  void sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> sums,
                       VectorView scratch, const ReduceOp& op, Side side) override {
    Communicator::sendrecv_reduce(dest, data, source, sums, scratch, op, side);
  }
  void exchange(ExchangePlan& plan) override { Communicator::exchange(plan); }
  void exchange_concurrently(int n, const std::function<ExchangePlans(int, Communicator&)>& plans_of) override {
    Communicator::exchange_concurrently(n, plans_of);
  }
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  InNetwork* in_network() override { return offers_ == nullptr ? nullptr : &switches_; }

  void begin_second_call() override;
  void start_line() override;
  Time finish_line() override;

 protected:
  void make_call(const char* function, const CallBody& body) override;
  std::unique_ptr<EmulatedCommunicator> make_like(std::shared_ptr<const Group> group, int rank, std::uint32_t context) override;

 private:
  class Switches final : public InNetwork {
   public:
    explicit Switches(FaultyCommunicator& communicator) : communicator_(communicator) {}
    std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const override {
      return communicator_.offers_->why_not(collective, type, count, op);
    }
    void perform(Collective collective, const CollectiveArguments& arguments) override;

   private:
    FaultyCommunicator& communicator_;
  };

  void count_call(const char* name) { faults_.count(task(), name); }

  CallCounter& faults_;
  InNetwork* offers_;  ///< what the base has, or nullptr
  Switches switches_;
};

}  // namespace heddle::emu
