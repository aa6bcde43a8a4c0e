// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "core/argument_checks.hpp"
#include "emu/memory/in_memory_runtime.hpp"
#include "emu/messages/payload.hpp"
#include "emu/record/failure.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

using Slot = InMemoryRuntime::Slot;

std::uint32_t slot_index(Request request) { return static_cast<std::uint32_t>(request.id() >> 20 & 0xfffff); }

}  // namespace

Request InMemoryCommunicator::handle(std::uint32_t slot) const {
  return Request(std::uint64_t{task_.id} << 40 | std::uint64_t{slot & 0xfffff} << 20 |
                 (task_.slots[slot].generation & 0xfffff));
}

bool InMemoryCommunicator::is_refused(const char* function) const {
  if (calling_task == &task_.identity) return !runtime_.goes_on(task_);
  const std::string text = wrong_caller_text(task_.identity, calling_task, function);
  if (calling_task != nullptr) throw UsageError(text);
  runtime_.note_misuse(text);
  return true;
}

Request InMemoryCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  return isend(dest, pieces, tag, SendOptions{});
}

Request InMemoryCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) {
  if (is_refused("isend")) return {};
  require_rank(dest, size(), "isend to rank");
  auto send = std::make_shared<InMemoryRuntime::Send>();
  send->count = elements_of(pieces, "isend");
  send->key = {context_, rank_, dest.value(), tag.value()};
  send->source = task_.rank;
  send->dest = world_rank(dest);
  send->from.assign(pieces);
  send->type = send->from.type();
  send->sender = &task_;
  send->label = options.label;
  send->must_meet = options.mode == SendMode::synchronous;
  if (options.mode == SendMode::buffered) {
    send->kept.assign(pieces);
    send->is_kept = true;
  }
  const AddressRange range = range_of(pieces);
  if (task_.open.may_meet_receive(range)) {
    InMemoryRuntime::require_apart(
        task_, {true, places_of(pieces), request_text(true, send->count, send->type, send->dest, tag.value())});
  }
  const std::uint32_t index = runtime_.take_slot(task_);
  ++task_.slots[index].generation;
  task_.slots[index].send = send;
  task_.open.begin_send(range);
  const Request request = handle(index);
  try {
    runtime_.send(send, options.mode == SendMode::ready);
  } catch (...) {
    end_wait(std::span(&request, 1), {});
    throw;
  }
  return request;
}

Request InMemoryCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  return begin_receive(source, pieces, tag, nullptr, Side::right);
}

Request InMemoryCommunicator::begin_receive(Rank source, std::span<const VectorView> pieces, Tag tag, const ReduceOp* op,
                                            Side side) {
  if (is_refused("irecv")) return {};
  if (source != kAnySource) require_rank(source, size(), "irecv from rank");
  auto receive = std::make_shared<InMemoryRuntime::Receive>();
  receive->count = elements_of(pieces, "irecv");
  receive->key = {context_, source.value(), rank_, tag.value()};
  receive->peer = source == kAnySource ? -1 : world_rank(source);
  receive->rank = task_.rank;
  receive->into.assign(pieces);
  receive->type = receive->into.type();
  receive->op = op;
  receive->side = side;
  receive->receiver = &task_;
  const AddressRange range = range_of(pieces);
  const auto asked = [&] {
    return OpenRequest{false, places_of(pieces),
                       request_text(false, receive->count, receive->type, receive->peer, tag.value())};
  };
  require_own_pieces(pieces, asked, task_.names);
  if (task_.open.may_meet_any(range)) InMemoryRuntime::require_apart(task_, asked());
  const std::uint32_t index = runtime_.take_slot(task_);
  Slot& slot = task_.slots[index];
  ++slot.generation;
  slot.receive = receive;
  task_.open.begin_receive(range);
  runtime_.receive(receive);
  return handle(index);
}

Request InMemoryCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) {
  if (options.takes_longer) throw UsageError("irecv that cuts a longer message: not served by ranks in memory");
  return irecv(source, pieces, tag);
}

