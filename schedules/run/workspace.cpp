// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "schedules/run/run_schedule.hpp"

namespace heddle {

namespace {

VectorView writable(ConstVectorView view) {
  // A schedule that writes to its input out of place breaks the collective's rule, and whoever checks the run says so.
  return {const_cast<std::byte*>(view.data()), view.count(), view.type()};
}

/// What no step has written is the same in each run, and no result that another run has left there by chance.
void fill_with_nothing(VectorView vector) {
  constexpr int kPoison = 0xDB;
  if (!vector.empty()) std::memset(vector.data(), kPoison, vector.size_bytes());
}

std::int64_t whole_count(Collective collective, const CollectiveArguments& call) {
  if (has_blocks(collective)) return call.blocks.count();
  return std::max(call.input.count(), call.output.count());
}

void copy_unless_same(Communicator& comm, VectorView into, ConstVectorView from) {
  if (!from.empty() && !into.empty() && into.data() != from.data()) comm.copy(into, from);
}

}  // namespace

Workspace::Workspace(Communicator& comm, const CompiledSchedule& schedule, const ChunkGeometry& geometry,
                     const CollectiveArguments& call)
    : program_(schedule.program()),
      geometry_(geometry),
      rank_(geometry.scheduled_rank(comm.rank().value())),
      type_(call.input.empty() ? call.output.type() : call.input.type()),
      input_is_block_(program_.collective == Collective::allgather || program_.collective == Collective::gather),
      output_is_block_(program_.collective == Collective::reduce_scatter || program_.collective == Collective::scatter),
      scratch_memory_(type_, program_.ranks[static_cast<std::size_t>(rank_)].scratch_chunks * geometry.longest()),
      scratch_(scratch_memory_.view()) {
  if (schedule.sizes().reads_nothing()) fill_with_nothing(scratch_);
  const bool holds_whole = call.in_place();
  const ConstVectorView given = holds_whole && input_is_block_ ? ConstVectorView(own_block(call.output)) : call.input;
  const VectorView wanted = holds_whole && output_is_block_ ? own_block(call.output) : call.output;
  if (program_.is_one_vector(rank_, call.in_place())) {
    const std::int64_t count = whole_count(program_.collective, call);
    VectorView vector = call.output;
    if (vector.count() < count) vector = working_.emplace(type_, count).view();
    input_ = input_is_block_ ? own_block(vector) : vector;
    output_ = output_is_block_ ? own_block(vector) : vector;
    copy_unless_same(comm, input_, given);
    if (working_ && !wanted.empty()) result_ = output_, result_for_ = wanted;
    return;
  }
  input_ = writable(given);
  output_ = wanted;
  if (call.in_place()) {
    output_ = working_.emplace(type_, wanted.count()).view();
    fill_with_nothing(output_);
    result_ = output_, result_for_ = wanted;
  }
  copy_at_start();
}

/// At no cost: a library does it before its kernel runs. Where input and output are one vector nothing moves.
void Workspace::copy_at_start() {
  for (const StartCopy& copy : program_.ranks[static_cast<std::size_t>(rank_)].copies) {
    const VectorView from = chunk_of(input_, input_is_block_, copy.input);
    const VectorView into = chunk_of(output_, output_is_block_, copy.output);
    if (!from.empty()) std::memcpy(into.data(), from.data(), from.size_bytes());
  }
}

VectorView Workspace::own_block(VectorView whole) const {
  const std::int32_t first = rank_ * program_.chunks_of_block();
  std::int64_t count = 0;
  for (std::int32_t i = 0; i < program_.chunks_of_block(); ++i) count += geometry_.size(first + i);
  return whole.slice(geometry_.offset(first), count);
}

VectorView Workspace::chunk_of(VectorView vector, bool is_block, std::int32_t index) const {
  if (!is_block) return vector.slice(geometry_.offset(index), geometry_.size(index));
  const std::int32_t of_whole = rank_ * program_.chunks_of_block() + index;
  return vector.slice(geometry_.offset_in_block(of_whole), geometry_.size(of_whole));
}

VectorView Workspace::chunk(ChunkPlace place, std::int32_t i, std::span<const std::int32_t> sizes) const {
  switch (place.buffer) {
    case ChunkBuffer::input:
      return chunk_of(input_, input_is_block_, place.first + i);
    case ChunkBuffer::output:
      return chunk_of(output_, output_is_block_, place.first + i);
    case ChunkBuffer::scratch:
      break;
  }
  return scratch_.slice((place.first + i) * geometry_.longest(), geometry_.size(sizes[static_cast<std::size_t>(i)]));
}

std::vector<VectorView> Workspace::pieces(ChunkPlace place, std::int32_t count, std::span<const std::int32_t> sizes) const {
  std::vector<VectorView> pieces;
  for (std::int32_t i = 0; i < count; ++i) {
    const VectorView next = chunk(place, i, sizes);
    if (next.empty()) continue;
    if (!pieces.empty() && pieces.back().data() + pieces.back().size_bytes() == next.data())
      pieces.back() = VectorView(pieces.back().data(), pieces.back().count() + next.count(), type_);
    else
      pieces.push_back(next);
  }
  return pieces;
}

void Workspace::finish(Communicator& comm) { copy_unless_same(comm, result_for_, result_); }

}  // namespace heddle
