// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "schedules/run/recording.hpp"

namespace heddle {

namespace {

/// What input and output are called where they are one vector.
ChunkBuffer whole_vector_of(Collective collective) {
  switch (collective) {
    case Collective::allgather:
    case Collective::gather:
    case Collective::broadcast:
      return ChunkBuffer::output;
    default:
      return ChunkBuffer::input;
  }
}

struct Message {
  std::int32_t peer;
  std::int32_t channel;
};

/// Where an operation's last step is: when that has ended, it has.
struct LastStep {
  std::int32_t strand = -1;
  std::int32_t step = -1;
};

/// One rank's strands.
class RankLowering {
 public:
  RankLowering(std::int32_t own, const RankRecording& rank, MemoryMap& memory, std::map<std::int32_t, Message> messages)
      : own_(own), rank_(rank), memory_(memory), messages_(std::move(messages)), fused_(fuse_reductions(rank)) {}

  RankSchedule lower() {
    schedule_.scratch_chunks = memory_.scratch_chunks();
    for (std::int32_t number = 0; number < static_cast<std::int32_t>(rank_.operations().size()); ++number) {
      const auto fused = fused_.receive_of.find(number);
      last_.push_back(fused == fused_.receive_of.end() ? make(number) : last_[static_cast<std::size_t>(fused->second)]);
    }
    return std::move(schedule_);
  }

 private:
  using Kind = RecordedOperation::Kind;

  const RecordedOperation& operation(std::int32_t number) const { return rank_.operations()[static_cast<std::size_t>(number)]; }

  LastStep make(std::int32_t number) {
    const RecordedOperation& what = operation(number);
    const std::int32_t strand = strand_of(number);
    wait_for(strand, what);
    switch (what.kind) {
      case Kind::send:
        add_send(strand, what);
        break;
      case Kind::receive:
        add_receive(strand, number);
        break;
      case Kind::copy:
      case Kind::reduce: {
        const MemoryMap::Place from = memory_.place_of(what.from[0]);
        const StepKind kind = what.kind == Kind::copy ? StepKind::copy : StepKind::reduce;
        add(strand,
            {.kind = kind, .source = from.place, .target = memory_.place_of(what.into[0]).place, .chunks = from.chunks});
        break;
      }
    }
    return {strand, static_cast<std::int32_t>(strand_at(strand).steps.size()) - 1};
  }

  // ---- threads ----

  Strand& strand_at(std::int32_t place) { return schedule_.strands[static_cast<std::size_t>(place)]; }

  /// One for what it sends on a channel, one for what it receives there, one for the local work of each task.
  std::int32_t strand_of(std::int32_t number) {
    const RecordedOperation& what = operation(number);
    std::array<std::int32_t, 3> key = {2, what.task, 0};
    Strand strand;
    if (what.kind == Kind::send || what.kind == Kind::receive) {
      const Message& message = messages_.at(number);
      if (message.peer == own_) throw InputError(fmt::format("rank {} sends to itself; a schedule has copies for that", own_));
      const bool is_send = what.kind == Kind::send;
      key = {is_send ? 0 : 1, message.peer, message.channel};
      (is_send ? strand.send_to : strand.receive_from) = message.peer;
      strand.channel = message.channel;
    }
    const auto [place, is_new] = strands_.try_emplace(key, static_cast<std::int32_t>(schedule_.strands.size()));
    if (is_new) {
      strand.id = place->second;
      schedule_.strands.push_back(std::move(strand));
    }
    return place->second;
  }

  void add(std::int32_t strand, Step step) {
    if (!waits_.empty()) {
      step.after_strand = waits_.back().strand;
      step.after_step = waits_.back().step;
      waits_.clear();
    }
    strand_at(strand).steps.push_back(step);
  }

