// SPDX-License-Identifier: Apache-2.0
// What is run, as values: a machine, a workload and settings. An experiment, whose workload is a collective by one algorithm, has
// one line of text: the arguments of `heddle run` that make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/data/collective_call.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "emu/settings/explored_order.hpp"
#include "heddle/collective.hpp"
#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/registry.hpp"
#include "heddle/units.hpp"
#include "lab/describe/processes.hpp"
#include "lab/describe/tier_values.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/routing.hpp"
#include "topo/presets/preset_file.hpp"

namespace heddle {

/// Fabrics that a program has as values (fabric_from_text in topo/files/file_graph.hpp), by name: a topology given:NAME is one of them.
using GivenFabrics = std::map<std::string, std::shared_ptr<const Topology>, std::less<>>;

/// What is not set is the preset's, or without one the topology's own, or FabricSettings' default.
struct FabricSpec {
  std::string topology = {};                       ///< "torus:8x8": topo/spec/topology_spec.hpp
  std::string preset = {};                         ///< "swing-nsdi24", "file:fitted.json"; empty: none
  std::shared_ptr<const GivenFabrics> given = {};  ///< nullptr: none

  TierValues<Bandwidth> bandwidth = {};
  TierValues<Time> latency = {};
  TierValues<double> eta_alpha = {};
  TierValues<double> eta_beta = {};

  std::optional<Time> hop = {};
  std::optional<Time> host_link = {};
  std::optional<Time> alpha = {};
  std::optional<double> gamma = {};  ///< seconds of local work per byte
  std::optional<Time> send_overhead = {};
  std::optional<Time> recv_overhead = {};
  std::optional<Routing> routing = {};

