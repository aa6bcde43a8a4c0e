// SPDX-License-Identifier: Apache-2.0
#include "core/communicator.hpp"

#include <array>

namespace heddle {

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
  std::int64_t elements = 0;
  for (const VectorView& sum : sums) elements += sum.count();
  const VectorView incoming = scratch.slice(0, elements);
  sendrecv(dest, data, source, std::span(&incoming, 1));
  // Nearly always: no slice of a slice.
  if (sums.size() == 1) return reduce_into(sums[0], incoming, op, side);
  std::int64_t used = 0;
  for (const VectorView& sum : sums) {
    reduce_into(sum, incoming.slice(used, sum.count()), op, side);
    used += sum.count();
  }
}

}  // namespace heddle
