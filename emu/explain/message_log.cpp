// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/message_log.hpp"

#include <link.h>

#include <algorithm>

namespace heddle::emu {

namespace {

/// Calls visit(carried, address) for each value with the address of its position in the pieces, `size` bytes each.
template <class View, class Visit>
void find_addresses(std::vector<LoggedMessage::Carried>& carried, std::span<const View> pieces, std::size_t size, Visit visit) {
  std::size_t next = 0;
  std::size_t first = 0;  // byte of the piece
  for (const View& piece : pieces) {
    const auto offset = [&] { return static_cast<std::size_t>(carried[next].position) * size; };
    for (; next < carried.size() && offset() < first + piece.size_bytes(); ++next)
      visit(carried[next], piece.data() + (offset() - first));
    first += piece.size_bytes();
  }
}

/// What lies behind the first `count` elements of the pieces.
std::vector<ConstVectorView> behind(std::span<const VectorView> pieces, std::int64_t count) {
  std::vector<ConstVectorView> rest;
  for (const ConstVectorView piece : pieces) {
    const std::int64_t before = std::min(count, piece.count());
    count -= before;
    if (before < piece.count()) rest.push_back(piece.slice(before, piece.count() - before));
  }
  return rest;
}

}  // namespace

void MessageLog::posted(const PostedMessage& message) {
  LoggedMessage logged;
  logged.source = message.source;
  logged.dest = message.dest;
  logged.tag = message.tag;
  logged.round = message.round;
  logged.second_call = message.second_call;
  logged.posted = message.time;
  logged.posted_event = contributions_.next_event();
  logged.type = message.data.type();
  logged.elements = message.data.count();
  // Elements may be sent as bytes, too.
  const std::size_t size = contributions_.type().size();
  std::size_t named = 0;
  const std::size_t count = message.data.size_bytes() / size;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t untraced = contributions_.count_untraced(message.data.data() + i * size, count - i);
    named += untraced;
    i += untraced;
    if (i == count) break;
    const ValueId value = contributions_.read(message.data.data() + i * size);
    if (value != Contributions::kUnknown) ++named;
    if (contributions_.is_traced(value)) logged.carried.push_back({.value = value, .position = static_cast<std::int64_t>(i)});
  }
  // Bytes that are whole elements, each known, are followed as elements are.
  const bool is_of_elements =
      message.data.type() == contributions_.type() || message.data.empty() || named * size == message.data.size_bytes();
  if (!is_of_elements && !first_of_other_type_)
    first_of_other_type_ = OtherType{message.source, message.dest, message.tag, message.data.type()};
  if (message.source != PostedMessage::kSwitches) shared_memory_.send_posted(message.source, message.from);
  if (!contributions_.traces_all() && logged.carried.empty()) {
    others_.emplace(message.number, std::move(logged));
    return;
  }
  find_addresses(logged.carried, message.from, size,
                 [](LoggedMessage::Carried& carried, const std::byte* address) { carried.from = address; });
  under_way_.emplace(message.number, messages_.size());
  messages_.push_back(std::move(logged));
}

void MessageLog::called_by(std::uint64_t number, const std::string& call) {
  if (const auto other = others_.find(number); other != others_.end()) other->second.calls += ", " + call;
  if (const auto kept = under_way_.find(number); kept != under_way_.end()) messages_[kept->second].calls += ", " + call;
}

void MessageLog::note_received(LoggedMessage& message, bool in_second_call, Time time, std::span<const VectorView> into) {
  message.received = time;
  message.received_in_second_call = in_second_call;
  message.received_event = contributions_.next_event();
  for (const VectorView& piece : into) message.asked += piece.count();
  if (message.source == PostedMessage::kSwitches || message.dest == PostedMessage::kSwitches) return;
  shared_memory_.receive_completed(message.dest, into);
  if (message.elements >= message.asked) return;
  short_messages_.push_back(message);
  short_messages_.back().unfilled = behind(into, message.elements);
}

void MessageLog::received(std::uint64_t number, bool in_second_call, Time time, std::span<const VectorView> into) {
  if (const auto other = others_.extract(number); !other.empty())
    return note_received(other.mapped(), in_second_call, time, into);
  const auto place = under_way_.find(number);
  if (place == under_way_.end()) return;
  LoggedMessage& message = messages_[place->second];
  note_received(message, in_second_call, time, into);
  find_addresses(message.carried, into, contributions_.type().size(),
                 [](LoggedMessage::Carried& carried, const std::byte* address) { carried.into = address; });
  under_way_.erase(place);
}

// ---- who made sums ----

