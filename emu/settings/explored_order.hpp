// SPDX-License-Identifier: Apache-2.0
// An order of events other than the usual one, as a value with a text: what explore() tries and what repeats it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A choice that a run has: whether something that is due goes on now or is delayed, or which message a receive from any source
/// takes. Known by who it is about and by number (from 1), not by time: the same in a run whose speeds or data are others.
struct OrderPoint {
  enum class Kind : std::uint8_t {
    step,     ///< a rank, or branch `other` of it, begins or goes on
    arrival,  ///< a message from `rank` to rank `other` arrives
    pick,     ///< a receive of `rank` from any source meets two or more messages at once
  };
  Kind kind = Kind::step;
  int rank = 0;
  int other = 0;
  std::uint32_t number = 1;

  bool operator==(const OrderPoint&) const = default;
};

/// At a point that a run met, how many ways there were; ≥ 2.
struct MetPoint {
  OrderPoint point;
  std::uint32_t ways = 2;
};

/// What an order does at a point: way 0 is the usual one. A step or an arrival: 1 is to wait until nothing else can happen. A
/// pick: the message that came after so many others that are there.
struct Deviation {
  OrderPoint point;
  std::uint32_t way = 1;

  bool operator==(const Deviation&) const = default;
};

/// In words: "rank 2 waits before its step 1 until nothing else can happen".
std::string describe(const Deviation& deviation);

/// All of it is left as usual unless said otherwise; what is said holds together. Messages of one channel (communicator,
/// sender, receiver, tag) do not overtake each other in any order.
struct ExploredOrder {
  /// Seed by which each message comes later, by up to eight times as long as it takes alone, half of them by less than once.
  std::optional<std::uint64_t> jitter = {};
  /// Seed by which a receive from any source takes one of the messages that are there; as usual: the one that came first.
  std::optional<std::uint64_t> pick = {};
  std::vector<Deviation> delays = {};

  bool is_usual() const { return !jitter && !pick && delays.empty(); }
  bool operator==(const ExploredOrder&) const = default;
};

/// "jitter:7,pick:7", "delays:r2.1+r1b3.2+m1-0.2+a0.1.2" (rank 2's first step, the second of branch 3 of rank 1, the second
/// message from rank 1 to rank 0, and the first such receive of rank 0 from any source, which takes the message that came after
/// two others), "usual".
std::string to_string(const ExploredOrder& order);

/// Reads what to_string() writes. Throws InputError.
ExploredOrder parse_explored_order(std::string_view text);

}  // namespace heddle
