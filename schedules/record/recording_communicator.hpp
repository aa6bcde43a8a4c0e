// SPDX-License-Identifier: Apache-2.0
// Makes each call on another communicator, and writes down what it was.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "schedules/record/recording.hpp"

namespace heddle {

/// What one task of a rank has waited for. Its communicators share it.
struct TaskRecord {
  std::int32_t number = 0;          ///< among the rank's tasks
  std::vector<std::int32_t> after;  ///< operations: those that no other of them had waited for
};

/// As its communicator, for one task. It has no switches that compute: what they do is no message.
class RecordingCommunicator final : public Communicator {
 public:
  /// `world`: by rank of the communicator, the rank of the call. `name`: the same on all ranks. All outlive it.
  RecordingCommunicator(Communicator& inner, RankRecording& recording, std::vector<int> world, std::string name,
                        std::shared_ptr<TaskRecord> task);

  Rank rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;
  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override;
  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override;
  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override;
  void wait_for_room(Rank dest, Tag tag) override { inner_.wait_for_room(dest, tag); }
  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override;
  void concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) override;
  std::unique_ptr<Communicator> split(int color, int key) override;
  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override;
  void copy(VectorView into, ConstVectorView from) override;
  const Grid* grid() const override { return inner_.grid(); }
  const Tiers& tiers() const override { return inner_.tiers(); }
  MessageCost message_cost() const override { return inner_.message_cost(); }
  double payload_scale() const override { return inner_.payload_scale(); }

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override;

 private:
  struct Open {
    std::int32_t operation;
    std::vector<std::int32_t> after;  ///< that it began after
    bool is_from_any = false;
  };

  std::int32_t add(RecordedOperation operation);
  std::string stream(Tag tag) const { return name_ + '#' + std::to_string(tag.value()); }
  void waited_for(const std::vector<Open>& done);
  void run_tasks(int n, bool is_shared, const std::function<void(int, Communicator&)>& body);

  Communicator& inner_;
  std::unique_ptr<Communicator> owned_;  ///< `inner_`, of a split
  RankRecording& recording_;
  std::vector<int> world_;
  std::string name_;
  std::shared_ptr<TaskRecord> task_;
  std::map<std::uint64_t, Open> open_;  ///< by request
  int calls_ = 0;                       ///< that make communicators
};

}  // namespace heddle
