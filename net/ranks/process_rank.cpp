// SPDX-License-Identifier: Apache-2.0
#include "net/ranks/process_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "core/argument_checks.hpp"
#include "core/sanitizers.hpp"
#include "emu/record/failure.hpp"
#include "heddle/errors.hpp"

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
    require_room_for_request(slots_.size());
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

namespace {

/// So few pieces are listed without an allocation.
constexpr std::size_t kFewPieces = 8;

template <class Bytes, class View>
boost::container::small_vector<Bytes, kFewPieces> bytes_of(std::span<const View> pieces) {
  boost::container::small_vector<Bytes, kFewPieces> bytes;
  for (const View& piece : pieces)
    if (!piece.empty()) bytes.emplace_back(piece.data(), piece.size_bytes());
  return bytes;
}

template <class View>
emu::OpenRequest request_of(std::span<const View> pieces, bool is_send, std::int64_t count, int peer, Stream stream) {
  const Datatype type = pieces.empty() ? Datatype::user(1) : pieces[0].type();
  return {is_send, emu::places_of(pieces), emu::request_text(is_send, count, type, peer == kAnyPeer ? -1 : peer, stream.tag)};
}

}  // namespace

/// Of one task, for who looks closely at their memory.
struct ProcessRank::OpenSlots {
  const std::vector<Slot>& slots;
  const Task& task;

  template <class Visit>
  void each(const Visit& visit) const {
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      if (slots[i].is_open && slots[i].owner == &task) visit(i, !slots[i].is_receive, slots[i].memory.span());
    }
  }
  emu::OpenRequest request(std::uint32_t i) const {
    const Slot& slot = slots[i];
    return request_of(slot.memory.span(), !slot.is_receive, slot.count, slot.peer, slot.stream);
  }
};

void ProcessRank::look_closely(Task& task, const emu::OpenRequest& asked) {
  if (slots_.size() <= emu::kFewOpenRequests)
    return emu::require_apart(
        asked.is_send, std::span<const ConstVectorView>(asked.pieces), [&asked] { return asked; }, OpenSlots{slots_, task},
        task.names);
  task.open.is_unchecked = true;
}

void ProcessRank::require_usable(const Task& task, const char* what, VectorView into, ConstVectorView from) const {
  emu::require_usable(what, into, from, task.open, OpenSlots{slots_, task}, task.names);
}

Request ProcessRank::begin_send(Task& task, const ProcessGroup& group, Rank dest, Stream stream,
                                std::span<const ConstVectorView> pieces, std::int64_t count) {
  const int process = group.members[static_cast<std::size_t>(dest.value())];
  const emu::AddressRange range = emu::range_of(pieces);
  if (task.open.may_meet_receive(range)) look_closely(task, request_of(pieces, true, count, process, stream));
  const auto bytes = bytes_of<std::span<const std::byte>>(pieces);
  const OperationId operation = transport_.send(process, stream, {bytes.data(), bytes.size()});
  const std::uint32_t slot = open_slot(task);
  task.open.begin_send(range);
  slots_[slot].group = &group;
  slots_[slot].count = count;
  emu::assign_places(slots_[slot].memory, pieces);
  slots_[slot].peer = process;
  slots_[slot].stream = stream;
  slots_[slot].status = {dest, Tag(stream.tag), count};
  return keep(slot, operation);
}

Request ProcessRank::begin_receive(Task& task, const ProcessGroup& group, Rank source, Stream stream,
                                   std::span<const VectorView> pieces, std::int64_t count) {
  const int process = source == kAnySource ? kAnyPeer : group.members[static_cast<std::size_t>(source.value())];
  const emu::AddressRange range = emu::range_of(pieces);
  const auto asked = [&] { return request_of(pieces, false, count, process, stream); };
  emu::require_own_pieces(pieces, asked, task.names);
  if (task.open.may_meet_any(range)) look_closely(task, asked());
  const auto bytes = bytes_of<std::span<std::byte>>(pieces);
  const OperationId operation = transport_.receive(process, stream, {bytes.data(), bytes.size()});
  const std::uint32_t slot = open_slot(task);
  task.open.begin_receive(range);
  slots_[slot].is_receive = true;
  slots_[slot].group = &group;
  slots_[slot].element = pieces.empty() ? 1 : pieces.front().type().size();
  slots_[slot].count = count;
  slots_[slot].memory.assign(pieces);
  slots_[slot].peer = process;
  slots_[slot].stream = stream;
  return keep(slot, operation);
}

void ProcessRank::wait_all(Task& task, std::span<const Request> requests, std::span<Status> statuses) {
  require_places_for_statuses(statuses.size(), requests.size());
  if (task.open.is_unchecked) {
    task.open.is_unchecked = false;
    emu::require_all_apart(OpenSlots{slots_, task}, task.names);
  }
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
    if (slots_[index].is_receive)
      task.open.end_receive();
    else
      task.open.end_send();
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
    branch.names = task.names;
    start(branch, [&body, i, &branch] { body(i, branch); });
  }
  block(task);
  task.branches -= n;
  if (failure_) throw RunHasFailed();
}

void ProcessRank::require_all_waited_for(const Task& task) const {
  int left = 0;
  std::uint32_t first = 0;
  const OpenSlots open{slots_, task};
  open.each([&](std::uint32_t slot, bool, auto) {
    if (left++ == 0) first = slot;
  });
  if (left == 0) return;
  throw CheckError(CheckError::Kind::hygiene,
                   fmt::format("rank {} returned without waiting for {} of its requests, one of them {}", transport_.rank(),
                               left, open.request(first).text));
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
  if (emu::calling_task == &emu::maker_of_plans)
    throw UsageError("shared_plan() by the function that makes a shared plan; ask for the other plan before, and capture it");
  std::shared_ptr<const void>& plan = plans_[key];
  if (!plan) {
    const emu::CallingTaskScope making(&emu::maker_of_plans);
    plan = make();
  }
  return plan;
}

}  // namespace heddle::net
