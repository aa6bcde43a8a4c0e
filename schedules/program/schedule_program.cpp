// SPDX-License-Identifier: Apache-2.0
#include "schedules/program/schedule_program.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

struct KindFacts {
  std::string_view code;
  bool sends, receives, reduces, reads_source, writes_target;
};

/// By StepKind.
constexpr std::array<KindFacts, 9> kFacts = {{
    {"s", true, false, false, true, false},
    {"r", false, true, false, false, true},
    {"cpy", false, false, false, true, true},
    {"re", false, false, true, true, true},
    {"rrc", false, true, true, true, true},
    {"rrs", true, true, true, true, false},
    {"rcs", true, true, false, false, true},
    {"rrcs", true, true, true, true, true},
    {"nop", false, false, false, false, false},
}};

const KindFacts& facts(StepKind kind) { return kFacts[static_cast<std::size_t>(kind)]; }

}  // namespace

bool sends(StepKind kind) { return facts(kind).sends; }
bool receives(StepKind kind) { return facts(kind).receives; }
bool reduces(StepKind kind) { return facts(kind).reduces; }
bool reads_source(StepKind kind) { return facts(kind).reads_source; }
bool writes_target(StepKind kind) { return facts(kind).writes_target; }
std::string_view code_of(StepKind kind) { return facts(kind).code; }

std::int32_t ScheduleProgram::chunks_of_block() const { return has_blocks(collective) ? chunks / std::max(1, size()) : chunks; }

std::int32_t ScheduleProgram::chunks_in(int rank, ChunkBuffer buffer) const {
  if (buffer == ChunkBuffer::scratch) return ranks[static_cast<std::size_t>(rank)].scratch_chunks;
  const bool is_input = buffer == ChunkBuffer::input;
  const bool is_root = rank == root;
  // In place alone there is one vector, which each rank has all of.
  const bool apart = modes.out_of_place;
  switch (collective) {
    case Collective::broadcast:
      return is_input && apart && !is_root ? 0 : chunks;
    case Collective::reduce:
      return !is_input && apart && !is_root ? 0 : chunks;
    case Collective::allgather:
      return is_input ? chunks_of_block() : chunks;
    case Collective::reduce_scatter:
      return is_input ? chunks : chunks_of_block();
    case Collective::gather:
      return is_input ? chunks_of_block() : is_root ? chunks : 0;
    case Collective::scatter:
      return is_input ? (is_root ? chunks : 0) : chunks_of_block();
    case Collective::allreduce:
    case Collective::alltoall:
      return chunks;
    case Collective::barrier:
      break;
  }
  return 0;
}

std::int32_t ScheduleProgram::given_chunks(int rank) const {
  const bool from_root = collective == Collective::broadcast || collective == Collective::scatter;
  if (from_root && rank != root) return 0;
  return collective == Collective::allgather || collective == Collective::gather ? chunks_of_block() : chunks;
}

bool ScheduleProgram::has_both(int rank) const { return !has_root(collective) || rank == root; }

bool ScheduleProgram::is_one_vector(int rank, bool in_place) const {
  if (has_both(rank)) return in_place ? modes.in_place : !modes.out_of_place;
  // It has one of the two alone. The other, where there are steps that use it, is a name of the same.
  return !modes.out_of_place && (collective == Collective::broadcast || collective == Collective::reduce);
}

std::int64_t ScheduleProgram::steps() const {
  std::int64_t steps = 0;
  for (const RankSchedule& rank : ranks) {
    for (const Strand& strand : rank.strands) steps += static_cast<std::int64_t>(strand.steps.size());
  }
  return steps;
}

namespace {

std::string line_text(const ScheduleProgram& program, std::int32_t line) {
  return line == 0 ? "" : fmt::format("{}:{}: ", program.file, line);
}

}  // namespace

std::string step_text(const ScheduleProgram& program, StepPlace place) {
  return fmt::format("{}gpu {}, tb {}, step {}", line_text(program, program.step(place).line), place.rank,
                     program.strand(place.rank, place.strand).id, place.step);
}

std::string copy_text(const ScheduleProgram& program, std::int32_t rank, std::int32_t copy) {
  const std::int32_t line = program.ranks[static_cast<std::size_t>(rank)].copies[static_cast<std::size_t>(copy)].line;
  return fmt::format("{}gpu {}, copy {}", line_text(program, line), rank, copy);
}

char letter_of(ChunkBuffer buffer) { return "ios"[static_cast<std::size_t>(buffer)]; }

std::string chunks_text(ChunkPlace place, std::int32_t chunks) {
  const char buffer = letter_of(place.buffer);
  return chunks == 1 ? fmt::format("{}[{}]", buffer, place.first)
                     : fmt::format("{}[{}..{}]", buffer, place.first, place.first + chunks - 1);
}

namespace {

bool has_steps(const Strand& strand, bool (*which)(StepKind)) {
  for (const Step& step : strand.steps) {
    if (which(step.kind)) return true;
  }
  return false;
}

std::string strand_text(const ScheduleProgram& program, std::int32_t rank, const Strand& strand) {
  const std::int32_t line = strand.steps.empty() ? 0 : strand.steps.front().line;
  return fmt::format("{}gpu {}, tb {}", line_text(program, line), rank, strand.id);
}

}  // namespace

Connections::Connections(const ScheduleProgram& program) {
  std::map<std::array<std::int32_t, 3>, std::int32_t> known;  // source, destination, channel
  const auto connection = [&](std::int32_t source, std::int32_t dest, std::int32_t channel) {
    const auto [place, is_new] = known.try_emplace({source, dest, channel}, static_cast<std::int32_t>(connections_.size()));
    if (is_new) connections_.emplace_back();
    return place->second;
  };
  const auto take = [&](std::int32_t& end, std::int32_t number, std::int32_t rank, const Strand& strand, const char* does,
                        std::int32_t peer) {
    if (end != kNone) {
      const Strand& other = program.strand(rank, place_in_rank(end));
      throw InputError(fmt::format("{} {} gpu {} on channel {}, as tb {} does; give one of them another channel",
                                   strand_text(program, rank, strand), does, peer, strand.channel, other.id));
    }
    end = number;
  };
  for (std::int32_t rank = 0; rank < program.size(); ++rank) {
    first_.push_back(strands());
    for (const Strand& strand : program.ranks[static_cast<std::size_t>(rank)].strands) {
      const std::int32_t number = strands();
      rank_of_.push_back(rank);
      sends_on_.push_back(kNone);
      receives_on_.push_back(kNone);
      // A peer that no step uses opens no connection: files name one for threads that only copy.
      if (strand.send_to >= 0 && has_steps(strand, sends)) {
        sends_on_.back() = connection(rank, strand.send_to, strand.channel);
        take(connections_[static_cast<std::size_t>(sends_on_.back())].sender, number, rank, strand, "sends to", strand.send_to);
      }
      if (strand.receive_from >= 0 && has_steps(strand, receives)) {
        receives_on_.back() = connection(strand.receive_from, rank, strand.channel);
        take(connections_[static_cast<std::size_t>(receives_on_.back())].receiver, number, rank, strand, "receives from",
             strand.receive_from);
      }
    }
  }
}

}  // namespace heddle
