// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "heddle/errors.hpp"
#include "schedules/program/analysis.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

namespace {

class Validator {
 public:
  explicit Validator(const ScheduleProgram& program) : program_(program) {}

  void check_steps() {
    for (place_.rank = 0; place_.rank < program_.size(); ++place_.rank) {
      const RankSchedule& rank = program_.ranks[static_cast<std::size_t>(place_.rank)];
      check_copies(rank.copies);
      for (place_.strand = 0; place_.strand < static_cast<std::int32_t>(rank.strands.size()); ++place_.strand) {
        const Strand& strand = rank.strands[static_cast<std::size_t>(place_.strand)];
        for (place_.step = 0; place_.step < static_cast<std::int32_t>(strand.steps.size()); ++place_.step)
          check(rank, strand, strand.steps[static_cast<std::size_t>(place_.step)]);
      }
    }
  }

  /// The n-th send of a connection meets its n-th receive.
  void check_messages() {
    const Connections connections(program_);
    for (const Connections::Ends& ends : connections.all()) {
      const std::vector<StepPlace> sent = steps_of(connections, ends.sender, sends);
      const std::vector<StepPlace> received = steps_of(connections, ends.receiver, receives);
      const std::size_t pairs = std::min(sent.size(), received.size());
      for (std::size_t i = 0; i < pairs; ++i) check_pair(sent[i], received[i], i);
      if (sent.size() > pairs) fail_alone(sent[pairs], received.size(), true);
      if (received.size() > pairs) fail_alone(received[pairs], sent.size(), false);
    }
  }

 private:
  template <class... Arguments>
  [[noreturn]] void fail(StepPlace place, fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    throw InputError(
        fmt::format("{}: {}", step_text(program_, place), fmt::format(text, std::forward<Arguments>(arguments)...)));
  }

  template <class... Arguments>
  [[noreturn]] void fail_copy(std::size_t copy, fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    throw InputError(fmt::format("{}: {}", copy_text(program_, place_.rank, static_cast<std::int32_t>(copy)),
                                 fmt::format(text, std::forward<Arguments>(arguments)...)));
  }

  void check_copies(const std::vector<StartCopy>& copies) const {
    std::map<std::int32_t, std::size_t> copied;  // by chunk of the output
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const StartCopy& copy = copies[i];
      check_copied(i, {ChunkBuffer::input, copy.input}, "i_off");
      check_copied(i, {ChunkBuffer::output, copy.output}, "o_off");
      const auto [first, is_new] = copied.try_emplace(copy.output, i);
      if (!is_new)
        fail_copy(i, "o_off=\"{}\": copy {} puts i[{}] there already", copy.output, first->second, copies[first->second].input);
      check_in_place(i, copy);
    }
  }

  void check_copied(std::size_t number, ChunkPlace chunk, const char* attribute) const {
    const std::int32_t there = program_.chunks_in(place_.rank, chunk.buffer);
    if (chunk.first >= 0 && chunk.first < there) return;
    const char* const name = name_of(chunk.buffer);
    if (there == 0) fail_copy(number, "{}=\"{}\": gpu {} has no {}", attribute, chunk.first, place_.rank, name);
    fail_copy(number, "{}=\"{}\": the {} of gpu {} has chunks 0 to {}", attribute, chunk.first, name, place_.rank, there - 1);
  }

  void check_in_place(std::size_t number, const StartCopy& copy) const {
    if (!program_.modes.in_place || !program_.is_one_vector(place_.rank, true)) return;
    const RankMemory memory(program_, true);
    const std::int32_t from = memory.index(place_.rank, ChunkBuffer::input, copy.input);
    const std::int32_t into = memory.index(place_.rank, ChunkBuffer::output, copy.output);
    if (from == into) return;
    fail_copy(
        number,
        "i[{}] and o[{}] are two places of one vector in place (inplace=\"1\"), and a copy would overwrite what is there; a "
        "schedule with such a copy is for calls out of place: inplace=\"0\" outofplace=\"1\"",
        copy.input, copy.output);
  }

  static const char* name_of(ChunkBuffer buffer) {
    constexpr const char* kNames[] = {"input", "output", "scratch"};
    return kNames[static_cast<std::size_t>(buffer)];
  }

