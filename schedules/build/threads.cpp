// SPDX-License-Identifier: Apache-2.0
// Which operations are one step, and which threads and channels steps are on.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "heddle/errors.hpp"
#include "schedules/build/operation_log.hpp"
#include "schedules/program/analysis.hpp"

namespace heddle {

namespace {

constexpr std::int32_t kMostChannels = 16;  ///< that are tried before a flow is cut in two

/// One side of a step: what a thread has to have.
struct StepSide {
  std::int32_t rank;
  std::int32_t receive_from;  ///< kNoNumber: it does not receive
  std::int32_t send_to;
  std::int32_t tb;  ///< chosen; kNoNumber: any
};

/// The strands of all ranks, as they come to be.
class StrandTable {
 public:
  StrandTable(std::span<const BuiltOperation> operations, std::size_t ranks) : operations_(operations), strands_(ranks) {}

  bool fits(const StepSide& side, std::int32_t channel) const { return conflict(side, channel).empty(); }

  /// The strand of that side. It fits.
  std::int32_t take(const StepSide& side, std::int32_t channel) {
    std::int32_t strand = owner(side, channel);
    if (strand == kNoNumber) {
      strand = static_cast<std::int32_t>(of(side.rank).size());
      of(side.rank).push_back({.id = side.tb, .channel = channel});
      if (side.tb != kNoNumber) chosen_[{side.rank, side.tb}] = strand;
    }
    Strand& taken = of(side.rank)[static_cast<std::size_t>(strand)];
    if (side.send_to != kNoNumber) {
      taken.send_to = side.send_to;
      senders_[{side.rank, side.send_to, channel}] = strand;
    }
    if (side.receive_from != kNoNumber) {
      taken.receive_from = side.receive_from;
      receivers_[{side.rank, side.receive_from, channel}] = strand;
    }
    return strand;
  }

  /// Why there is no strand for it; empty: there is, or can be.
  std::string conflict(const StepSide& side, std::int32_t channel) const {
    const std::int32_t strand = owner(side, channel);
    for (const std::int32_t other : {sender(side, channel), receiver(side, channel)}) {
      if (other != kNoNumber && other != strand)
        return fmt::format("{} does that on channel {}", name_of(side.rank, other), channel);
    }
    if (strand == kNoNumber) {
      const std::int32_t other = std::max(sender(side, channel), receiver(side, channel));
      return other == kNoNumber ? "" : fmt::format("{} does that on channel {}", name_of(side.rank, other), channel);
    }
    const Strand& there = of(side.rank)[static_cast<std::size_t>(strand)];
    const auto differs = [](std::int32_t has, std::int32_t wanted) {
      return has != kNoNumber && wanted != kNoNumber && has != wanted;
    };
    if (differs(there.send_to, side.send_to)) return fmt::format("it sends to rank {}", there.send_to);
    if (differs(there.receive_from, side.receive_from)) return fmt::format("it receives from rank {}", there.receive_from);
    if (there.channel != channel) return fmt::format("it is on channel {}, not {}", there.channel, channel);
    return "";
  }

  std::optional<std::int32_t> channel_of_chosen(std::int32_t rank, std::int32_t tb) const {
    const std::int32_t strand = find(chosen_, {rank, tb});
    return strand == kNoNumber ? std::nullopt : std::optional(of(rank)[static_cast<std::size_t>(strand)].channel);
  }

  [[noreturn]] void fail(std::int32_t operation, const StepSide& side, std::int32_t channel) const {
    throw InputError(
        fmt::format("{} cannot be on tb {} of rank {}: {}; a thread block has one rank that it sends to, one that it receives "
                    "from, and one channel",
                    operation_text(operations_, operation), side.tb, side.rank, conflict(side, channel)));
  }

  std::vector<std::vector<Strand>> take_all() { return std::move(strands_); }

 private:
  using PeerKey = std::array<std::int32_t, 3>;  ///< rank, peer, channel

  template <class Map>
  static std::int32_t find(const Map& map, const typename Map::key_type& key) {
    const auto known = map.find(key);
    return known == map.end() ? kNoNumber : known->second;
  }
  std::int32_t sender(const StepSide& side, std::int32_t channel) const {
    return side.send_to == kNoNumber ? kNoNumber : find(senders_, {side.rank, side.send_to, channel});
  }
  std::int32_t receiver(const StepSide& side, std::int32_t channel) const {
    return side.receive_from == kNoNumber ? kNoNumber : find(receivers_, {side.rank, side.receive_from, channel});
  }
  /// The strand that it would be on; kNoNumber: a new one.
  std::int32_t owner(const StepSide& side, std::int32_t channel) const {
    if (side.tb != kNoNumber) return find(chosen_, {side.rank, side.tb});
    const std::int32_t one = sender(side, channel);
    return one != kNoNumber ? one : receiver(side, channel);
  }
  std::string name_of(std::int32_t rank, std::int32_t strand) const {
    const std::int32_t id = of(rank)[static_cast<std::size_t>(strand)].id;
    return id == kNoNumber ? std::string("another thread block") : fmt::format("tb {}", id);
  }
  std::vector<Strand>& of(std::int32_t rank) { return strands_[static_cast<std::size_t>(rank)]; }
  const std::vector<Strand>& of(std::int32_t rank) const { return strands_[static_cast<std::size_t>(rank)]; }

