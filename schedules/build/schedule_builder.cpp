// SPDX-License-Identifier: Apache-2.0
#include "schedules/build/schedule_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heddle/errors.hpp"
#include "schedules/build/operation_log.hpp"
#include "schedules/program/analysis.hpp"

namespace heddle {

namespace {

constexpr std::int32_t kMostRanks = 1 << 16;
constexpr std::int32_t kMostChunks = 1 << 20;  ///< of a buffer

/// "i[0..3] of rank 2".
std::string place_text(std::int32_t rank, ChunkPlace place, std::int32_t chunks) {
  return fmt::format("{} of rank {}", chunks_text(place, chunks), rank);
}

/// Throws InputError unless there are such chunks. Scratch is as large as it is used.
void require_chunks(const ScheduleProgram& frame, std::int32_t rank, ChunkPlace place, std::int32_t count) {
  if (rank < 0 || rank >= frame.size()) throw InputError(fmt::format("rank {}: the ranks are 0 to {}", rank, frame.size() - 1));
  if (count < 1) throw InputError(fmt::format("{} chunks of rank {}: a reference is to one or more", count, rank));
  const bool is_scratch = place.buffer == ChunkBuffer::scratch;
  const std::int32_t there = is_scratch ? kMostChunks : frame.chunks_in(rank, place.buffer);
  if (place.first >= 0 && count <= there && place.first <= there - count) return;
  constexpr const char* kNames[] = {"input", "output", "scratch"};
  const char* const name = kNames[static_cast<std::size_t>(place.buffer)];
  if (there == 0) throw InputError(fmt::format("{}: that rank has no {}", place_text(rank, place, count), name));
  throw InputError(fmt::format("{}: its {} has chunks 0 to {}", place_text(rank, place, count), name, there - 1));
}

/// Reads and writes an operation's chunks, one memory cell after the other.
class Memory {
 public:
  explicit Memory(OperationLog& log) : log_(log), memory_(log.frame, log.in_place) {}

  std::int32_t index(std::int32_t rank, ChunkPlace place) const { return memory_.index(rank, place.buffer, place.first); }
  OperationLog::Cell& cell(std::int32_t rank, ChunkPlace place, std::int32_t i) {
    return log_.memory[static_cast<std::size_t>(rank)][index(rank, place) + i];
  }
  /// Whether somebody has put something there, or the caller has.
  bool is_filled(std::int32_t rank, ChunkPlace place, std::int32_t i) {
    const std::int32_t at = index(rank, place) + i;
    const auto& cells = log_.memory[static_cast<std::size_t>(rank)];
    const auto known = cells.find(at);
    if (known != cells.end() && known->second.writer >= 0) return true;
    const std::int32_t given = log_.frame.given_chunks(rank);
    if (given == 0) return false;
    const std::int32_t first = index(rank, {ChunkBuffer::input, 0});
    return at >= first && at < first + given;
  }
  bool overlap(std::int32_t rank, ChunkPlace one, ChunkPlace other, std::int32_t count) const {
    return std::abs(index(rank, one) - index(rank, other)) < count;
  }

 private:
  OperationLog& log_;
  RankMemory memory_;
};

void add_number(std::vector<std::int32_t>& list, std::int32_t number) {
  if (number >= 0 && std::ranges::find(list, number) == list.end()) list.push_back(number);
}

/// The next operation of the log reads these chunks.
void read(OperationLog& log, std::int32_t rank, ChunkPlace place, std::int32_t count, std::vector<std::int32_t>& after) {
  const auto number = static_cast<std::int32_t>(log.operations.size());
  for (std::int32_t i = 0; i < count; ++i) {
    OperationLog::Cell& cell = Memory(log).cell(rank, place, i);
    add_number(after, cell.writer);
    add_number(cell.readers, number);
    if (cell.writer < 0) continue;
    BuiltOperation& writer = log.operations[static_cast<std::size_t>(cell.writer)];
    if (std::exchange(writer.last_reader, number) != number) ++writer.readers;
  }
}

/// It overwrites them.
void write(OperationLog& log, std::int32_t rank, ChunkPlace place, std::int32_t count, std::vector<std::int32_t>& after) {
  const auto number = static_cast<std::int32_t>(log.operations.size());
  for (std::int32_t i = 0; i < count; ++i) {
    OperationLog::Cell& cell = Memory(log).cell(rank, place, i);
    for (const std::int32_t reader : std::exchange(cell.readers, {})) {
      if (reader != number) add_number(after, reader);
    }
    if (cell.writer >= 0) ++log.operations[static_cast<std::size_t>(cell.writer)].overwritten;
    add_number(after, std::exchange(cell.writer, number));
  }
}

void add(OperationLog& log, BuiltOperation operation) {
  read(log, operation.source, operation.from, operation.chunks, operation.after_at_source);
  if (operation.is_reduction) read(log, operation.dest, operation.into, operation.chunks, operation.after_at_dest);
  write(log, operation.dest, operation.into, operation.chunks, operation.after_at_dest);
  if (operation.into.buffer == ChunkBuffer::scratch) {
    std::int32_t& scratch = log.frame.ranks[static_cast<std::size_t>(operation.dest)].scratch_chunks;
    scratch = std::max(scratch, operation.into.first + operation.chunks);
  }
  // Steps have lines of one file: that of the first.
  if (log.frame.file.empty()) log.frame.file = operation.choice.where.substr(0, operation.choice.where.rfind(':'));
  log.operations.push_back(std::move(operation));
}

/// Throws InputError for a channel or a thread block below -1, which the builder's choice is.
void require_choice(const OperationChoice& choice) {
  for (const auto& [name, value] :
       {std::pair("channel", choice.channel), {"send_tb", choice.send_tb}, {"receive_tb", choice.receive_tb}}) {
    if (value < -1 || value >= kMostChunks)
      throw InputError(fmt::format("{} {}: it is 0 to {}, or -1 for the builder's choice", name, value, kMostChunks - 1));
  }
}

/// Throws InputError if something was written there since there were `as_of` operations.
void require_current(OperationLog& log, std::int32_t rank, ChunkPlace place, std::int32_t count, std::int32_t as_of) {
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t writer = Memory(log).cell(rank, place, i).writer;
    if (writer < as_of) continue;
    throw InputError(
        fmt::format("the reference to {} is of before {}, which wrote {}; use what that returned, or ask for the chunk again",
                    place_text(rank, place, count), operation_text(log.operations, writer),
                    chunks_text({place.buffer, place.first + i}, 1)));
  }
}

}  // namespace

