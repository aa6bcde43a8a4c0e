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

#include "emu/record/report.hpp"
#include "emu/settings/explored_order.hpp"
#include "emu/settings/faults.hpp"
#include "emu/settings/packet_settings.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

class Fabric;

// A run under the wall clock: how it is stretched, and what ends it before its time.

struct WallClockSettings {
  /// Wall time per emulated time, > 0 and finite: with 1000, an emulated microsecond takes a millisecond. What ranks compute
  /// counts as what it takes, divided by this.
  double dilation = 1;
  /// The run is stopped so many seconds of wall time after its begin, > 0.
  std::optional<double> deadline_seconds = {};
  /// The clock stands still until all ranks have said that they are ready (for heddle's own checks, whose preparations must not
  /// count).
  bool waits_for_starting_line = false;
};

// Traffic of others on the fabric's links.

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

// Which network model a run has, by its name.

/// How messages share links (docs/model.md). A value.
class Model {
 public:
  static const Model fluid;       ///< max-min fair
  static const Model alpha_beta;  ///< not at all: each is as fast as alone
  static const Model packets;     ///< in packets, through buffers (docs/packets.md)

  /// Of a model that there is; parse_model makes one of a user's text. `name` outlives it. `settings`: of the model of packets.
  explicit constexpr Model(std::string_view name, const PacketSettings& settings = {}) : name_(name), packets_(settings) {}

  constexpr std::string_view name() const { return name_; }
  constexpr const PacketSettings& packet_settings() const { return packets_; }
  friend constexpr bool operator==(const Model&, const Model&) = default;

 private:
  std::string_view name_;
  PacketSettings packets_;
};

inline constexpr Model Model::fluid{"fluid"};
inline constexpr Model Model::alpha_beta{"alpha-beta"};
inline constexpr Model Model::packets{"packets"};

/// "fluid", "alpha-beta", "packets", "packets:buffer=8,queues=fifo". Throws InputError.
Model parse_model(std::string_view text);
std::string to_string(Model model);

/// All that there are, the usual one first.
std::vector<Model> all_models();
/// How messages share links under it, in some words: "max-min fair".
std::string_view summary_of(Model model);
/// What a run may need of its model.
enum class ModelNeed : std::uint8_t {
  contention,  ///< messages share links, so that it takes time
  background,  ///< flows of others
  streams,     ///< switches that compute
  slow_links,  ///< links that have lost some of their bandwidth
  dead_links,  ///< links that are down
};
inline ModelNeed need_of(const LinkFault& fault) { return fault.down ? ModelNeed::dead_links : ModelNeed::slow_links; }
/// Why the model does not serve it, after its name: "knows no faults of links"; empty: it does.
std::string_view why_not(Model model, ModelNeed need);
/// What it does not serve of the fabric: "has no link of less than 1 kB/s, as 0->1 is"; empty: nothing.
std::string why_not(const Model& model, const Fabric& fabric);

class Communicator;

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
class RecordSink;
}

struct EmulationSettings {
  Threads threads = default_threads();
  /// Under the virtual clock, ranks on kernel threads run one after another as user-level ones do: what they share, as the standard
  /// streams, they use in an order that does not depend on the machine.
  bool one_at_a_time = false;
  Buffering buffering;
  Model model = Model::fluid;
  /// Bytes on the wire per byte of payload, ≥ 1: a run holds a part of the data and is timed as the whole.
  double byte_scale = 1;
  /// If set, permutes the order in which operations of one timestamp take effect. Without: (rank, task, program order).
  std::optional<std::uint64_t> order_seed;
  /// Rounds in which all ranks exchange at one timestamp are made together, where that gives the same (emu/run/lockstep_rounds.hpp).
  /// False: each message goes by itself.
  bool lockstep = true;
  /// What ranks do between their calls can be seen in their calls alone: not in what they print, say. Then they may do it out of the
  /// order of time.
  bool ranks_are_quiet = false;
  std::vector<BackgroundFlow> background = {};
  /// Every link as if its bandwidth were unlimited, whatever ranks know of it: what remains of a run's time is its latency
  /// part (docs/model.md, "Contention").
  bool latency_only = false;
  /// What goes wrong (docs/faults.md). Not under the wall clock.
  Faults faults = {};
  /// Per task, in bytes, at most kLargestStack. Committed as it is touched.
  std::size_t stack_bytes = 64 * 1024;
  static constexpr std::size_t kLargestStack = std::size_t{1} << 30;
  /// So many time slices of tasks at one timestamp of emulated time, and 100,000 more for each task, and the run is taken for
  /// one that never ends (CheckError::Kind::endless). A second call is made at one timestamp.
  std::int64_t most_slices_at_once = 10'000'000;
  /// Who hears what happens (emu/record/record_sink.hpp): a Timeline, a RunSample, what heddle's own checks look on with. Each
  /// outlives the run.
  std::vector<emu::RecordSink*> sinks = {};
  /// If set, the run takes place under the wall clock, on kernel threads whatever `threads` says; results are the same, times
  /// are measured (docs/model.md, "Wall clock") and the order within a timestamp is the machine's, not `order_seed`'s.
  std::optional<WallClockSettings> wall = {};
  /// Whether to stop; the run then ends in RunStopped. Asked while data is made before the run, between time slices of ranks, and at each
  /// call of a rank: on any thread, on several at once. So it should be cheap: reading an atomic, say. Under the wall clock ranks do
  /// not ask: then it is asked some twenty times a second, on a thread of the run's own.
  std::function<bool()> interrupted = {};
  /// What else is not in its usual order; not under the wall clock. The report's times are then those of a disturbed run: what
  /// was held back counts as waiting. In a checked run the points are those of the measured call.
  ExploredOrder order = {};
  /// If set, is filled with the points at which the run could have gone another way, in the order in which it met them
  /// (explore() asks for them). Outlives the run.
  std::vector<MetPoint>* met_points = nullptr;
};

/// What each rank of a run does.
using RankFunction = std::function<void(Communicator&)>;

}  // namespace heddle