  std::span<const BuiltOperation> operations_;
  std::vector<std::vector<Strand>> strands_;
  std::map<PeerKey, std::int32_t> senders_;
  std::map<PeerKey, std::int32_t> receivers_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> chosen_;  ///< by rank and tb
};

/// Operations one after the other on one channel.
struct Passage {
  std::vector<std::int32_t> operations;
  std::int32_t channel = kNoNumber;  ///< chosen; kNoNumber: any
  bool has_chosen_tb = false;
};

class Assignment {
 public:
  Assignment(const OperationLog& log, bool fuse)
      : log_(log), operations_(log.operations), table_(log.operations, log.frame.ranks.size()), fuse_(fuse) {
    const std::size_t size = operations_.size();
    for (std::vector<std::int32_t>* list : {&threads_.previous, &threads_.next, &threads_.sender, &threads_.receiver})
      list->assign(size, kNoNumber);
  }

  StrandPlan assign() {
    find_levels();
    find_flows();
    // What was chosen comes first, then what needs a thread for two peers; the rest fits in anywhere.
    std::ranges::stable_sort(flows_, std::greater(), [](const Passage& flow) { return flow.has_chosen_tb; });
    for (const bool is_chosen : {true, false}) {
      for (Passage& flow : flows_)
        if (flow.has_chosen_tb == is_chosen && (is_chosen || flow.operations.size() > 1))
          place(std::move(flow.operations), flow.channel);
    }
    for (const Passage& flow : flows_)
      if (flow.operations.size() == 1) ends_.push_back({flow.operations.front(), flow.channel == kNoNumber ? 0 : flow.channel});
    for (const auto& [operation, channel] : ends_) take_ends(operation, channel);
    take_local();
    threads_.strands = table_.take_all();
    return std::move(threads_);
  }

 private:
  const BuiltOperation& at(std::int32_t operation) const { return operations_[static_cast<std::size_t>(operation)]; }
  static std::int32_t& in(std::vector<std::int32_t>& list, std::int32_t operation) {
    return list[static_cast<std::size_t>(operation)];
  }

  void find_levels() {
    for (const BuiltOperation& operation : operations_) {
      std::int32_t level = 0;
      for (const auto* list : {&operation.after_at_source, &operation.after_at_dest})
        for (const std::int32_t before : *list) level = std::max(level, in(threads_.level, before) + 1);
      threads_.level.push_back(level);
    }
  }

  /// The operation whose chunk this one passes on: nothing else holds this one up for longer.
  std::int32_t passed_on(std::int32_t number) {
    const BuiltOperation& operation = at(number);
    if (!fuse_ || !operation.is_message() || operation.after_at_source.size() != 1) return kNoNumber;
    const std::int32_t before = operation.after_at_source.front();
    const BuiltOperation& brought = at(before);
    const RankMemory memory(log_.frame, log_.in_place);
    const auto index = [&](ChunkPlace place) { return memory.index(operation.source, place.buffer, place.first); };
    const bool is_same = brought.is_message() && brought.dest == operation.source && brought.chunks == operation.chunks &&
                         index(brought.into) == index(operation.from);
    const bool is_at_once = in(threads_.level, number) == in(threads_.level, before) + 1;
    const auto agree = [](std::int32_t one, std::int32_t other) {
      return one == kNoNumber || other == kNoNumber || one == other;
    };
    if (!is_same || !is_at_once || in(threads_.next, before) != kNoNumber) return kNoNumber;
    if (!agree(brought.choice.receive_tb, operation.choice.send_tb)) return kNoNumber;
    return agree(flows_[flow_of_[static_cast<std::size_t>(before)]].channel, operation.choice.channel) ? before : kNoNumber;
  }

  void find_flows() {
    std::vector<std::int32_t> order(operations_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t number) { return in(threads_.level, number); });
    flow_of_.resize(operations_.size());
    for (const std::int32_t number : order) {
      if (!at(number).is_message()) continue;
      const OperationChoice& choice = at(number).choice;
      const std::int32_t before = passed_on(number);
      std::size_t& flow = flow_of_[static_cast<std::size_t>(number)];
      if (before == kNoNumber) {
        flow = flows_.size();
        flows_.emplace_back();
      } else {
        flow = flow_of_[static_cast<std::size_t>(before)];
        in(threads_.next, before) = number;
      }
      Passage& whole = flows_[flow];
      whole.operations.push_back(number);
      whole.channel = std::max(whole.channel, choice.channel);
      whole.has_chosen_tb = whole.has_chosen_tb || choice.send_tb != kNoNumber || choice.receive_tb != kNoNumber;
    }
    std::ranges::fill(threads_.next, kNoNumber);  // place() says which stay
  }

