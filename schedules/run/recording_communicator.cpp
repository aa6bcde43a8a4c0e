// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "schedules/run/recording.hpp"

namespace heddle {

namespace {

/// The operation of a message without data.
constexpr std::int32_t kNothing = -1;

template <class View>
std::vector<MemoryRange> ranges_of(std::span<const View> pieces) {
  std::vector<MemoryRange> ranges;
  for (const View& piece : pieces) {
    if (!piece.empty()) ranges.push_back({piece.data(), piece.size_bytes()});
  }
  return ranges;
}

std::vector<MemoryRange> range_of(ConstVectorView view) { return ranges_of(std::span<const ConstVectorView>(&view, 1)); }

void add_once(std::vector<std::int32_t>& list, std::int32_t number) {
  if (std::ranges::find(list, number) == list.end()) list.push_back(number);
}

}  // namespace

std::int32_t RecordingCommunicator::add(RecordedOperation operation) {
  if (operation.from.empty() && operation.into.empty()) return kNothing;
  operation.task = task_->number;
  operation.after = task_->after;
  return recording_.add(std::move(operation));
}

Request RecordingCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  const Request request = inner().isend(dest, pieces, tag);
  const std::int32_t number = add({.kind = RecordedOperation::Kind::send,
                                   .peer = world_[static_cast<std::size_t>(dest.value())],
                                   .stream = stream(tag),
                                   .from = ranges_of(pieces)});
  open_[request.id()] = {number, task_->after};
  return request;
}

Request RecordingCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  const Request request = inner().irecv(source, pieces, tag);
  const bool is_from_any = source == kAnySource;
  const std::int32_t number = add({.kind = RecordedOperation::Kind::receive,
                                   .peer = is_from_any ? -1 : world_[static_cast<std::size_t>(source.value())],
                                   .stream = stream(tag),
                                   .into = ranges_of(pieces)});
  open_[request.id()] = {number, task_->after, is_from_any};
  return request;
}

void RecordingCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  std::vector<Status> all(requests.size());
  inner().wait_all(requests, all);
  std::vector<Open> done;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto place = open_.find(requests[i].id());
    if (place->second.is_from_any && place->second.operation != kNothing)
      recording_.set_peer(place->second.operation, world_[static_cast<std::size_t>(all[i].peer.value())]);
    done.push_back(std::move(place->second));
    open_.erase(place);
  }
  waited_for(done);
  std::ranges::copy_n(all.begin(), static_cast<std::ptrdiff_t>(std::min(all.size(), statuses.size())), statuses.begin());
}

/// What one of them had waited for itself need not be named any more.
void RecordingCommunicator::waited_for(const std::vector<Open>& done) {
  std::erase_if(task_->after, [&](std::int32_t before) {
    return std::ranges::any_of(done,
                               [&](const Open& open) { return std::ranges::find(open.after, before) != open.after.end(); });
  });
  for (const Open& open : done) {
    if (open.operation != kNothing) add_once(task_->after, open.operation);
  }
}

void RecordingCommunicator::concurrently(int n, const std::function<void(int, Communicator&)>& body) {
  run_tasks(n, false, body);
}

void RecordingCommunicator::concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) {
  run_tasks(n, true, body);
}

void RecordingCommunicator::run_tasks(int n, bool is_shared, const std::function<void(int, Communicator&)>& body) {
  const std::string name = is_shared ? name_ : name_ + '/' + std::to_string(calls_++);
  std::vector<std::shared_ptr<TaskRecord>> tasks;
  for (int i = 0; i < n; ++i) tasks.push_back(std::make_shared<TaskRecord>(TaskRecord{recording_.take_task(), task_->after}));
  const auto record = [&](int i, Communicator& task) {
    RecordingCommunicator recorder(task, recording_, world_, is_shared ? name : name + '.' + std::to_string(i),
                                   tasks[static_cast<std::size_t>(i)]);
    body(i, recorder);
  };
  if (is_shared)
    inner().concurrently_shared(n, record);
  else
    inner().concurrently(n, record);
  // All that they did comes after what was waited for before, which those that did something stand for.
  std::vector<std::int32_t> after;
  for (const auto& task : tasks) {
    if (task->after == task_->after) continue;
    for (const std::int32_t number : task->after) add_once(after, number);
  }
  if (!after.empty()) task_->after = std::move(after);
}

/// The ranks of the call that the new communicator has: each tells all others its own.
std::unique_ptr<Communicator> RecordingCommunicator::split(int color, int key) {
  const std::string name = name_ + '/' + std::to_string(calls_++) + ':' + std::to_string(color);
  std::unique_ptr<Communicator> part = inner().split(color, key);
  if (!part) return nullptr;
  std::vector<int> world(static_cast<std::size_t>(part->size()));
  const int own = world_[static_cast<std::size_t>(rank().value())];
  const std::array<int, 1> told = {own};
  std::vector<Request> requests;
  for (int r = 0; r < part->size(); ++r) {
    if (r == part->rank().value()) continue;
    requests.push_back(part->irecv(Rank(r), VectorView(std::span(&world[static_cast<std::size_t>(r)], 1))));
    requests.push_back(part->isend(Rank(r), ConstVectorView(std::span(told))));
  }
  part->wait_all(requests);
  world[static_cast<std::size_t>(part->rank().value())] = own;
  return std::make_unique<RecordingCommunicator>(std::move(part), recording_, std::move(world), name, task_);
}

void RecordingCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) {
  inner().reduce_into(into, from, op, side);
  if (into.empty()) return;
  task_->after = {add({.kind = RecordedOperation::Kind::reduce, .from = range_of(from), .into = range_of(into)})};
}

void RecordingCommunicator::copy(VectorView into, ConstVectorView from) {
  inner().copy(into, from);
  if (into.empty() || into.data() == from.data()) return;
  task_->after = {add({.kind = RecordedOperation::Kind::copy, .from = range_of(from), .into = range_of(into)})};
}

}  // namespace heddle
