// SPDX-License-Identifier: Apache-2.0
// The tasks of one process and what they wait for.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/engine/task_identity.hpp"
#include "emu/engine/tasks.hpp"
#include "emu/messages/context_path.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/messages/payload.hpp"
#include "heddle/communicator.hpp"
#include "net/ranks/run_rank.hpp"
#include "net/ranks/transport.hpp"

namespace heddle::net {

/// The members of a communicator, and what lies under them. Immutable.
struct ProcessGroup {
  int number = 0;            ///< of this process' groups; the same members have one
  std::vector<int> members;  ///< by rank: which processes
  std::vector<int> ranks;    ///< by process; -1: none of them
  std::optional<Grid> grid;
  Tiers tiers;
};

/// Runs tasks one at a time, each until it waits for a message or ends; when all wait, lets the transport go on. Everything is
/// called by its thread or by the task that runs.
class ProcessRank {
 public:
  /// One task; it stays where it is.
  struct Task {
    emu::TaskIdentity identity;
    emu::TaskId id = 0;
    Task* parent = nullptr;
    int missing = 0;   ///< requests or branches that it waits for
    int branches = 0;  ///< that it has started, in all
    bool shares_messages = false;
    emu::OpenMemory open = {};           ///< of requests that have not been waited for to their end
    const MemoryNames* names = nullptr;  ///< what its rank's vectors are called; nullptr: nothing
  };

  ProcessRank(Transport& transport, RankSettings settings);
  ProcessRank(const ProcessRank&) = delete;
  ProcessRank& operator=(const ProcessRank&) = delete;

  Transport& transport() { return transport_; }
  const RankSettings& settings() const { return settings_; }

  /// Runs a first task to its end, and all that it starts.
  void run(const std::function<void(Task&)>& body);

  // Of the task that runs.

  /// `count` elements. All throw UsageError where memory is shared with open requests that must not share it.
  Request begin_send(Task& task, const ProcessGroup& group, Rank dest, Stream stream, std::span<const ConstVectorView> pieces,
                     std::int64_t count);
  Request begin_receive(Task& task, const ProcessGroup& group, Rank source, Stream stream, std::span<const VectorView> pieces,
                        std::int64_t count);
  /// The task itself reads `from` and writes `into`, as `what` ("copy") does.
  void require_usable(const Task& task, const char* what, VectorView into, ConstVectorView from) const;
  void wait_all(Task& task, std::span<const Request> requests, std::span<Status> statuses);
  /// Throws CheckError (hygiene) where some are left.
  void require_all_waited_for(const Task& task) const;
  void run_branches(Task& task, int n, bool share_messages, const std::function<void(int, Task&)>& body);

  /// The group of these members, once for all communicators of them.
  std::shared_ptr<const ProcessGroup> keep_group(ProcessGroup group);
  std::shared_ptr<const void> shared_plan(const std::string& key, const std::function<std::shared_ptr<const void>()>& make);
  /// Whether it is the only one: nothing else of this process could go on.
  bool is_alone(const Task& task) const { return task.parent == nullptr; }
  /// Throws UsageError if anybody else calls; a run that has failed throws to unwind the task.
  void require_caller(const Task& task, const char* function) const;

 private:
  struct Slot {
    std::uint32_t generation = 0;
    bool is_open = false;
    bool is_done = false;
    bool is_awaited = false;
    bool is_receive = false;
    Task* owner = nullptr;
    Task* waiting = nullptr;
    const ProcessGroup* group = nullptr;
    std::size_t element = 1;
    std::int64_t count = 0;
    emu::Pieces<VectorView> memory = {};  ///< of a send: nobody writes to it by this
    int peer = 0;                         ///< process, or kAnyPeer
    Stream stream = {};
    Status status = {};
  };

  struct OpenSlots;

  void look_closely(Task& task, const emu::OpenRequest& asked);
  std::uint32_t open_slot(Task& task);
  Request keep(std::uint32_t slot, OperationId operation);
  void start(Task& task, std::function<void()> body);
  void run_once(Task& task);
  void unwind();
  /// Lets others run until somebody has made the task ready.
  void block(Task& task);
  void make_ready(Task& task) { ready_.push_back(&task); }
  void end(Task& task);
  void settle(const Completion& completion);
  void wait_for_network();
  std::string stall_text() const;

  Transport& transport_;
  const RankSettings settings_;
  std::unordered_map<std::string, std::shared_ptr<const void>> plans_;  ///< until the tasks are gone
  std::unique_ptr<emu::Tasks> tasks_;
  std::deque<Task*> ready_;
  std::vector<Task*> live_;
  std::exception_ptr failure_;  ///< the first; tasks are being unwound
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::unordered_map<OperationId, std::uint32_t> slot_of_;
  std::vector<Completion> ended_;
  std::optional<std::chrono::steady_clock::time_point> waiting_since_;  ///< that nothing has come, and no task has run
  int branches_made_ = 0;
  std::map<std::vector<int>, std::shared_ptr<const ProcessGroup>> groups_;  ///< by members
};

// Numbers that tell the messages of communicators apart. All ranks make the same ones without asking each other: a number is the path
// to its communicator, as bits.

/// Of all processes together.
inline constexpr std::uint64_t kWorldContext = emu::kWorldPath;

/// Of task i of n, of the communicator's concurrently() number `call`. Calls of one communicator come one after another on each rank,
/// and messages of one stream do not overtake, so that a number may come again; to receives from any rank four calls in a row differ.
/// Throws UsageError where communicators are nested too deeply for 64 bits.
std::uint64_t branch_context(std::uint64_t parent, std::uint32_t call, int n, int i);

/// Of the communicator that split() number `split` made. Eight in a row differ. Throws as branch_context.
std::uint64_t part_context(std::uint64_t parent, std::uint32_t split);

/// As run_rank, for who measures.
void run_measured_rank(Transport& transport, const emu::MeasuredFunction& body, const RankSettings& settings);

}  // namespace heddle::net
