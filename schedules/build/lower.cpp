// SPDX-License-Identifier: Apache-2.0
// Operations as steps of threads, in order, with what each waits for.
//
// Why it never locks up. Operations have places: by level, within a level first those that pass on, in the order of what they pass on,
// then by number. Steps of a thread stand by their times: a send of level l at 2l, a receive at 2l + 1, a step that passes on at the
// time of its receive; at one time by the place of the operation that they begin with. Then a step is later than the send of what it
// receives, than all steps that it waits for, and messages of a channel come in the order in which they are sent: what passes on
// begins an odd time before the plain sends of its level. So some step can always happen, if channels hold enough. Without steps that
// pass on both sides of a message stand at 2l. The first operation that is not done can then be done, even where its send waits.
#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "schedules/build/operation_log.hpp"

namespace heddle {

namespace {

struct Node {
  std::int32_t time;
  std::int32_t place;    ///< of the operation that it begins with
  std::int32_t receive;  ///< operation; kNoNumber: it does not receive
  std::int32_t send;
  std::int32_t local;
  std::int32_t strand = kNoNumber;
  std::int32_t step = kNoNumber;
};

/// Of "ring.py:12" the line, where it is one of that file's; else 0.
std::int32_t place_in_text(const std::string& where, const std::string& file) {
  const std::size_t colon = where.rfind(':');
  if (colon == std::string::npos || file.empty() || where.compare(0, colon, file) != 0) return 0;
  std::int32_t line = 0;
  std::from_chars(where.data() + colon + 1, where.data() + where.size(), line);
  return line;
}

/// By operation: its place.
std::vector<std::int32_t> places_of(const StrandPlan& threads) {
  std::vector<std::int32_t> order(threads.level.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::int32_t number) { return threads.level[static_cast<std::size_t>(number)]; });
  std::vector<std::int32_t> places(order.size(), 0);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const auto level = [&](std::size_t i) { return threads.level[static_cast<std::size_t>(order[i])]; };
    while (end < order.size() && level(end) == level(begin)) ++end;
    const auto key = [&](std::int32_t number) {
      const std::int32_t before = threads.previous[static_cast<std::size_t>(number)];
      return before == kNoNumber ? std::pair(1, number) : std::pair(0, places[static_cast<std::size_t>(before)]);
    };
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end),
              [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    for (std::size_t i = begin; i < end; ++i) places[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  return places;
}

/// The steps of one rank.
class RankSteps {
 public:
  RankSteps(const OperationLog& log, const StrandPlan& threads, std::int32_t rank, std::vector<Node> nodes)
      : log_(log), threads_(threads), nodes_(std::move(nodes)), schedule_(log.frame.ranks[static_cast<std::size_t>(rank)]) {
    schedule_.strands = threads.strands[static_cast<std::size_t>(rank)];
    std::ranges::sort(nodes_, {}, [](const Node& node) { return std::tuple(node.time, node.place, node.local); });
    for (std::int32_t number = 0; number < static_cast<std::int32_t>(nodes_.size()); ++number) {
      const Node& node = nodes_[static_cast<std::size_t>(number)];
      for (const std::int32_t operation : {node.receive, node.send, node.local})
        if (operation != kNoNumber) node_of_[operation] = number;
    }
  }

  RankSchedule take() {
    for (Node& node : nodes_) make(node);
    number_strands();
    return std::move(schedule_);
  }

 private:
  const BuiltOperation& operation(std::int32_t number) const { return log_.operations[static_cast<std::size_t>(number)]; }
  Strand& strand(std::int32_t place) { return schedule_.strands[static_cast<std::size_t>(place)]; }

  /// Nodes that it waits for. What a step passes on, it has brought itself.
  std::vector<std::int32_t> waits_of(const Node& node) const {
    std::vector<std::int32_t> waits;
    const auto add = [&](const std::vector<std::int32_t>& operations) {
      for (const std::int32_t before : operations) waits.push_back(node_of_.at(before));
    };
    if (node.receive != kNoNumber) add(operation(node.receive).after_at_dest);
    if (node.send != kNoNumber && node.receive == kNoNumber) add(operation(node.send).after_at_source);
    if (node.local != kNoNumber) {
      add(operation(node.local).after_at_source);
      add(operation(node.local).after_at_dest);
    }
    return waits;
  }

  /// The thread of the last step that it waits for; without one, that of the rank's own work.
  std::int32_t strand_for_local(const Node& node) {
    const std::int32_t chosen = threads_.sender[static_cast<std::size_t>(node.local)];
    if (chosen != kNoNumber) return chosen;
    const std::vector<std::int32_t> waits = waits_of(node);
    if (!waits.empty()) return nodes_[static_cast<std::size_t>(std::ranges::max(waits))].strand;
    if (own_strand_ == kNoNumber) {
      own_strand_ = static_cast<std::int32_t>(schedule_.strands.size());
      schedule_.strands.push_back({.id = kNoNumber});
    }
    return own_strand_;
  }

  void make(Node& node) {
    node.strand = node.local != kNoNumber     ? strand_for_local(node)
                  : node.receive != kNoNumber ? threads_.receiver[static_cast<std::size_t>(node.receive)]
                                              : threads_.sender[static_cast<std::size_t>(node.send)];
    std::vector<Node*> waits = needed_waits(node);
    std::vector<Step>& steps = strand(node.strand).steps;
    Step step = step_of(node);
    // A step waits for one other; steps that do nothing wait for the rest.
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const bool is_last = i + 1 == waits.size();
      Step waiting = is_last ? step : Step{.kind = StepKind::nop, .chunks = 0};
      waiting.after_strand = waits[i]->strand;
      waiting.after_step = waits[i]->step;
      steps.push_back(waiting);
    }
    if (waits.empty()) steps.push_back(step);
    node.step = static_cast<std::int32_t>(steps.size()) - 1;
    Known& known = known_[node.strand];
    known[node.strand] = node.step;
    known_after_.push_back(known);
  }

  using Known = std::map<std::int32_t, std::int32_t>;  ///< by strand: the last step that has surely ended

  static bool is_known(const Known& known, const Node& node) {
    const auto at = known.find(node.strand);
    return at != known.end() && at->second >= node.step;
  }

  /// The steps of other threads that nothing else makes it wait for, the latest last.
  std::vector<Node*> needed_waits(const Node& node) {
    std::vector<std::int32_t> waits = waits_of(node);
    std::ranges::sort(waits, std::greater());
    Known& known = known_[node.strand];
    std::vector<Node*> needed;
    for (const std::int32_t number : waits) {
      Node& other = nodes_[static_cast<std::size_t>(number)];
      if (other.strand == node.strand || is_known(known, other)) continue;
      needed.push_back(&other);
      for (const auto& [strand, step] : known_after_[static_cast<std::size_t>(number)]) {
        std::int32_t& last = known.try_emplace(strand, step).first->second;
        last = std::max(last, step);
      }
    }
    std::ranges::reverse(needed);
    return needed;
  }

  Step step_of(const Node& node) const {
    const BuiltOperation& what = operation(node.local != kNoNumber     ? node.local
                                           : node.receive != kNoNumber ? node.receive
                                                                       : node.send);
    Step step{.chunks = what.chunks, .line = place_in_text(what.choice.where, log_.frame.file)};
    if (node.local != kNoNumber) {
      step.kind = what.is_reduction ? StepKind::reduce : StepKind::copy;
      step.source = what.from;
      step.target = what.into;
    } else if (node.receive == kNoNumber) {
      step.kind = StepKind::send;
      step.source = what.from;
    } else {
      const bool sends = node.send != kNoNumber;
      // A sum that only goes on need not be kept, if something else is put there later.
      const bool is_kept = !sends || what.readers > 1 || what.overwritten < what.chunks;
      step.kind = !what.is_reduction ? (sends ? StepKind::receive_copy_send : StepKind::receive)
                  : !sends           ? StepKind::receive_reduce_copy
                  : is_kept          ? StepKind::receive_reduce_copy_send
                                     : StepKind::receive_reduce_send;
      if (what.is_reduction) step.source = what.into;
      if (writes_target(step.kind)) step.target = what.into;
    }
    return step;
  }

  /// Threads without a chosen number get those that are free; they stand by number.
  void number_strands() {
    std::vector<Strand>& strands = schedule_.strands;
    std::int32_t next = 0;
    for (Strand& one : strands) {
      if (one.id != kNoNumber) continue;
      while (std::ranges::find(strands, next, &Strand::id) != strands.end()) ++next;
      one.id = next;
    }
    std::vector<std::int32_t> order(strands.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int32_t place) { return strand(place).id; });
    std::vector<std::int32_t> place_of(strands.size());
    std::vector<Strand> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place_of[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
      sorted.push_back(std::move(strand(order[i])));
    }
    for (Strand& one : sorted) {
      for (Step& step : one.steps)
        if (step.after_strand != kNoNumber) step.after_strand = place_of[static_cast<std::size_t>(step.after_strand)];
    }
    strands = std::move(sorted);
  }

