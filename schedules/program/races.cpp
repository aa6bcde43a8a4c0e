// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "schedules/program/analysis.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostClockEntries = std::int64_t{1} << 27;

/// By strand: how many of its steps have ended before.
using Clock = std::vector<std::int32_t>;

struct Access {
  std::int32_t strand;  ///< through all ranks
  std::int32_t step;
};

/// What was done last with a chunk.
struct Uses {
  std::optional<Access> write;
  std::vector<Access> reads;  ///< since then, the last of each strand
};

class RaceFinder {
 public:
  RaceFinder(const ScheduleProgram& program, const Connections& connections, bool in_place)
      : program_(program),
        connections_(connections),
        memory_(program, in_place),
        in_place_(in_place),
        messages_(connections.all().size()) {
    const auto strands = static_cast<std::size_t>(connections.strands());
    clocks_.assign(strands, Clock(strands, 0));
    uses_.resize(static_cast<std::size_t>(program.size()));
    note_awaited();
  }

  Races find(const Execution& execution) {
    for (const StepPlace& place : execution.order) {
      take(place);
      if (!found_.text.empty()) break;
    }
    return std::move(found_);
  }

 private:
  /// Steps that others wait for: their clocks are kept.
  void note_awaited() {
    for (std::int32_t rank = 0; rank < program_.size(); ++rank) {
      for (const Strand& strand : program_.ranks[static_cast<std::size_t>(rank)].strands) {
        for (const Step& step : strand.steps) {
          if (step.after_strand >= 0) ended_[{connections_.strand(rank, step.after_strand), step.after_step}] = nullptr;
        }
      }
    }
  }

  static void join(Clock& clock, const Clock& other) {
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
  }

  void take(StepPlace place) {
    const Step& step = program_.step(place);
    const std::int32_t number = connections_.strand(place.rank, place.strand);
    Clock& clock = clocks_[static_cast<std::size_t>(number)];
    if (step.after_strand >= 0) join(clock, *ended_.at({connections_.strand(place.rank, step.after_strand), step.after_step}));
    if (receives(step.kind)) {
      if (writes_target(step.kind) && (is_callers_input(place, step) || is_used_by_others(place, step)))
        found_.early.insert({place.rank, place.strand, place.step});
      auto& waiting = messages_[static_cast<std::size_t>(connections_.receives_on(number))];
      join(clock, *waiting.front());
      waiting.pop_front();
    }
    if (reads_source(step.kind) && writes_target(step.kind)) require_apart(place, step);
    // A copy onto itself, of what in place is one chunk, does nothing.
    const bool is_nothing = step.kind == StepKind::copy && index(place, step.source) == index(place, step.target);
    if (reads_source(step.kind) && !is_nothing) use(place, step.source, step.chunks, false);
    if (writes_target(step.kind) && !is_nothing) use(place, step.target, step.chunks, true);
    clock[static_cast<std::size_t>(number)] = place.step + 1;
    std::shared_ptr<const Clock> now;
    if (const auto awaited = ended_.find({number, place.step}); awaited != ended_.end())
      awaited->second = now = std::make_shared<const Clock>(clock);
    if (sends(step.kind))
      messages_[static_cast<std::size_t>(connections_.sends_on(number))].push_back(now ? now
                                                                                       : std::make_shared<const Clock>(clock));
  }

  std::int32_t index(StepPlace place, ChunkPlace chunks) const {
    return memory_.index(place.rank, chunks.buffer, chunks.first);
  }

  void require_apart(StepPlace place, const Step& step) {
    const std::int32_t between = std::abs(index(place, step.source) - index(place, step.target));
    if (between == 0 || between >= step.chunks || !found_.text.empty()) return;
    found_.text = fmt::format(
        "{} ({}) reads {} and writes {}, which lie in part on one another: which chunk is read before it is written is chance; "
        "it needs the same chunks for both, or chunks apart",
        step_text(program_, place), code_of(step.kind), chunks_text(step.source, step.chunks),
        chunks_text(step.target, step.chunks));
  }

