// SPDX-License-Identifier: Apache-2.0
// Faults that a run is asked to have (docs/faults.md): when they strike, and what an error says of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "emu/emulation.hpp"

namespace heddle::emu {

namespace {

std::string strike_text(std::int64_t call, const char* name, const RankFault& fault) {
  return fmt::format("call {}, {}(), fault {}", call, name, to_string(fault));
}

}  // namespace

// ---- ranks, on their own strands ----

void Emulation::begin_faults(StrandId id) {
  StrandState& strand = strands_[id];
  if (const Time late = injected_->late(strand.rank); late > engine_->now())
    work(id, late - engine_->now(), WorkPost::Kind::idle);
  strand.counts_calls = true;
}

void Emulation::count_call(StrandId id, const char* name) {
  StrandState& strand = strands_[id];
  if (!strand.counts_calls) return;
  const RankFault* fault = injected_->striking(strand.rank, ++strand.calls, engine_->now());
  if (fault == nullptr) return;
  if (fault->kind == RankFault::Kind::throws) throw Error(strike_text(strand.calls, name, *fault));
  strand.stopped_by = fault;
  strand.stopped_in = name;
  strand.stopped_at = engine_->now();
  troubled_ = true;
  while (true) block(id, StrandState::Blocked::stopped);  // until the run is given up
}

// ---- messages ----

/// Where a message is damaged, what has arrived is held against what was sent.
bool Emulation::survives(Message& message) {
  const std::string strike = injected_->strike_text(message);
  if (message.fate == Fate::is_lost) {
    injected_->note_lost(
        message, fmt::format("{} was lost on its way at {} ({})", describe(message), to_string(engine_->now()), strike));
    return false;
  }
  const std::span<const std::byte> arrived = message.payload.in_flight();
  const std::vector<std::byte> sent(arrived.begin(), arrived.end());
  injected_->damage(message);
  const auto [was, is] = std::mismatch(sent.begin(), sent.end(), arrived.begin());
  if (was == sent.end()) return true;
  fail(CheckError::Kind::damaged,
       fmt::format("{} arrived damaged on rank {} at {}: byte {} of {} is {:#04x}, and {:#04x} was sent ({})",
                   describe(message), message.dest, to_string(engine_->now()), was - sent.begin(), sent.size(),
                   std::to_integer<int>(*is), std::to_integer<int>(*was), strike));
  return false;
}

bool Emulation::waits_behind_lost(const Message& message) const {
  return injected_ != nullptr && injected_->has_lost_on(message.key);
}

// ---- what an error says ----

/// Ranks that wait for something of this one, each once, in their order.
std::vector<int> Emulation::waiting_for(int rank) const {
  std::set<int> waiting;
  for (StrandId id = 0; id < strands_.size(); ++id) {
    const StrandState& strand = strands_[id];
    if (!live_[id] || strand.rank == rank) continue;
    if (strand.blocked == StrandState::Blocked::requests) {
      const bool waits = std::ranges::any_of(strand.slots, [rank](const RequestSlot& slot) {
        return slot.state == RequestSlot::State::pending && slot.awaited && slot.peer == rank;
      });
      if (waits) waiting.insert(strand.rank);
    }
    if (strand.blocked == StrandState::Blocked::in_network && switches_wait_for(strand, rank)) waiting.insert(strand.rank);
  }
  for (const auto& [key, call] : splits_) {
    const std::vector<int>& members = call.posts.front().group->members;
    const bool has_called = std::ranges::any_of(call.strands, [&](StrandId id) { return strands_[id].rank == rank; });
    if (has_called || std::ranges::find(members, rank) == members.end()) continue;
    for (const StrandId id : call.strands) waiting.insert(strands_[id].rank);
  }
  return {waiting.begin(), waiting.end()};
}

std::string Emulation::who_waits_for(int rank) const {
  constexpr std::size_t kMostNamed = 8;
  const std::vector<int> waiting = waiting_for(rank);
  if (waiting.empty()) return "nobody waits for it yet";
  if (waiting.size() == 1) return fmt::format("rank {} waits for it", waiting.front());
  const std::size_t named = std::min(waiting.size(), kMostNamed);
  return fmt::format("ranks {}{} wait for it",
                     fmt::join(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                     waiting.size() > named ? fmt::format(" and {} more", waiting.size() - named) : "");
}

/// Lines below an explanation: what has been done to a run that cannot go on.
std::string Emulation::injected_causes() const {
  constexpr std::size_t kMostNamed = 8;
  if (injected_ == nullptr) return "";
  std::vector<std::string> causes;
  for (StrandId id = 0; id < strands_.size(); ++id) {
    const StrandState& strand = strands_[id];
    if (live_[id] && strand.blocked == StrandState::Blocked::stopped)
      causes.push_back(fmt::format("rank {} stopped at {} ({}); {}", strand.rank, to_string(strand.stopped_at),
                                   strike_text(strand.calls, strand.stopped_in, *strand.stopped_by),
                                   who_waits_for(strand.rank)));
  }
  causes.insert(causes.end(), injected_->lost().begin(), injected_->lost().end());
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostNamed); ++i) text += "\n  cause: " + causes[i];
  if (causes.size() > kMostNamed) text += fmt::format("\n  … and {} more causes", causes.size() - kMostNamed);
  return text;
}

}  // namespace heddle::emu