  bool operator==(const FabricSpec&) const = default;
};

/// Whether one of --bw, --latency, --eta-alpha and --eta-beta has several values, or names dimensions.
bool has_lists(const FabricSpec& spec);

/// How many values these may have. Takes a while on a large fabric.
std::size_t tiers_of_links(const Topology& topology);

/// Throws InputError if --bw, --latency, --eta-alpha or --eta-beta has values for more tiers than there are; `fabric` names whose.
void require_tiers(const FabricSpec& spec, std::size_t tiers, std::string_view fabric);

/// Throws InputError if --host-link has a time and the fabric's hosts have no routers of their own; `fabric` names it.
void require_host_links(const FabricSpec& spec, bool is_direct, std::string_view fabric);

/// The fit that the speeds come from: of a preset in a file that has a record of it, unless another speed is set. Throws InputError.
std::optional<FitRecord> fit_record_of(const FabricSpec& spec);

/// Its shape: one of those that are given, or what parse_topology makes of the text. Throws InputError.
std::shared_ptr<const Topology> topology_of(const FabricSpec& spec);

/// Whether build_fabric refuses what the topology has no use for: values for more tiers of links than it has, --host-link. A sweep
/// may have another that uses it.
enum class SurplusTiers { refused, accepted };

/// Throws InputError that names the flag which says it; `topology_flag` is what it calls the topology's.
Fabric build_fabric(const FabricSpec& spec, std::string_view topology_flag = "--topo",
                    SurplusTiers surplus = SurplusTiers::refused);

/// The speeds alone; `of_topology` are the topology's own, if it has some.
FabricSettings settings_of(const FabricSpec& spec, std::vector<LinkSpeed> of_topology = {});

/// Under which clock a run takes place. The virtual one is the default.
struct ClockChoice {
  bool is_wall = false;
  std::optional<double> dilation = {};  ///< no value: chosen for each algorithm
  std::optional<double> deadline_seconds = {};
  /// Whether the user wants the run to stop. Called from any thread; nullptr: never.
  std::function<bool()> interrupted = nullptr;
};

/// What a chosen dilation aims at: lateness and computing may add so much to a run's time.
inline constexpr double kDilationError = 0.02;

/// What a chosen dilation keeps below, even if more is added then: seconds of wall time of the call that is measured.
inline constexpr double kLongestDilated = 60;

// A run is a machine, a workload and settings. What is not set is as `heddle run` has it.

/// Where ranks run, and who sits where.
struct MachineSpec {
  FabricSpec fabric = {};
  std::optional<int> ranks = {};     ///< no value: as many as the topology has endpoints, or the placement names
  std::string placement = "linear";  ///< topo/placement/placement.hpp
  /// Where it is run for real, if set: the fabric is then one that it is held beside.
  std::shared_ptr<ProcessRanks> over = {};
};

/// A collective that all ranks call, or several groups of them at once.
struct CallSpec {
  Collective collective = Collective::allreduce;
  std::string algorithm = {};  ///< with its options: "chain:segments=8"
  /// Algorithms besides the registry's: a user's own, a plugin's. A name is looked up here first.
  std::shared_ptr<const std::vector<Algorithm>> own = {};
  std::vector<std::string> plugins = {};  ///< files with more of them (heddle/plugin.hpp)
  std::string groups =
      {};  ///< that call at once, or have calls of their own (lab/describe/rank_groups.hpp); empty: all ranks together
  std::size_t alone = 64;  ///< at most so many groups run alone as well, for what the others cost them
  std::optional<Bytes> size =
      {};  ///< of the whole vector; rounded down to whole elements, for alltoall to equal blocks, but up to one of them
  std::optional<Datatype> type = {};      ///< no value: i32, of affine maps their own
  const ReduceOp* op = &ReduceOp::sum();  ///< of a collective that reduces; outlives the experiment
  /// `op` itself, if it is one of a user's own that was made when the program ran: copies keep it.
  std::shared_ptr<const ReduceOp> own_op = {};
  DataValues values = {};  ///< special ones need floats that are moved, or reduced by min or max
  /// Whether it is checked at its true size, without data, where each element goes (emu/check/checked_run.hpp).
  bool positions = false;
  bool errors = false;                ///< whether it is measured how far sums of floats are off (lab/run/sum_errors.hpp)
  int root = 0;                       ///< of a collective that has one
  std::string blocks = "even";        ///< lab/describe/uneven_data.hpp
  std::string skew = {};              ///< of an alltoall (lab/describe/uneven_data.hpp); empty: none
  std::string counts = {};            ///< of an alltoall (lab/describe/uneven_data.hpp); empty: all send as much to all
  std::optional<bool> in_place = {};  ///< no value: in place, but for alltoall
  int calls = 2;           ///< made back to back and checked, of which the first is measured: 2 or more (CollectiveCall)
  std::uint64_t seed = 1;  ///< of the data
  std::optional<Bytes> payload = Bytes(64 << 20);  ///< memory for all ranks' vectors; no value: as much as it takes
  /// Whether that memory was asked for, as any other than the usual one was: what does not say that it is independent of size
  /// (Algorithm) then runs on a part of its vector too, and its time is marked. Else it runs whole.
  bool payload_asked = false;
  std::optional<std::int64_t> iterations = {};  ///< of which a run in memory takes the median
  std::optional<std::int64_t> warmup = {};      ///< before these
};

/// How a run goes.
struct SettingsSpec {
  ClockChoice clock = {};
  Model model = Model::fluid;
  Buffering buffering = {};
  std::vector<std::string> background = {};  ///< lab/run/setup.hpp
  std::vector<std::string> faults = {};      ///< emu/settings/faults.hpp
  std::optional<std::uint64_t> order_seed = {};
  ExploredOrder order = {};
  std::optional<int> explore = {};  ///< under every order with so many delays, before it is timed
  std::optional<Threads> threads = {};
  std::optional<Bytes> stack = {};  ///< of each task
  bool keep_timeline = false;       ///< whether the outcome comes with what happened
};

struct Outcome;

/// A run whose workload is a call, as a value: nothing in it is checked before it is run or asked, and nothing large is made
/// before. Other workloads: run() in lab/run/run_algorithm.hpp.
struct Experiment : MachineSpec, CallSpec, SettingsSpec {
  /// The arguments that make `heddle run` do this: "allreduce --algo ring --topo star:5 --size 28". What is as `heddle run` has
  /// it anyway is left out.
  std::string text() const;
  /// Reads what text() writes, the flags in any order. Throws InputError that names the flag or the word.
  static Experiment parse(std::string_view text);

  /// Whether its blocks or counts say how much data there is, so that no size is needed. Throws InputError.
  bool lists_its_size() const;
  /// What the algorithm's formulas take, in the first group. Throws InputError for a fabric or a call that there is not.
  Shape shape() const;
  /// Why the algorithm does not fit, as in "it needs a grid"; empty: it does. Throws InputError as shape() does.
  std::string why_not() const;
  /// Runs it, checked. Blocks until it is done. A check that fails is an outcome; throws InputError for what cannot be.
  Outcome run() const;
};

/// Whether `heddle run` calls it in place unless told otherwise (docs/model.md, "In place"): all but an alltoall, which would have
/// to keep a copy of its input first, and that is not what is to be measured.
bool is_in_place_by_default(Collective collective);

/// Of one element: the given one, or what the op asks for.
Datatype type_of(const Experiment& experiment);

// What reports say of its call.

/// "i32"; "affine" for affine maps.
std::string type_name(const Experiment& experiment);
/// "sum"; "none" where nothing is reduced.
std::string op_name(const Experiment& experiment);
/// The root's rank, or -1 where there is none.
int shown_root(const Experiment& experiment);

}  // namespace heddle
