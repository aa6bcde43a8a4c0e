// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "emu/messages/measured_communicator.hpp"
#include "net/ranks/process_rank.hpp"

namespace heddle::net {

/// The Communicator of a rank that is a process. Times are the wall clock's of this machine.
class ProcessCommunicator final : public emu::MeasuredCommunicator {
 public:
  ProcessCommunicator(ProcessRank& process, ProcessRank::Task& task, std::shared_ptr<const ProcessGroup> group,
                      std::uint64_t context);

  Rank rank() const override { return rank_; }
  int size() const override { return static_cast<int>(group_->members.size()); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void measure_concurrently(int n, emu::MessageSpace space,
                            const std::function<void(int, emu::MeasuredCommunicator&)>& body) override;
  std::unique_ptr<emu::MeasuredCommunicator> split_measured(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  const Grid* grid() const override { return group_->grid ? &*group_->grid : nullptr; }
  const Tiers& tiers() const override { return group_->tiers; }

  Time now() const override;
  std::optional<Datatype> switch_precision() const override { return std::nullopt; }
  void let_watch(emu::BlockingWatch*) override {}
  void name_memory(const MemoryNames* names) override { task_.names = names; }
  void begin_verification() override {}
  void fall_behind() override;
  /// All processes meet.
  void start_line() override;
  Time finish_line() override;

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override;
  const MemoryNames* memory_names() const override { return task_.names; }

 private:
  /// What each rank of this communicator wants of a split.
  struct Wish {
    int color;
    int key;
  };
  std::vector<Wish> gather_wishes(Wish mine, std::uint64_t context);

  ProcessRank& process_;
  ProcessRank::Task& task_;
  std::shared_ptr<const ProcessGroup> group_;
  Rank rank_;
  std::uint64_t context_;
  std::uint32_t concurrently_calls_ = 0;
  std::uint32_t split_calls_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// As run_rank, for who measures.
void run_measured_rank(Transport& transport, const emu::MeasuredFunction& body, const RankSettings& settings);

}  // namespace heddle::net
