// SPDX-License-Identifier: Apache-2.0
#include "net/ranks/process_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/errors.hpp"
#include "core/sanitizers.hpp"
#include "emu/messages/argument_checks.hpp"

namespace heddle::net {

namespace {

/// What unwinds the tasks of a run that has failed; nobody sees it.
struct RunHasFailed {};

std::uint32_t slot_of(Request request) { return static_cast<std::uint32_t>(request.id() >> 32); }
std::uint32_t generation_of(Request request) { return static_cast<std::uint32_t>(request.id()); }

/// ThreadSanitizer knows kernel threads alone.
std::unique_ptr<emu::Tasks> make_tasks(Bytes stack) {
  if (HEDDLE_THREAD_SANITIZER) return emu::make_kernel_tasks();
  return emu::make_user_tasks(static_cast<std::size_t>(stack.count()));
}

}  // namespace

ProcessRank::ProcessRank(Transport& transport, RankSettings settings)
    : transport_(transport), settings_(std::move(settings)), tasks_(make_tasks(settings_.stack)) {}

void ProcessRank::run(const std::function<void(Task&)>& body) {
  Task first{.identity = {.rank = transport_.rank()}};
  start(first, [&] { body(first); });
  try {
    while (!live_.empty() && !failure_) {
      if (ready_.empty()) {
        wait_for_network();
        continue;
      }
      Task* const task = ready_.front();
      ready_.pop_front();
      run_once(*task);
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  unwind();
  if (failure_) std::rethrow_exception(failure_);
}

void ProcessRank::run_once(Task& task) {
  const emu::CallingTaskScope scope(&task.identity);
  tasks_->run(std::array{task.id});
  waiting_since_.reset();
  if (tasks_->has_ended(task.id)) end(task);
}

/// Each call of a task throws from now on; who waits for branches ends after them.
void ProcessRank::unwind() {
  while (!live_.empty()) {
    for (Task* const task : std::vector(live_))
      if (std::ranges::find(live_, task) != live_.end()) run_once(*task);
  }
  ready_.clear();
}

void ProcessRank::start(Task& task, std::function<void()> body) {
  task.id = tasks_->create(
      [this, &task, body = std::move(body)] {
        const emu::CallingTaskScope scope(&task.identity);
        try {
          if (!failure_) body();
        } catch (const RunHasFailed&) {
        } catch (...) {
          if (!failure_) failure_ = std::current_exception();
        }
      },
      transport_.rank());
  live_.push_back(&task);
  make_ready(task);
}

void ProcessRank::end(Task& task) {
  tasks_->release(task.id);
  std::erase(live_, &task);
  if (task.parent != nullptr && --task.parent->missing == 0) make_ready(*task.parent);
}

void ProcessRank::block(Task& task) {
  do {
    tasks_->block(task.id);
    emu::calling_task = &task.identity;
    if (failure_ && task.missing > 0 && task.branches == 0) throw RunHasFailed();
  } while (task.missing > 0);
}

void ProcessRank::require_caller(const Task& task, const char* function) const {
  if (failure_) throw RunHasFailed();
  if (emu::calling_task == &task.identity) return;
  throw UsageError(emu::wrong_caller_text(task.identity, emu::calling_task, function));
}

std::uint32_t ProcessRank::open_slot(Task& task) {
  if (free_slots_.empty()) {
    emu::require_room_for_request(slots_.size());
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  const std::uint32_t generation = slots_[index].generation + 1;
  slots_[index] = {.generation = generation, .is_open = true, .owner = &task};
  return index;
}

Request ProcessRank::keep(std::uint32_t slot, OperationId operation) {
  slot_of_.emplace(operation, slot);
  return Request(std::uint64_t{slot} << 32 | slots_[slot].generation);
}

Request ProcessRank::begin_send(Task& task, const ProcessGroup& group, Rank dest, Stream stream, SendPieces pieces,
                                std::int64_t count) {
  const int process = group.members[static_cast<std::size_t>(dest.value())];
  const OperationId operation = transport_.send(process, stream, pieces);
  const std::uint32_t slot = open_slot(task);
  slots_[slot].group = &group;
  slots_[slot].peer = process;
  slots_[slot].stream = stream;
  slots_[slot].status = {dest, Tag(stream.tag), count};
  return keep(slot, operation);
}

Request ProcessRank::begin_receive(Task& task, const ProcessGroup& group, Rank source, Stream stream, ReceivePieces pieces,
                                   std::size_t element) {
  const int process = source == kAnySource ? kAnyPeer : group.members[static_cast<std::size_t>(source.value())];
  const OperationId operation = transport_.receive(process, stream, pieces);
  const std::uint32_t slot = open_slot(task);
  slots_[slot].is_receive = true;
  slots_[slot].group = &group;
  slots_[slot].element = element;
  slots_[slot].peer = process;
  slots_[slot].stream = stream;
  return keep(slot, operation);
}

void ProcessRank::wait_all(Task& task, std::span<const Request> requests, std::span<Status> statuses) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::uint32_t index = slot_of(requests[i]);
    const bool is_mine = index < slots_.size() && slots_[index].is_open && slots_[index].owner == &task &&
                         slots_[index].generation == generation_of(requests[i]) && !slots_[index].is_awaited;
    if (!is_mine) {
      for (const Request before : requests.first(i)) slots_[slot_of(before)].is_awaited = false;
      throw UsageError("wait for a request that this task has not posted, or has waited for already");
    }
    slots_[index].is_awaited = true;
  }
  task.missing = 0;
  for (const Request request : requests) {
    Slot& slot = slots_[slot_of(request)];
    if (slot.is_done) continue;
    slot.waiting = &task;
    ++task.missing;
  }
  if (task.missing > 0) block(task);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::uint32_t index = slot_of(requests[i]);
    if (i < statuses.size()) statuses[i] = slots_[index].status;
    slots_[index].is_open = false;
    free_slots_.push_back(index);
  }
}

void ProcessRank::run_branches(Task& task, int n, bool share_messages, const std::function<void(int, Task&)>& body) {
  std::deque<Task> branches;
  task.branches += n;
  task.missing = n;
  for (int i = 0; i < n; ++i) {
    Task& branch = branches.emplace_back();
    branch.identity = {.rank = task.identity.rank, .number = ++branches_made_, .parent = &task.identity};
    branch.parent = &task;
    branch.shares_messages = share_messages;
    start(branch, [&body, i, &branch] { body(i, branch); });
  }
  block(task);
  task.branches -= n;
  if (failure_) throw RunHasFailed();
}

void ProcessRank::settle(const Completion& completion) {
  const auto found = slot_of_.find(completion.operation);
  Slot& slot = slots_[found->second];
  slot_of_.erase(found);
  slot.is_done = true;
  if (slot.is_receive)
    slot.status = {Rank(slot.group->ranks[static_cast<std::size_t>(completion.peer)]), Tag(slot.stream.tag),
                   static_cast<std::int64_t>(completion.bytes / slot.element)};
  if (slot.waiting != nullptr && --slot.waiting->missing == 0) make_ready(*slot.waiting);
}

void ProcessRank::wait_for_network() {
  ended_.clear();
  transport_.progress(Patience::some, ended_);
  for (const Completion& completion : ended_) settle(completion);
  if (!settings_.stall_seconds) return;
  const auto now = std::chrono::steady_clock::now();
  if (!ended_.empty() || !waiting_since_) waiting_since_ = now;
  if (std::chrono::duration<double>(now - *waiting_since_).count() > *settings_.stall_seconds) throw NetworkError(stall_text());
}

std::string ProcessRank::stall_text() const {
  std::string text = fmt::format("rank {} has waited for {:g} s:", transport_.rank(), *settings_.stall_seconds);
  int shown = 0;
  for (const Slot& slot : slots_) {
    if (!slot.is_open || slot.is_done || slot.waiting == nullptr) continue;
    if (++shown > 4) return text + " …";
    const std::string peer = slot.peer == kAnyPeer ? "any rank" : fmt::format("rank {}", slot.peer);
    text += fmt::format("{} {} {} with tag {}", shown > 1 ? "," : "",
                        slot.is_receive ? "for a message from" : "until its message is taken by", peer, slot.stream.tag);
  }
  return text;
}

std::shared_ptr<const ProcessGroup> ProcessRank::keep_group(ProcessGroup group) {
  std::shared_ptr<const ProcessGroup>& kept = groups_[group.members];
  if (!kept) {
    group.number = static_cast<int>(groups_.size());
    kept = std::make_shared<const ProcessGroup>(std::move(group));
  }
  return kept;
}

std::shared_ptr<const void> ProcessRank::shared_plan(const std::string& key,
                                                     const std::function<std::shared_ptr<const void>()>& make) {
  std::shared_ptr<const void>& plan = plans_[key];
  if (!plan) plan = make();
  return plan;
}

}  // namespace heddle::net
