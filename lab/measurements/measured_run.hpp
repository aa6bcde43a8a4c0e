// SPDX-License-Identifier: Apache-2.0
// A run of a collective over a real network, as a file says it. Files are what `heddle run --transport --json` writes, tables that
// nccl-tests, OSU's and Intel's benchmarks print, and a CSV (docs/files.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/units.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// Which of a run's iterations counts.
enum class MeasuredTime : std::uint8_t {
  median,  ///< as the run reported; of other programs' tables the time that they print
  least,   ///< the one that others on the machine disturbed the least
};

struct MeasuredRun {
  std::string place;          ///< "results.json:17", for complaints
  Experiment experiment;      ///< the call; without a fabric
  Time time;                  ///< more than 0
  std::string network;        ///< "Open MPI v4.1.4, 2 processes on 1 machine", "nccl-tests, 8 ranks, out of place"
  int rounds = 0;             ///< of the algorithm, at most by any rank; 0: the file does not say
  std::int64_t messages = 0;  ///< of all ranks; 0: the file does not say
};

/// What tables of other programs leave out. What a table says itself is not to be contradicted.
struct LogFacts {
  std::optional<Collective> collective = {};
  std::string algorithm = {};  ///< with its options; empty: not known
  std::optional<int> ranks = {};
  bool in_place = false;     ///< of nccl-tests' two groups of columns, the second one
  std::string program = {};  ///< whose tables alone are read: "nccl-tests"; empty: any file is
};

/// What came of files.
struct MeasuredRuns {
  std::vector<MeasuredRun> runs;
  std::vector<std::string> left_out;  ///< "imb.txt:40: Exchange: no collective of heddle"
  bool has_logs = false;              ///< whether some file was another program's
};

/// The runs of all files, in their order. Runs that failed and those without messages, as of a single rank or no bytes, are left
/// out. Throws InputError "FILE:LINE: what is wrong" for what is no such file, for runs that were not measured over a network, for
/// what a table does not say and `facts` neither, for results that were not right, and where nothing is left.
MeasuredRuns read_measurements(std::span<const std::string> files, MeasuredTime which = MeasuredTime::median,
                               const LogFacts& facts = {});

/// Of one file whose text has been read.
MeasuredRuns read_measurements(const std::string& file, const std::string& text, MeasuredTime which, const LogFacts& facts);

/// Whether a file's text is a table of another program, by its first lines that are known; JSON is none.
bool is_measured_log(const std::string& text);

}  // namespace heddle
