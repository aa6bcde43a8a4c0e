// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace heddle::plans {

RunSet unite(const RunSet& a, const RunSet& b) {
  RunSet both;
  both.reserve(a.size() + b.size());
  auto next_a = a.begin();
  auto next_b = b.begin();
  while (next_a != a.end() || next_b != b.end()) {
    const bool from_a = next_b == b.end() || (next_a != a.end() && next_a->first <= next_b->first);
    const Run run = from_a ? *next_a++ : *next_b++;
    if (!both.empty() && run.first <= both.back().end()) {
      both.back().count = std::max(both.back().end(), run.end()) - both.back().first;
    } else {
      both.push_back(run);
    }
  }
  return both;
}

RunSet subtract(const RunSet& a, const RunSet& b) {
  RunSet rest;
  auto hole = b.begin();
  for (Run run : a) {
    while (hole != b.end() && hole->end() <= run.first) ++hole;
    // `hole` may reach beyond this run into the next one, so it is looked at again there.
    for (auto h = hole; h != b.end() && h->first < run.end(); ++h) {
      if (h->first > run.first) rest.push_back({run.first, h->first - run.first});
      const std::int32_t behind = std::min(h->end(), run.end());
      run = {behind, run.end() - behind};
    }
    if (run.count > 0) rest.push_back(run);
  }
  return rest;
}

RunSet rotate(const RunSet& set, std::int32_t shift, std::int32_t size) {
  RunSet rotated;
  append_rotated(rotated, set, shift, size);
  return rotated;
}

void append_rotated(std::vector<Run>& sets, const RunSet& set, std::int32_t shift, std::int32_t size) {
  const std::int32_t turn = size - shift;  // positions from here on come round to the beginning
  for (const Run& run : set) {
    const std::int32_t first = std::max(run.first, turn);
    if (first < run.end()) sets.push_back({first - turn, run.end() - first});
  }
  // Only what ends at the turn goes on where what begins there has come to.
  bool may_touch = !set.empty() && set.back().end() > turn;
  for (const Run& run : set) {
    const std::int32_t end = std::min(run.end(), turn);
    if (run.first >= end) break;
    const Run moved{run.first + shift, end - run.first};
    if (std::exchange(may_touch, false) && sets.back().end() == moved.first)
      sets.back().count += moved.count;
    else
      sets.push_back(moved);
  }
}

bool contains(const RunSet& set, std::int32_t position) {
  const auto behind =
      std::upper_bound(set.begin(), set.end(), position, [](std::int32_t at, const Run& run) { return at < run.first; });
  return behind != set.begin() && position < std::prev(behind)->end();
}

std::int64_t count(const RunSet& set) {
  return std::accumulate(set.begin(), set.end(), std::int64_t{0},
                         [](std::int64_t sum, const Run& run) { return sum + run.count; });
}

namespace {

/// Chains of blocks that shall lie side by side; at first each block is its own chain.
class Chains {
 public:
  explicit Chains(int blocks) : parent_(index(blocks)), tail_(index(blocks)), next_(index(blocks), -1) {
    std::iota(parent_.begin(), parent_.end(), 0);
    std::iota(tail_.begin(), tail_.end(), 0);
  }

  /// The chain of a block, named by its first block.
  int chain_of(int block) {
    while (parent_[index(block)] != block) {
      parent_[index(block)] = parent_[index(parent_[index(block)])];
      block = parent_[index(block)];
    }
    return block;
  }

  void join(int chain, int behind) {
    next_[index(tail_[index(chain)])] = behind;
    tail_[index(chain)] = tail_[index(behind)];
    parent_[index(behind)] = chain;
  }

  /// All blocks, chain by chain.
  std::vector<int> in_order() {
    std::vector<int> order;
    order.reserve(next_.size());
    for (int first = 0; first < static_cast<int>(next_.size()); ++first) {
      if (chain_of(first) != first) continue;
      for (int block = first; block >= 0; block = next_[index(block)]) order.push_back(block);
    }
    return order;
  }

 private:
  static std::size_t index(int block) { return static_cast<std::size_t>(block); }