  /// The next step of the strand waits for the last of them, steps that do nothing for the others.
  void wait_for(std::int32_t strand, const RecordedOperation& what) {
    std::map<std::int32_t, std::int32_t> latest;  // by strand
    std::set<std::int32_t> seen;
    collect(what.after, latest, seen);
    latest.erase(strand);
    waits_.clear();
    for (const auto& [other, step] : latest) waits_.push_back({other, step});
    while (waits_.size() > 1) {
      const LastStep wait = waits_.front();
      waits_.erase(waits_.begin());
      strand_at(strand).steps.push_back(
          {.kind = StepKind::nop, .chunks = 0, .after_strand = wait.strand, .after_step = wait.step});
    }
  }

  /// A reduction that is one step with its receive no longer waits for the rest: who waits for it does.
  void collect(const std::vector<std::int32_t>& after, std::map<std::int32_t, std::int32_t>& latest,
               std::set<std::int32_t>& seen) {
    for (const std::int32_t before : after) {
      if (!seen.insert(before).second) continue;
      const LastStep& last = last_[static_cast<std::size_t>(before)];
      std::int32_t& step = latest.try_emplace(last.strand, last.step).first->second;
      step = std::max(step, last.step);
      if (fused_.receive_of.contains(before)) collect(operation(before).after, latest, seen);
    }
  }

  // ---- messages ----

  /// Chunks side by side in scratch, for the pieces of one message; the strand's own.
  MemoryMap::Place pack_area(std::int32_t strand, const std::vector<MemoryRange>& pieces) {
    std::int32_t chunks = 0;
    for (const MemoryRange& piece : pieces) chunks += memory_.place_of(piece).chunks;
    auto& [first, size] = packs_[strand];
    if (size < chunks) {
      first = schedule_.scratch_chunks;
      size = chunks;
      schedule_.scratch_chunks += chunks;
    }
    return {{ChunkBuffer::scratch, first}, chunks};
  }

  void add_send(std::int32_t strand, const RecordedOperation& what) {
    const std::vector<MemoryRange> pieces = joined_ranges(what.from);
    if (pieces.size() == 1) {
      const MemoryMap::Place from = memory_.place_of(pieces[0]);
      return add(strand, {.kind = StepKind::send, .source = from.place, .chunks = from.chunks});
    }
    const MemoryMap::Place pack = pack_area(strand, pieces);
    std::int32_t at = pack.place.first;
    for (const MemoryRange& piece : pieces) {
      const MemoryMap::Place from = memory_.place_of(piece);
      add(strand, {.kind = StepKind::copy, .source = from.place, .target = {ChunkBuffer::scratch, at}, .chunks = from.chunks});
      at += from.chunks;
    }
    add(strand, {.kind = StepKind::send, .source = pack.place, .chunks = pack.chunks});
  }

  void add_receive(std::int32_t strand, std::int32_t number) {
    const std::vector<MemoryRange> pieces = joined_ranges(operation(number).into);
    if (const auto fused = fused_.reduction_of.find(number); fused != fused_.reduction_of.end()) {
      const MemoryMap::Place into = memory_.place_of(operation(fused->second).into[0]);
      return add(strand,
                 {.kind = StepKind::receive_reduce_copy, .source = into.place, .target = into.place, .chunks = into.chunks});
    }
    if (pieces.size() == 1) {
      const MemoryMap::Place into = memory_.place_of(pieces[0]);
      return add(strand, {.kind = StepKind::receive, .target = into.place, .chunks = into.chunks});
    }
    const MemoryMap::Place pack = pack_area(strand, pieces);
    add(strand, {.kind = StepKind::receive, .target = pack.place, .chunks = pack.chunks});
    std::int32_t at = pack.place.first;
    for (const MemoryRange& piece : pieces) {
      const MemoryMap::Place into = memory_.place_of(piece);
      add(strand, {.kind = StepKind::copy, .source = {ChunkBuffer::scratch, at}, .target = into.place, .chunks = into.chunks});
      at += into.chunks;
    }
  }

