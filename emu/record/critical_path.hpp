// SPDX-License-Identifier: Apache-2.0
// Where the time of an event went: the chain of what had to happen, one after the other, before it could. The definitions are
// in docs/model.md, "The critical path".
#pragma once

#include <cstdint>
#include <limits>

#include "heddle/units.hpp"

namespace heddle {

/// A chain's time by kind. The parts add up to the time of the event at its end, to the picosecond.
struct PathParts {
  Time startup = {};        ///< α of its messages, and what sender and receiver spend on each (LogP's o)
  Time propagation = {};    ///< latency of links and switches
  Time serialisation = {};  ///< what its messages take to drain alone on their routes
  Time contention = {};     ///< what they took longer because others shared their links
  Time local_work = {};     ///< reductions and copies (γ)
  Time waiting = {};        ///< a message behind its own rank's other overheads or work, a rank that comes late

  Time total() const { return startup + propagation + serialisation + contention + local_work + waiting; }

  bool operator==(const PathParts&) const = default;
};

struct CriticalPath {
  static constexpr std::uint32_t kNoRecord = std::numeric_limits<std::uint32_t>::max();

  PathParts parts;
  std::int64_t bytes = 0;  ///< on the wire, of its messages
  std::int32_t messages = 0;
  /// Its last message or operation of switches, in the run's Timeline (which leads to those before); kNoRecord: none, or the
  /// run keeps no timeline.
  std::uint32_t last_record = kNoRecord;
};

}  // namespace heddle

namespace heddle::emu {

// Why something happens now: what is carried along with tasks and messages so that the end of a run knows where its time
// went.

/// The chain that led to the event at hand: one that ended earlier, and what has passed since. Added up only where a task
/// wakes by it, which most events do to none.
struct Cause {
  const CriticalPath* base = nullptr;
  Time serialisation = {};
  Time contention = {};
  Time propagation = {};
  Time contention_free = {};  ///< when it would happen if no message shared a link

  CriticalPath path() const {
    CriticalPath path = *base;
    path.parts.serialisation += serialisation;
    path.parts.contention += contention;
    path.parts.propagation += propagation;
    return path;
  }
};

}  // namespace heddle::emu