  std::vector<int> parent_;
  std::vector<int> tail_;
  std::vector<int> next_;
};

}  // namespace

std::vector<int> lay_out(int blocks, int steps, const Companions& companions) {
  Chains chains(blocks);
  std::vector<int> last_grown(static_cast<std::size_t>(blocks), steps);
  const auto grown_in = [&](int chain) -> int& { return last_grown[static_cast<std::size_t>(chain)]; };
  std::vector<int> found;
  for (int step = steps - 1; step >= 0; --step) {
    for (int member = 0; member < blocks; ++member) {
      const int mine = chains.chain_of(member);
      if (grown_in(mine) == step) continue;
      found.clear();
      companions(member, step, found);
      bool has_grown = false;
      for (const int companion : found) {
        const int theirs = chains.chain_of(companion);
        if (theirs == mine || grown_in(theirs) == step) continue;
        chains.join(mine, theirs);
        has_grown = true;
      }
      if (has_grown) grown_in(mine) = step;
    }
  }
  return chains.in_order();
}

std::vector<int> in_order(int blocks) {
  std::vector<int> order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

namespace {

/// A rank's first target is its companion.
std::vector<int> compact_layout(int ranks, int steps, const BlockPlan::Targets& targets) {
  std::vector<BlockPlan::Target> found;
  return lay_out(ranks, steps, [&](int rank, int step, std::vector<int>& companions) {
    found.clear();
    targets(rank, step, found);
    if (!found.empty()) companions.push_back(found.front().rank);
  });
}

}  // namespace

BlockPlan::BlockPlan(int ranks, int steps, const Targets& targets, Layout layout)
    : BlockPlan(ranks, steps, targets, layout == Layout::compact ? compact_layout(ranks, steps, targets) : in_order(ranks)) {}

BlockPlan::BlockPlan(int ranks, int steps, const Targets& targets, std::vector<int> order)
    : ranks_(ranks), steps_(steps), block_at_(std::move(order)), position_(block_at_.size()) {
  std::vector<RunSet> held(block_at_.size());
  for (int position = 0; position < ranks; ++position) {
    const auto block = static_cast<std::size_t>(block_at(position));
    position_[block] = position;
    held[block] = {{position, 1}};
  }
  for (int step = steps - 1; step >= 0; --step) add_step(step, targets, held);

  const RunSet all{{0, ranks}};
  for (int rank = 0; rank < ranks; ++rank) {
    if (held[static_cast<std::size_t>(rank)] != all) {
      throw std::logic_error(
          fmt::format("block schedule: in {} steps rank {} of {} does not reach everyone", steps, rank, ranks));
    }
  }
}

bool BlockPlan::is_one_each_way(int rank) const {
  for (int step = 0; step < steps_; ++step) {
    if (sends(rank, step).size() > 1 || receives(rank, step).size() > 1) return false;
  }
  return true;
}

void BlockPlan::add_step(int step, const Targets& targets, std::vector<RunSet>& held) {
  struct Sent {
    int from;
    int to;
    std::size_t first_run;
    std::size_t runs;
  };
  std::vector<Sent> messages;
  std::vector<Run>& runs = runs_.emplace_back();
  std::vector<RunSet> held_before = held;
  std::vector<Target> found;
  for (int rank = 0; rank < ranks_; ++rank) {
    RunSet& mine = held_before[static_cast<std::size_t>(rank)];
    found.clear();
    targets(rank, step, found);
    for (const Target& target : found) {
      RunSet sent = subtract(held[static_cast<std::size_t>(target.rank)], mine);
      if (target.wants) sent = filter(sent, [&](int position) { return target.wants(block_at(position)); });
      if (sent.empty()) continue;
      messages.push_back({rank, target.rank, runs.size(), sent.size()});
      runs.insert(runs.end(), sent.begin(), sent.end());
      mine = unite(mine, sent);
    }
  }
  held = std::move(held_before);

  const auto runs_of = [&runs](const Sent& m) { return std::span<const Run>(runs).subspan(m.first_run, m.runs); };
  auto next = messages.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    for (; next != messages.end() && next->from == rank; ++next) sends_.transfers.push_back({next->to, runs_of(*next)});
    sends_.end_entry();
  }
  std::stable_sort(messages.begin(), messages.end(), [](const Sent& a, const Sent& b) { return a.to < b.to; });
  next = messages.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    for (; next != messages.end() && next->to == rank; ++next) receives_.transfers.push_back({next->from, runs_of(*next)});
    receives_.end_entry();
  }
}

