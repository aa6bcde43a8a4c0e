// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/provenance/message_log.hpp"

#include <utility>

namespace heddle::emu {

namespace {

/// Calls visit(carried, address) for each value with the address of its position in the pieces, which are of its type.
template <class View, class Visit>
void find_addresses(std::vector<LoggedMessage::Carried>& carried, std::span<const View> pieces, Visit visit) {
  std::size_t next = 0;
  std::int64_t first = 0;  // position of the piece
  for (const View& piece : pieces) {
    for (; next < carried.size() && carried[next].position < first + piece.count(); ++next)
      visit(carried[next], piece.data() + static_cast<std::size_t>(carried[next].position - first) * piece.type().size());
    first += piece.count();
  }
}

}  // namespace

void MessageLog::posted(const PostedMessage& message) {
  LoggedMessage logged;
  logged.source = message.source;
  logged.dest = message.dest;
  logged.tag = message.tag;
  logged.round = message.round;
  logged.verification = message.verification;
  logged.posted = message.time;
  logged.posted_event = events_++;
  logged.elements = message.data.count();
  // A message of another type carries nothing that has a name.
  const std::size_t size = contributions_.type().size();
  if (message.data.type() == contributions_.type()) {
    for (std::int64_t i = 0; i < message.data.count(); ++i) {
      const ValueId value = contributions_.read(message.data.data() + static_cast<std::size_t>(i) * size);
      if (contributions_.is_traced(value)) logged.carried.push_back({.value = value, .position = i});
    }
  }
  if (message.source != PostedMessage::kSwitches) shared_memory_.send_posted(message.source, message.from);
  if (keep_ == Keep::traced && logged.carried.empty()) {
    others_.emplace(message.number, std::move(logged));
    return;
  }
  find_addresses(logged.carried, message.from,
                 [](LoggedMessage::Carried& carried, const std::byte* address) { carried.from = address; });
  under_way_.emplace(message.number, messages_.size());
  messages_.push_back(std::move(logged));
}

void MessageLog::posted_receive(const PostedReceive& receive) { shared_memory_.receive_posted(receive.rank, receive.into); }

void MessageLog::note_received(LoggedMessage& message, bool in_verification, Time time, std::span<const VectorView> into) {
  message.received = time;
  message.received_in_verification = in_verification;
  message.received_event = events_++;
  for (const VectorView& piece : into) message.asked += piece.count();
  if (message.source == PostedMessage::kSwitches || message.dest == PostedMessage::kSwitches) return;
  shared_memory_.receive_completed(message.dest, into);
  if (message.elements < message.asked) short_messages_.push_back(message);
}

void MessageLog::received(std::uint64_t number, bool in_verification, Time time, std::span<const VectorView> into) {
  if (const auto other = others_.extract(number); !other.empty())
    return note_received(other.mapped(), in_verification, time, into);
  const auto place = under_way_.find(number);
  if (place == under_way_.end()) return;
  LoggedMessage& message = messages_[place->second];
  note_received(message, in_verification, time, into);
  find_addresses(message.carried, into,
                 [](LoggedMessage::Carried& carried, const std::byte* address) { carried.into = address; });
  under_way_.erase(place);
}

}  // namespace heddle::emu
