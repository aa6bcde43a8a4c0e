// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "schedules/program/analysis.hpp"

namespace heddle {

namespace {

/// How a strand stands.
struct Turn {
  std::int32_t step = 0;      ///< that it is at
  bool has_received = false;  ///< of a step that receives and sends
  bool has_sent = false;      ///< and waits for its receive, where there is no buffer
  bool is_queued = false;
  std::vector<std::int32_t> waiting;  ///< strands that wait for steps of this one
};

struct Traffic {
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

constexpr std::size_t kMostInCycle = 16;

class Executor {
 public:
  Executor(const ScheduleProgram& program, const Connections& connections, std::optional<int> credits)
      : program_(program),
        connections_(connections),
        credits_(credits),
        turns_(static_cast<std::size_t>(connections.strands())),
        traffic_(connections.all().size()) {}

  Execution run() {
    for (std::int32_t strand = 0; strand < connections_.strands(); ++strand) wake(strand);
    while (!queue_.empty()) {
      const std::int32_t strand = queue_.back();
      queue_.pop_back();
      turns_[static_cast<std::size_t>(strand)].is_queued = false;
      while (advance(strand)) {
      }
    }
    execution_.stuck = why_stuck();
    return std::move(execution_);
  }

 private:
  const Strand& strand_at(std::int32_t number) const {
    return program_.strand(connections_.rank_of(number), connections_.place_in_rank(number));
  }
  StepPlace place_of(std::int32_t number) const {
    return {connections_.rank_of(number), connections_.place_in_rank(number), turns_[static_cast<std::size_t>(number)].step};
  }
  bool has_ended(std::int32_t number) const {
    return turns_[static_cast<std::size_t>(number)].step >= static_cast<std::int32_t>(strand_at(number).steps.size());
  }
  const Step& step_of(std::int32_t number) const {
    return strand_at(number).steps[static_cast<std::size_t>(turns_[static_cast<std::size_t>(number)].step)];
  }
  /// The strand of the same rank that it depends on.
  std::int32_t dependency_of(std::int32_t number) const {
    return connections_.strand(connections_.rank_of(number), step_of(number).after_strand);
  }

  void wake(std::int32_t number) {
    if (number == Connections::kNone) return;
    Turn& turn = turns_[static_cast<std::size_t>(number)];
    if (turn.is_queued) return;
    turn.is_queued = true;
    queue_.push_back(number);
  }

  /// One step more, or a part of one; false: it waits, or has ended.
  bool advance(std::int32_t number) {
    if (has_ended(number)) return false;
    Turn& turn = turns_[static_cast<std::size_t>(number)];
    const Step& step = step_of(number);
    if (!turn.has_received && !turn.has_sent && must_wait(number, step)) return false;
    if (is_fused(step.kind) && !turn.has_received && !has_room(connections_.sends_on(number))) return false;
    if (receives(step.kind) && !turn.has_received) {
      Traffic& traffic = traffic_of(connections_.receives_on(number));
      if (traffic.received == traffic.sent) return false;
      ++traffic.received;
      turn.has_received = true;
      wake(ends_of(connections_.receives_on(number)).sender);
    }
    if (sends(step.kind)) {
      Traffic& traffic = traffic_of(connections_.sends_on(number));
      if (!turn.has_sent) {
        if (!has_room(connections_.sends_on(number))) return false;
        ++traffic.sent;
        turn.has_sent = true;
        execution_.order.push_back(place_of(number));
        wake(ends_of(connections_.sends_on(number)).receiver);
      }
      if (credits_ == 0 && traffic.received < traffic.sent) return false;
    } else {
      execution_.order.push_back(place_of(number));
    }
    turn.has_received = turn.has_sent = false;
    ++turn.step;
    for (const std::int32_t other : std::exchange(turn.waiting, {})) wake(other);
    return true;
  }

  /// For a step of another strand; this one is woken when that goes on.
  bool must_wait(std::int32_t number, const Step& step) {
    if (step.after_strand < 0) return false;
    const std::int32_t other = dependency_of(number);
    Turn& turn = turns_[static_cast<std::size_t>(other)];
    if (turn.step > step.after_step) return false;
    turn.waiting.push_back(number);
    return true;
  }

  /// Where a send waits for its receive, it finds that out by sending.
  bool has_room(std::int32_t connection) const {
    const Traffic& traffic = traffic_[static_cast<std::size_t>(connection)];
    return credits_.value_or(0) == 0 || traffic.sent - traffic.received < *credits_;
  }

