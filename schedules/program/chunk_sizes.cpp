// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <deque>
#include <unordered_map>
#include <utility>

#include "schedules/program/analysis.hpp"

namespace heddle {

namespace {

/// Of scratch that nothing was put into.
constexpr std::int32_t kUnknown = -1;

using Chunks = std::vector<std::int32_t>;

/// What lies in scratch, and in messages, while the steps happen.
class Flow {
 public:
  Flow(const ScheduleProgram& program, const Connections& connections)
      : program_(program), connections_(connections), scratch_(program.ranks.size()), messages_(connections.all().size()) {
    for (std::int32_t rank = 0; rank < program.size(); ++rank) compare_copies(rank);
  }

  struct Touched {
    Chunks source;
    Chunks target;
  };

  Touched take(StepPlace place) {
    const Step& step = program_.step(place);
    const std::int32_t number = connections_.strand(place.rank, place.strand);
    Touched touched;
    Chunks data;
    if (reads_source(step.kind)) touched.source = chunks_in(place.rank, step.source, step.chunks);
    if (receives(step.kind)) {
      std::deque<Chunks>& waiting = messages_[static_cast<std::size_t>(connections_.receives_on(number))];
      data = std::move(waiting.front());
      waiting.pop_front();
      if (reduces(step.kind)) compare(place, touched.source, data, "reduces");
    } else {
      data = touched.source;
    }
    if (step.kind == StepKind::reduce) {
      touched.target = chunks_in(place.rank, step.target, step.chunks);
      compare(place, data, touched.target, "reduces");
    } else if (writes_target(step.kind)) {
      put(place, step, data);
      touched.target = data;
    }
    if (sends(step.kind)) messages_[static_cast<std::size_t>(connections_.sends_on(number))].push_back(std::move(data));
    return touched;
  }

  const std::string& mixed() const { return mixed_; }
  bool reads_nothing() const { return reads_nothing_; }

 private:
  void compare_copies(std::int32_t rank) {
    const std::vector<StartCopy>& copies = program_.ranks[static_cast<std::size_t>(rank)].copies;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const std::int32_t chunk = chunk_at(program_, rank, ChunkBuffer::input, copies[i].input);
      const std::int32_t other = chunk_at(program_, rank, ChunkBuffer::output, copies[i].output);
      if (chunk == other || !mixed_.empty()) continue;
      mixed_ = fmt::format("{} puts chunk {} where chunk {} is", copy_text(program_, rank, static_cast<std::int32_t>(i)), chunk,
                           other);
    }
  }

  Chunks chunks_in(std::int32_t rank, ChunkPlace place, std::int32_t count) {
    Chunks chunks;
    for (std::int32_t i = place.first; i < place.first + count; ++i) {
      chunks.push_back(place.buffer == ChunkBuffer::scratch ? in_scratch(rank, i) : chunk_at(program_, rank, place.buffer, i));
    }
    return chunks;
  }

  std::int32_t in_scratch(std::int32_t rank, std::int32_t index) {
    const auto& scratch = scratch_[static_cast<std::size_t>(rank)];
    const auto place = scratch.find(index);
    if (place != scratch.end()) return place->second;
    reads_nothing_ = true;
    return kUnknown;
  }

  void put(StepPlace at, const Step& step, const Chunks& data) {
    for (std::int32_t i = 0; i < step.chunks; ++i) {
      const std::int32_t index = step.target.first + i;
      const std::int32_t chunk = data[static_cast<std::size_t>(i)];
      if (step.target.buffer == ChunkBuffer::scratch)
        scratch_[static_cast<std::size_t>(at.rank)][index] = chunk;
      else
        require_same(at, chunk, chunk_at(program_, at.rank, step.target.buffer, index), "puts");
    }
  }

  void compare(StepPlace at, const Chunks& one, const Chunks& other, const char* does) {
    for (std::size_t i = 0; i < one.size(); ++i) require_same(at, one[i], other[i], does);
  }

  void require_same(StepPlace at, std::int32_t chunk, std::int32_t other, const char* does) {
    if (chunk == other || chunk == kUnknown || other == kUnknown || !mixed_.empty()) return;
    mixed_ = fmt::format("{} {} chunk {} where chunk {} is", step_text(program_, at), does, chunk, other);
  }

  const ScheduleProgram& program_;
  const Connections& connections_;
  std::vector<std::unordered_map<std::int32_t, std::int32_t>> scratch_;  ///< by rank: what chunks hold
  std::vector<std::deque<Chunks>> messages_;                             ///< by connection, not yet received
  std::string mixed_;
  bool reads_nothing_ = false;
};

}  // namespace

std::int32_t chunk_at(const ScheduleProgram& program, int rank, ChunkBuffer buffer, std::int32_t index) {
  const std::int32_t block = program.chunks_of_block();
  const bool is_input = buffer == ChunkBuffer::input;
  switch (program.collective) {
    case Collective::alltoall:
      return index % block;
    case Collective::allgather:
    case Collective::gather:
      return is_input ? rank * block + index : index;
    case Collective::reduce_scatter:
    case Collective::scatter:
      return is_input ? index : rank * block + index;
    default:
      return index;
  }
}

/// A receive is posted before it turns out that nothing comes.
void ChunkSizes::fill_up(const ScheduleProgram& program) {
  std::size_t number = 0;
  const auto fill = [this](Part& part, bool is_used, ChunkPlace place, std::int32_t count) {
    if (!is_used || place.buffer != ChunkBuffer::scratch || part.begin != kNone) return;
    part = {static_cast<std::int64_t>(chunks_.size()), count};
    chunks_.insert(chunks_.end(), static_cast<std::size_t>(count), 0);
  };
  for (const RankSchedule& rank : program.ranks) {
    for (const Strand& strand : rank.strands) {
      for (const Step& step : strand.steps) {
        fill(sources_[number], reads_source(step.kind), step.source, step.chunks);
        fill(targets_[number++], writes_target(step.kind), step.target, step.chunks);
      }
    }
  }
}

ChunkSizes::ChunkSizes(const ScheduleProgram& program, const Connections& connections, const Execution& execution) {
  std::size_t steps = 0;
  for (const RankSchedule& rank : program.ranks) {
    std::vector<std::size_t>& first = first_step_.emplace_back();
    for (const Strand& strand : rank.strands) {
      first.push_back(steps);
      steps += strand.steps.size();
    }
  }
  sources_.resize(steps);
  targets_.resize(steps);
  const auto keep = [this](Part& part, const Chunks& chunks) {
    part = {static_cast<std::int64_t>(chunks_.size()), static_cast<std::int32_t>(chunks.size())};
    // What nothing was put into is as long as any.
    for (const std::int32_t chunk : chunks) chunks_.push_back(std::max(chunk, 0));
  };
  Flow flow(program, connections);
  for (const StepPlace& place : execution.order) {
    const Flow::Touched touched = flow.take(place);
    const Step& step = program.step(place);
    const std::size_t number = number_of(place);
    if (!touched.source.empty() && step.source.buffer == ChunkBuffer::scratch) keep(sources_[number], touched.source);
    if (!touched.target.empty() && step.target.buffer == ChunkBuffer::scratch) keep(targets_[number], touched.target);
  }
  mixed_ = flow.mixed();
  reads_nothing_ = flow.reads_nothing();
  if (!execution.stuck.empty()) fill_up(program);
}

}  // namespace heddle
