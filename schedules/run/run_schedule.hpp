// SPDX-License-Identifier: Apache-2.0
// Runs a schedule on a communicator, as any collective: each strand is a task of its rank, each channel a tag.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"
#include "heddle/vector_view.hpp"
#include "schedules/program/schedule_program.hpp"
#include "schedules/run/compiled_schedule.hpp"

namespace heddle {

// The three buffers of one rank in one call: which memory a schedule's chunks are.

class Workspace {
 public:
  /// Copies the input to where the schedule expects it, if the call is one that it was not made for: in place, or not. Out of place
  /// nothing is in the output, or in scratch, but what steps write. All outlive it.
  Workspace(Communicator& comm, const CompiledSchedule& schedule, const ChunkGeometry& geometry,
            const CollectiveArguments& call);

  /// Memory of chunks, side by side as far as they lie so. `sizes`: of chunks in scratch, the chunks of the whole vector that each is as
  /// long as.
  std::vector<VectorView> pieces(ChunkPlace place, std::int32_t count, std::span<const std::int32_t> sizes) const;
  /// Memory for what comes and is only used by a reduction: as long as so many chunks can be. Strands have one each.
  Buffer incoming(std::int32_t chunks) const { return Buffer(type_, chunks * geometry_.longest()); }

  /// Copies the result to where the caller expects it.
  void finish(Communicator& comm);

 private:
  void copy_at_start();
  VectorView own_block(VectorView whole) const;
  VectorView chunk(ChunkPlace place, std::int32_t i, std::span<const std::int32_t> sizes) const;
  VectorView chunk_of(VectorView vector, bool is_block, std::int32_t index) const;

  const ScheduleProgram& program_;
  const ChunkGeometry& geometry_;
  int rank_;  ///< of the schedule
  Datatype type_;
  bool input_is_block_;  ///< the rank's own block alone
  bool output_is_block_;
  std::optional<Buffer> working_;  ///< a vector that the schedule works on in place of the caller's
  VectorView input_;
  VectorView output_;
  Buffer scratch_memory_;
  VectorView scratch_;
  VectorView result_;  ///< what is to be copied in the end, if anything
  VectorView result_for_;
};

/// One rank's call. Blocks until the rank's strands have ended. A step waits for the step that it names, then for its message; it has
/// ended when what it sends has left. A reduction is charged once, whatever it reads; messages and copies of chunks without elements are
/// left out. Throws UsageError: a race (CompiledSchedule::race), another number of ranks, chunks of different lengths where the
/// schedule mixes them.
void run_schedule(const CompiledSchedule& schedule, Communicator& comm, const CollectiveArguments& call);

// A schedule as an algorithm, to be run, checked, timed and fuzzed as those of the registry.

/// It serves as many ranks as the schedule has, every root, and every count; where the schedule mixes chunks of different lengths
/// (ChunkSizes::mixed), counts that all chunks have an equal part of.
Algorithm schedule_row(std::string name, std::shared_ptr<const CompiledSchedule> schedule);

}  // namespace heddle
