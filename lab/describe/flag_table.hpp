// SPDX-License-Identifier: Apache-2.0
// The table of the flags that say an experiment. From a row come the experiment's text, the command line with its help, man page
// and completion, the context of documents, and what a flag is refused for. A new flag is a row, and what it does.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lab/describe/experiment.hpp"

namespace heddle {

/// A value that a shell offers, or how one begins.
struct FlagWord {
  std::string word;
  std::string meaning = {};
};

/// What a flag sets, and how that is told.
struct FlagValue {
  std::function<void(Experiment&, std::string_view)> set = nullptr;  ///< throws InputError that begins with the value
  /// The values that set() takes to make this of a new experiment; none: as usual.
  std::function<std::vector<std::string>(const Experiment&)> get = nullptr;
};

/// What documents' context has of a flag.
struct FlagContext {
  std::string key = {};  ///< empty: nothing
  /// Of an experiment that was set up; nullptr: what get() says, which is left out where it says nothing.
  std::function<nlohmann::ordered_json(const Experiment&)> value = nullptr;
};

struct ExperimentFlag {
  enum class Takes { value, values, nothing };  ///< values: given again for each

  std::string name = {};        ///< "--datatype"
  std::string letter = {};      ///< "-d"; empty: none
  std::string_view group = {};  ///< the title that it stands under in help
  std::string type = {};        ///< what help calls its value; empty where it takes none
  std::string help = {};
  std::string usual = {};  ///< the value that help names as the default; empty: none
  FlagValue value = {};
  FlagContext context = {};
  std::vector<FlagWord> words = {};
  /// Why it would change nothing of this call; empty: it has a say.
  std::function<std::string(const Experiment&)> idle = nullptr;
  Takes takes = Takes::value;
};

/// Titles of groups, in the table's order.
namespace flag_groups {
inline constexpr std::string_view kFabric = "Fabric";
inline constexpr std::string_view kWhat = "What to run";
inline constexpr std::string_view kRanks = "Ranks";
inline constexpr std::string_view kOrder = "Order of events";
inline constexpr std::string_view kClock = "Clock";
inline constexpr std::string_view kFaults = "Faults";
inline constexpr std::string_view kData = "Data";
inline constexpr std::string_view kNcclTests =
    "nccl-tests' flags: emulated time does not vary, so only a run in memory (--clock wall --bw inf --latency 0) repeats";
}  // namespace flag_groups

/// In the order of help, which is that in which they are read.
const std::vector<ExperimentFlag>& experiment_flags();

/// nullptr: there is none of this name.
const ExperimentFlag* find_experiment_flag(std::string_view name);

/// The name that a flag, of an experiment or of a command, has now; empty: it never had another.
std::string_view renamed_flag(std::string_view flag);

/// Sets what a flag says. Throws InputError that names the flag.
void set_flag(Experiment& experiment, std::string_view flag, std::string_view value);

/// A flag that was given; its value is empty where it takes none.
struct GivenFlag {
  std::string name;
  std::string value = {};
};

/// The experiment that these flags say, whatever their order. Throws InputError that names the flag, also for one that changes nothing
/// of this call: who gives it expects that it does something.
Experiment read_flags(Collective collective, const std::vector<GivenFlag>& given);

/// The same for flags that say something else, as the axes of a sweep do: throws for one that was given and changes nothing of this call.
void refuse_idle(const Experiment& experiment, const std::function<bool(std::string_view flag)>& was_given);

}  // namespace heddle
