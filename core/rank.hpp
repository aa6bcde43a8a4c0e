// SPDX-License-Identifier: Apache-2.0
// Strong integers that a call must not confuse: who (Rank) and which stream of messages (Tag).
#pragma once

#include <compare>

namespace heddle {

/// A member of a communicator: 0 … size-1. Arithmetic on ranks belongs in schedules, on plain ints.
class Rank {
 public:
  constexpr Rank() = default;
  constexpr explicit Rank(int value) : value_(value) {}
  constexpr int value() const { return value_; }
  friend constexpr auto operator<=>(Rank, Rank) = default;

 private:
  int value_ = 0;
};

/// In a receive: from whoever sends first. Never a destination.
inline constexpr Rank kAnySource{-1};

/// Separates streams of messages between the same two ranks. Messages with the same tag never overtake.
class Tag {
 public:
  constexpr Tag() = default;
  constexpr explicit Tag(int value) : value_(value) {}
  constexpr int value() const { return value_; }
  friend constexpr auto operator<=>(Tag, Tag) = default;

 private:
  int value_ = 0;
};

}  // namespace heddle
