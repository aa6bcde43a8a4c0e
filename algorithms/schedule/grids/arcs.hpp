// SPDX-License-Identifier: Apache-2.0
// The shorter way between two coordinates of one dimension, and who goes it. Pure.
//
// On a ring of even size the opposite coordinate is as far one way as the other, and one of them is given. On a line there is
// one way.
#pragma once

namespace heddle::schedule {

/// A dimension as messages between its neighbours see it.
struct Ways {
  int size;
  bool wraps;         ///< a ring, not a line
  int opposite = +1;  ///< the direction to the opposite coordinate

  /// Steps between the two coordinates that are farthest apart.
  constexpr int longest() const { return wraps ? size / 2 : size - 1; }
  /// How far those are whom a block from coordinate `from` visits in a direction (+1 or -1).
  constexpr int reach(int from, int direction) const {
    if (!wraps) return direction > 0 ? size - 1 - from : from;
    return direction == opposite ? size / 2 : (size - 1) / 2;
  }
  /// Steps from one coordinate to another.
  constexpr int distance(int from, int to) const {
    const int up = (to - from + size) % size;
    if (!wraps) return to > from ? to - from : from - to;
    return up <= size - up ? up : size - up;
  }
};

}  // namespace heddle::schedule
