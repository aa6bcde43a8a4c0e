// SPDX-License-Identifier: Apache-2.0
// Who sends to whom in a schedule: a connection is what one strand sends and another receives, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "schedules/program/schedule_program.hpp"

namespace heddle {

class Connections {
 public:
  static constexpr std::int32_t kNone = -1;

  struct Ends {
    std::int32_t sender = kNone;  ///< strand, numbered through all ranks; none: nobody sends
    std::int32_t receiver = kNone;
  };

  /// Throws InputError where two strands of a rank send to one rank on one channel, or receive so.
  explicit Connections(const ScheduleProgram& program);

  /// Strands are numbered through all ranks, in their order.
  std::int32_t strands() const { return static_cast<std::int32_t>(rank_of_.size()); }
  std::int32_t strand(std::int32_t rank, std::int32_t strand) const { return first_[static_cast<std::size_t>(rank)] + strand; }
  std::int32_t rank_of(std::int32_t strand) const { return rank_of_[static_cast<std::size_t>(strand)]; }
  std::int32_t place_in_rank(std::int32_t strand) const { return strand - first_[static_cast<std::size_t>(rank_of(strand))]; }

  /// The connection that a strand sends on, or receives on; kNone.
  std::int32_t sends_on(std::int32_t strand) const { return sends_on_[static_cast<std::size_t>(strand)]; }
  std::int32_t receives_on(std::int32_t strand) const { return receives_on_[static_cast<std::size_t>(strand)]; }

  const std::vector<Ends>& all() const { return connections_; }

 private:
  std::vector<std::int32_t> first_;  ///< by rank
  std::vector<std::int32_t> rank_of_;
  std::vector<std::int32_t> sends_on_;
  std::vector<std::int32_t> receives_on_;
  std::vector<Ends> connections_;
};

}  // namespace heddle
