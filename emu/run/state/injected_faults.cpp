// SPDX-License-Identifier: Apache-2.0
#include "emu/run/state/injected_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/pair_key.hpp"
#include "core/random.hpp"

namespace heddle::emu {

namespace {

/// From 0 to 1, of this message alone: whatever else is sent, and in whatever order, it is the same.
double drawn_share(std::uint64_t seed, int source, int dest, std::int64_t nth) {
  SplitMix64 of_pair(SplitMix64(seed).next() ^ pair_key(source, dest));
  SplitMix64 of_message(of_pair.next() ^ static_cast<std::uint64_t>(nth));
  return std::ldexp(static_cast<double>(of_message.next() >> 11), -53);
}

}  // namespace

InjectedFaults::InjectedFaults(const Faults& faults, std::size_t ranks)
    : faults_(faults), has_fault_(ranks, false), slower_(ranks, 1.0) {
  for (const RankFault& fault : faults.ranks) {
    const auto rank = static_cast<std::size_t>(fault.rank);
    has_fault_[rank] = true;
    if (fault.kind == RankFault::Kind::slow) slower_[rank] *= fault.factor;
  }
}

// ---- messages ----

const MessageFault* InjectedFaults::fault_of(int source, int dest, std::int64_t nth) const {
  const auto found = std::ranges::find_if(faults_.messages, [&](const MessageFault& fault) {
    return fault.source == source && fault.dest == dest && fault.nth == nth;
  });
  return found == faults_.messages.end() ? nullptr : &*found;
}

Fate InjectedFaults::draw_fate(int source, int dest, std::int64_t nth) const {
  if (const MessageFault* fault = fault_of(source, dest, nth)) return fault->damaged ? Fate::is_damaged : Fate::is_lost;
  if (!faults_.unreliable) return Fate::arrives;
  const double drawn = drawn_share(faults_.unreliable->seed, source, dest, nth);
  if (drawn < faults_.unreliable->lost) return Fate::is_lost;
  return drawn < faults_.unreliable->lost + faults_.unreliable->damaged ? Fate::is_damaged : Fate::arrives;
}

Fate InjectedFaults::draw_fate(const Message& message) {
  if (faults_.messages.empty() && !faults_.unreliable) return Fate::arrives;
  const std::int64_t nth = ++sent_[pair_key(message.source, message.dest)];
  const Fate fate = draw_fate(message.source, message.dest, nth);
  // A message of no bytes has none to damage.
  if (fate == Fate::arrives || (fate == Fate::is_damaged && message.payload.size() == 0)) return Fate::arrives;
  strikes_.emplace(message.number, Strike{nth, fault_of(message.source, message.dest, nth)});
  return fate;
}

std::string InjectedFaults::strike_text(const Message& message) const {
  const Strike& strike = strikes_.at(message.number);
  return fmt::format("message {} from rank {} to rank {}, fault {}", strike.nth, message.source, message.dest,
                     strike.fault != nullptr ? to_string(*strike.fault) : to_string(*faults_.unreliable));
}

void InjectedFaults::damage(Message& message) const {
  const Strike& strike = strikes_.at(message.number);
  const std::span<std::byte> bytes = message.payload.in_flight();
  SplitMix64 drawn(message.number);
  const auto byte = strike.fault != nullptr && strike.fault->byte
                        ? static_cast<std::uint64_t>(*strike.fault->byte) % bytes.size()
                        : drawn.below(bytes.size());
  bytes[byte] ^= static_cast<std::byte>(1 + drawn.below(255));
}

void InjectedFaults::note_lost(const Message& message, std::string text) {
  lost_.push_back(std::move(text));
  lost_on_.push_back(message.key);
}

bool InjectedFaults::has_lost_on(const ChannelKey& channel) const {
  return std::ranges::find(lost_on_, channel) != lost_on_.end();
}

// ---- ranks ----

Time InjectedFaults::slowed(int rank, Time time) const {
  const double factor = slower_[static_cast<std::size_t>(rank)];
  return factor == 1 ? time : Time::from_seconds(time.seconds() * factor);
}

Time InjectedFaults::late(int rank) const {
  Time until;
  for (const RankFault& fault : faults_.ranks) {
    if (fault.rank == rank && fault.kind == RankFault::Kind::late) until = std::max(until, fault.at);
  }
  return until;
}

const RankFault* InjectedFaults::striking(int rank, std::int64_t call, Time now) const {
  for (const RankFault& fault : faults_.ranks) {
    if (fault.rank != rank || fault.kind == RankFault::Kind::late || fault.kind == RankFault::Kind::slow) continue;
    if (fault.call > 0 ? call >= fault.call : now >= fault.at) return &fault;
  }
  return nullptr;
}

std::vector<std::string> InjectedFaults::idle(Time end, const Topology& topology) const {
  std::vector<std::string> idle;
  for (const LinkFault& fault : faults_.links) {
    if (fault.at >= end) idle.push_back(to_string(fault, topology));
  }
  for (const RankFault& fault : faults_.ranks) {
    // It would not have ended well.
    if (fault.kind == RankFault::Kind::throws || fault.kind == RankFault::Kind::stops) idle.push_back(to_string(fault));
  }
  for (const MessageFault& fault : faults_.messages) idle.push_back(to_string(fault));
  if (faults_.unreliable) idle.push_back(to_string(*faults_.unreliable));
  return idle;
}

}  // namespace heddle::emu