  const OperationLog& log_;
  const StrandPlan& threads_;
  std::vector<Node> nodes_;  ///< in their order
  RankSchedule schedule_;
  std::map<std::int32_t, std::int32_t> node_of_;  ///< by operation
  std::map<std::int32_t, Known> known_;           ///< by strand
  std::vector<Known> known_after_;                ///< by node
  std::int32_t own_strand_ = kNoNumber;
};

}  // namespace

ScheduleProgram lower(const OperationLog& log, bool fuse) {
  const StrandPlan threads = assign_threads(log, fuse);
  const std::vector<std::int32_t> places = places_of(threads);
  std::vector<std::vector<Node>> nodes(log.frame.ranks.size());
  for (std::int32_t number = 0; number < static_cast<std::int32_t>(log.operations.size()); ++number) {
    const BuiltOperation& what = log.operations[static_cast<std::size_t>(number)];
    const auto at = static_cast<std::size_t>(number);
    const std::int32_t level = threads.level[at];
    const auto add = [&](std::int32_t rank, Node node) { nodes[static_cast<std::size_t>(rank)].push_back(node); };
    const std::int32_t receive_time = 2 * level + (fuse ? 1 : 0);
    if (!what.is_message()) {
      add(what.source, {receive_time, places[at], kNoNumber, kNoNumber, number});
      continue;
    }
    if (threads.previous[at] == kNoNumber) add(what.source, {2 * level, places[at], kNoNumber, number, kNoNumber});
    add(what.dest, {receive_time, places[at], number, threads.next[at], kNoNumber});
  }
  ScheduleProgram program = log.frame;
  for (std::int32_t rank = 0; rank < program.size(); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    program.ranks[at] = RankSteps(log, threads, rank, std::move(nodes[at])).take();
  }
  return program;
}

}  // namespace heddle
