// SPDX-License-Identifier: Apache-2.0
// Who sends what to whom in each round of an algorithm, as a run of it shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// Where an algorithm is drawn: "p=8", "torus:2x4", each with or without ",root=3".
struct ScheduleRequest {
  std::string topology;  ///< "p=8" is ring:8
  int root = 0;
};

/// Throws InputError.
ScheduleRequest parse_schedule(std::string_view text);

/// What one message of a round carries.
struct Transfer {
  /// A block of the vector and whose contributions are in it; alltoall: the block's destination and its source.
  struct Carried {
    std::int64_t block;
    std::vector<int> ranks;  ///< in order
    friend auto operator<=>(const Carried&, const Carried&) = default;
  };

  int source = 0;
  int dest = 0;
  std::vector<Carried> carried;  ///< by block
  friend auto operator<=>(const Transfer&, const Transfer&) = default;
};

struct Schedule {
  Collective collective = Collective::allreduce;
  int ranks = 1;
  std::vector<int> dims = {};                      ///< of the fabric's grid, if it has one
  std::int64_t blocks = 0;                         ///< that the vector is cut into; 0 if nothing is carried
  std::vector<std::vector<Transfer>> rounds = {};  ///< each in order
};

/// Runs the algorithm, checked, with one element per block. Throws InputError if it cannot serve there, CheckError if it is
/// wrong.
Schedule record_schedule(const Algorithm& algorithm, const ScheduleRequest& request);

/// What all ranks of a class do alike in a round, or a single message.
struct ScheduleLine {
  int round;                                  ///< from 1
  std::string who;                            ///< "every r ↔ r xor 2", "0 → 3"
  std::string what;                           ///< that the message carries
  std::vector<std::pair<int, int>> messages;  ///< from and to
};

struct ScheduleDrawing {
  std::string title;
  std::vector<ScheduleLine> lines;  ///< by round
  std::string note;                 ///< below; may be empty
  int ranks = 1;
  std::vector<int> dims = {};  ///< of the fabric's grid, if it has one
};

/// What ranks do alike stands there once, r being any rank (RankSymmetry). Blocks of an allreduce are named after the ranks that
/// complete them if that is shorter than by their places. Without a title.
ScheduleDrawing draw(const Schedule& schedule);

/// Recorded and drawn, with a title.
ScheduleDrawing schedule_drawing(const Algorithm& algorithm, const ScheduleRequest& request);
std::string text_of(const ScheduleDrawing& drawing);

/// schedule_drawing as text.
std::string schedule_picture(const Algorithm& algorithm, const ScheduleRequest& request);

// An algorithm's run as a schedule that runs: what its ranks did, as data (schedules/).

struct RecordedSchedule {
  ScheduleProgram program;
  std::int64_t count = 0;  ///< elements of the whole vector in the run
  std::int64_t element_size = 0;
};

/// Runs the experiment's algorithm, which must be one, and returns what its first call did; of a schedule from a file, that schedule, once it has run. Where no
/// size is given, the least at which each block has an element; a given one is rounded down to a multiple of that, and up to it. Blocks
/// that one runs. Throws InputError as run() does, for groups and for switches that compute; CheckError where the run fails.
RecordedSchedule record_schedule(const Experiment& experiment);

}  // namespace heddle
