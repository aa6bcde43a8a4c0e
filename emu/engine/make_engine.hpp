// SPDX-License-Identifier: Apache-2.0
// The one place that knows which engines there are.
#pragma once

#include <functional>
#include <memory>

#include "emu/engine/engine.hpp"
#include "emu/settings/emulation_settings.hpp"

namespace heddle::emu {

/// Throws InputError for settings that the engine they ask for does not serve.
void check_engine(const EmulationSettings& settings);

/// The one that the settings ask for, which outlive it. `is_directed`: it asks its client what to hold back.
std::unique_ptr<Engine> make_engine(const EmulationSettings& settings, bool is_directed);

// The second engine: real time, stretched. Events fire when the wall clock reaches them, on one steady_timer of Boost.Asio that
// is set to the next; tasks are kernel threads that run side by side with them, so what ranks compute takes its time.
//
// One lock guards the emulation. The engine's thread holds it while it handles what is due, a task while it is inside of its
// communicator; what a task asks for there takes effect at once, at the wall clock's time. An event that is handled late
// still happens at the time it was set for, so that lateness does not add up within the network: what remains of it is how late
// a rank goes on.

class WallClock : public Engine, public TaskGuard {
 public:
  bool is_real_time() const final { return true; }
  TaskGuard* guard() final { return this; }
  /// The first time, if the settings say that the clock waits for that, is when it starts. From the second time on it does not
  /// wait for what is to come: it jumps there.
  void barrier(TaskId self) override = 0;
};

/// Like any engine called from one thread, its own, which waits in run(): that thread holds the lock from here until then, and
/// from the end of run() on. Start, wake, at and stop may be called by whoever is inside.
std::unique_ptr<WallClock> make_wall_clock(WallClockSettings settings, std::function<bool()> interrupted = {});

}  // namespace heddle::emu
