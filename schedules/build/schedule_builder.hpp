// SPDX-License-Identifier: Apache-2.0
// Schedules written by hand: chunks that are copied and reduced, one after the other, as in MSCCL's language (Cowan et al., MSCCLang,
// ASPLOS '23). Threads, channels and dependencies follow from what is done to which chunk:
//
//   ScheduleBuilder s({.collective = Collective::broadcast, .ranks = 3, .chunks = 1});
//   ChunkRef part = s.chunk(0, ChunkBuffer::input, 0);
//   for (int rank = 1; rank < 3; ++rank) part = part.copy(rank, ChunkBuffer::output, 0);
//   const ScheduleProgram program = s.build();
//
// What comes out is a ScheduleProgram as any other: it is checked (schedules/program/analysis.hpp), run, written as MSCCL's XML.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heddle/collective.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// What a schedule is written for.
struct ScheduleForm {
  std::string name = "built";
  Collective collective = Collective::allreduce;
  int ranks = 1;
  std::int32_t chunks = 1;            ///< of the whole vector; where that has blocks, as many in each
  std::optional<bool> in_place = {};  ///< whether input and output are one vector; no value: they are, but for alltoall
  int root = 0;                       ///< of a collective that has one
};

/// What may be said of one operation. -1: the builder chooses.
struct OperationChoice {
  std::int32_t channel = -1;
  std::int32_t send_tb = -1;     ///< thread block that sends; of an operation within a rank, that does it
  std::int32_t receive_tb = -1;  ///< thread block that receives
  std::string where = {};        ///< of the caller's text, for messages and steps (Step::line): "ring.py:12"; empty: none
};

/// How threads and channels are made.
struct BuildChoice {
  /// Whether a chunk that comes and goes on is one step (rcs, rrs, rrcs).
  bool fuse = true;
  /// So many messages of a channel can be under way, 1 or more. Where a schedule of such steps locks up with them, it gets a step each.
  int slots = 2;
  /// So many schedules side by side, each on a part of every chunk range and on channels of its own.
  int instances = 1;
};

struct OperationLog;

/// Chunks side by side on one rank, as they are now. It is of no use once something else is written there. A value; it keeps what its
/// builder has written down.
class ChunkRef {
 public:
  int rank() const { return rank_; }
  ChunkPlace place() const { return place_; }
  std::int32_t count() const { return count_; }

  /// Puts them there, too: a message, or a copy within the rank. Returns what is there then. To where they are already: nothing is done.
  /// Throws InputError, one line: chunks that there are not, or that were overwritten since.
  ChunkRef copy(int rank, ChunkBuffer buffer, std::int32_t index, OperationChoice choice = {}) const;
  /// Adds other chunks to these, which stay where they are. Returns the sum. Throws InputError, one line: what was overwritten since, another
  /// number of chunks, a collective that does not reduce, another builder's chunks.
  ChunkRef reduce(const ChunkRef& other, OperationChoice choice = {}) const;

 private:
  friend class ScheduleBuilder;
  ChunkRef(std::shared_ptr<OperationLog> log, int rank, ChunkPlace place, std::int32_t count);

  std::shared_ptr<OperationLog> log_;
  int rank_;
  ChunkPlace place_;
  std::int32_t count_;
  std::int32_t as_of_;  ///< operations that there were
};

/// Not safe from several threads at once.
class ScheduleBuilder {
 public:
  /// Throws InputError, one line: no ranks, no chunks, chunks that make no equal blocks, a root that there is not, a barrier.
  explicit ScheduleBuilder(ScheduleForm form);

  /// What is there now. Throws InputError, one line, for chunks that there are not, or into which nothing was put yet.
  ChunkRef chunk(int rank, ChunkBuffer buffer, std::int32_t index, std::int32_t count = 1) const;

  /// Operations between two ranks so far: each is one message, of each instance.
  std::int64_t messages() const;

  /// What was written so far. Whether that is what the collective asks for, CompiledSchedule::explain says. Throws InputError, one
  /// line: choices that no schedule has, such as a thread block that sends to two ranks.
  ScheduleProgram build(const BuildChoice& choice = {}) const;

 private:
  std::shared_ptr<OperationLog> log_;
};

}  // namespace heddle