bool InMemoryCommunicator::is_mine(Request request) const {
  const std::uint32_t index = slot_index(request);
  return request.id() >> 40 == (task_.id & 0xffffff) && index < task_.slots.size() &&
         (task_.slots[index].send || task_.slots[index].receive) &&
         (task_.slots[index].generation & 0xfffff) == (request.id() & 0xfffff) && !task_.slots[index].is_awaited;
}

bool InMemoryCommunicator::is_complete(Request request) {
  if (is_refused("is_complete")) return false;
  if (!is_mine(request))
    throw UsageError("is_complete() of a request that this task has not posted, or has waited for or freed already");
  runtime_.progress(task_);
  return !task_.slots[slot_index(request)].is_pending();
}

void InMemoryCommunicator::begin_wait(std::span<const Request> requests) {
  if (task_.open.is_unchecked) InMemoryRuntime::require_all_apart(task_);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!is_mine(requests[i])) {
      for (const Request before : requests.first(i)) task_.slots[slot_index(before)].is_awaited = false;
      throw UsageError("wait for a request that this task has not posted, or has waited for already");
    }
    task_.slots[slot_index(requests[i])].is_awaited = true;
  }
}

void InMemoryCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  if (is_refused("wait_all")) return;
  require_places_for_statuses(statuses.size(), requests.size());
  begin_wait(requests);
  for (std::size_t done = 0; done < requests.size();) {
    const std::uint32_t seen = task_.signals;
    const bool has_come = runtime_.progress(task_);
    while (done < requests.size() && !task_.slots[slot_index(requests[done])].is_pending()) ++done;
    if (done < requests.size() && !has_come) runtime_.sleep(task_, seen);
    if (!runtime_.goes_on(task_)) break;
  }
  end_wait(requests, statuses);
}

std::size_t InMemoryCommunicator::wait_any(std::span<const Request> requests, Status* status) {
  if (is_refused("wait_any")) return 0;
  if (requests.empty()) throw UsageError("wait_any() of no requests: it would wait for ever");
  begin_wait(requests);
  std::size_t first = 0;
  while (true) {
    const std::uint32_t seen = task_.signals;
    const bool has_come = runtime_.progress(task_);
    first = 0;
    while (first < requests.size() && task_.slots[slot_index(requests[first])].is_pending()) ++first;
    if (first < requests.size() || !runtime_.goes_on(task_)) break;
    if (!has_come) runtime_.sleep(task_, seen);
  }
  for (const Request request : requests) task_.slots[slot_index(request)].is_awaited = false;
  if (first == requests.size()) return 0;  // the run is being given up
  end_wait(requests.subspan(first, 1), std::span(status, status == nullptr ? 0 : 1));
  return first;
}

void InMemoryCommunicator::end_wait(std::span<const Request> requests, std::span<Status> statuses) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::uint32_t index = slot_index(requests[i]);
    Slot& slot = task_.slots[index];
    if (i < statuses.size())
      statuses[i] =
          slot.receive ? slot.receive->status : Status{Rank(slot.send->key.dest), Tag(slot.send->key.tag), slot.send->count};
    if (slot.receive)
      task_.open.end_receive();
    else
      task_.open.end_send();
    slot.send = nullptr;
    slot.receive = nullptr;
    slot.is_awaited = false;
    task_.free_slots.push_back(index);
  }
}

/// Without scratch: the sums grow straight from the sender's memory.
void InMemoryCommunicator::sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source,
                                           std::span<const VectorView> sums, VectorView scratch, const ReduceOp& op,
                                           Side side) {
  require_reducible(data, sums, elements_of(sums, "irecv"), scratch, task_.names);
  const Request receive = begin_receive(source, sums, Tag(), &op, side);
  const Request send = isend(dest, data, Tag());
  wait_all({receive, send});
}

