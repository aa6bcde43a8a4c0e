// SPDX-License-Identifier: Apache-2.0
// One run: brings strands, mailbox, network and clock together. Ranks ask through EmulatedCommunicator; what they asked for
// takes effect here, between the instants at which they run, on the engine's thread alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "emu/cause.hpp"
#include "emu/chunked_vector.hpp"
#include "emu/emulate.hpp"
#include "emu/engine.hpp"
#include "emu/injected_faults.hpp"
#include "emu/mailbox.hpp"
#include "emu/network.hpp"
#include "emu/strand_state.hpp"

namespace heddle::emu {

class EmulatedCommunicator;
class ScheduleDirector;
class WallClock;

class Emulation final : private EngineClient, private NetworkClient, private Alarm, private AnySourceChoice {
 public:
  /// All references must outlive the run.
  Emulation(const Fabric& fabric, const Placement& placement, const RankFunction& function, const EmulationSettings& settings);

  ~Emulation();

  /// Once. Throws what emulate() throws.
  Report run();

  // ---- for EmulatedCommunicator, on the strand's own thread ----

  StrandState& strand(StrandId id) { return strands_[id]; }
  std::uint32_t take_slot(StrandState& strand);
  /// One to be written and posted.
  std::pair<MessageId, Message*> take_message();
  /// Stops the strand until what it waits for has happened. Throws Released when the run is being given up.
  void block(StrandId strand, StrandState::Blocked why);
  /// Blocks until the rank has done `work` more.
  void work(StrandId strand, Time work, WorkPost::Kind kind);
  bool charges_overhead() const {
    return settings_of_fabric_.send_overhead > Time() || settings_of_fabric_.recv_overhead > Time();
  }
  Time recv_overhead() const { return settings_of_fabric_.recv_overhead; }
  /// Whether the engine takes the steps of schedules: where what a rank itself does takes no time, and no real time either.
  bool takes_steps() const { return wall_ == nullptr && !charges_overhead() && settings_of_fabric_.gamma == 0; }
  /// γ for this many real bytes.
  Time local_work(std::size_t bytes) const;
  std::int64_t wire_bytes(std::size_t bytes) const;
  Time now() const { return engine_->now(); }
  bool in_rehearsal(int world_rank) const { return ranks_[static_cast<std::size_t>(world_rank)].rehearsal; }
  void begin_rehearsal(StrandId strand);
  void fall_behind(StrandId strand);
  /// The type that switches have reduced f32 in so far; no value: in none but its own.
  std::optional<Datatype> switch_precision() const { return switch_precision_; }
  double payload_scale() const { return settings_.payload_scale; }
  std::shared_ptr<const void> shared_plan(const std::string& key, const std::function<std::shared_ptr<const void>()>& make);

  /// Under the wall clock the measured calls of all ranks begin together; until then it stands still.
  void start_line(StrandId strand);
  /// The strand's measured call has returned: when that was. Under the wall clock, waits for those of all others: what comes
  /// then must not disturb them.
  Time finish_line(StrandId strand);

  // Of a rank with a fault, for FaultyCommunicator (emulation_injected.cpp).
  /// What is measured begins, or ends, on this strand: calls count, a late rank waits for its time.
  void begin_faults(StrandId strand);
  void end_faults(StrandId strand) { strands_[strand].counts_calls = false; }
  /// The strand is about to make this call: throws if the rank is to throw, never returns if it is to stop.
  void count_call(StrandId strand, const char* name);

  // Under the wall clock, for WallCommunicator.
  bool is_giving_up() const { return giving_up_; }
  /// What the strand has posted takes effect, though it goes on.
  void post_now(StrandId strand);

  /// Thrown through a rank's function to end it once the run has failed elsewhere.
  struct Released {};

 private:
  struct RankState {
    RankReport report;
    CriticalPath path;  ///< of its completion
    Time contention_free;
    Time busy_until;
    Time contention_free_busy_until;
    bool rehearsal = false;
    int strands_made = 0;
    std::optional<Time> finished;  ///< crossed the finish line
  };

  /// Messages under way from one rank to another, where buffering is limited.
  struct Credits {
    int used = 0;
    std::deque<MessageId> held;
  };

