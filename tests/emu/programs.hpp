// SPDX-License-Identifier: Apache-2.0
// What ranks do in tests: messages as a test lists them, numbers that show who hears whom, and collectives that are right by inspection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle {

struct Transfer {
  int source;
  int dest;
  std::int64_t bytes;
};

/// All receives, then all sends, then one wait. A rank that only sends completes when its messages have drained, one that only
/// receives when they have arrived: completion times distinguish the two.
inline void carry(Communicator& comm, const std::vector<Transfer>& transfers, Tag tag = {}) {
  std::vector<std::vector<std::byte>> buffers;
  std::vector<Request> requests;
  const auto buffer = [&](std::int64_t bytes) -> std::vector<std::byte>& {
    return buffers.emplace_back(static_cast<std::size_t>(bytes));
  };
  for (const Transfer& transfer : transfers) {
    if (transfer.dest == comm.rank().value())
      requests.push_back(comm.irecv(Rank(transfer.source), buffer(transfer.bytes), tag));
  }
  for (const Transfer& transfer : transfers) {
    if (transfer.source == comm.rank().value())
      requests.push_back(comm.isend(Rank(transfer.dest), buffer(transfer.bytes), tag));
  }
  comm.wait_all(requests);
}

/// All of them posted at once.
inline auto at_once(std::vector<Transfer> transfers) {
  return [transfers = std::move(transfers)](Communicator& comm) { carry(comm, transfers); };
}

/// Lets the rank compute for `bytes`·γ: on a fabric with γ = 1 ns, a pause of so many nanoseconds.
inline void compute(Communicator& comm, std::int64_t bytes) {
  const std::vector<std::byte> from(static_cast<std::size_t>(bytes));
  std::vector<std::byte> into(from.size());
  comm.copy(into, from);
}

using Numbers = std::vector<std::int32_t>;

inline void send_numbers(Communicator& comm, int dest, const Numbers& numbers, Tag tag = {}) {
  comm.send(Rank(dest), numbers, tag);
}

/// One number to `dest`, one from `source`: what came.
inline std::int32_t swap_numbers(Communicator& comm, int dest, int source, std::int32_t number, Tag tag = {}) {
  const Numbers out = {number};
  Numbers in(1);
  comm.sendrecv(Rank(dest), out, Rank(source), in, tag);
  return in[0];
}

inline int left(const Communicator& comm) { return (comm.rank().value() + comm.size() - 1) % comm.size(); }
inline int right(const Communicator& comm) { return (comm.rank().value() + 1) % comm.size(); }

/// Each rank's vector joins its predecessor's sum on the way from rank 0 to the last; the result goes back the same way.
/// Right for every operation.
inline void line_allreduce(Communicator& comm, VectorView vector, const ReduceOp& op) {
  const int r = comm.rank().value();
  Buffer incoming(vector.type(), vector.count());
  if (r > 0) {
    comm.recv(Rank(r - 1), incoming.view());
    comm.reduce_into(vector, incoming.view(), op, Side::left);
  }
  if (r + 1 < comm.size()) {
    comm.send(Rank(r + 1), vector);
    comm.recv(Rank(r + 1), vector, Tag(1));
  }
  if (r > 0) comm.send(Rank(r - 1), vector, Tag(1));
}

/// Gathers at rank 0 in rank order, reduces there, and sends the result to all: right, and easy to spoil.
inline void central_allreduce(Communicator& comm, const CollectiveArguments& call) {
  if (comm.rank() != Rank(0)) {
    comm.send(Rank(0), call.output);
    comm.recv(Rank(0), call.output);
    return;
  }
  Buffer contribution(call.output.type(), call.output.count());
  for (int r = 1; r < comm.size(); ++r) {
    comm.recv(Rank(r), contribution.view());
    comm.reduce_into(call.output, contribution.view(), *call.op);
  }
  for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), call.output);
}

}  // namespace heddle

namespace heddle::testing {

/// Right for every p, root, count, blocks, in place and out of place, and operations that do not commute.
CollectiveFunction direct(Collective collective);

/// This rank's own block of the vector that it passed: all of it, or a part of the whole one in place.
VectorView own_output(const Communicator& comm, const CollectiveArguments& call);

}  // namespace heddle::testing
