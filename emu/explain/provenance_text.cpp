// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "emu/explain/provenance.hpp"
#include "emu/record/failure.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kMostGroups = 4;
constexpr std::size_t kMostInSequence = 24;

std::string times_text(std::uint64_t times) {
  if (times == 1) return "";
  if (times == 2) return " (twice)";
  return fmt::format(" ({} times)", times);
}

bool is_together(const Term& a, const Term& b) {
  return std::tie(a.kind, a.call, a.element) == std::tie(b.kind, b.call, b.element);
}

/// "rank 3", "ranks 0-3, 5 (twice)"
std::string counted_ranks_text(std::span<const Provenance::Count> counts) {
  std::string text = counts.size() == 1 ? "rank " : "ranks ";
  std::size_t runs = 0;
  for (std::size_t begin = 0, end = 0; begin < counts.size(); begin = end) {
    if (runs++ == kMostRanges) return text + ", …";
    const auto continues = [&](std::size_t i) {
      return counts[i].term.rank == counts[i - 1].term.rank + 1 && counts[i].times == counts[begin].times;
    };
    for (end = begin + 1; end < counts.size() && continues(end);) ++end;
    text += (begin == 0 ? "" : ", ") + range_text(counts[begin].term.rank, counts[end - 1].term.rank) +
            times_text(counts[begin].times);
  }
  return text;
}

}  // namespace

std::string ProvenanceText::call_suffix(int call) const {
  if (call == wrong_.call) return "";
  return call < wrong_.call ? " in the call before" : " in the next call";
}

std::string ProvenanceText::group(std::span<const Count> group) const {
  const Term& term = group[0].term;
  switch (term.kind) {
    case Term::Kind::unknown:
      return "bytes that nobody contributed";
    case Term::Kind::mixture:
      return "other elements";
    case Term::Kind::open_receive:
      return "the poison of " + open_receive(term);
    case Term::Kind::others:
      return fmt::format("element {}{}", term.element, call_suffix(term.call));
    case Term::Kind::contribution:
      break;
  }
  if (!reduces_ || term.element != wrong_.element)
    return fmt::format("element {} of {}{}", term.element, counted_ranks_text(group), call_suffix(term.call));
  if (group.size() == 1)
    return fmt::format("rank {}'s contribution{}{}", term.rank, times_text(group[0].times), call_suffix(term.call));
  return fmt::format("the contributions of {}{}", counted_ranks_text(group), call_suffix(term.call));
}

std::string ProvenanceText::counts(std::span<const Count> counts) const {
  std::vector<Count> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const Count& a, const Count& b) {
    return std::tie(a.term.kind, a.term.call, a.term.element, a.term.rank) <
           std::tie(b.term.kind, b.term.call, b.term.element, b.term.rank);
  });
  std::vector<std::string> groups;
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    if (groups.size() == kMostGroups) {
      groups.emplace_back("…");
      break;
    }
    for (end = begin + 1; end < sorted.size() && is_together(sorted[begin].term, sorted[end].term);) ++end;
    groups.push_back(group(std::span(sorted).subspan(begin, end - begin)));
  }
  return fmt::format("{}", fmt::join(groups, " and "));
}

std::string ProvenanceText::terms(std::span<const Term> terms) const {
  std::vector<Count> once;
  for (const Term& term : terms) once.push_back({term, 1});
  return counts(once);
}

std::string ProvenanceText::value(ValueId value) const {
  std::vector<Count> all;
  for (const auto& [term, times] : contributions_.count_terms(value)) all.push_back({term, times});
  return counts(all);
}

bool ProvenanceText::is_plain(ValueId value) const {
  const std::map<Term, std::uint64_t> terms = contributions_.count_terms(value);
  const Term& first = terms.begin()->first;
  return std::all_of(terms.begin(), terms.end(), [&](const auto& count) {
    return count.first.kind == Term::Kind::contribution && is_together(count.first, first) && count.second == 1;
  });
}

std::string ProvenanceText::open_receive(const Term& term) const {
  const OpenReceive receive = contributions_.open_receive(term);
  return fmt::format("the buffer of rank {}'s receive from {} (tag {})", receive.rank,
                     receive.source < 0 ? std::string("any rank") : fmt::format("rank {}", receive.source), receive.tag);
}

std::string ProvenanceText::who(int rank) {
  return rank == PostedMessage::kSwitches ? "the switches" : fmt::format("rank {}", rank);
}

std::string ProvenanceText::message(std::size_t number) const {
  const LoggedMessage& message = messages_[number];
  const bool has_tag = message.source != PostedMessage::kSwitches && message.dest != PostedMessage::kSwitches;
  // Rounds go on from call to call.
  const std::string_view later = wrong_.call > 1 ? " of the calls after the first" : " of the second call";
  return fmt::format("from {} to {} ({}round {}{}{})", who(message.source), who(message.dest),
                     has_tag ? fmt::format("tag {}, ", message.tag.value()) : "", message.round,
                     message.second_call ? std::string(later) : ", posted at " + to_string(message.posted), message.calls);
}

/// What the message had in the place that matters.
std::string ProvenanceText::carried(const LoggedMessage& message, const Provenance& found) const {
  const auto place = std::find_if(message.carried.begin(), message.carried.end(),
                                  [&](const LoggedMessage::Carried& carried) { return carried.value == wrong_.got; });
  if (place != message.carried.end()) {
    const std::string lacks = found.missing.empty() || !found.foreign.empty() ? "" : ", without " + terms(found.missing);
    return value(place->value) + lacks;
  }
  std::vector<std::string> values;
  for (const LoggedMessage::Carried& carried : message.carried) {
    if (values.size() < 2 && !is_plain(carried.value)) values.push_back(value(carried.value));
  }
  if (values.empty() && !message.carried.empty()) values.push_back(value(message.carried.front().value));
  return fmt::format("{}", fmt::join(values, "; "));
}

std::string ProvenanceText::whole(const Provenance& found) const {
  std::string text = fmt::format("  provenance of {}, from a repeat whose elements know what they are made of:", wrong_.place);
  const auto add = [&text](std::string_view what, const std::string& which) {
    text += fmt::format("\n    {}: {}", what, which);
  };
  if (!found.missing.empty()) add("missing", terms(found.missing));
  if (!found.repeated.empty()) add("more than once", counts(found.repeated));
  if (!found.foreign.empty()) add("not expected", terms(found.foreign));
  if (!found.out_of_order.empty()) {
    std::vector<int> ranks;
    for (const Term& term : found.out_of_order) ranks.push_back(term.rank);
    const bool is_long = ranks.size() > kMostInSequence;
    if (is_long) ranks.resize(kMostInSequence);
    add("out of order", fmt::format("combined as {}{}", fmt::join(ranks, " "), is_long ? " …" : ""));
  }
  add("cause", found.cause);
  if (found.first_wrong_message)
    add("first wrong message", fmt::format("{}, which carried {}", message(*found.first_wrong_message),
                                           carried(messages_[*found.first_wrong_message], found)));
  return text;
}

}  // namespace heddle::emu