  // What the engine and the network call.
  void take_effect(StrandId strand) override;
  void expect_effect(StrandId strand, int stage) override;
  bool goes_on(StrandId strand) override;
  bool expect_turn(StrandId strand, int stage) override;
  void expect_posted() const;
  void expect_next_message(ChannelId channel) const;
  bool effects_stay_apart() const override { return rehearsing_ == 0 && !troubled_; }
  bool may_run_ahead() const override;
  void settle() override { network_->settle(); }
  bool holds_back(StrandId strand) override;
  bool release() override;
  std::size_t choose(ReceiveId receive, std::size_t messages) override;
  void drained(MessageId message) override;
  void arrived(MessageId message) override;
  void expect_drained(MessageId message, int stage) override;
  void expect_arrived(MessageId message, int stage) override;
  void streamed(StreamId stream, Time full_rate) override;
  void ring(std::uint64_t payload) override;

  // Starting and ending strands.
  void start_rank(int rank);
  StrandId start_strand(int world_rank, std::shared_ptr<const Group> group, int group_rank, std::uint32_t context,
                        std::function<void(Communicator&)> body);
  void run_strand(StrandId id, const std::function<void(Communicator&)>& body);
  void ended(StrandId strand);
  static void count_traffic(const StrandState& strand, RankReport& report);
  void has_completed(RankState& rank, const StrandState& strand);
  /// It goes on, because of what happens now.
  void wake(StrandId strand, const Cause& cause);
  void resume(StrandId strand);
  Cause own(const StrandState& strand) const { return {.base = &strand.path, .contention_free = strand.contention_free}; }

  // Effects of posts.
  void effect(StrandId strand, SendPost& post);
  void effect(StrandId strand, ReceivePost& post);
  template <class Rare>
  void effect(StrandId strand, std::unique_ptr<Rare>& post) {
    effect(strand, *post);
  }
  void effect(StrandId strand, ConcurrentlyPost& post);
  void effect(StrandId strand, SplitPost& post);
  void effect(StrandId strand, InNetworkPost& post);
  void effect(StrandId strand, WorkPost& post);
  void launch(MessageId message, const Cause& cause);
  Time occupy_sender(Message& message, Time overhead);
  static bool crosses_network(const Message& message) { return !message.rehearsal && message.source != message.dest; }
  /// After `path`, something entered the network at `entered`, had drained at `drained`, and would have after `full_rate`
  /// alone.
  static Cause drained_after(const CriticalPath& path, Time entered, Time drained, Time full_rate);
  void enter_network(MessageId message);
  void arrive(MessageId message);
  void settle_pairings(const Cause& why);
  void deliver(MessageId message, ReceiveId receive, const Cause& cause);
  void give_credit_back(const Message& message, const Cause& cause, Time contention_free);
  /// `contention_free`: when it would be complete if no message shared a link.
  void complete(StrandId strand, std::uint32_t slot, int round, const Cause& cause, Time contention_free);

  // In another order than the usual one (emulation_schedule.cpp).
  void comes(MessageId message);
  void due(MessageId message);

  void make_groups(const SplitPost& last, std::uint32_t context);
  void describe_place(Group& group) const;
  void count(Message& message);

  // Operations of the switches (emulation_in_network.cpp).
  struct InNetworkCall;
  InNetworkCall& call_of(StrandId strand, const InNetworkPost& post);
  bool agrees(const InNetworkCall& call, const InNetworkPost& post);
  void start_in_network(std::uint32_t id);
  void count(const InNetworkCall& call);
  void enter_network(const InNetworkCall& call, std::uint32_t id);
  void tell_observer(const InNetworkCall& call, bool given);
  std::string describe_wait(const StrandState& strand, int& peer) const;
  bool switches_wait_for(const StrandState& strand, int rank) const;
  void tell_observer(const Message& message) const;

  // What is recorded (emulation_timeline.cpp), if a timeline is kept.
  void record_posted(Message& message);
  /// `previous`: the record of the message before it on its path.
  void record_launched(const Message& message, Time started, std::uint32_t previous);
  void record_drained(const Message& message, Time full_rate);
  void record_arrived(const Message& message);
  void record_span(const StrandState& strand);
  void record_started(InNetworkCall& call);
  void record_streamed(const InNetworkCall& call, Time full_rate);

