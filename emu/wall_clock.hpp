// SPDX-License-Identifier: Apache-2.0
// The second engine: real time, stretched. Events fire when the wall clock reaches them, on one steady_timer of Boost.Asio that
// is set to the next; strands are kernel threads that run side by side with them, so what ranks compute takes its time.
//
// One lock guards the emulation. The engine's thread holds it while it handles what is due, a strand while it is inside of its
// communicator; what a strand asks for there takes effect at once, at the wall clock's time. An event that is handled late
// still happens at the time it was set for, so that lateness does not add up within the network: what remains of it is how late
// a rank goes on.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "emu/engine.hpp"
#include "emu/wall_settings.hpp"

namespace heddle::emu {

class WallClock : public Engine {
 public:
  /// On strand `self`'s own thread: takes the lock, and lets happen what is due. If the run has been stopped, returns only when
  /// the strand may leave: then its client knows that the run is being given up.
  virtual void enter(StrandId self) = 0;
  /// Everything that the strand has asked for takes effect, and the lock is given back.
  virtual void leave() = 0;
  /// `effects`, inside: if it throws, the run is stopped and run() throws that.
  virtual void act(const std::function<void()>& effects) = 0;
  /// Inside. Blocks until every strand is blocked and nothing is left to happen. The first time, if the settings say that the
  /// clock waits for that, is when it starts. From the second time on it does not wait for what is to come: it jumps there.
  virtual void meet(StrandId self) = 0;
  /// Why run() has stopped, if nobody called stop().
  virtual std::optional<RunStopped::Reason> stopped_by() const = 0;
};

/// Like any engine called from one thread, its own, which waits in run(): that thread holds the lock from here until then, and
/// from the end of run() on. Start, wake, at and stop may be called by whoever is inside.
std::unique_ptr<WallClock> make_wall_clock(WallClockSettings settings);

}  // namespace heddle::emu