void InMemoryCommunicator::measure_concurrently(int n, MessageSpace space,
                                                const std::function<void(int, MeasuredCommunicator&)>& body) {
  if (is_refused("concurrently")) return;
  if (n < 0) throw UsageError(fmt::format("concurrently({}, …): the number of tasks must not be negative", n));
  require_own_messages(task_.shares_messages, "concurrently()");
  if (n == 0) return;
  const bool is_shared = space == MessageSpace::shared;
  const std::uint32_t first = is_shared ? context_ : runtime_.first_context(context_, concurrently_calls_++, n, task_.rank);
  runtime_.concurrently(task_, n, [&](int i, InMemoryRuntime::Task& task) {
    task.shares_messages = is_shared;
    task.names = task_.names;
    InMemoryCommunicator communicator(runtime_, task, group_, rank_, first + (is_shared ? 0 : static_cast<std::uint32_t>(i)));
    body(i, communicator);
  });
}

std::unique_ptr<MeasuredCommunicator> InMemoryCommunicator::split_measured(int color, int key) {
  if (is_refused("split")) return nullptr;
  require_own_messages(task_.shares_messages, "split()");
  runtime_.split(task_, {group_, rank_, context_, split_calls_++, color, key});
  if (!task_.part) return nullptr;
  const auto [group, place] = *task_.part;
  return std::make_unique<InMemoryCommunicator>(runtime_, task_, group, place.first, place.second);
}

void InMemoryCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  if (is_refused("reduce_into")) return;
  InMemoryRuntime::require_usable(task_, "reduce_into", into, from);
  op.apply(into, from, side);
}

void InMemoryCommunicator::copy(VectorView into, ConstVectorView from) {
  if (is_refused("copy")) return;
  if (into.data() != from.data()) InMemoryRuntime::require_usable(task_, "copy", into, from);
  copy_vector(into, from, task_.names);
}

Time InMemoryCommunicator::now() const {
  if (!begin_) return Time();
  return Time::ps(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - *begin_).count() *
                  1000);
}

void InMemoryCommunicator::require_all_waited_for() {
  const std::string left = InMemoryRuntime::left_requests(task_);
  if (!left.empty()) throw CheckError(CheckError::Kind::hygiene, left);
}

void InMemoryCommunicator::start_line() {
  runtime_.barrier(task_);
  begin_ = std::chrono::steady_clock::now();
}

Time InMemoryCommunicator::finish_line() {
  const Time end = now();
  runtime_.barrier(task_);
  return end;
}

std::shared_ptr<const void> InMemoryCommunicator::shared_plan_erased(const std::string& key,
                                                                     const std::function<std::shared_ptr<const void>()>& make) {
  return runtime_.shared_plan(group_->id, key, make);
}

// Communicators of ranks that share their memory: splits and branches.

void InMemoryRuntime::split(Task& task, const SplitCall& call) {
  {
    std::unique_lock lock(mutex_);
    task.part.reset();
    task.has_split = false;
    if (const auto whole = splits_.add(call, &task)) make_groups(*whole);
    while (!task.has_split && !is_over_) fall_asleep(task, lock);
  }
  goes_on(task);
}

void InMemoryRuntime::make_groups(const SplitCalls<Task*>::Gathered& call) {
  for (const std::vector<std::size_t>& indices : split_parts(call.calls)) {
    std::vector<int> members;
    for (const std::size_t i : indices) members.push_back(call.members[i]->rank);
    const std::shared_ptr<const Group> group = group_maker_.make(std::move(members));
    const std::uint32_t context = contexts_.take(call.calls.front().parent_context, call.calls.front().call);
    for (std::size_t rank = 0; rank < indices.size(); ++rank)
      call.members[indices[rank]]->part.emplace(group, std::pair(static_cast<int>(rank), context));
  }
  for (Task* task : call.members) {
    task->has_split = true;
    wake(*task);
  }
}

std::uint32_t InMemoryRuntime::first_context(std::uint32_t parent, std::uint32_t call, int tasks, int rank) {
  const std::lock_guard lock(mutex_);
  const Contexts::Branches& branches = contexts_.branches(parent, call, tasks, rank);
  if (branches.tasks != tasks)
    throw UsageError(fmt::format("concurrently({}, …) where another rank called concurrently({}, …)", tasks, branches.tasks));
  return branches.first;
}

}  // namespace heddle::emu