std::string operation_text(std::span<const BuiltOperation> operations, std::int32_t number) {
  const BuiltOperation& operation = operations[static_cast<std::size_t>(number)];
  return fmt::format("operation {}{}, the {} of {} {} {}", number,
                     operation.choice.where.empty() ? "" : fmt::format(" ({})", operation.choice.where),
                     operation.is_reduction ? "reduction" : "copy",
                     place_text(operation.source, operation.from, operation.chunks), operation.is_reduction ? "into" : "to",
                     place_text(operation.dest, operation.into, operation.chunks));
}

// ---- references ----

ChunkRef::ChunkRef(std::shared_ptr<OperationLog> log, int rank, ChunkPlace place, std::int32_t count)
    : log_(std::move(log)),
      rank_(rank),
      place_(place),
      count_(count),
      as_of_(static_cast<std::int32_t>(log_->operations.size())) {}

ChunkRef ChunkRef::copy(int rank, ChunkBuffer buffer, std::int32_t index, OperationChoice choice) const {
  const ChunkPlace into{buffer, index};
  require_choice(choice);
  require_chunks(log_->frame, rank, into, count_);
  require_current(*log_, rank_, place_, count_, as_of_);
  if (rank == rank_) {
    const Memory memory(*log_);
    if (memory.index(rank, into) == memory.index(rank, place_)) return {log_, rank, into, count_};
    if (memory.overlap(rank, into, place_, count_))
      throw InputError(fmt::format("a copy of {} to {}: they lie in part on one another", place_text(rank, place_, count_),
                                   chunks_text(into, count_)));
  }
  add(*log_, {.source = rank_, .from = place_, .dest = rank, .into = into, .chunks = count_, .choice = std::move(choice)});
  return {log_, rank, into, count_};
}

ChunkRef ChunkRef::reduce(const ChunkRef& other, OperationChoice choice) const {
  const Collective collective = log_->frame.collective;
  if (other.log_ != log_) throw InputError("a reduction takes chunks of its own schedule, not of another builder's");
  if (!reduces(collective)) throw InputError(fmt::format("{} is a collective that does not reduce", to_string(collective)));
  require_choice(choice);
  if (count_ != other.count_)
    throw InputError(fmt::format("a reduction of {} into {}: both have as many chunks",
                                 place_text(other.rank_, other.place_, other.count_), place_text(rank_, place_, count_)));
  require_current(*log_, rank_, place_, count_, as_of_);
  require_current(*log_, other.rank_, other.place_, count_, other.as_of_);
  if (rank_ == other.rank_ && Memory(*log_).overlap(rank_, place_, other.place_, count_))
    throw InputError(fmt::format("a reduction of {} into {}: they are one memory", place_text(rank_, other.place_, count_),
                                 chunks_text(place_, count_)));
  add(*log_, {.is_reduction = true,
              .source = other.rank_,
              .from = other.place_,
              .dest = rank_,
              .into = place_,
              .chunks = count_,
              .choice = std::move(choice)});
  return {log_, rank_, place_, count_};
}

// ---- the builder ----

