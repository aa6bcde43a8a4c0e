// SPDX-License-Identifier: Apache-2.0
// Reports of a run that `heddle run` makes beside its table: a row for each, which stands in the report's own file.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "show/document/reporter.hpp"

namespace heddle {

/// What a report is made with.
struct RunOutputCall {
  const Setup& setup;
  const std::string& path;        ///< as its flag has it
  const std::string& option;      ///< as RunOutput::Option's flag has it, or the usual one
  bool is_standard_output_taken;  ///< by the JSON report
  const std::string& command;     ///< repeats the run; empty: nothing does
  std::ostream& out;              ///< standard output; outlives the reporter
  const std::function<bool()>& is_interrupted;
};

/// To add a report: its file, with a function RunOutput <name>_output() in namespace heddle, and its line in show/CMakeLists.txt.
struct RunOutput {
  enum class Files : std::uint8_t { of_all, of_each };  ///< one, or one for each algorithm: "out-ring.svg"

  /// A flag that says more of it.
  struct Option {
    std::string flag = {};  ///< empty: there is none
    std::string help = {};
    std::string usual = {};
  };

  std::string flag;  ///< "--trace"
  std::string help;
  std::string example;  ///< a path: "trace.json"
  Files files = Files::of_all;
  Option option = {};
  /// What must be kept of a run for it (Experiment::keep_timeline, Setup::keep_sample). nullptr: nothing.
  bool (*needs_timeline)(std::string_view option) = nullptr;
  bool needs_sample = false;
  /// Refuses what cannot be drawn or written: throws InputError that names the flag.
  std::unique_ptr<Reporter> (*make)(const RunOutputCall& call);
};

/// All of them, in the order of the help.
std::span<const RunOutput> run_output_table();

}  // namespace heddle
