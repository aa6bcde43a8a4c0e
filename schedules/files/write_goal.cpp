// SPDX-License-Identifier: Apache-2.0
#include "schedules/files/write_goal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

namespace {

/// One rank's operations, numbered from 1.
class GoalRank {
 public:
  GoalRank(const CompiledSchedule& schedule, int rank, const ChunkGeometry& geometry, std::int64_t element_size, double gamma,
           std::ostream& out)
      : schedule_(schedule),
        program_(schedule.program()),
        rank_(rank),
        geometry_(geometry),
        element_size_(element_size),
        gamma_(gamma),
        out_(out) {}

  void write() {
    out_ << fmt::format("rank {} {{\n", rank_);
    const std::vector<Strand>& strands = program_.ranks[static_cast<std::size_t>(rank_)].strands;
    for (std::size_t s = 0; s < strands.size(); ++s) {
      std::int64_t before = 0;
      for (std::size_t i = 0; i < strands[s].steps.size(); ++i) {
        before = write_step(strands[s], {rank_, static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)}, before);
        ends_[{static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)}] = before;
      }
    }
    // A label that a line names has to stand somewhere, not above it: so these come last.
    for (const auto& [label, awaited] : waits_) {
      if (const std::int64_t end = ends_[awaited]; end != 0) out_ << fmt::format("l{} requires l{}\n", label, end);
    }
    out_ << "}\n";
  }

 private:
  /// The label of its last operation; that of the step before where it has none.
  std::int64_t write_step(const Strand& strand, StepPlace place, std::int64_t before) {
    const Step& step = strand.steps[static_cast<std::size_t>(place.step)];
    const std::int64_t bytes = bytes_of(step, place);
    bool is_waiting = step.after_strand >= 0;
    const auto add = [&](const std::string& text) {
      out_ << fmt::format("l{}: {}\n", ++labels_, text);
      if (before != 0) out_ << fmt::format("l{} requires l{}\n", labels_, before);
      if (std::exchange(is_waiting, false)) waits_.push_back({labels_, {step.after_strand, step.after_step}});
      before = labels_;
    };
    if (receives(step.kind) && bytes > 0)
      add(fmt::format("recv {}b from {} tag {}", bytes, strand.receive_from, strand.channel));
    if (const bool is_local = step.kind == StepKind::copy || reduces(step.kind); is_local && bytes > 0)
      add(fmt::format("calc {}", std::llround(gamma_ * 1e9 * static_cast<double>(bytes))));
    if (sends(step.kind) && bytes > 0) add(fmt::format("send {}b to {} tag {}", bytes, strand.send_to, strand.channel));
    // What does nothing waits all the same, for whoever waits for it.
    if (is_waiting) add("calc 0");
    return before;
  }

  std::int64_t bytes_of(const Step& step, StepPlace place) const {
    if (step.kind == StepKind::nop) return 0;
    const bool by_source = reads_source(step.kind);
    const ChunkPlace chunks = by_source ? step.source : step.target;
    const std::span<const std::int32_t> sizes =
        by_source ? schedule_.sizes().source_of(place) : schedule_.sizes().target_of(place);
    std::int64_t elements = 0;
    for (std::int32_t i = 0; i < step.chunks; ++i) {
      elements +=
          geometry_.size(chunks.buffer == ChunkBuffer::scratch ? sizes[static_cast<std::size_t>(i)]
                                                               : chunk_at(program_, rank_, chunks.buffer, chunks.first + i));
    }
    return elements * element_size_;
  }

  const CompiledSchedule& schedule_;
  const ScheduleProgram& program_;
  const int rank_;
  const ChunkGeometry& geometry_;
  const std::int64_t element_size_;
  const double gamma_;
  std::ostream& out_;
  std::int64_t labels_ = 0;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> ends_;  ///< by strand and step: its last label; 0: none
  std::vector<std::pair<std::int64_t, std::pair<std::int32_t, std::int32_t>>> waits_;
};

}  // namespace

void write_goal(const CompiledSchedule& schedule, std::int64_t count, std::int64_t element_size, double gamma,
                std::ostream& out) {
  const ScheduleProgram& program = schedule.program();
  const ChunkGeometry geometry(program, count, BlockPartition(count, program.size()), program.root);
  out << fmt::format("num_ranks {}\n", program.size());
  for (int rank = 0; rank < program.size(); ++rank) GoalRank(schedule, rank, geometry, element_size, gamma, out).write();
}

}  // namespace heddle
