// SPDX-License-Identifier: Apache-2.0
// `heddle export openmpi|mpich|nccl`: what sweeps have found out, as files that libraries take their choice of algorithms from.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

/// The flags of one of them, as written.
struct DecisionFlags {
  std::vector<std::string> files;
  std::string fabric;
  std::optional<std::string> base;  ///< of mpich alone
  std::optional<std::string> out;
  bool list = false;
};

struct DecisionExports {
  DecisionFlags openmpi;
  DecisionFlags mpich;
  DecisionFlags nccl;
};

/// Adds the commands with their flags to `heddle export`; parsing fills `options`, which must outlive it.
void add_decision_exports(CLI::App& command, DecisionExports& options);

/// If one of them was given: writes the file, and on `err` what the target does not have. Returns the exit status; no value if
/// none was given. Throws InputError before anything is written.
std::optional<int> run_decision_export(const CLI::App& command, const DecisionExports& options, std::ostream& out,
                                       std::ostream& err);

}  // namespace heddle