SumMakers::SumMakers(const Contributions& contributions, const std::vector<LoggedMessage>& messages, const std::byte* address,
                     int rank)
    : contributions_(contributions) {
  const auto note = [this](const std::byte* place, int of) {
    const auto [at, is_new] = ranks_.try_emplace(place, of);
    if (!is_new && at->second != of) at->second = kNobody;
  };
  note(nullptr, kNobody);
  note(address, rank);
  for (const LoggedMessage& message : messages) {
    for (const LoggedMessage::Carried& carried : message.carried) {
      note(carried.from, message.source);
      note(carried.into, message.dest);
    }
  }
}

int SumMakers::rank_of(const MadeSum& made) const {
  if (made.rank >= 0) return made.rank;
  const auto found = ranks_.find(made.at);
  return found == ranks_.end() ? kNobody : found->second;
}

int SumMakers::maker_of(ValueId value) const {
  int maker = kNobody;
  for (const MadeSum& made : contributions_.made()) {
    if (made.sum != value) continue;
    const int rank = rank_of(made);
    if (rank == kNobody || (maker != kNobody && maker != rank)) return kNobody;
    maker = rank;
  }
  return maker;
}

std::optional<std::uint64_t> SumMakers::first_made(ValueId value, int rank) const {
  std::optional<std::uint64_t> first;
  for (const MadeSum& made : contributions_.made())
    if (made.sum == value && rank_of(made) == rank) first = std::min(first.value_or(made.event), made.event);
  return first;
}

namespace {

using Ranges = std::vector<std::pair<const std::byte*, const std::byte*>>;

/// Adds what one library, or the program itself, has in memory that can be written.
int add_writable(dl_phdr_info* library, std::size_t, void* ranges) {
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const auto* const begin = reinterpret_cast<const std::byte*>(library->dlpi_addr + segment.p_vaddr);
    static_cast<Ranges*>(ranges)->emplace_back(begin, begin + segment.p_memsz);
  }
  return 0;
}

}  // namespace

SharedMemory::SharedMemory() { dl_iterate_phdr(add_writable, &static_memory_); }

bool SharedMemory::is_static(const std::byte* address) const {
  return std::any_of(static_memory_.begin(), static_memory_.end(),
                     [address](const auto& range) { return address >= range.first && address < range.second; });
}

void SharedMemory::compare(const Uses& uses, const std::byte* begin, const Use& use, bool is_static) {
  if (first_) return;
  // Uses of one rank do not overlap, nor do most others: one that begins before reaches no further than the next.
  auto at = uses.upper_bound(begin);
  if (at != uses.begin()) --at;
  for (; at != uses.end() && at->first < use.end; ++at) {
    const auto& [other_begin, other] = *at;
    if (other.rank == use.rank || other.end <= begin || !(other.receives || use.receives)) continue;
    const auto bytes = static_cast<std::size_t>(std::min(other.end, use.end) - std::max(other_begin, begin));
    if (use.receives)
      first_ = Finding{use.rank, other.rank, !other.receives, is_static, bytes};
    else
      first_ = Finding{other.rank, use.rank, true, is_static, bytes};
    return;
  }
}

void SharedMemory::note_static(const std::byte* begin, const Use& use) {
  if (first_ || !is_static(begin)) return;
  compare(statics_, begin, use, true);
  const auto [from, to] = statics_.equal_range(begin);
  const bool is_known = std::any_of(from, to, [&use](const auto& known) {
    return known.second.rank == use.rank && known.second.end >= use.end && known.second.receives == use.receives;
  });
  if (!is_known) statics_.emplace(begin, use);
}

template <class View>
void SharedMemory::note_posted(int rank, std::span<const View> pieces, bool receives) {
  for (const View& piece : pieces) {
    if (piece.empty()) continue;
    const Use use{piece.data() + piece.size_bytes(), rank, receives};
    compare(open_, piece.data(), use, is_static(piece.data()));
    note_static(piece.data(), use);
    if (receives) open_.emplace(piece.data(), use);
  }
}

void SharedMemory::receive_posted(int rank, std::span<const VectorView> into) { note_posted(rank, into, true); }
void SharedMemory::send_posted(int rank, std::span<const ConstVectorView> from) { note_posted(rank, from, false); }

void SharedMemory::receive_completed(int rank, std::span<const VectorView> into) {
  for (const VectorView& piece : into) {
    const auto [from, to] = open_.equal_range(piece.data());
    const auto done = std::find_if(from, to, [rank](const auto& use) { return use.second.rank == rank; });
    if (done != to) open_.erase(done);
  }
}

}  // namespace heddle::emu