  // Faults (emulation_faults.cpp).
  void fail(CheckError::Kind kind, const std::string& explanation);
  void fail_rank(const StrandState& strand);
  void check_unchanged(const Message& message);
  void check_fits(const Message& message, const RequestSlot& slot);
  void check_all_waited_for(const StrandState& strand);
  void fail_with_deadlock();
  std::vector<const Message*> messages_not_received() const;  ///< in the order of their posting
  void check_all_received();
  std::string describe(const Message& message) const;

  // Injected faults (emulation_injected.cpp). All but the first two are called where there are some.
  Time slowed(int rank, Time time) const { return injected_ == nullptr ? time : injected_->slowed(rank, time); }
  bool is_faulty(int rank) const { return injected_ != nullptr && injected_->has_fault(rank); }
  bool survives(Message& message);
  std::vector<int> waiting_for(int rank) const;
  std::string who_waits_for(int rank) const;
  std::string injected_causes() const;
  bool waits_behind_lost(const Message& message) const;

  Report report() const;
  [[noreturn]] void throw_stopped(Report so_far) const;

  /// Under the wall clock: what a rank has computed since the end of `path`, and how late it was woken.
  static void count_real_work(CriticalPath& path, Time now) { path.parts.local_work += now - path.parts.total(); }

  enum class Ring : std::uint64_t { launch, wake, stream, arrive };
  void ring_at(Time time, Ring what, std::uint32_t id) {
    engine_->at(time, *this, static_cast<std::uint64_t>(what) << 32 | id);
  }

  const Fabric& fabric_;
  const FabricSettings& settings_of_fabric_;
  const Placement& placement_;
  const RankFunction& function_;
  const EmulationSettings& settings_;

  std::unique_ptr<ScheduleDirector> director_;  ///< none in the usual order
  std::unique_ptr<InjectedFaults> injected_;    ///< nullptr: none
  std::unique_ptr<Engine> engine_;
  WallClock* wall_;  ///< the engine, or nullptr under the virtual clock
  std::unique_ptr<Network> network_;
  Mailbox mailbox_;
  std::shared_ptr<const Group> world_;

  std::vector<RankState> ranks_;
  /// A rank has thrown or stopped: all others get as far as they can at that instant before it is told who waits for whom.
  std::atomic<bool> troubled_ = false;
  std::atomic<std::size_t> rehearsing_ = 0;  ///< ranks: once all do, all that is reported has happened
  ChunkedVector<StrandState> strands_;       ///< by StrandId; strands hold references to their own
  std::vector<bool> live_;                   ///< by StrandId
  int acting_strands_ = 0;                   ///< live, and not waiting for branches of their own
  int peak_strands_ = 0;
  ChunkedVector<Message> messages_;  ///< by MessageId
  /// The last received is sent first: those of one instant are posted one behind the other in memory, backwards every other
  /// time.
  std::vector<MessageId> free_messages_;
  std::mutex messages_mutex_;  ///< of both, while ranks that are kernel threads post
  std::vector<Pairing> pairings_;
  std::unordered_map<std::uint64_t, Credits> credits_;  ///< by sender and receiver

  struct SplitCall {
    std::vector<SplitPost> posts;
    std::vector<StrandId> strands;
  };
  struct ConcurrentCall {
    std::uint32_t first_context;
    int strands;
    int by_rank;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, SplitCall> splits_;  ///< by context and call
  std::map<std::pair<std::uint32_t, std::uint32_t>, ConcurrentCall> concurrent_calls_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> in_network_gathering_;  ///< by context and call
  std::vector<std::shared_ptr<InNetworkCall>> in_network_calls_;
  std::vector<std::uint32_t> free_in_network_calls_;
  std::shared_ptr<LazySwitchGraph> switch_graph_;  ///< none where no switch computes
  std::uint32_t contexts_ = 1;
  std::uint32_t groups_ = 1;

  std::vector<RoundReport> rounds_;
  bool switches_computed_ = false;
  std::optional<Datatype> switch_precision_;
  std::int64_t messages_carried_ = 0;

  bool giving_up_ = false;
  std::optional<CheckError> failure_;
  std::exception_ptr input_failure_;

  std::mutex plans_mutex_;
  std::unordered_map<std::string, std::shared_ptr<const void>> plans_;
};

}  // namespace heddle::emu