BlockExchange::BlockExchange(Communicator& comm, const BlockSteps& plan, VectorView vector)
    : BlockExchange(comm, plan, vector, BlockPartition(vector.count(), plan.ranks())) {}

BlockExchange::BlockExchange(Communicator& comm, const BlockSteps& plan, VectorView vector, BlockPartition blocks, Piece piece,
                             Message message, Rank origin)
    : comm_(comm),
      plan_(plan),
      vector_(vector),
      blocks_(std::move(blocks)),
      piece_(piece),
      message_(message),
      origin_(origin.value()),
      rank_((comm.rank().value() - origin_ + plan.ranks()) % plan.ranks()) {}

/// The steps of a phase, each with one message one way and one the other, at most.
class BlockExchange::Rounds final : public ExchangePlan {
 public:
  Rounds(std::shared_ptr<BlockExchange> of, Phase phase, const Reduction& reduction)
      : ExchangePlan(of->plan_.steps(), reduction, phase == Phase::allgather ? "allgather" : "reduce-scatter"),
        of_(std::move(of)),
        phase_(phase) {}

  Exchange at(int number) override {
    BlockExchange& of = *of_;
    const auto [sends, receives] = of.step(phase_, number);
    of.gather(sends, of.outgoing_);
    of.gather(receives, of.parts_);
    const auto peer = [&of](std::span<const Transfer> transfers) {
      return transfers.empty() ? Rank(0) : of.peer(transfers[0]);
    };
    return {peer(sends), of.outgoing_, peer(receives), of.parts_};
  }

 private:
  std::shared_ptr<BlockExchange> of_;
  Phase phase_;
};

ExchangePlans allreduce_in_blocks(Communicator& comm, std::shared_ptr<const BlockSteps> plan, VectorView vector,
                                  const ReduceOp& op) {
  using Phase = BlockExchange::Phase;
  struct Kept {
    std::shared_ptr<const BlockSteps> plan;
    BlockExchange exchange;
  };
  const auto kept = std::make_shared<Kept>(Kept{plan, BlockExchange(comm, *plan, vector)});
  BlockExchange& exchange = kept->exchange;
  ExchangePlans plans;
  if (!exchange.is_one_each_way()) {
    exchange.reduce_scatter(op);
    exchange.allgather();
    return plans;
  }
  const std::shared_ptr<BlockExchange> shared(kept, &exchange);
  plans.push_back(std::make_unique<BlockExchange::Rounds>(shared, Phase::reduce_scatter, Reduction{.op = &op}));
  plans.push_back(std::make_unique<BlockExchange::Rounds>(shared, Phase::allgather, Reduction{}));
  return plans;
}

/// An allgather does backwards what a reduce-scatter does.
BlockStep BlockExchange::step(Phase phase, int number) {
  if (phase == Phase::reduce_scatter) return plan_.step(rank_, number, pool_);
  const auto [sends, receives] = plan_.step(rank_, plan_.steps() - 1 - number, pool_);
  return {receives, sends};
}

/// What the transfers carry.
template <class View>
void BlockExchange::gather(std::span<const Transfer> transfers, std::vector<View>& parts) const {
  parts.clear();
  for (const Transfer& transfer : transfers) {
    for (const Run& run : transfer.runs) append_parts(run, parts);
  }
}

