// SPDX-License-Identifier: Apache-2.0
// What was written with a ScheduleBuilder, with what each operation has to wait for, and the way from there to threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "schedules/build/schedule_builder.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// No operation, no strand, any thread block.
inline constexpr std::int32_t kNoNumber = -1;

/// A copy or a reduction, between two ranks or within one.
struct BuiltOperation {
  bool is_reduction = false;
  std::int32_t source = 0;  ///< rank
  ChunkPlace from = {};
  std::int32_t dest = 0;
  ChunkPlace into = {};
  std::int32_t chunks = 1;
  OperationChoice choice = {};

  // Operations, by number, that it waits for: of its source, who wrote what it reads; of its destination, also who used what it
  // overwrites.
  std::vector<std::int32_t> after_at_source = {};
  std::vector<std::int32_t> after_at_dest = {};

  std::int32_t readers = 0;  ///< operations that read what it wrote
  std::int32_t last_reader = -1;
  std::int32_t overwritten = 0;  ///< chunks of what it wrote that others have written since

  bool is_message() const { return source != dest; }
};

/// "operation 3 (ring.py:12), the copy of i[0] of rank 0 to i[1] of rank 1".
std::string operation_text(std::span<const BuiltOperation> operations, std::int32_t number);

struct OperationLog {
  /// Of a chunk of memory.
  struct Cell {
    std::int32_t writer = -1;  ///< operation; -1: the caller, or nobody
    std::vector<std::int32_t> readers = {};
  };

  ScheduleProgram frame = {};  ///< without strands; scratch as far as it is used
  bool in_place = true;
  std::vector<BuiltOperation> operations = {};
  std::vector<std::unordered_map<std::int32_t, Cell>> memory = {};  ///< by rank and RankMemory::index; what is used alone
};

/// Which steps there are, and on which threads.
///
/// Levels: an operation comes after all that it waits for, and no later than it must. A flow is a chunk on its way: each of its
/// operations goes on with what the one before brought, in one step with it. It is on one channel, as a thread has one peer to receive
/// from and one to send to.
struct StrandPlan {
  std::vector<std::vector<Strand>> strands;  ///< by rank; without steps; id -1: any
  // By operation.
  std::vector<std::int32_t> level;
  std::vector<std::int32_t> previous;  ///< that it is one step with, as this one's chunk came with it; -1: none
  std::vector<std::int32_t> next;
  std::vector<std::int32_t> sender;  ///< strand of the source, by place; of an operation within a rank -1 unless it was chosen
  std::vector<std::int32_t> receiver;  ///< strand of the destination
};

/// `fuse`: flows have several operations. Throws InputError, one line, for choices that contradict each other.
StrandPlan assign_threads(const OperationLog& log, bool fuse);

/// The operations as a schedule. Steps of a thread stand in an order in which all can happen. Without `fuse` it never locks up, even
/// where sends wait for their receives. Throws InputError as assign_threads does.
ScheduleProgram lower(const OperationLog& log, bool fuse);

}  // namespace heddle
