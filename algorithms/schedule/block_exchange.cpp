// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/block_exchange.hpp"

#include <algorithm>

namespace heddle::schedule {

BlockExchange::BlockExchange(Communicator& comm, const BlockSchedule& schedule, VectorView vector)
    : comm_(comm),
      schedule_(schedule),
      vector_(vector),
      blocks_(vector.count(), schedule.ranks()),
      rank_(comm.rank().value()) {}

void BlockExchange::reduce_scatter(const ReduceOp& op) {
  Buffer scratch(vector_.type(), most_received_in_a_step());
  for (int step = 0; step < schedule_.steps(); ++step) {
    const auto receives = schedule_.receives(rank_, step);
    std::int64_t used = 0;
    for (const Transfer& transfer : receives) {
      const VectorView incoming = scratch.view().slice(used, elements(transfer));
      requests_.push_back(comm_.irecv(Rank(transfer.peer), incoming));
      used += incoming.count();
    }
    for (const Transfer& transfer : schedule_.sends(rank_, step)) post_send(transfer);
    wait_all();

    used = 0;
    for (const Transfer& transfer : receives) {
      for (const Run& run : transfer.runs) {
        const VectorView sum = blocks_.blocks(vector_, run.first, run.count);
        comm_.reduce_into(sum, scratch.view().slice(used, sum.count()), op);
        used += sum.count();
      }
    }
  }
}

void BlockExchange::allgather() {
  for (int step = schedule_.steps() - 1; step >= 0; --step) {
    for (const Transfer& transfer : schedule_.sends(rank_, step)) post_receive(transfer);
    for (const Transfer& transfer : schedule_.receives(rank_, step)) post_send(transfer);
    wait_all();
  }
}

std::int64_t BlockExchange::elements(const Transfer& transfer) const {
  std::int64_t sum = 0;
  for (const Run& run : transfer.runs) sum += blocks_.size(run.first, run.count);
  return sum;
}

std::int64_t BlockExchange::most_received_in_a_step() const {
  std::int64_t most = 0;
  for (int step = 0; step < schedule_.steps(); ++step) {
    std::int64_t received = 0;
    for (const Transfer& transfer : schedule_.receives(rank_, step)) received += elements(transfer);
    most = std::max(most, received);
  }
  return most;
}

void BlockExchange::post_send(const Transfer& transfer) {
  outgoing_.clear();
  for (const Run& run : transfer.runs) outgoing_.push_back(blocks_.blocks(vector_, run.first, run.count));
  requests_.push_back(comm_.isend(Rank(transfer.peer), outgoing_));
}

void BlockExchange::post_receive(const Transfer& transfer) {
  incoming_.clear();
  for (const Run& run : transfer.runs) incoming_.push_back(blocks_.blocks(vector_, run.first, run.count));
  requests_.push_back(comm_.irecv(Rank(transfer.peer), incoming_));
}

void BlockExchange::wait_all() {
  comm_.wait_all(requests_);
  requests_.clear();
}

}  // namespace heddle::schedule
