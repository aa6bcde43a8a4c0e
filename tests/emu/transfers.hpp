// SPDX-License-Identifier: Apache-2.0
// Messages as a test lists them, and the rank function that carries them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

}  // namespace heddle
