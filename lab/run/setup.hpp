// SPDX-License-Identifier: Apache-2.0
// An experiment that was found possible: its fabric built, its ranks placed, its data sized. Algorithms that differ in nothing
// else share one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/data/collective_call.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "heddle/collective.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/describe/rank_groups.hpp"
#include "lab/describe/uneven_data.hpp"
#include "lab/run/algorithm_choice.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

// Where a run takes place: a machine that is built, what else is on it, and settings as an emulation takes them.

// --background: what else is on the fabric while a workload runs.

/// A flow and how it is called in reports.
struct NamedBackgroundFlow {
  std::string name;
  BackgroundFlow flow;
};

/// Flows with commas between them:
///
///   0->5             between two endpoints over the fabric's way between them; takes all that max-min fairness gives it
///   0->5@100Gbps     at most this rate
///   0->5@50%         at most half of what a message alone on that way gets
///   leaf0->spine1    over one link, as `heddle topo --links` and reports name it; where cables lie side by side, over each,
///                    and a rate is divided among them
///
/// Endpoints have their number or their name: "(0,1)". Throws InputError.
std::vector<NamedBackgroundFlow> parse_background(std::string_view text, const Fabric& fabric);

/// What runs of every workload need. A value. Several runs may use one at once.
struct Testbed {
  Fabric fabric;
  std::optional<FitRecord> fitted = {};  ///< what the fabric's speeds were fitted to; no value: they are assumed
  Placement placement = {};
  std::vector<NamedBackgroundFlow> background = {};
  EmulationSettings settings = {};  ///< of the virtual clock

  int ranks() const { return static_cast<int>(placement.size()); }
};

/// On a fabric that has been built already, of machine.fabric. Throws InputError that names the flag of `heddle run`, before
/// anything is made in proportion to the ranks.
Testbed build_testbed(const MachineSpec& machine, const SettingsSpec& settings, Fabric fabric);

// An experiment on it.

struct Setup;

/// A run that a setup plans.
struct PlannedAlgorithm {
  const Setup* setup;  ///< under whose model
  const Algorithm* algorithm;
};

/// Groups that make a call of their own beside others (set_up_families).
struct GroupFamily {
  std::shared_ptr<const Setup> setup;  ///< of these groups alone, with what they call
  bool takes_row = false;              ///< by the algorithm of the run's row; else by the setup's one
  std::size_t first = 0;               ///< of its groups among all
  std::size_t end = 0;

  /// What it calls in the row of `algorithm`. Refers to that, or to its setup.
  const Algorithm& row(const Algorithm& algorithm) const;
};

/// A program that ranks run in place of a call.
struct ProgramText {
  std::string path;
  std::vector<std::string> arguments;  ///< after its name
};

struct Setup : Testbed {
  /// What runs, if it is a program: nothing of a call is meant then, its data has no bytes, and `algorithms` has the program alone.
  std::optional<ProgramText> program = {};
  /// What all this was made of. What it leaves open is said: its type, whether it is in place, and, where a call is repeated, how often.
  /// Its payload is none in memory, over a network its clock is the wall's, and its algorithm does not matter. payload_asked is
  /// set, too, where not all fits the machine, and where each element goes is checked without data.
  Experiment asked = {};
  AlgorithmChoice algorithms = {};
  RankGroups groups = {};                     ///< that call at once; empty: all ranks together
  std::vector<GroupFamily> families = {};     ///< by their groups; empty: all groups make the same call
  std::int64_t count = 0;                     ///< elements of the whole vector; 0 for a barrier
  std::optional<Bytes> rounded_up_from = {};  ///< what was asked for, where that is less than one element, or one in each block
  BlockSizes blocks = {};                     ///< empty: as evenly as it goes
  CountMatrix sends = {};  ///< of an alltoall whose counts are given or skewed; empty: all send as much to all
  /// Under the wall clock on a fabric where nothing takes time: ranks share their memory, and no dilation is asked for.
  bool in_memory = false;
  bool is_beside = false;  ///< whether its time is held against the fabric's

  /// The same under further models (hold_beside), whose times are held against this one's.
  std::vector<std::shared_ptr<const Setup>> under_models = {};
  bool is_one_of_models = false;  ///< it has such setups, or is one of them

  std::size_t shown_links = 16;  ///< the most links that a run's document lists
  bool explain = false;          ///< whether its table says where the time went
  /// Whether outcomes come with some of what happened, in bounded memory.
  bool keep_sample = false;
  /// The algorithms whose second call another run makes.
  std::set<std::string> called_once = {};
  /// As CollectiveCall has it.
  bool watch_whole_inputs = false;

  /// All runs in their order: each algorithm's under its own model, then under the further ones.
  std::vector<PlannedAlgorithm> planned() const;
  /// "ring"; where there are several models "ring-packets", for files.
  std::string name_of(const Algorithm& algorithm) const;