  // ---- channels ----

  StepSide sending(std::int32_t number) const {
    return {at(number).source, kNoNumber, at(number).dest, at(number).choice.send_tb};
  }
  StepSide receiving(std::int32_t number) const {
    return {at(number).dest, at(number).source, kNoNumber, at(number).choice.receive_tb};
  }
  StepSide passing(std::int32_t before, std::int32_t number) const {
    return {at(number).source, at(before).source, at(number).dest,
            std::max(at(before).choice.receive_tb, at(number).choice.send_tb)};
  }

  /// How many of the operations can be a flow there.
  std::size_t reach(const std::vector<std::int32_t>& flow, std::int32_t channel) const {
    if (!table_.fits(sending(flow[0]), channel)) return 0;
    std::size_t reached = 0;
    for (std::size_t i = 0; i < flow.size(); ++i) {
      if (i > 0 && !table_.fits(passing(flow[i - 1], flow[i]), channel)) break;
      if (table_.fits(receiving(flow[i]), channel)) reached = i + 1;
    }
    return reached;
  }

  std::int32_t best_channel(const std::vector<std::int32_t>& flow, std::int32_t chosen) const {
    if (chosen != kNoNumber) return chosen;
    std::vector<std::int32_t> channels(kMostChannels);
    std::iota(channels.begin(), channels.end(), 0);
    for (const std::int32_t number : flow) {
      for (const auto& channel : {table_.channel_of_chosen(at(number).source, at(number).choice.send_tb),
                                  table_.channel_of_chosen(at(number).dest, at(number).choice.receive_tb)})
        if (channel && *channel >= kMostChannels) channels.push_back(*channel);
    }
    std::int32_t best = channels.front();
    std::size_t most = 0;
    for (const std::int32_t channel : channels) {
      const std::size_t reached = reach(flow, channel);
      if (reached > most) {
        most = reached;
        best = channel;
      }
      if (most == flow.size()) break;
    }
    return best;
  }

  /// On the channel where it gets farthest. What is left is another flow.
  void place(std::vector<std::int32_t> flow, std::int32_t chosen) {
    while (!flow.empty()) {
      const std::int32_t channel = best_channel(flow, chosen);
      const std::size_t length = std::max<std::size_t>(reach(flow, channel), 1);
      take_side(flow[0], sending(flow[0]), channel);
      std::size_t i = 1;
      for (; i < length; ++i) {
        const StepSide side = passing(flow[i - 1], flow[i]);
        // The flow's own threads may be in its way, where it comes to a rank again.
        if (!table_.fits(side, channel)) break;
        in(threads_.receiver, flow[i - 1]) = in(threads_.sender, flow[i]) = table_.take(side, channel);
        in(threads_.next, flow[i - 1]) = flow[i];
        in(threads_.previous, flow[i]) = flow[i - 1];
      }
      take_side(flow[i - 1], receiving(flow[i - 1]), channel);
      for (std::size_t k = 0; k < i; ++k) ends_.push_back({flow[k], channel});
      flow.erase(flow.begin(), flow.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// What was chosen, at once; the rest when all that is chosen or has two peers is placed.
  void take_side(std::int32_t operation, const StepSide& side, std::int32_t channel) {
    if (side.tb == kNoNumber) return;
    if (!table_.fits(side, channel)) table_.fail(operation, side, channel);
    const std::int32_t strand = table_.take(side, channel);
    in(side.send_to == kNoNumber ? threads_.receiver : threads_.sender, operation) = strand;
  }

  void take_ends(std::int32_t operation, std::int32_t channel) {
    if (in(threads_.sender, operation) == kNoNumber) in(threads_.sender, operation) = table_.take(sending(operation), channel);
    if (in(threads_.receiver, operation) == kNoNumber)
      in(threads_.receiver, operation) = table_.take(receiving(operation), channel);
  }

  void take_local() {
    for (std::int32_t number = 0; number < static_cast<std::int32_t>(operations_.size()); ++number) {
      const OperationChoice& choice = at(number).choice;
      if (at(number).is_message() || choice.send_tb == kNoNumber) continue;
      const std::int32_t channel = std::max(choice.channel, 0);
      const StepSide side{at(number).source, kNoNumber, kNoNumber, choice.send_tb};
      in(threads_.sender, number) = table_.take(side, table_.channel_of_chosen(side.rank, side.tb).value_or(channel));
    }
  }

  const OperationLog& log_;
  std::span<const BuiltOperation> operations_;
  StrandTable table_;
  bool fuse_;
  StrandPlan threads_;
  std::vector<Passage> flows_;
  std::vector<std::size_t> flow_of_;                         ///< by operation
  std::vector<std::pair<std::int32_t, std::int32_t>> ends_;  ///< operation, channel
};

}  // namespace

StrandPlan assign_threads(const OperationLog& log, bool fuse) { return Assignment(log, fuse).assign(); }

}  // namespace heddle
