// SPDX-License-Identifier: Apache-2.0
// What is said of other programs' tables of measured times, by every command that reads them.
#pragma once

#include <optional>
#include <string>

#include "cli/flags/flag_group.hpp"
#include "lab/measurements/measured_run.hpp"

namespace heddle {

struct LogFlags {
  std::optional<std::string> collective;
  std::optional<std::string> algorithm;
  std::optional<std::string> ranks;
  std::string place = "out";

  /// Parsing fills this, which must outlive `command`.
  void add_to(CLI::App& command);
  /// Whether one of them is given.
  bool any() const { return collective || algorithm || ranks || place != "out"; }
  /// Throws InputError that names the flag.
  LogFacts read() const;
};

}  // namespace heddle
