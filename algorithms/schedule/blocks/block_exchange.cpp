// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/blocks/block_exchange.hpp"

#include <algorithm>
#include <utility>

namespace heddle::schedule {

BlockExchange::BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector)
    : BlockExchange(comm, schedule, vector, BlockPartition(vector.count(), schedule.ranks())) {}

BlockExchange::BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector, BlockPartition blocks,
                             Piece piece, Message message, Rank origin)
    : comm_(comm),
      schedule_(schedule),
      vector_(vector),
      blocks_(std::move(blocks)),
      piece_(piece),
      message_(message),
      origin_(origin.value()),
      rank_((comm.rank().value() - origin_ + schedule.ranks()) % schedule.ranks()) {}

void BlockExchange::reduce_scatter(const ReduceOp& op) {
  comm_.phase("reduce-scatter");
  Buffer scratch(vector_.type(), 0);  // grows to the most that a step brings, mostly the first
  for (int step = 0; step < schedule_.steps(); ++step) {
    const auto [sends, receives] = schedule_.step(rank_, step, room_);
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
  comm_.phase("allgather");
  for (int step = schedule_.steps() - 1; step >= 0; --step) {
    const auto [sends, receives] = schedule_.step(rank_, step, room_);
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
        append_parts({schedule_.block_at(b), 1});
        end_message();
      }
    } else {
      append_parts(run);
      if (message_ == Message::run) end_message();
    }
  }
  if (message_ == Message::transfer) end_message();
}

void BlockExchange::append_parts(Run run) {
  const auto append = [this](VectorView part) {
    if (!part.empty()) parts_.push_back(part);
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

Rank BlockExchange::peer(const Transfer& transfer) const { return Rank((transfer.peer + origin_) % schedule_.ranks()); }

}  // namespace heddle::schedule
