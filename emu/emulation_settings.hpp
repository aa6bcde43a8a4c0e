// SPDX-License-Identifier: Apache-2.0
// How a run on an emulated fabric goes, apart from what runs and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "emu/explored_schedule.hpp"
#include "emu/faults.hpp"
#include "emu/wall_settings.hpp"
#include "topo/fabric.hpp"

namespace heddle {

class Communicator;
struct Timeline;

/// How ranks run. Results and times are the same; user-level threads are a thousand times cheaper to switch, kernel threads
/// may block, use thread-locals, and run under ThreadSanitizer.
enum class Threads : std::uint8_t { user, kernel };

/// User-level threads, but kernel threads in a build with ThreadSanitizer, which cannot follow user-level switches.
Threads default_threads();

/// How many messages a sender may have on the way to one receiver before it must wait.
struct Buffering {
  /// No value: without bound (eager). 0: each send waits for its receive (synchronous). k: the k+1st message of a
  /// (sender, receiver) pair starts when the receiver has taken one.
  std::optional<int> credits;

  static Buffering eager() { return {}; }
  static Buffering synchronous() { return {0}; }
  static Buffering limited(int credits) { return {credits}; }
};

/// "eager", "sync" or a number of credits. Throws InputError.
Buffering parse_buffering(std::string_view text);
std::string to_string(Buffering buffering);

namespace emu {
class MessageObserver;
}

/// A load on some links from the beginning until the last measured rank returns. It shares them with the messages max-min
/// fairly, as a message without an end would, and is not counted among them (docs/model.md, "Background").
struct BackgroundFlow {
  VertexId from = 0;  ///< endpoints: over the fabric's route between them
  VertexId to = 0;
  std::optional<LinkId> link = {};          ///< if set: over this link alone, wherever from and to are
  Bandwidth rate = Bandwidth::unlimited();  ///< the most that it takes; unlimited: all that it can get
};

/// Throws InputError: a flow that this fabric cannot have. Of links that a split route takes all or none of, one alone cannot
/// be loaded.
void require_possible(const Fabric& fabric, const BackgroundFlow& flow);

/// How messages share links (docs/model.md). fluid: max-min fair. alpha_beta: not at all, each is as fast as alone.
enum class Model : std::uint8_t { fluid, alpha_beta };

/// "fluid" or "alpha-beta". Throws InputError.
Model parse_model(std::string_view text);
std::string to_string(Model model);

struct EmulationSettings {
  Threads threads = default_threads();
  Buffering buffering;
  Model model = Model::fluid;
  /// Bytes on the wire per byte of payload, ≥ 1: a run holds a part of the data and is timed as the whole.
  double payload_scale = 1;
  /// If set, permutes the order in which operations of one instant take effect. Without: (rank, strand, program order).
  std::optional<std::uint64_t> schedule_seed;
  std::vector<BackgroundFlow> background = {};
  /// Every link as if its bandwidth were unlimited, whatever ranks are told of it: what remains of a run's time is its latency
  /// part (docs/model.md, "Contention").
  bool latency_only = false;
  /// What goes wrong (docs/faults.md). Not under the wall clock.
  Faults faults = {};
  /// Per strand, in bytes. Committed as it is touched.
  std::size_t stack_bytes = 64 * 1024;
  /// For heddle's own checks: is told of every message (emu/message_observer.hpp). Outlives the run.
  emu::MessageObserver* observer = nullptr;
  /// If set, is filled with what happens. Outlives the run.
  Timeline* timeline = nullptr;
  /// If set, the run takes place under the wall clock, on kernel threads whatever `threads` says; results are the same, times
  /// are measured (docs/model.md, "Wall clock") and the order within an instant is the machine's, not `schedule_seed`'s.
  std::optional<WallClockSettings> wall = {};
  /// What else is not in its usual order; not under the wall clock. The report's times are then those of a disturbed run: what
  /// was held back counts as waiting. In a checked run the points are those of the measured call.
  ExploredSchedule schedule = {};
  /// If set, is filled with the points at which the run could have gone another way, in the order in which it met them
  /// (explore() asks for them). Outlives the run.
  std::vector<MetPoint>* met_points = nullptr;
};

/// What each rank of a run does.
using RankFunction = std::function<void(Communicator&)>;

}  // namespace heddle
