// SPDX-License-Identifier: Apache-2.0
// `heddle fuzz`: drawn calls of algorithms, each checked, until one fails; what fails is made small.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle {

/// The flags, as written.
struct FuzzOptions {
  std::string collective = "all";
  std::string algorithms = "all";
  std::vector<std::string> plugins = {};

  std::optional<std::string> seconds = {};
  std::optional<std::string> cases = {};
  std::string case_seconds = "60";
  std::optional<std::string> one_case = {};
  std::string seed = "1";
  std::optional<std::string> explore = {};
  std::optional<std::string> most_ranks = {};
  std::optional<std::string> jobs = {};
  std::optional<std::string> stack = {};
  std::optional<std::string> twice = {};
  std::optional<std::string> faults = {};
  std::optional<std::string> large = {};
  std::optional<std::string> tags = {};
  std::optional<std::string> junit = {};
  std::optional<std::string> json = {};
  std::optional<std::string> html = {};
  std::optional<std::string> findings = {};
  std::optional<std::string> corpus = {};
  bool keep_going = false;
  bool rows = false;
};

void add_fuzz_command(CLI::App& app, FuzzOptions& options);

/// Returns the exit status: kExitCheckFailed if a case failed, kExitInterrupted if a signal came before one did. Findings go to `err`. Throws InputError.
int fuzz_command(const FuzzOptions& options, std::ostream& out, std::ostream& err);

}  // namespace heddle
