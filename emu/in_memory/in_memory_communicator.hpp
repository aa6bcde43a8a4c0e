// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "emu/communicators/measured_communicator.hpp"
#include "emu/in_memory/in_memory_runtime.hpp"

namespace heddle::emu {

/// The Communicator of a rank that shares its memory with the others. Times are the wall clock's.
class InMemoryCommunicator final : public MeasuredCommunicator {
 public:
  InMemoryCommunicator(InMemoryRuntime& runtime, InMemoryRuntime::Task& task, std::shared_ptr<const Group> group, int rank,
                       std::uint32_t context)
      : runtime_(runtime), task_(task), group_(std::move(group)), rank_(rank), context_(context) {}

  Rank rank() const override { return Rank(rank_); }
  int size() const override { return static_cast<int>(group_->members.size()); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
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
  void begin_verification() override {}
  void fall_behind() override { runtime_.lag(task_); }
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