  const std::int32_t own_;
  const RankRecording& rank_;
  MemoryMap& memory_;
  std::map<std::int32_t, Message> messages_;  ///< by operation
  FusedReductions fused_;
  RankSchedule schedule_;
  std::map<std::array<std::int32_t, 3>, std::int32_t> strands_;
  std::map<std::int32_t, std::pair<std::int32_t, std::int32_t>> packs_;  ///< by strand: first chunk, chunks
  std::vector<LastStep> last_;                                           ///< by operation
  std::vector<LastStep> waits_;                                          ///< for the next step
};

}  // namespace

ScheduleProgram recorded_program(const Recording& recording, const RecordedCall& call) {
  ScheduleProgram program;
  program.name = call.name;
  program.collective = call.collective;
  program.modes = {.in_place = call.in_place, .out_of_place = !call.in_place};
  program.root = call.root;
  const auto size = static_cast<std::int64_t>(recording.ranks.size());
  if (has_blocks(call.collective) && call.count % size != 0)
    throw InputError(fmt::format("{} elements in {} blocks: a schedule needs equal ones", call.count, size));
  std::int64_t chunk = has_blocks(call.collective) ? call.count / size : call.count;
  std::vector<MemoryMap> memory;
  for (const RankRecording& rank : recording.ranks) {
    memory.emplace_back(rank, recording.element_size, whole_vector_of(call.collective));
    chunk = memory.back().common_chunk(chunk);
  }
  program.chunks = static_cast<std::int32_t>(call.count / chunk);
  std::vector<std::map<std::int32_t, Message>> messages(recording.ranks.size());
  for (const MessagePair& pair : pair_messages(recording)) {
    messages[static_cast<std::size_t>(pair.source)][pair.send] = {pair.dest, pair.channel};
    messages[static_cast<std::size_t>(pair.dest)][pair.receive] = {pair.source, pair.channel};
  }
  for (std::size_t r = 0; r < recording.ranks.size(); ++r) {
    memory[r].set_chunk(chunk);
    program.ranks.push_back(
        RankLowering(static_cast<std::int32_t>(r), recording.ranks[r], memory[r], std::move(messages[r])).lower());
  }
  return program;
}

namespace {

bool overlap(const MemoryRange& a, const MemoryRange& b) { return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes; }

bool overlap(const std::vector<MemoryRange>& as, const std::vector<MemoryRange>& bs) {
  return std::ranges::any_of(
      as, [&](const MemoryRange& a) { return std::ranges::any_of(bs, [&](const MemoryRange& b) { return overlap(a, b); }); });
}

bool same(const std::vector<MemoryRange>& as, const std::vector<MemoryRange>& bs) {
  return as.size() == 1 && bs.size() == 1 && as[0].begin == bs[0].begin && as[0].bytes == bs[0].bytes;
}

bool is_scratch(const RankRecording& rank, const std::vector<MemoryRange>& ranges) {
  return !overlap(ranges, {rank.input}) && !overlap(ranges, {rank.output});
}

bool has(const std::vector<std::int32_t>& list, std::int32_t number) { return std::ranges::find(list, number) != list.end(); }

/// Operations of the rank that touch the received data after the receive; no value: others than one reduction, up to where it is
/// overwritten.
std::optional<std::int32_t> only_use(const RankRecording& rank, std::int32_t receive) {
  const auto& operations = rank.operations();
  const std::vector<MemoryRange>& data = operations[static_cast<std::size_t>(receive)].into;
  std::optional<std::int32_t> use;
  for (auto i = static_cast<std::size_t>(receive) + 1; i < operations.size(); ++i) {
    if (overlap(operations[i].from, data)) {
      if (use || operations[i].kind != RecordedOperation::Kind::reduce || !same(operations[i].from, data)) return std::nullopt;
      use = static_cast<std::int32_t>(i);
    }
    if (overlap(operations[i].into, data)) return use;
  }
  return use;
}

}  // namespace

FusedReductions fuse_reductions(const RankRecording& rank) {
  FusedReductions fused;
  const auto& operations = rank.operations();
  for (std::int32_t receive = 0; receive < static_cast<std::int32_t>(operations.size()); ++receive) {
    const RecordedOperation& message = operations[static_cast<std::size_t>(receive)];
    if (message.kind != RecordedOperation::Kind::receive || message.into.size() != 1 || !is_scratch(rank, message.into))
      continue;
    const std::optional<std::int32_t> use = only_use(rank, receive);
    if (!use) continue;
    const RecordedOperation& reduction = operations[static_cast<std::size_t>(*use)];
    if (!has(reduction.after, receive) || is_scratch(rank, reduction.into)) continue;
    const bool is_free = std::ranges::all_of(reduction.after, [&](std::int32_t other) {
      const RecordedOperation& before = operations[static_cast<std::size_t>(other)];
      return other == receive ||
             (before.after == message.after && !overlap(before.from, reduction.into) && !overlap(before.into, reduction.into));
    });
    if (!is_free) continue;
    fused.reduction_of[receive] = *use;
    fused.receive_of[*use] = receive;
  }
  return fused;
}

namespace {

/// Source, destination, stream.
using Stream = std::tuple<int, int, std::string>;

/// By stream: its receives in their order.
std::map<Stream, std::vector<std::int32_t>> receives_of(const Recording& recording) {
  std::map<Stream, std::vector<std::int32_t>> receives;
  for (std::size_t dest = 0; dest < recording.ranks.size(); ++dest) {
    std::int32_t number = 0;
    for (const RecordedOperation& operation : recording.ranks[dest].operations()) {
      if (operation.kind == RecordedOperation::Kind::receive)
        receives[{operation.peer, static_cast<int>(dest), operation.stream}].push_back(number);
      ++number;
    }
  }
  return receives;
}

}  // namespace

bool is_after(const RankRecording& rank, std::int32_t operation, std::int32_t before) {
  std::set<std::int32_t> seen;
  std::vector<std::int32_t> open = {operation};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    for (const std::int32_t earlier : rank.operations()[static_cast<std::size_t>(at)].after) {
      if (earlier == before) return true;
      // Operations are numbered in the order in which they began.
      if (earlier > before && seen.insert(earlier).second) open.push_back(earlier);
    }
  }
  return false;
}

