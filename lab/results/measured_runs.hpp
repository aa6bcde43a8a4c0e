// SPDX-License-Identifier: Apache-2.0
// What `heddle run --transport … --json` has measured, as experiments that can be emulated.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heddle/units.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// Which of a run's iterations counts.
enum class MeasuredTime : std::uint8_t {
  median,  ///< as the run reported
  least,   ///< the one that others on the machine disturbed the least
};

struct MeasuredRun {
  std::string place;          ///< "results.json:17", for complaints
  Experiment experiment;      ///< the call; without a fabric
  Time time;                  ///< more than 0
  std::string network;        ///< "Open MPI v4.1.4, 2 processes on 1 machine"
  int rounds = 0;             ///< of the algorithm, at most by any rank
  std::int64_t messages = 0;  ///< of all ranks
  Bytes sent;                 ///< by the rank that sends most
};

/// The runs of all files, in their order: each what `heddle run --json` writes, or a list of them. Runs that failed and
/// those without messages, as of a single rank, are left out. Throws InputError "FILE:LINE: what is wrong" for what is no such
/// document, for runs that were not measured over a network, and where nothing is left.
std::vector<MeasuredRun> read_measured_runs(std::span<const std::string> files, MeasuredTime which = MeasuredTime::median);

/// By run, whether it is fitted: `algorithms` are names with commas, as the files have them. Empty: runs on 2 ranks of one message
/// or of one round, and all runs of the first two other algorithms. Throws InputError for an algorithm of which there is no run.
std::vector<bool> choose_fitted(std::span<const MeasuredRun> runs, std::string_view algorithms);

}  // namespace heddle