void BlockExchange::reduce_scatter(const ReduceOp& op) {
  if (is_one_each_way()) {
    Rounds rounds({std::shared_ptr<void>(), this}, Phase::reduce_scatter, {.op = &op});
    return comm_.exchange(rounds);
  }
  comm_.phase("reduce-scatter");
  Buffer scratch(vector_.type(), 0);  // grows to the most that a step brings, mostly the first
  for (int step = 0; step < plan_.steps(); ++step) {
    const auto [sends, receives] = plan_.step(rank_, step, pool_);
    const std::int64_t received = elements(receives);
    if (scratch.view().count() < received) scratch = Buffer(vector_.type(), received);
    std::int64_t used = 0;
    for (const Transfer& transfer : receives) {
      for_each_message(transfer, [&](std::int64_t elements) {
        requests_.push_back(comm_.irecv(peer(transfer), scratch.view().slice(used, elements)));
        used += elements;
      });
    }
    post_sends(sends);

    // What is one message per peer is waited for together with what is sent; of many, each is added when it is there.
    const bool together = message_ == Message::transfer;
    if (together) comm_.wait_all(requests_);
    std::size_t arrived = 0;
    used = 0;
    for (const Transfer& transfer : receives) {
      for_each_message(transfer, [&](std::int64_t) {
        if (!together) comm_.wait(requests_[arrived]);
        ++arrived;
        for (const VectorView sum : parts_) {
          comm_.reduce_into(sum, scratch.view().slice(used, sum.count()), op);
          used += sum.count();
        }
      });
    }
    if (!together) comm_.wait_all(std::span(requests_).subspan(arrived));
    requests_.clear();
  }
}

void BlockExchange::allgather() {
  if (is_one_each_way()) {
    Rounds rounds({std::shared_ptr<void>(), this}, Phase::allgather, {});
    return comm_.exchange(rounds);
  }
  comm_.phase("allgather");
  for (int step = plan_.steps() - 1; step >= 0; --step) {
    const auto [sends, receives] = plan_.step(rank_, step, pool_);
    post_receives(sends);
    post_sends(receives);
    comm_.wait_all(requests_);
    requests_.clear();
  }
}

template <class Visit>
void BlockExchange::for_each_message(const Transfer& transfer, const Visit& visit) {
  const auto end_message = [&] {
    std::int64_t elements = 0;
    for (const VectorView part : parts_) elements += part.count();
    if (elements > 0) visit(elements);
    parts_.clear();
  };
  for (const Run& run : transfer.runs) {
    if (message_ == Message::block) {
      for (std::int32_t b = run.first; b < run.end(); ++b) {
        append_parts({plan_.block_at(b), 1}, parts_);
        end_message();
      }
    } else {
      append_parts(run, parts_);
      if (message_ == Message::run) end_message();
    }
  }
  if (message_ == Message::transfer) end_message();
}

template <class View>
void BlockExchange::append_parts(Run run, std::vector<View>& parts) const {
  const auto append = [&parts](VectorView part) {
    if (!part.empty()) parts.push_back(part);
  };
  if (piece_.of == 1) return append(blocks_.blocks(vector_, run.first, run.count));
  for (std::int64_t b = run.first; b < run.end(); ++b) {
    const VectorView block = blocks_.block(vector_, b);
    append(BlockPartition(block.count(), piece_.of).block(block, piece_.number));
  }
}

void BlockExchange::post_sends(std::span<const Transfer> transfers) {
  for (const Transfer& transfer : transfers) {
    for_each_message(transfer, [&](std::int64_t) {
      outgoing_.assign(parts_.begin(), parts_.end());
      requests_.push_back(comm_.isend(peer(transfer), outgoing_));
    });
  }
}

void BlockExchange::post_receives(std::span<const Transfer> transfers) {
  for (const Transfer& transfer : transfers) {
    for_each_message(transfer, [&](std::int64_t) { requests_.push_back(comm_.irecv(peer(transfer), parts_)); });
  }
}

std::int64_t BlockExchange::elements(std::span<const Transfer> transfers) {
  std::int64_t sum = 0;
  for (const Transfer& transfer : transfers) for_each_message(transfer, [&sum](std::int64_t elements) { sum += elements; });
  return sum;
}

Rank BlockExchange::peer(const Transfer& transfer) const { return Rank((transfer.peer + origin_) % plan_.ranks()); }

}  // namespace heddle::plans