ScheduleBuilder::ScheduleBuilder(ScheduleForm form) : log_(std::make_shared<OperationLog>()) {
  const auto require = [](bool is_right, const std::string& text) {
    if (!is_right) throw InputError(text);
  };
  require(form.collective != Collective::barrier, "a barrier moves no chunks; a schedule is of another collective");
  require(form.ranks >= 1 && form.ranks <= kMostRanks, fmt::format("ranks {}: there are 1 to {}", form.ranks, kMostRanks));
  require(form.chunks >= 1 && form.chunks <= kMostChunks,
          fmt::format("chunks {}: there are 1 to {}", form.chunks, kMostChunks));
  require(!has_blocks(form.collective) || form.chunks % form.ranks == 0,
          fmt::format("chunks {}: {} has a block for each of {} ranks, and each as many chunks; try {}", form.chunks,
                      to_string(form.collective), form.ranks, (form.chunks + form.ranks - 1) / form.ranks * form.ranks));
  require(form.root >= 0 && form.root < form.ranks && (form.root == 0 || has_root(form.collective)),
          has_root(form.collective) ? fmt::format("root {}: the ranks are 0 to {}", form.root, form.ranks - 1)
                                    : fmt::format("root {}: {} has none", form.root, to_string(form.collective)));
  log_->in_place = form.in_place.value_or(form.collective != Collective::alltoall);
  ScheduleProgram& frame = log_->frame;
  frame.name = std::move(form.name);
  frame.collective = form.collective;
  frame.chunks = form.chunks;
  frame.modes = {.in_place = log_->in_place, .out_of_place = !log_->in_place};
  frame.root = form.root;
  frame.ranks.resize(static_cast<std::size_t>(form.ranks));
  log_->memory.resize(static_cast<std::size_t>(form.ranks));
}

ChunkRef ScheduleBuilder::chunk(int rank, ChunkBuffer buffer, std::int32_t index, std::int32_t count) const {
  const ChunkPlace place{buffer, index};
  require_chunks(log_->frame, rank, place, count);
  for (std::int32_t i = 0; i < count; ++i) {
    if (!Memory(*log_).is_filled(rank, place, i))
      throw InputError(fmt::format("{}: nothing was put there yet", place_text(rank, {buffer, index + i}, 1)));
  }
  return {log_, rank, place, count};
}

std::int64_t ScheduleBuilder::messages() const { return std::ranges::count_if(log_->operations, &BuiltOperation::is_message); }

namespace {

/// So many schedules side by side: each has a part of every block, scratch, threads and channels of its own.
ScheduleProgram replicated(ScheduleProgram program, int instances) {
  std::int32_t channels = 1;
  for (const RankSchedule& rank : program.ranks)
    for (const Strand& strand : rank.strands) channels = std::max(channels, strand.channel + 1);
  const std::int32_t block = program.chunks_of_block();
  const auto moved = [&](ChunkPlace& place, std::int32_t count, const RankSchedule& rank, std::int32_t instance) {
    if (place.buffer == ChunkBuffer::scratch) {
      place.first += instance * rank.scratch_chunks;
      return;
    }
    if (place.first / block != (place.first + count - 1) / block)
      throw InputError(
          fmt::format("instances {}: {} are chunks of several blocks, which do not lie side by side then; give them one by one",
                      instances, chunks_text(place, count)));
    place.first = place.first / block * block * instances + instance * block + place.first % block;
  };
  for (RankSchedule& rank : program.ranks) {
    const std::vector<Strand> strands = std::exchange(rank.strands, {});
    std::int32_t ids = 0;
    for (const Strand& strand : strands) ids = std::max(ids, strand.id + 1);
    for (std::int32_t instance = 0; instance < instances; ++instance) {
      for (Strand strand : strands) {
        strand.id += instance * ids;
        strand.channel += instance * channels;
        for (Step& step : strand.steps) {
          if (reads_source(step.kind)) moved(step.source, step.chunks, rank, instance);
          if (writes_target(step.kind)) moved(step.target, step.chunks, rank, instance);
          if (step.after_strand >= 0) step.after_strand += instance * static_cast<std::int32_t>(strands.size());
        }
        rank.strands.push_back(std::move(strand));
      }
    }
    rank.scratch_chunks *= instances;
  }
  program.chunks *= instances;
  return program;
}

}  // namespace

ScheduleProgram ScheduleBuilder::build(const BuildChoice& choice) const {
  constexpr int kMostInstances = 1 << 10;
  if (choice.slots < 1) throw InputError(fmt::format("slots {}: a channel holds one message or more", choice.slots));
  if (choice.instances < 1 || choice.instances > kMostInstances || log_->frame.chunks > kMostChunks / choice.instances)
    throw InputError(fmt::format("instances {}: there are 1 to {}, and at most {} chunks in all", choice.instances,
                                 kMostInstances, kMostChunks));
  ScheduleProgram program = lower(*log_, choice.fuse);
  require_valid(program);
  if (choice.fuse && !execute(program, Connections(program), choice.slots).stuck.empty()) program = lower(*log_, false);
  return choice.instances == 1 ? program : replicated(std::move(program), choice.instances);
}

}  // namespace heddle
