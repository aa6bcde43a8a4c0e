// SPDX-License-Identifier: Apache-2.0
// When each flow will have drained, and which are the next: a tournament of times over the flows' numbers. Where thousands of
// rates change at once, thousands of times do, and all but the earliest may change again before anything happens: so they are
// kept here and written over, and the engine hears of the earliest alone.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/units.hpp"
#include "emu/network/max_min/max_min.hpp"

namespace heddle::emu {

class DrainTimes {
 public:
  void set(FlowId flow, Time time) { write(flow, time.ps()); }
  void remove(FlowId flow) { write(flow, kNever); }

  /// Whether this flow drains at this time.
  bool is(FlowId flow, Time time) const { return flow < leaves_ && tree_[leaves_ + flow] == time.ps(); }

  bool empty();
  /// The earliest. Not for an empty one.
  Time next();
  /// The flows that drain then, by number, instead of what `flows` held.
  void due(std::vector<FlowId>& flows);

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  void write(FlowId flow, std::int64_t time);
  void grow(std::size_t leaves);
  void play();

  /// Node i has children 2i and 2i + 1 and is the lesser of the two; 1 is the root, flow f is leaf leaves_ + f.
  std::vector<std::int64_t> tree_{kNever, kNever};
  std::size_t leaves_ = 1;         ///< a power of two
  std::vector<FlowId> written_;    ///< leaves that their parents do not know of yet
  std::vector<std::size_t> path_;  ///< scratch of due()
};

}  // namespace heddle::emu
