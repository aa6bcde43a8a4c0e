// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "emu/check/position_communicator.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"

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

ReservedMemory::~ReservedMemory() {
  for (const Range& range : ranges_) munmap(range.begin, range.bytes);
}

std::byte* ReservedMemory::reserve(std::size_t bytes) {
  const std::size_t some = std::max<std::size_t>(1, bytes);
  void* const memory = mmap(nullptr, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw ResourceError(fmt::format("no addresses for a vector of {}: {}", to_string(Bytes(static_cast<std::int64_t>(some))),
                                    std::error_code(errno, std::generic_category()).message()));
  madvise(memory, some, MADV_NOHUGEPAGE);  // a fault for each page that is touched
  ranges_.push_back({static_cast<std::byte*>(memory), some});
  return ranges_.back().begin;
}

bool ReservedMemory::contains(const std::byte* address) const {
  return std::ranges::any_of(
      ranges_, [address](const Range& range) { return address >= range.begin && address < range.begin + range.bytes; });
}

void ReservedMemory::append_to(std::vector<std::byte>& data, const std::byte* from, std::size_t bytes) const {
  if (!contains(from)) {
    data.insert(data.end(), from, from + bytes);
    return;
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  while (bytes > 0) {
    const std::size_t behind = reinterpret_cast<std::uintptr_t>(from) % page;
    const std::size_t part = std::min(bytes, page - behind);
    unsigned char resident = 0;
    const bool is_touched = mincore(const_cast<std::byte*>(from - behind), page, &resident) == 0 && (resident & 1) != 0;
    data.insert(data.end(), part, std::byte{});
    if (is_touched) std::copy_n(from, part, data.end() - static_cast<std::ptrdiff_t>(part));
    from += part;
    bytes -= part;
  }
}

std::size_t ReservedMemory::touched() const {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t pages = 0;
  std::vector<unsigned char> resident(std::size_t{1} << 14);  // pages looked at in one go
  for (const Range& range : ranges_) {
    for (std::size_t at = 0; at < range.bytes; at += resident.size() * page) {
      const std::size_t bytes = std::min(range.bytes - at, resident.size() * page);
      if (mincore(range.begin + at, bytes, resident.data()) != 0) continue;
      const auto end = resident.begin() + static_cast<std::ptrdiff_t>((bytes - 1) / page + 1);
      pages += static_cast<std::size_t>(std::count_if(resident.begin(), end, [](unsigned char is) { return (is & 1) != 0; }));
    }
  }
  return pages * page;
}

}  // namespace heddle::emu