  void use(StepPlace place, ChunkPlace chunks, std::int32_t count, bool writes) {
    const Access access{connections_.strand(place.rank, place.strand), place.step};
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t index = memory_.index(place.rank, chunks.buffer, chunks.first + i);
      Uses& uses = uses_[static_cast<std::size_t>(place.rank)][index];
      const ChunkPlace chunk{chunks.buffer, chunks.first + i};
      if (uses.write) require_ordered(access, *uses.write, chunk, writes, true);
      if (writes) {
        for (const Access& read : uses.reads) require_ordered(access, read, chunk, writes, false);
        uses.write = access;
        uses.reads.clear();
      } else {
        const auto own = std::ranges::find(uses.reads, access.strand, &Access::strand);
        if (own == uses.reads.end())
          uses.reads.push_back(access);
        else
          *own = access;
      }
    }
  }

  bool is_before(const Access& before, const Access& now) const {
    return now.strand == before.strand ||
           clocks_[static_cast<std::size_t>(now.strand)][static_cast<std::size_t>(before.strand)] > before.step;
  }

  /// What is written there may be what is there already.
  bool is_callers_input(StepPlace place, const Step& step) const {
    return step.target.buffer == ChunkBuffer::input && !program_.is_one_vector(place.rank, in_place_);
  }

  /// Whether others may still use the target when the step begins.
  bool is_used_by_others(StepPlace place, const Step& step) {
    const Access now{connections_.strand(place.rank, place.strand), place.step};
    const auto is_open = [&](const Access& before) { return !is_before(before, now); };
    for (std::int32_t i = 0; i < step.chunks; ++i) {
      const auto& of_rank = uses_[static_cast<std::size_t>(place.rank)];
      const auto uses = of_rank.find(memory_.index(place.rank, step.target.buffer, step.target.first + i));
      if (uses == of_rank.end()) continue;
      if ((uses->second.write && is_open(*uses->second.write)) || std::ranges::any_of(uses->second.reads, is_open)) return true;
    }
    return false;
  }

  void require_ordered(const Access& now, const Access& before, ChunkPlace chunk, bool writes, bool wrote) {
    if (is_before(before, now) || !found_.text.empty()) return;
    found_.text = fmt::format(
        "{} {} {}, which tb {}, step {}{} {}, and neither waits for the other: which comes first is chance; a dependency is "
        "missing "
        "(depid, deps)",
        step_text(program_, place_of(now)), writes ? "writes" : "reads", chunks_text(chunk, 1), strand_of(before).id,
        before.step, line_text(before), wrote ? "writes" : "reads");
  }

  StepPlace place_of(const Access& access) const {
    return {connections_.rank_of(access.strand), connections_.place_in_rank(access.strand), access.step};
  }
  const Strand& strand_of(const Access& access) const {
    return program_.strand(connections_.rank_of(access.strand), connections_.place_in_rank(access.strand));
  }
  std::string line_text(const Access& access) const {
    const std::int32_t line = program_.step(place_of(access)).line;
    return line == 0 ? "" : fmt::format(" (line {})", line);
  }

  const ScheduleProgram& program_;
  const Connections& connections_;
  const RankMemory memory_;
  const bool in_place_;
  std::vector<Clock> clocks_;  ///< by strand
  std::vector<std::deque<std::shared_ptr<const Clock>>> messages_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::shared_ptr<const Clock>> ended_;  ///< by strand and step
  std::vector<std::unordered_map<std::int32_t, Uses>> uses_;                             ///< by rank and chunk
  Races found_;
};

}  // namespace

Races find_races(const ScheduleProgram& program, const Connections& connections, const Execution& execution, bool in_place) {
  if (static_cast<std::int64_t>(execution.order.size()) * connections.strands() > kMostClockEntries) return {.is_known = false};
  return RaceFinder(program, connections, in_place).find(execution);
}

}  // namespace heddle
