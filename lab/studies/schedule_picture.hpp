// SPDX-License-Identifier: Apache-2.0
// Who sends what to whom in each round of an algorithm, as a run of it shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"

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
  std::int64_t blocks = 0;                         ///< that the vector is cut into; 0 if nothing is carried
  std::vector<std::vector<Transfer>> rounds = {};  ///< each in order
};

/// Runs the algorithm, checked, with one element per block. Throws InputError if it cannot serve there, CheckError if it is
/// wrong.
Schedule record_schedule(const Algorithm& algorithm, const ScheduleRequest& request);

/// Lines of text. What every rank does alike stands there once, r being any rank; or once for the even and once for the odd.
/// Blocks of an allreduce are named after the ranks that complete them if that is shorter than by their places.
std::string draw(const Schedule& schedule);

/// Both, with a title.
std::string schedule_picture(const Algorithm& algorithm, const ScheduleRequest& request);

}  // namespace heddle