std::vector<MessagePair> pair_messages(const Recording& recording) {
  const std::map<Stream, std::vector<std::int32_t>> receives = receives_of(recording);
  std::map<Stream, std::size_t> taken;
  std::vector<MessagePair> pairs;
  for (std::size_t source = 0; source < recording.ranks.size(); ++source) {
    const RankRecording& sender = recording.ranks[source];
    std::map<std::int32_t, std::vector<MessagePair>> last_of;  // by destination: the last message of each channel
    for (std::int32_t send = 0; send < static_cast<std::int32_t>(sender.operations().size()); ++send) {
      const RecordedOperation& operation = sender.operations()[static_cast<std::size_t>(send)];
      if (operation.kind != RecordedOperation::Kind::send) continue;
      const Stream stream{static_cast<int>(source), operation.peer, operation.stream};
      const std::int32_t receive = receives.at(stream)[taken[stream]++];
      std::vector<MessagePair>& channels = last_of[operation.peer];
      std::size_t channel = 0;
      while (channel < channels.size() &&
             !(is_after(sender, send, channels[channel].send) && channels[channel].receive < receive))
        ++channel;
      const MessagePair pair{static_cast<std::int32_t>(source), send, operation.peer, receive,
                             static_cast<std::int32_t>(channel)};
      if (channel == channels.size())
        channels.push_back(pair);
      else
        channels[channel] = pair;
      pairs.push_back(pair);
    }
  }
  return pairs;
}

}  // namespace heddle
