// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "emu/explain/provenance.hpp"

namespace heddle::emu {

std::optional<std::size_t> LostContribution::last_carrier(std::uint64_t before) const {
  std::optional<std::size_t> last;
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const LoggedMessage& message = messages_[m];
    if (message.second_call == is_in_second_call() && message.posted_event < before && carries(message, contains_)) last = m;
  }
  return last;
}

// ---- received and not used ----

/// The values and all that they are made of.
std::unordered_set<ValueId> LostContribution::parts_of(std::vector<ValueId> values) const {
  std::unordered_set<ValueId> parts;
  while (!values.empty()) {
    const ValueId value = values.back();
    values.pop_back();
    if (!parts.insert(value).second || !contributions_.is_sum(value)) continue;
    values.push_back(contributions_.parts(value).left);
    values.push_back(contributions_.parts(value).right);
  }
  return parts;
}

/// All that its result and what it sent are made of.
std::unordered_set<ValueId> LostContribution::values_used_by(int rank) const {
  std::vector<ValueId> values;
  const auto r = static_cast<std::size_t>(rank);
  if (r < wrong_.results.size() && wrong_.results[r]) values.push_back(*wrong_.results[r]);
  for (const LoggedMessage& message : messages_) {
    if (message.source != rank || message.second_call != is_in_second_call()) continue;
    for (const LoggedMessage::Carried& carried : message.carried) values.push_back(carried.value);
  }
  return parts_of(std::move(values));
}

std::optional<LostContribution::Unused> LostContribution::first_unused(int rank) const {
  std::optional<Unused> first;
  if (wrong_.results.empty()) return first;         // what a rank has in its result is not known
  std::map<int, std::unordered_set<ValueId>> used;  // by rank
  const auto comes_before = [&](std::size_t a, std::size_t b) {
    const auto order = [&](std::size_t m) { return std::pair(messages_[m].dest != rank, messages_[m].received_event); };
    return order(a) < order(b);
  };
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const LoggedMessage& message = messages_[m];
    if (!is_received(message, message.dest)) continue;
    if (first && !comes_before(m, first->message)) continue;
    for (const LoggedMessage::Carried& carried : message.carried) {
      if (!contains_(carried.value)) continue;
      const auto [of_rank, is_new] = used.try_emplace(message.dest);
      if (is_new) of_rank->second = values_used_by(message.dest);
      if (!of_rank->second.contains(carried.value)) first = Unused{m, carried.value};
    }
  }
  return first;
}

// ---- combined and lost ----

/// The first message that was received where the rank had made a sum, afterwards.
std::optional<std::size_t> LostContribution::received_over(const MadeSum& made, int rank) const {
  std::optional<std::size_t> first;
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const LoggedMessage& message = messages_[m];
    if (!is_received(message, rank) || message.received_event < made.event) continue;
    if (first && messages_[*first].received_event <= message.received_event) continue;
    if (std::ranges::any_of(message.carried, [&](const auto& carried) { return carried.into == made.at; })) first = m;
  }
  return first;
}

/// In a message from the rank, alone or in another sum.
bool LostContribution::is_sent_on(const MadeSum& made, int rank) const {
  const Contributions::Containing contains(contributions_, made.sum);
  return std::ranges::any_of(messages_, [&](const LoggedMessage& message) {
    return message.source == rank && message.second_call == is_in_second_call() && message.posted_event >= made.event &&
           carries(message, contains);
  });
}

std::optional<LostContribution::Combined> LostContribution::combined(const Unused& unused) const {
  const LoggedMessage& brought = messages_[unused.message];
  const MadeSum* last = nullptr;
  for (const MadeSum& made : contributions_.made()) {
    if (made.event <= brought.received_event || makers_.rank_of(made) != brought.dest) continue;
    const auto [left, right] = contributions_.parts(made.sum);
    const ValueId of = last == nullptr ? unused.value : last->sum;
    if (left == of || right == of || left == unused.value || right == unused.value) last = &made;
  }
  if (last == nullptr) return std::nullopt;
  return Combined{last->sum, received_over(*last, brought.dest)};
}

std::optional<LostContribution::Overwritten> LostContribution::overwritten(int rank, std::uint64_t before) const {
  std::optional<Overwritten> first;
  for (const MadeSum& made : contributions_.made()) {
    if (!contains_(made.sum) || makers_.rank_of(made) != rank) continue;
    const std::optional<std::size_t> by = received_over(made, rank);
    if (!by || messages_[*by].received_event > before || is_sent_on(made, rank)) continue;
    if (!first || messages_[*by].received_event <= messages_[first->by].received_event) first = Overwritten{made.sum, *by};
  }
  return first;
}

// ---- received and left out ----

std::optional<LostContribution::LeftBehind> LostContribution::first_left_behind(ValueId value, int rank,
                                                                                std::uint64_t before) const {
  /// A part of the wrong value, made by a rank before an event.
  struct Made {
    ValueId value;
    int rank;
    std::uint64_t before;
    std::optional<std::size_t> sent;
  };
  std::vector<Made> left{{value, rank, before, std::nullopt}};
  std::vector<bool> seen(messages_.size());
  std::optional<LeftBehind> first;
  while (!left.empty()) {
    const Made made = left.back();
    left.pop_back();
    const std::unordered_set<ValueId> parts = parts_of({made.value});
    std::optional<std::size_t> brought;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const LoggedMessage& message = messages_[m];
      if (!is_received(message, made.rank, made.before)) continue;
      if (carries(message, contains_)) brought = m;
      for (const LoggedMessage::Carried& carried : message.carried) {
        if (seen[m] || !parts.contains(carried.value)) continue;
        seen[m] = true;
        left.push_back({carried.value, message.source, message.posted_event, m});
      }
    }
    if (brought && (!first || messages_[*brought].received_event < messages_[first->brought].received_event))
      first = LeftBehind{*brought, made.sent, made.value};
  }
  return first;
}

}  // namespace heddle::emu
