// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/block_exchange.hpp"

#include <algorithm>
#include <utility>

namespace heddle::schedule {

BlockExchange::BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector)
    : BlockExchange(comm, schedule, vector, BlockPartition(vector.count(), schedule.ranks())) {}

BlockExchange::BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector, BlockPartition blocks,
                             Piece piece)
    : comm_(comm),
      schedule_(schedule),
      vector_(vector),
      blocks_(std::move(blocks)),
      piece_(piece),
      rank_(comm.rank().value()) {}

void BlockExchange::reduce_scatter(const ReduceOp& op) {
  Buffer scratch(vector_.type(), most_received_in_a_step());
  for (int step = 0; step < schedule_.steps(); ++step) {
    const auto [sends, receives] = schedule_.step(rank_, step, room_);
    std::int64_t used = 0;
    for (const Transfer& transfer : receives) {
      const VectorView incoming = scratch.view().slice(used, elements(transfer));
      if (!incoming.empty()) requests_.push_back(comm_.irecv(Rank(transfer.peer), incoming));
      used += incoming.count();
    }
    for (const Transfer& transfer : sends) post_send(transfer);
    wait_all();

    used = 0;
    for (const Transfer& transfer : receives) {
      for_each_part(transfer, [&](VectorView sum) {
        if (!sum.empty()) comm_.reduce_into(sum, scratch.view().slice(used, sum.count()), op);
        used += sum.count();
      });
    }
  }
}

void BlockExchange::allgather() {
  for (int step = schedule_.steps() - 1; step >= 0; --step) {
    const auto [sends, receives] = schedule_.step(rank_, step, room_);
    for (const Transfer& transfer : sends) post_receive(transfer);
    for (const Transfer& transfer : receives) post_send(transfer);
    wait_all();
  }
}

template <class Visit>
void BlockExchange::for_each_part(const Transfer& transfer, const Visit& visit) const {
  for (const Run& run : transfer.runs) {
    if (piece_.of == 1) {
      visit(blocks_.blocks(vector_, run.first, run.count));
      continue;
    }
    for (std::int64_t b = run.first; b < run.end(); ++b) {
      const VectorView block = blocks_.block(vector_, b);
      visit(BlockPartition(block.count(), piece_.of).block(block, piece_.number));
    }
  }
}

std::int64_t BlockExchange::elements(const Transfer& transfer) const {
  std::int64_t sum = 0;
  for_each_part(transfer, [&sum](VectorView part) { sum += part.count(); });
  return sum;
}

std::int64_t BlockExchange::most_received_in_a_step() {
  std::int64_t most = 0;
  for (int step = 0; step < schedule_.steps(); ++step) {
    std::int64_t received = 0;
    for (const Transfer& transfer : schedule_.step(rank_, step, room_).receives) received += elements(transfer);
    most = std::max(most, received);
  }
  return most;
}

void BlockExchange::post_send(const Transfer& transfer) {
  outgoing_.clear();
  for_each_part(transfer, [this](VectorView part) {
    if (!part.empty()) outgoing_.push_back(part);
  });
  if (!outgoing_.empty()) requests_.push_back(comm_.isend(Rank(transfer.peer), outgoing_));
}

void BlockExchange::post_receive(const Transfer& transfer) {
  incoming_.clear();
  for_each_part(transfer, [this](VectorView part) {
    if (!part.empty()) incoming_.push_back(part);
  });
  if (!incoming_.empty()) requests_.push_back(comm_.irecv(Rank(transfer.peer), incoming_));
}

void BlockExchange::wait_all() {
  comm_.wait_all(requests_);
  requests_.clear();
}

}  // namespace heddle::schedule
