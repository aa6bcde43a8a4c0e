// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/call_counts.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::mpi {

namespace {

bool is_message(std::string_view function) {
  return function.find("send") != std::string_view::npos || function.find("Send") != std::string_view::npos ||
         function.find("recv") != std::string_view::npos || function.find("Recv") != std::string_view::npos;
}

std::string name_of(const CallCount& count) {
  constexpr std::size_t kMostNamed = 4;
  if (!count.communicator.empty() || count.members.empty()) return count.communicator;
  const std::span<const int> named = std::span(count.members).first(std::min(kMostNamed, count.members.size()));
  return fmt::format("ranks {}{}", fmt::join(named, ", "), named.size() < count.members.size() ? ", …" : "");
}

}  // namespace

void add_counts(CallCounts& all, const CallCounts& of_rank) {
  for (const auto& [key, count] : of_rank) {
    CallCount& sum = all[key];
    sum.communicator = std::max(sum.communicator, count.communicator);  // whichever rank ends first
    sum.members = count.members;
    sum.calls += count.calls;
    sum.time = std::max(sum.time, count.time);
    sum.algorithms.insert(count.algorithms.begin(), count.algorithms.end());
  }
}

std::vector<CountedCalls> counted_calls(const CallCounts& all) {
  using Entry = CallCounts::value_type;
  std::vector<const Entry*> order;
  for (const Entry& entry : all) order.push_back(&entry);
  // Which of two groups makes its communicator first is a matter of threads, and the communicators' numbers with it.
  constexpr std::uint64_t kLastOfMpi = 2;
  std::ranges::stable_sort(order, [](const Entry* a, const Entry* b) {
    const std::uint64_t first = a->first.first, second = b->first.first;
    if (std::min(first, second) <= kLastOfMpi) return std::min(first, kLastOfMpi + 1) < std::min(second, kLastOfMpi + 1);
    return a->second.members < b->second.members;
  });
  std::vector<CountedCalls> counted;
  for (const Entry* const entry : order) {
    const auto& [key, count] = *entry;
    if (count.algorithms.empty() && count.time == Time() && !is_message(key.second)) continue;
    counted.push_back({.communicator = name_of(count),
                       .ranks = static_cast<int>(count.members.size()),
                       .function = std::string(key.second),
                       .algorithms = fmt::format("{}", fmt::join(count.algorithms, ", ")),
                       .calls = count.calls,
                       .longest = count.time});
  }
  return counted;
}

}  // namespace heddle::mpi