  Traffic& traffic_of(std::int32_t connection) { return traffic_[static_cast<std::size_t>(connection)]; }
  const Connections::Ends& ends_of(std::int32_t connection) const {
    return connections_.all()[static_cast<std::size_t>(connection)];
  }

  // ---- what it waits for ----

  struct Wait {
    std::int32_t strand;  ///< that would have to go on
    std::string text;
  };

  bool is_there(std::int32_t connection) const {
    const Traffic& traffic = traffic_[static_cast<std::size_t>(connection)];
    return traffic.received < traffic.sent;
  }

  Wait wait_of(std::int32_t number) const {
    const Step& step = step_of(number);
    const Turn& turn = turns_[static_cast<std::size_t>(number)];
    const Strand& strand = strand_at(number);
    if (step.after_strand >= 0 && !turn.has_received && !turn.has_sent &&
        turns_[static_cast<std::size_t>(dependency_of(number))].step <= step.after_step)
      return {dependency_of(number), fmt::format("for step {} of tb {}", step.after_step, strand_at(dependency_of(number)).id)};
    const bool has_message = receives(step.kind) && !turn.has_received && is_there(connections_.receives_on(number));
    if (receives(step.kind) && !turn.has_received && !has_message)
      return {ends_of(connections_.receives_on(number)).sender,
              fmt::format("for a message from gpu {} on channel {}", strand.receive_from, strand.channel)};
    const std::int32_t receiver = ends_of(connections_.sends_on(number)).receiver;
    if (credits_ == 0) return {receiver, fmt::format("for gpu {} to receive on channel {}", strand.send_to, strand.channel)};
    return {receiver, fmt::format("for a free slot of channel {} to gpu {} ({} of {} taken)", strand.channel, strand.send_to,
                                  *credits_, *credits_)};
  }

  std::string why_stuck() const {
    std::vector<std::int32_t> blocked;
    for (std::int32_t strand = 0; strand < connections_.strands(); ++strand) {
      if (!has_ended(strand)) blocked.push_back(strand);
    }
    if (blocked.empty()) return "";
    std::string text =
        fmt::format("the schedule cannot go on{}: {} of {} tbs wait", slots_text(), blocked.size(), connections_.strands());
    const std::vector<std::int32_t> cycle = find_cycle(blocked.front());
    text += cycle.empty() ? "" : "\n  cycle:";
    for (std::size_t i = 0; i < std::min(cycle.size(), kMostInCycle); ++i)
      text += fmt::format("\n    {} ({}) waits {}", step_text(program_, place_of(cycle[i])), code_of(step_of(cycle[i]).kind),
                          wait_of(cycle[i]).text);
    if (cycle.size() > kMostInCycle) text += fmt::format("\n    … and {} more", cycle.size() - kMostInCycle);
    if (!cycle.empty()) text += fmt::format("\n    and that is {} again", step_text(program_, place_of(cycle.front())));
    return text;
  }

  std::string slots_text() const {
    if (!credits_) return ", however many messages a channel holds";
    if (*credits_ == 0) return " where sends wait for their receives";
    return fmt::format(" with {} slot{} for each channel", *credits_, *credits_ == 1 ? "" : "s");
  }

  /// Each waits for one other, so from anywhere the way leads into a cycle, or to one that has ended.
  std::vector<std::int32_t> find_cycle(std::int32_t from) const {
    std::vector<std::int32_t> way;
    std::vector<std::int32_t> place(turns_.size(), -1);
    for (std::int32_t at = from; at != Connections::kNone && !has_ended(at); at = wait_of(at).strand) {
      if (place[static_cast<std::size_t>(at)] >= 0) return {way.begin() + place[static_cast<std::size_t>(at)], way.end()};
      place[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(way.size());
      way.push_back(at);
    }
    return {};
  }

  const ScheduleProgram& program_;
  const Connections& connections_;
  const std::optional<int> credits_;
  std::vector<Turn> turns_;
  std::vector<Traffic> traffic_;
  std::vector<std::int32_t> queue_;
  Execution execution_;
};

}  // namespace

Execution execute(const ScheduleProgram& program, const Connections& connections, std::optional<int> credits) {
  return Executor(program, connections, credits).run();
}

}  // namespace heddle
