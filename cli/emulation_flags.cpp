// SPDX-License-Identifier: Apache-2.0
#include "cli/emulation_flags.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "cli/flag_value.hpp"
#include "core/errors.hpp"
#include "emu/fault_spec.hpp"

namespace heddle {

namespace {

Threads read_threads(std::string_view text) {
  if (text == "user") return Threads::user;
  if (text == "kernel") return Threads::kernel;
  throw InputError(fmt::format("'{}': not a kind of threads; user or kernel", text));
}

Faults read_faults(const RunOptions& options, const Topology& topology, int ranks) {
  Faults faults;
  for (const std::string& spec : options.faults) {
    read_flag("--fault", spec, [&](std::string_view text) {
      add_fault(faults, text, topology, ranks);
      return true;
    });
  }
  if (!faults.empty() && options.clock == "wall")
    throw InputError("--fault: the wall clock serves no faults; leave --clock wall out");
  if (!faults.links.empty() && options.model != "fluid")
    throw InputError(fmt::format("--fault: --model {} knows no faults of links; leave it out", options.model));
  return faults;
}

}  // namespace

EmulationSettings read_emulation_settings(const RunOptions& options, const Topology& topology, int ranks) {
  EmulationSettings settings;
  settings.buffering = read_flag("--buffering", options.buffering, parse_buffering);
  settings.model = read_flag("--model", options.model, parse_model);
  if (options.threads) settings.threads = read_flag("--threads", *options.threads, read_threads);
  if (options.schedule_seed) settings.schedule_seed = read_flag("--schedule-seed", *options.schedule_seed, parse_seed);
  if (options.schedule) settings.schedule = read_flag("--schedule", *options.schedule, parse_explored_schedule);
  if (options.stack) settings.stack_bytes = static_cast<std::size_t>(read_flag("--stack", *options.stack, parse_bytes).count());
  settings.faults = read_faults(options, topology, ranks);
  return settings;
}

}  // namespace heddle
