// SPDX-License-Identifier: Apache-2.0
#include "heddle/communicator.hpp"

#include <array>

#include "core/argument_checks.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

template <class View>
std::int64_t elements(std::span<const View> pieces) {
  std::int64_t count = 0;
  for (const View& piece : pieces) count += piece.count();
  return count;
}

void reduce_pieces(Communicator& comm, std::span<const VectorView> sums, ConstVectorView incoming, const ReduceOp& op,
                   Side side) {
  // Nearly always: no slice of a slice.
  if (sums.size() == 1) return comm.reduce_into(sums[0], incoming, op, side);
  std::int64_t used = 0;
  for (const VectorView& sum : sums) {
    comm.reduce_into(sum, incoming.slice(used, sum.count()), op, side);
    used += sum.count();
  }
}

}  // namespace

void Communicator::concurrently_shared(int, const std::function<void(int, Communicator&)>&) {
  throw UsageError("concurrently_shared: not served by this communicator");
}

void Communicator::phase(std::string_view) {}

Status Communicator::wait(Request request) {
  Status status;
  wait_all(std::span(&request, 1), std::span(&status, 1));
  return status;
}

Status Communicator::sendrecv(Rank dest, ConstVectorView data, Rank source, VectorView into, Tag tag) {
  return sendrecv(dest, std::span(&data, 1), source, std::span(&into, 1), tag);
}

Status Communicator::sendrecv(Rank dest, std::span<const ConstVectorView> data, Rank source, std::span<const VectorView> into,
                              Tag tag) {
  // The receive first: the peer's message finds its place on arrival.
  const Request receive = irecv(source, into, tag);
  const Request send = isend(dest, data, tag);
  const std::array requests = {receive, send};
  std::array<Status, 2> statuses;
  wait_all(requests, statuses);
  return statuses[0];
}

void Communicator::sendrecv_reduce(Rank dest, std::span<const ConstVectorView> data, Rank source,
                                   std::span<const VectorView> sums, VectorView scratch, const ReduceOp& op, Side side) {
  const std::int64_t count = elements(sums);
  require_reducible(data, sums, count, scratch, memory_names());
  const VectorView incoming = scratch.slice(0, count);
  const Status came = sendrecv(dest, data, source, std::span(&incoming, 1));
  require_whole_message(came.count, count, came.peer);
  reduce_pieces(*this, sums, incoming, op, side);
}

void Communicator::exchange(ExchangePlan& plan) {
  const Reduction& reduction = plan.reduction();
  for (int i = 0; i < plan.steps(); ++i) {
    const Exchange step = plan.at(i);
    const std::int64_t given = elements(step.data);
    const std::int64_t gotten = elements(step.into);
    if (given > 0 && gotten > 0) {
      if (reduction.op)
        sendrecv_reduce(step.dest, step.data, step.source, step.into, reduction.scratch, *reduction.op, reduction.side);
      else
        sendrecv(step.dest, step.data, step.source, step.into);
    } else if (given > 0) {
      wait(isend(step.dest, step.data));
    } else if (gotten > 0 && reduction.op) {
      require_reducible({}, step.into, gotten, reduction.scratch, memory_names());
      const VectorView incoming = reduction.scratch.slice(0, gotten);
      const Status came = wait(irecv(step.source, incoming));
      require_whole_message(came.count, gotten, came.peer);
      reduce_pieces(*this, step.into, incoming, *reduction.op, reduction.side);
    } else if (gotten > 0) {
      wait(irecv(step.source, step.into));
    }
  }
}

}  // namespace heddle