  /// The fewest elements of the whole vector of which each of the given counts has a whole part; 1 where none are given.
  std::int64_t counts_block_count() const;
  Datatype type() const { return *asked.type; }
  std::int64_t bytes() const { return count * static_cast<std::int64_t>(type().size()); }
  /// Whether somebody else is on the fabric while a group calls.
  bool has_contention() const;
  /// How many ranks each group has; of all ranks where there are no groups.
  std::vector<int> group_sizes() const;
  /// What the registry's formulas take: one shape for each group, or one of all ranks. They have dimensions where the ranks
  /// fill the fabric's grid or a box of it.
  std::vector<Shape> shapes() const;
  Shape shape() const { return std::move(shapes().front()); }
  /// Vectors of the whole count that the ranks of all groups hold.
  double vectors() const;
  /// What a rank's vectors take, where each is of so many elements.
  double vector_bytes_per_rank(std::int64_t held) const;
  /// Whether all of the data is held, whatever the algorithm: blocks of given sizes are.
  bool is_held_whole() const;
  /// Elements that stay together for one algorithm where a rank holds a part of them, ≥ 1. `shapes` are this setup's.
  std::int64_t block_count(const Algorithm& algorithm, std::span<const Shape> shapes) const;
  /// Elements of the whole vector that a rank holds for one algorithm: of one that is independent of size, or where a payload was
  /// asked for, within the payload's budget; else all. `shapes` are this setup's.
  std::int64_t sampled(const Algorithm& algorithm, std::span<const Shape> shapes) const;
  /// Whether it says so (Algorithm), and all that groups call beside it do.
  bool is_independent_of_size(const Algorithm& algorithm) const;
  /// Whether a part of the vectors may be run for the whole: it is independent of size, or a part was asked for.
  bool may_hold_part(const Algorithm& algorithm) const { return asked.payload_asked || is_independent_of_size(algorithm); }
  /// Whether a time of it, with this scale, is that of the whole vector only if what it does not say holds: such a time is marked.
  bool assumes_scale(const Algorithm& algorithm, double byte_scale) const {
    return byte_scale != 1 && !is_independent_of_size(algorithm);
  }
  /// The call of one algorithm, with the payload that the budget allows.
  CollectiveCall call(const Algorithm& algorithm) const;
  /// The same with all elements, which nobody needs to hold: for check_positions.
  CollectiveCall whole_call(const Algorithm& algorithm) const;
  /// An estimate of what the run of one algorithm takes at its worst: ranks, links and vectors as estimate_memory says, and
  /// what is under way and being checked. `shapes` are this setup's.
  Bytes memory(const Algorithm& algorithm, std::span<const Shape> shapes) const;
};

/// With the rows of its plugins and of the schedules among `algorithms` as its own, so that each is read once. Throws InputError as set_up.
Experiment with_loaded_rows(Experiment experiment, std::string_view algorithms);

/// Of these algorithms, as choose_algorithms reads them, in place of the experiment's; with `tuning`, of their variants. Throws
/// InputError that names the flag of `heddle run`. Nothing large is allocated before the run is known to fit.
Setup set_up(const Experiment& experiment, std::string_view algorithms, const std::optional<Tuning>& tuning = {});

/// The same on a fabric that has been built already.
Setup set_up(Experiment asked, std::string_view algorithms, Fabric fabric, Unfitting unfitting = Unfitting::refused,
             const std::optional<Tuning>& tuning = {});

/// Of a program in place of the experiment's call. Throws InputError that names the flag.
Setup set_up(const Experiment& experiment, ProgramText program);

/// Of the experiment's own algorithm, which must be one.
Setup set_up(const Experiment& experiment, Unfitting unfitting = Unfitting::refused);

/// What the groups of one call look like to its algorithms, none of which is looked for. Throws InputError that names the flag.
std::vector<Shape> shapes_of(const Experiment& experiment, Fabric fabric);

/// Has the same under further models stand beside a setup. What one of them cannot serve is left out there, which `setup` then says.
void hold_beside(Setup& setup, std::vector<Setup> under_models);

// Groups that make calls of their own beside each other: --groups 'tp:tier:0=allreduce@16MiB + dp:strided:8=allgather/ring@64MiB'.

/// Of an experiment whose groups say what they call (have_calls). Each part is set up as an experiment of its own, whose
/// collective, algorithm and size are the part's, or the experiment's where it says nothing. The setup is that of the first
/// part that takes the experiment's algorithms, or else of the first that makes its collective, with the groups of all. Throws InputError that names
/// the part.
Setup set_up_families(const Experiment& experiment, std::string_view algorithms, const Fabric& fabric, Unfitting unfitting,
                      const std::optional<Tuning>& tuning);

/// By group, what is called in the row of this algorithm. Where the payload's budget holds a part of the data, it is the same part of
/// all; without groups the one call of all ranks.
std::vector<CollectiveCall> calls_of_groups(const Setup& setup, const Algorithm& algorithm);

/// Where the payload's budget holds a part of the data, 1/this of each family's. A setup with families.
std::int64_t common_scale(const Setup& setup, const Algorithm& algorithm);

/// By which algorithm this group makes its call in the row of `algorithm`, which outlives it as the setup does.
const Algorithm& algorithm_of_group(const Setup& setup, std::size_t group, const Algorithm& algorithm);

/// The setup that says what this group calls: its family's, or the setup itself.
const Setup& setup_of_group(const Setup& setup, std::size_t group);

// What a run will take of this machine, estimated before it is made: from its algorithm's formulas, and from what a message and a
// byte took where that was measured.

struct RunCost {
  double messages = 0;     ///< of all calls
  double packet_hops = 0;  ///< at most about so many, under the packet model; else 0
  double seconds = 0;      ///< on one core; often right within a factor of three
  Bytes memory;            ///< at worst, as Setup::memory says
  bool is_guess = false;   ///< its algorithm does not say how many rounds it takes: one for each rank
};

/// Of one algorithm of the setup. `shapes` are the setup's.
RunCost run_cost(const Setup& setup, const Algorithm& algorithm, std::span<const Shape> shapes);

/// From how many seconds on people want to know beforehand.
inline constexpr double kLongRun = 10;

/// "about 1.1e+09 messages, 9 minutes and up to 1.4GiB of memory" of runs of which so many go side by side, if all of that takes
/// kLongRun or more; else no value.
std::optional<std::string> long_run_text(std::span<const RunCost> runs, int workers);

/// The same of all algorithms of the setup.
std::optional<std::string> long_run_text(const Setup& setup, int workers);

}  // namespace heddle
