// SPDX-License-Identifier: Apache-2.0
// `heddle run`: a collective's algorithms, each reported in its turn; with --transport on a real network.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "cli/flags/experiment_flags.hpp"
#include "cli/flags/sweep_flags.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "lab/sweep/sweep_runner.hpp"
#include "show/document/reporter.hpp"
#include "show/outputs.hpp"

namespace heddle {

/// What its command line says.
struct RunFlags {
  ExperimentFlags experiment = {};
  TuneFlags tune = {};
  std::optional<std::string> over = {};
  std::optional<std::string> beside = {};
  RunOutputTexts outputs = {};
  std::string links = "16";
  bool explain = false;
  bool wide = false;
};

/// Sets up all algorithms for this experiment. Throws InputError that names the flag.
Setup set_up(const RunFlags& flags, Experiment experiment);

/// Runs all of the setup's algorithms, whatever becomes of one, then explains on `err` what failed. Returns the exit status. Up to
/// `workers` run side by side, if they need little memory; those of the wall clock never do, and code that may not be safe for
/// several threads should not. `run` makes each of them. Throws what is no failed check (after all reporters have ended): InputError, or an error of heddle
/// itself.
int execute(const Setup& setup, std::span<Reporter* const> reporters, std::ostream& err, int workers = 1,
            const RunFunction& run = run_algorithm);

/// `heddle run --transport`, in this process: each makes the same calls, and the first one reports. flags.over is set. Returns the
/// process's exit status. Throws InputError on the first process alone, before anything has run.
int run_over(const RunFlags& flags, std::ostream& out, std::ostream& err);

/// Returns the exit status; of one that was interrupted, 128 and the signal's number. Throws InputError before anything has run
/// or been written. With --distribute all processes of a run call it, and the first speaks. `run` is there for tests. Ends the process by itself where an interrupt gave up runs under way.
int sweep_command(const SweepFlags& options, std::ostream& out, std::ostream& err, const RunFunction& run = run_algorithm);

}  // namespace heddle