  void check(const RankSchedule& rank, const Strand& strand, const Step& step) const {
    if (sends(step.kind)) check_peer(strand.send_to, "sends", "send");
    if (receives(step.kind)) check_peer(strand.receive_from, "receives", "recv");
    if (reduces(step.kind) && !heddle::reduces(program_.collective))
      fail(place_, "'{}' reduces, and {} is a collective that does not", code_of(step.kind), to_string(program_.collective));
    if (step.kind != StepKind::nop && step.chunks < 1) fail(place_, "cnt is {}; a step has one chunk or more", step.chunks);
    if (reads_source(step.kind)) check_chunks(step.source, step.chunks, "src");
    if (writes_target(step.kind)) check_chunks(step.target, step.chunks, "dst");
    if (step.after_strand >= 0) check_dependency(rank, step);
  }

  void check_peer(std::int32_t peer, const char* does, const char* attribute) const {
    if (peer < 0) fail(place_, "it {}, and its tb has no peer: {}=\"{}\"", does, attribute, peer);
    if (peer >= program_.size()) fail(place_, "{}=\"{}\": the gpus are 0 to {}", attribute, peer, program_.size() - 1);
    if (peer == place_.rank) fail(place_, "{}=\"{}\" is its own gpu; a copy (cpy) needs no peer", attribute, peer);
  }

  void check_chunks(ChunkPlace chunks, std::int32_t count, const char* which) const {
    const std::int32_t there = program_.chunks_in(place_.rank, chunks.buffer);
    if (chunks.first >= 0 && chunks.first <= there - count) return;
    const char* const name = name_of(chunks.buffer);
    if (there == 0) fail(place_, "{} {}: gpu {} has no {}", which, chunks_text(chunks, count), place_.rank, name);
    fail(place_, "{} {}: the {} of gpu {} has chunks 0 to {}", which, chunks_text(chunks, count), name, place_.rank, there - 1);
  }

  void check_dependency(const RankSchedule& rank, const Step& step) const {
    if (step.after_strand >= static_cast<std::int32_t>(rank.strands.size()))
      fail(place_, "depid {}: gpu {} has no such tb", step.after_strand, place_.rank);
    const Strand& other = rank.strands[static_cast<std::size_t>(step.after_strand)];
    if (step.after_step < 0 || step.after_step >= static_cast<std::int32_t>(other.steps.size()))
      fail(place_, "it waits for step {} of tb {} (deps), which has {} steps", step.after_step, other.id, other.steps.size());
    if (step.after_strand == place_.strand && step.after_step >= place_.step)
      fail(place_, "it waits for step {} of its own tb, which comes later", step.after_step);
  }

  std::vector<StepPlace> steps_of(const Connections& connections, std::int32_t strand, bool (*which)(StepKind)) const {
    std::vector<StepPlace> places;
    if (strand == Connections::kNone) return places;
    StepPlace place{connections.rank_of(strand), connections.place_in_rank(strand), 0};
    for (const Step& step : program_.strand(place.rank, place.strand).steps) {
      if (which(step.kind)) places.push_back(place);
      ++place.step;
    }
    return places;
  }

  void check_pair(StepPlace sent, StepPlace received, std::size_t number) const {
    const std::int32_t given = program_.step(sent).chunks;
    const std::int32_t taken = program_.step(received).chunks;
    if (given == taken) return;
    fail(received, "it receives {} chunks; message {} of gpu {} on channel {} has {} ({})", taken, number, sent.rank,
         program_.strand(sent.rank, sent.strand).channel, given, step_text(program_, sent));
  }

  [[noreturn]] void fail_alone(StepPlace place, std::size_t others, bool is_send) const {
    const Strand& strand = program_.strand(place.rank, place.strand);
    if (is_send)
      fail(place, "nobody receives it: gpu {} receives {} message{} from gpu {} on channel {}, and this is one more",
           strand.send_to, others, others == 1 ? "" : "s", place.rank, strand.channel);
    fail(place, "nobody sends it: gpu {} sends {} message{} to gpu {} on channel {}, and this asks for one more",
         strand.receive_from, others, others == 1 ? "" : "s", place.rank, strand.channel);
  }

  const ScheduleProgram& program_;
  StepPlace place_;
};

}  // namespace

void require_valid(const ScheduleProgram& program) {
  Validator validator(program);
  validator.check_steps();
  validator.check_messages();
}

}  // namespace heddle
