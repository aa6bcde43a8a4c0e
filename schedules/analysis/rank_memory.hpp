// SPDX-License-Identifier: Apache-2.0
// One number for each chunk of memory that a rank has in a call: where input and output are one vector, i[0] and o[0] are one chunk.
#pragma once

#include <cstdint>

#include "schedules/program/schedule_program.hpp"

namespace heddle {

class RankMemory {
 public:
  RankMemory(const ScheduleProgram& program, bool in_place) : program_(program), in_place_(in_place) {}

  /// Of a rank: more than any index() gives.
  std::int32_t size(int rank) const {
    return 2 * program_.chunks + program_.ranks[static_cast<std::size_t>(rank)].scratch_chunks;
  }
  std::int32_t index(int rank, ChunkBuffer buffer, std::int32_t chunk) const {
    if (buffer == ChunkBuffer::scratch) return 2 * program_.chunks + chunk;
    if (!program_.is_one_vector(rank, in_place_)) return buffer == ChunkBuffer::input ? chunk : program_.chunks + chunk;
    const bool is_own_block = program_.chunks_of_block() != program_.chunks && program_.collective != Collective::alltoall &&
                              (buffer == ChunkBuffer::input) == has_own_input(program_.collective);
    return is_own_block ? rank * program_.chunks_of_block() + chunk : chunk;
  }

 private:
  /// Whether it is the input that is a rank's own block, and not the output.
  static bool has_own_input(Collective collective) {
    return collective == Collective::allgather || collective == Collective::gather;
  }

  const ScheduleProgram& program_;
  bool in_place_;
};

}  // namespace heddle
