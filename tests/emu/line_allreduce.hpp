// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "heddle/communicator.hpp"
#include "tests/emu/fabrics.hpp"

namespace heddle {

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

}  // namespace heddle
