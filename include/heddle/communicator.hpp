// SPDX-License-Identifier: Apache-2.0
// What an algorithm sees of the world, and all that it sees. The same function runs under the virtual clock, under the
// wall clock, and over a real network: it cannot tell which.
//
// Threads: a communicator belongs to one task (the thread of a rank, or one branch of `concurrently`) and is used from
// that task alone. Any other task that asks it for a message, task, group or piece of local work gets UsageError. A thread that is
// no rank's gets nothing, and the run fails with that error. rank(), size(), world_rank(), grid(), tiers(), message_cost(),
// byte_scale() and plans may be asked by any task of the rank. Blocking: wait, wait_all, what is built on them (send, recv,
// sendrecv, exchange), wait_for_room, concurrently, split, and local work where it costs time. The part "messages, looked at
// closely" says what blocks there. isend and irecv never block.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "heddle/grid.hpp"
#include "heddle/messages.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"

namespace heddle {

/// What a message between two near ranks costs alone: latency + bytes · seconds_per_byte. A hint for choosing how finely to
/// cut (the segments of a pipeline), never a promise. Zero where nothing is known.
struct MessageCost {
  double latency = 0;           ///< seconds: α + L(P)
  double seconds_per_byte = 0;  ///< β, per byte that the algorithm holds
};

// Exchanges that a rank makes one after the other, known beforehand: the rounds of a ring. Handed to the communicator as a
// whole (Communicator::exchange), they need the rank's thread only when all are done.

/// A send and a receive at once. A side without elements is left out: nothing is sent, or nothing received.
struct Exchange {
  Rank dest;
  std::span<const ConstVectorView> data;
  Rank source;
  std::span<const VectorView> into;  ///< receives the message, or is combined with it
  Side side = Side::right;           ///< on which side of the operation the message stands, if it is combined
};

/// An exchange of one contiguous part each way.
struct Round {
  Rank dest;
  ConstVectorView data;
  Rank source;
  VectorView into;
  Side side = Side::right;
};

/// What comes is combined with what is there, as by Communicator::sendrecv_reduce.
struct Reduction {
  const ReduceOp* op = nullptr;  ///< nullptr: it is received as it is. Outlives the plan
  /// As long as the longest message, of its type, apart from what is sent and combined. Empty: who carries out the plan finds room.
  VectorView scratch = {};
  /// What comes is combined once what is sent has left. So a step may send the very sums that it adds to, as they were: the doubling of
  /// whole vectors. `scratch` is empty then.
  bool after_sending = false;
};

/// Steps 0 … steps() - 1. Each begins when the one before has completed.
class ExchangePlan {
 public:
  /// `phase`: of which phase (Communicator::phase) the steps are. Empty: of the one at hand. It outlives the plan.
  ExchangePlan(int steps, const Reduction& reduction, std::string_view phase = {})
      : steps_(steps), reduction_(reduction), phase_(phase) {}
  ExchangePlan(const ExchangePlan&) = delete;
  ExchangePlan& operator=(const ExchangePlan&) = delete;
  virtual ~ExchangePlan() = default;

  int steps() const { return steps_; }
  const Reduction& reduction() const { return reduction_; }
  std::string_view phase() const { return phase_; }

  /// Called for each step once, in order, from any thread, one at a time. What it points to stays until the next call. It must
  /// not use the communicator; what it throws, exchange() throws.
  virtual Exchange at(int step) = 0;

 private:
  int steps_;
  Reduction reduction_;
  std::string_view phase_;
};

/// Made one after the other.
using ExchangePlans = std::vector<std::unique_ptr<ExchangePlan>>;

/// Rounds that a function of the round's number returns.
template <class RoundOf>
class RoundPlan final : public ExchangePlan {
 public:
  RoundPlan(int rounds, const Reduction& reduction, RoundOf round_of)
      : ExchangePlan(rounds, reduction), round_of_(std::move(round_of)) {}

  Exchange at(int round) override {
    round_ = round_of_(round);
    return {round_.dest, std::span(&round_.data, 1), round_.source, std::span(&round_.into, 1), round_.side};
  }

 private:
  RoundOf round_of_;
  Round round_ = {};
};

class InNetwork;
struct MemoryNames;

class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual Rank rank() const = 0;
  virtual int size() const = 0;
  /// This rank in the run's first communicator, which all ranks are in.
  virtual Rank world_rank() const { return rank(); }

