// SPDX-License-Identifier: Apache-2.0
// The Communicator that rank functions get: it notes what they ask for and blocks them; its host does
// the rest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/communicator.hpp"
#include "core/in_network.hpp"
#include "emu/communicators/endpoint.hpp"
#include "emu/communicators/measured_communicator.hpp"
#include "emu/communicators/task_state.hpp"

namespace heddle::emu {

class EmulatedCommunicator : public MeasuredCommunicator {
 public:
  EmulatedCommunicator(Host& host, TaskId task, std::shared_ptr<const Group> group, int rank, std::uint32_t context);

  Rank rank() const override { return Rank(endpoint_.rank); }
  int size() const override { return endpoint_.size(); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void wait_for_room(Rank dest, Tag tag) override;
  void exchange(ExchangeSchedule& schedule) override;
  void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) override;
  std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  void phase(std::string_view name) override;
  const Grid* grid() const override { return group()->grid ? &*group()->grid : nullptr; }
  const Tiers& tiers() const override { return group()->tiers; }
  MessageCost message_cost() const override;
  double payload_scale() const override;
  InNetwork* in_network() override { return group()->in_network ? &switches_ : nullptr; }

  Time now() const override;
  std::optional<Datatype> switch_precision() const override;
  void let_watch(BlockingWatch* watch) override;
  void name_memory(const MemoryNames* names) override;
  void begin_verification() override;
  void fall_behind() override;
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

  /// What this rank has become a part of by a split.
  struct Part {
    std::shared_ptr<const Group> group;
    int rank;
    std::uint32_t context;
  };
  /// No value: of nothing.
  std::optional<Part> split_part(int color, int key);
  /// `part` has come of a split of this one.
  void note_below(EmulatedCommunicator& part) const { part.depth_ = depth_ + 1; }

  /// Asked first by each call, of that name. Throws UsageError where another task makes it; true where a thread that is no
  /// rank's does: the run fails with that, and the call does nothing.
  bool is_refused(const char* function) const { return calling_task != &identity_ && refuse(function); }

  Host& host() const { return endpoint_.host; }
  TaskId task() const { return endpoint_.task; }
  const std::shared_ptr<const Group>& group() const { return endpoint_.group; }

 private:
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

}  // namespace heddle::emu
