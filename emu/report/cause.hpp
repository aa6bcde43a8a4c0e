// SPDX-License-Identifier: Apache-2.0
// Why something happens now: what is carried along with tasks and messages so that the end of a run knows where its time
// went.
#pragma once

#include "core/units.hpp"
#include "emu/report/critical_path.hpp"

namespace heddle::emu {

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
