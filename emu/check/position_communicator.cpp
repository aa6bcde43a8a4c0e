// SPDX-License-Identifier: Apache-2.0
#include "emu/check/position_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

/// So many bytes travel as they are.
constexpr std::int64_t kShort = 4096;

std::int64_t bytes_of(std::int64_t count, Datatype type) { return count * static_cast<std::int64_t>(type.size()); }

template <class View>
void require_counts(const char* call, std::span<const View> pieces) {
  for (const View& piece : pieces)
    if (piece.count() < 0) throw UsageError(fmt::format("{} of {} elements: it must not be negative", call, piece.count()));
}

}  // namespace

std::unique_lock<std::mutex> PositionCommunicator::begin_action() {
  std::unique_lock lock(positions_.mutex);
  ++positions_.actions;
  if (positions_.is_exhausted()) throw UsageError("more messages than are followed");
  return lock;
}

Request PositionCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) {
  std::unique_lock lock = begin_action();
  require_counts("isend", pieces);
  Positions::Message message;
  for (const ConstVectorView& piece : pieces) {
    if (piece.empty()) continue;
    const std::int64_t bytes = bytes_of(piece.count(), piece.type());
    for (const Stretch& stretch : positions_.contents.read(piece.data(), bytes)) message.stretches.push_back(stretch);
    message.bytes += bytes;
  }
  if (message.bytes <= kShort) {
    for (const ConstVectorView& piece : pieces) {
      if (!piece.empty()) positions_.memory.append_to(message.data, piece.data(), piece.size_bytes());
    }
  }
  Pending send;
  *send.number = static_cast<std::uint64_t>(positions_.actions);
  positions_.under_way.emplace(*send.number, std::move(message));
  lock.unlock();
  const Request request = inner().isend(dest, std::span(send.number.get(), 1), tag);
  pending_.insert_or_assign(request.id(), std::move(send));
  return request;
}

Request PositionCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag) {
  begin_action().unlock();
  require_counts("irecv", pieces);
  Pending receive{.into = {pieces.begin(), pieces.end()}, .is_receive = true};
  const Request request = inner().irecv(source, std::span(receive.number.get(), 1), tag);
  pending_.insert_or_assign(request.id(), std::move(receive));
  return request;
}

std::int64_t PositionCommunicator::take(const Pending& receive) {
  const std::lock_guard lock(positions_.mutex);
  const auto found = positions_.under_way.find(*receive.number);
  const Positions::Message message = std::move(found->second);
  positions_.under_way.erase(found);
  std::int64_t room = 0;
  for (const VectorView& piece : receive.into) room += bytes_of(piece.count(), piece.type());
  if (message.bytes > room)
    throw CheckError(CheckError::Kind::truncation,
                     fmt::format("a message of {} bytes is longer than its receive of {} bytes", message.bytes, room));
  std::span<const Stretch> left = message.stretches;
  std::int64_t used = 0;  // of the first stretch that is left
  std::size_t written = 0;
  for (const VectorView& piece : receive.into) {
    std::int64_t bytes = bytes_of(piece.count(), piece.type());
    std::byte* at = piece.data();
    while (bytes > 0 && !left.empty()) {
      const Stretch& whole = left.front();
      const Stretch part{std::min(bytes, whole.bytes - used), whole.terms, whole.position + used};
      positions_.contents.write(at, std::span(&part, 1));
      if (!message.data.empty() && !positions_.memory.contains(at))
        std::memcpy(at, message.data.data() + written, static_cast<std::size_t>(part.bytes));
      written += static_cast<std::size_t>(part.bytes);
      at += part.bytes;
      bytes -= part.bytes;
      used += part.bytes;
      if (used == whole.bytes) left = left.subspan(1), used = 0;
    }
  }
  return receive.into.empty() ? 0 : message.bytes / static_cast<std::int64_t>(receive.into.front().type().size());
}

void PositionCommunicator::wait_all(std::span<const Request> requests, std::span<Status> statuses) {
  std::vector<Status> got(requests.size());
  inner().wait_all(requests, got);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto found = pending_.find(requests[i].id());
    if (found == pending_.end()) continue;
    if (found->second.is_receive) got[i].count = take(found->second);
    pending_.erase(found);
  }
  std::ranges::copy(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(statuses.size()), statuses.begin());
}

void PositionCommunicator::concurrently(int n, const std::function<void(int, Communicator&)>& body) {
  inner().concurrently(n, [&](int task, Communicator& inner) {
    PositionCommunicator own(positions_, inner);
    body(task, own);
  });
}

void PositionCommunicator::concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) {
  inner().concurrently_shared(n, [&](int task, Communicator& inner) {
    PositionCommunicator own(positions_, inner);
    body(task, own);
  });
}

std::unique_ptr<Communicator> PositionCommunicator::split(int color, int key) {
  std::unique_ptr<Communicator> part = inner().split(color, key);
  if (part == nullptr) return nullptr;
  return std::make_unique<PositionCommunicator>(positions_, std::move(part));
}

void PositionCommunicator::reduce_into(VectorView into, ConstVectorView from, const ReduceOp&, Side) {
  const std::unique_lock lock = begin_action();
  require_counts("reduce_into", std::span<const VectorView>(&into, 1));
  if (into.count() != from.count())
    throw UsageError(fmt::format("reduce_into of {} elements into {}", from.count(), into.count()));
  if (from.empty()) return;
  positions_.contents.combine(into.data(), positions_.contents.read(from.data(), bytes_of(from.count(), from.type())));
}

void PositionCommunicator::copy(VectorView into, ConstVectorView from) {
  const std::unique_lock lock = begin_action();
  require_counts("copy", std::span<const VectorView>(&into, 1));
  if (into.count() != from.count()) throw UsageError(fmt::format("copy of {} elements into {}", from.count(), into.count()));
  if (from.empty() || from.data() == into.data()) return;
  const std::int64_t bytes = bytes_of(from.count(), from.type());
  positions_.contents.write(into.data(), positions_.contents.read(from.data(), bytes));
  if (bytes > kShort || positions_.memory.contains(into.data())) return;
  std::vector<std::byte> data;
  positions_.memory.append_to(data, from.data(), static_cast<std::size_t>(bytes));
  std::memcpy(into.data(), data.data(), data.size());
}

}  // namespace heddle::emu
