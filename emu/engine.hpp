// SPDX-License-Identifier: Apache-2.0
// Time and threads behind one interface: run these strands; what time is it; call me at time t; block me; wake that one.
// No code outside an engine knows whether its time is virtual or real.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/units.hpp"
#include "emu/strands.hpp"

namespace heddle::emu {

/// Something that can be called at a time.
class Alarm {
 public:
  virtual void ring(std::uint64_t payload) = 0;
  /// Will ring soon: fetch into the cache what that will need. Called with stage 0 to 4 in turn, so that what one stage has
  /// fetched leads the next one further. Thousands of ranks act at one instant, and their state fits no cache.
  virtual void expect(std::uint64_t /*payload*/, int /*stage*/) {}

 protected:
  ~Alarm() = default;
};

/// Whom the engine serves.
class EngineClient {
 public:
  /// `strand` has stopped at a blocking point or its end: what it asked for since it last ran takes effect now.
  virtual void take_effect(StrandId strand) = 0;
  /// take_effect(strand) comes soon, as Alarm::expect; of three stages.
  virtual void expect_effect(StrandId strand, int stage) = 0;
  /// Asked of each strand that is due: true if the client has done what it was woken for, up to where it blocks again, and it
  /// need not run.
  virtual bool goes_on(StrandId /*strand*/) { return false; }
  /// `strand` is due soon, and at once after it its effects are taken; of three stages. Whether it will run, as far as that is
  /// known.
  virtual bool expect_turn(StrandId /*strand*/, int /*stage*/) { return true; }
  /// Whether nothing that strands ask for at one instant can reach another strand before all have stopped, but by waking it.
  /// The effects of one may then be taken before the next runs, while all that both work on is in the cache.
  virtual bool effects_stay_apart() const { return false; }
  /// Whether nothing that the client tells of depends any more on the order in which strands run at one instant. A strand that
  /// its own effects have woken may then go on at once, while all that it works on is in the cache.
  virtual bool may_run_ahead() const { return false; }
  /// Nothing more happens at this instant unless this call makes it happen.
  virtual void settle() = 0;
  /// In a directed run, asked of each strand that is due: whether it is to wait. Then the client wakes it later on.
  virtual bool holds_back(StrandId /*strand*/) { return false; }
  /// In a directed run: no event is left. Lets one thing go that was held back; false if there is none.
  virtual bool release() { return false; }

 protected:
  ~EngineClient() = default;
};

/// Everything but block() is called from the engine's own thread: before run(), or from within a client's or an alarm's call.
class Engine {
 public:
  enum class Outcome : std::uint8_t {
    finished,  ///< every strand has ended and no event is left
    stuck,     ///< no event is left, but strands are blocked
    stopped,   ///< stop() was called
  };

  virtual ~Engine() = default;

  virtual Time now() const = 0;

  /// A strand that runs from now on. Of those runnable at one instant, effects are taken in the order of `order`.
  virtual StrandId start(std::uint64_t order, std::function<void()> body) = 0;
  /// Called by strand `self`: returns once it has been woken.
  virtual void block(StrandId self) = 0;
  virtual void wake(StrandId strand) = 0;
  /// alarm.ring(payload) at `time` ≥ now. Of one instant, in the order of the calls.
  virtual void at(Time time, Alarm& alarm, std::uint64_t payload) = 0;

  virtual Outcome run(EngineClient& client) = 0;
  /// Makes run() return before anything else happens.
  virtual void stop() = 0;
  /// After run() has not finished: lets every strand that has not ended run to its end, as fast as it can. block() must make it
  /// leave. Later `order` first: a branch uses what its rank has on its stack, so it must be gone before.
  virtual void drain() = 0;
};

/// Integer picoseconds that jump from event to event. `schedule_seed` permutes the order of effects at each instant. A directed
/// run asks its client what to hold back.
std::unique_ptr<Engine> make_virtual_clock(std::unique_ptr<Strands> strands, std::optional<std::uint64_t> schedule_seed,
                                           bool is_directed = false);

}  // namespace heddle::emu