  // ---- messages ----
  // Matching is (communicator, source, tag); messages of one such stream never overtake each other. A message longer than
  // its receive is an error, a shorter one is not. Until a request has been waited for, its send buffer must not change. Its
  // receive buffer must be neither read nor written. So a receive shares memory with nothing else that is open;
  // several sends may share theirs. A message may be gathered from several pieces and scattered into several, of one datatype;
  // sender and receiver may cut it differently.
  // What is seen of this in calls (isend, irecv, copy, reduce_into, …) throws UsageError, on each runtime.

  /// Posts a message to `dest`. Throws UsageError for a peer out of range or pieces of different types.
  [[nodiscard]] virtual Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag = {}) = 0;
  /// Posts a receive from `source` (or kAnySource).
  [[nodiscard]] virtual Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag = {}) = 0;
  /// Blocks until every request has completed. `statuses` is empty or has one place per request; throws UsageError otherwise.
  virtual void wait_all(std::span<const Request> requests, std::span<Status> statuses) = 0;

  [[nodiscard]] Request isend(Rank dest, ConstVectorView data, Tag tag = {}) { return isend(dest, std::span(&data, 1), tag); }
  [[nodiscard]] Request irecv(Rank source, VectorView data, Tag tag = {}) { return irecv(source, std::span(&data, 1), tag); }
  Status wait(Request request);
  void wait_all(std::span<const Request> requests) { wait_all(requests, {}); }
  void wait_all(std::initializer_list<Request> requests) { wait_all(std::span(requests.begin(), requests.size()), {}); }
  void send(Rank dest, ConstVectorView data, Tag tag = {}) { wait(isend(dest, data, tag)); }
  Status recv(Rank source, VectorView data, Tag tag = {}) { return wait(irecv(source, data, tag)); }
  /// Sends and receives at once; what it received.
  Status sendrecv(Rank dest, ConstVectorView data, Rank source, VectorView into, Tag tag = {});
  virtual Status sendrecv(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> into,
                          Tag tag = {});

  /// Blocks until a message to `dest` with this tag would leave at once: fewer are on their way than its channel has room for. A
  /// rank that passes a message on asks this before it receives the message. The message then keeps its room in the one channel
  /// until there is room in the other. Nothing is reserved: another task that sends there may take the room first. Returns at once
  /// where messages have no bound, where a send waits for its receive, and by default. Throws UsageError for a peer out of range.
  virtual void wait_for_room(Rank /*dest*/, Tag /*tag*/) {}

  // ---- messages, looked at closely ----
  // What programs on ranks ask for, and collectives do without: modes of sends, any tag, probes, polling, requests that are freed.
  // Emulated ranks have all of it, under any clock. Another communicator may not serve a call, which throws UsageError then. A peer
  // out of range throws it, too, and so does a request or a message that is not the task's. Before a call looks at something, what its
  // task has asked for takes effect. Other ranks may run meanwhile, but no emulated time passes.

  /// As isend, with a mode and a label. Throws UsageError for kAnyTag. The default serves the mode standard, and no label.
  [[nodiscard]] virtual Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options);
  /// As irecv, from kAnySource and of kAnyTag, too. A receive of any tag takes from its source the message that was sent first and that
  /// no other receive has. It waits for that one, though later ones may be there already. From any source, it takes the message that
  /// was there first. A receive of one tag waits for no other tag. A message goes to the receive that was posted first, of all that fit. The
  /// default serves one tag, and cuts no message.
  [[nodiscard]] virtual Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options);

  /// Whether it has completed. It must be waited for all the same, which takes no time then.
  [[nodiscard]] virtual bool is_complete(Request request);
  /// Blocks until one of the requests has completed: its index, the lowest of several. That one has been waited for, the others have
  /// not. Throws UsageError for no requests at all.
  virtual std::size_t wait_any(std::span<const Request> requests, Status* status = nullptr);
  /// True: the request was not paired with one of the other side. It is over, as if waited for. A receive's buffer holds what it did
  /// before. Nobody receives what a send has sent, though that may have left its buffer. False: the request goes on, as a send without
  /// SendOptions always does.
  [[nodiscard]] virtual bool cancel(Request request);
  /// The request completes unseen, and is not to be waited for. Its buffer belongs to it until then. A receive must have completed
  /// when its task ends.
  virtual void free_request(Request request);

  // A probe finds the message that a receive with this source and tag, posted now, would be paired with.

  /// What it finds; no value: nothing is there. Does not block.
  [[nodiscard]] virtual std::optional<Status> iprobe(Rank source, Tag tag);
  /// Blocks until there is something to find.
  virtual Status probe(Rank source, Tag tag);
  /// As iprobe and probe. The message can be found and received by no one else any more: it must be received by imrecv.
  [[nodiscard]] virtual std::optional<TakenMessage> improbe(Rank source, Tag tag);
  [[nodiscard]] virtual TakenMessage mprobe(Rank source, Tag tag);
  /// Receives a message that was taken, once.
  [[nodiscard]] virtual Request imrecv(const TakenMessage& message, std::span<const VectorView> pieces,
                                       const ReceiveOptions& options);

  /// For who polls, between questions that were answered in vain. Blocks until a request of this task has completed, or a message for
  /// this rank can be found, for `limit` (> 0) at most. Returns at once if that has happened since the last
  /// question. True: it has happened. Where nothing is left in a run but ranks that doze in vain, most of many dozes return at once. After
  /// 100,000 of each it is a deadlock. If one reads the clock, the run is taken for endless after 200,000, or after 100,000 that have
  /// taken 10,000 s.
  virtual bool doze(const Polling& polling, Time limit);
  /// The time on the run's clock.
  virtual Time now() const;
  /// Blocks for so long.
  virtual void sleep(Time duration);

  // Places: where the program made a call, for the texts of failures. Both cost next to nothing.

  /// From now on this task's calls, on any communicator, are made at this place: any address that a describer knows. nullptr: nowhere in
  /// particular. A request keeps the place that it was posted at.
  virtual void call_from(const void* place);
  /// Who describes the places of a whole run: one for all ranks. It outlives the run. nullptr: nobody. By default nothing happens.
  virtual void let_describe(const PlaceDescriber* describer);

  // ---- tasks and groups ----

  /// Runs body(0, c0) … body(n-1, c_{n-1}) as tasks of this rank and returns when all have ended. Each has a communicator
  /// of its own over the same ranks: task i here talks to task i there. Every rank of the communicator that
  /// communicates inside must call with the same n, in the same order. How a multi-port algorithm drives its ports.
  virtual void concurrently(int n, const std::function<void(int, Communicator&)>& body) = 0;

  /// As concurrently, for tasks that end with plans: those that plans_of(i, c_i) returns, each as exchange() makes it. While plans are made
  /// the task needs neither thread nor stack. What they use outlives this call.
  virtual void exchange_concurrently(int n, const std::function<ExchangePlans(int, Communicator&)>& plans_of);

  /// As concurrently, but the tasks share this communicator's messages, as threads do in MPI. A message goes to whichever task of
  /// the other rank asks for its source and tag. Tasks of one rank wait for each other by messages to oneself, which take no time.
  /// n may differ from rank to rank. Where a pair of ranks has credits, it has as many for each tag. The tasks must not call
  /// concurrently, concurrently_shared, split or the switches. How a plan of threads that depend on each other is run. The default throws
  /// UsageError: not every communicator serves it.
  virtual void concurrently_shared(int n, const std::function<void(int, Communicator&)>& body);

  /// Runs `body` as a task of this rank, side by side with this one: a request that completes when the task has ended. Its Status is
  /// that of an empty message to itself. The task has a communicator of its own over the same ranks. It talks to the tasks that the
  /// others start by the same call. Each rank of the communicator makes it, in one order with its calls of concurrently(). `body` is
  /// copied. What it uses must outlive the task. The default throws UsageError.
  [[nodiscard]] virtual Request start(const std::function<void(Communicator&)>& body);

  /// Collective among `members` (ranks of this communicator, each once, this one among them): they form a new communicator, in that order.
  /// All name the same members with the same `key`. Calls by the same members under way at once have different keys. Blocks until all
  /// have called. No members: all ranks, in their order, and nobody waits. Each then makes the call in one order with its calls of
  /// concurrently() and start(). Takes no emulated time. Throws UsageError for members that cannot be. The default throws it, too.
  [[nodiscard]] virtual std::unique_ptr<Communicator> form(std::span<const Rank> members, int key);

  /// Ends the calling task here, wherever its function is: nothing on its stack is unwound, no destructor runs. All else goes on. Its
  /// requests must have been waited for, as when the function returns. For programs whose language cannot unwind. The default throws
  /// UsageError.
  [[noreturn]] virtual void leave();

  /// Collective. Ranks of equal color form a new communicator, ordered by (key, rank). A negative color joins none and
  /// gets nullptr. Takes no emulated time: making communicators is not what is measured.
  [[nodiscard]] virtual std::unique_ptr<Communicator> split(int color, int key) = 0;

  // ---- local work ----

  /// into = into ∘ from (Side::right) or from ∘ into (Side::left); charged γ per byte.
  virtual void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side = Side::right) = 0;
  /// into = from (same type and count; overlap is an error unless they are the same, which costs nothing); charged γ per
  /// byte.
  virtual void copy(VectorView into, ConstVectorView from) = 0;

  /// sendrecv, and what comes is combined with `sums`, piece by piece: sums = sums ∘ message (Side::right) or message ∘ sums
  /// (Side::left); charged as reduce_into. The message must be as long as the sums. `scratch`, as long or longer, is where it
  /// may lie meanwhile. It holds nothing of use before or after: who can reach the sender's memory combines from there.
  /// `data`, `sums` and `scratch` do not overlap. Throws UsageError otherwise.
  virtual void sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> sums,
                               VectorView scratch, const ReduceOp& op, Side side = Side::right);

  /// All steps of a plan, each as sendrecv or sendrecv_reduce would make it. The plan is used until this returns.
  /// Who runs thousands of ranks need not wake each after every step: keep the plan on the heap, where they lie close.
  virtual void exchange(ExchangePlan& plan);

  /// Rounds 0 … rounds-1 one after the other, each as `round_of(round)` says (a Round): what goes where, and what comes from
  /// where. With a reduction, what comes is combined with what is there. `round_of` is called from any thread, so it captures
  /// values, and no communicator; what it throws, this throws.
  template <class RoundOf>
  void exchange(int rounds, const Reduction& reduction, RoundOf round_of) {
    exchange(*std::make_unique<RoundPlan<RoundOf>>(rounds, reduction, std::move(round_of)));
  }
  template <class RoundOf>
  void exchange(int rounds, RoundOf round_of) {
    exchange(rounds, Reduction{}, std::move(round_of));
  }

  // ---- where I am ----

  /// The grid that the ranks of this communicator fill, or nullptr.
  virtual const Grid* grid() const = 0;
  /// The tiers of the fabric under these ranks.
  virtual const Tiers& tiers() const = 0;
  /// What the switches compute for these ranks, or nullptr if none computes anything. Lives as long as the communicator.
  virtual InNetwork* in_network() { return nullptr; }
  /// What a message costs here, if that is known; the same on every rank.
  virtual MessageCost message_cost() const { return {}; }
  /// For how many bytes each byte that the ranks hold stands, ≥ 1: a run of a large vector may hold a part of it. A message of n
  /// bytes is charged as n · byte_scale(). Who cuts or chooses by bytes asks it, so that the choice is that of the full size. A
  /// segment of 64 KiB then holds 64 KiB / byte_scale(). 1 where all is held, on a real network too; the same on every rank.
  virtual double byte_scale() const { return 1; }

  // ---- phases ----

  /// From now on this task works on the phase of this name ("reduce-scatter"), until its next one; "": on none. For those who
  /// look on: traces and explanations tell what each phase takes. Sends nothing, takes no emulated time, and costs next to nothing
  /// where nobody looks on, which is the default. A communicator of split(), or a task of concurrently(), has phases of its own.
  /// They lie within the phase of the communicator that it came of, and a new phase there ends them. `name` is copied.
  virtual void phase(std::string_view name);

  // ---- plans ----

  /// A value that every rank would compute alike (a plan of all rounds, say). Whichever rank comes first makes it, once for the
  /// process; the rest share it. It is immutable. `key` names the value and all that it depends on besides this
  /// communicator's ranks and grid; the same key must mean the same type. Costs no emulated time. `make` must not use a
  /// communicator: a call in it throws UsageError.
  template <class T>
  std::shared_ptr<const T> shared_plan(std::string_view key, const std::function<T()>& make) {
    return std::static_pointer_cast<const T>(
        shared_plan_erased(std::string(key) + '/' + typeid(T).name(),
                           [&make]() -> std::shared_ptr<const void> { return std::make_shared<const T>(make()); }));
  }

 protected:
  virtual std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                         const std::function<std::shared_ptr<const void>()>& make) = 0;
  /// What the rank's vectors are called where its program is told of them; nullptr: that is not known.
  virtual const MemoryNames* memory_names() const { return nullptr; }
};

}  // namespace heddle
