// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/positions/contents.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::emu {

namespace {

std::uintptr_t address_of(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

}  // namespace

Contents::Contents() : terms_(1) {}

TermsId Contents::id_of(Ranks ranks) {
  const auto [known, is_new] = ids_.try_emplace(ranks, static_cast<TermsId>(terms_.size()));
  if (is_new) terms_.push_back(std::move(ranks));
  return known->second;
}

TermsId Contents::term(int rank) { return id_of({{rank, rank}}); }

TermsId Contents::all_of(int ranks) { return id_of({{0, ranks - 1}}); }

TermsId Contents::both(TermsId a, TermsId b) {
  Ranks sorted;
  std::ranges::merge(terms_[a], terms_[b], std::back_inserter(sorted));
  Ranks ranks;
  for (const RankRange range : sorted) {
    if (!ranks.empty() && ranks.back().last + 1 == range.first)
      ranks.back().last = range.last;
    else
      ranks.push_back(range);
  }
  return id_of(std::move(ranks));
}

std::vector<Stretch> Contents::read(const std::byte* at, std::int64_t bytes) const {
  std::vector<Stretch> stretches;
  const Address end = address_of(at) + static_cast<Address>(bytes);
  Address next = address_of(at);
  auto held = held_.upper_bound(next);
  if (held != held_.begin()) --held;
  while (next < end) {
    while (held != held_.end() && held->first + static_cast<Address>(held->second.bytes) <= next) ++held;
    if (held == held_.end() || held->first >= end) {
      stretches.push_back({.bytes = static_cast<std::int64_t>(end - next)});
      break;
    }
    if (held->first > next) {
      stretches.push_back({.bytes = static_cast<std::int64_t>(held->first - next)});
      next = held->first;
    }
    const Address last = std::min(end, held->first + static_cast<Address>(held->second.bytes));
    stretches.push_back({.bytes = static_cast<std::int64_t>(last - next),
                         .terms = held->second.terms,
                         .position = held->second.position + static_cast<std::int64_t>(next - held->first)});
    next = last;
  }
  return stretches;
}

void Contents::split(Address at) {
  auto held = held_.upper_bound(at);
  if (held == held_.begin()) return;
  --held;
  const auto before = static_cast<std::int64_t>(at - held->first);
  if (before == 0 || before >= held->second.bytes) return;
  const Held whole = held->second;
  held->second.bytes = before;
  held_.emplace_hint(std::next(held), at, Held{whole.bytes - before, whole.terms, whole.position + before});
}

void Contents::write(const std::byte* at, std::span<const Stretch> stretches) {
  Address next = address_of(at);
  for (const Stretch& stretch : stretches) {
    if (stretch.bytes <= 0) continue;
    const Address end = next + static_cast<Address>(stretch.bytes);
    split(next);
    split(end);
    const auto place = held_.erase(held_.lower_bound(next), held_.lower_bound(end));
    // What goes on as the stretch before lies with it.
    if (place != held_.begin()) {
      auto& [begin, before] = *std::prev(place);
      if (begin + static_cast<Address>(before.bytes) == next && before.terms == stretch.terms &&
          before.position + before.bytes == stretch.position) {
        before.bytes += stretch.bytes;
        next = end;
        continue;
      }
    }
    held_.emplace_hint(place, next, Held{stretch.bytes, stretch.terms, stretch.position});
    next = end;
  }
}

void Contents::combine(const std::byte* at, std::span<const Stretch> stretches) {
  for (const Stretch& given : stretches) {
    std::vector<Stretch> sums = read(at, given.bytes);
    std::int64_t done = 0;
    for (Stretch& sum : sums) {
      const bool is_known = sum.terms != Stretch::kUnknown && given.terms != Stretch::kUnknown;
      sum.terms = is_known && sum.position == given.position + done ? both(sum.terms, given.terms) : Stretch::kUnknown;
      done += sum.bytes;
    }
    write(at, sums);
    at += given.bytes;
  }
}

}  // namespace heddle::emu
