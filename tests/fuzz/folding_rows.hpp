// SPDX-License-Identifier: Apache-2.0
// Allreduces that are right within what roundings allow, and give other bits on each rank, or in each order of events.
#pragma once

#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle::testing {

/// Everybody has everybody's contribution, and adds them up from its own one on.
inline void folds_from_itself(Communicator& comm, const CollectiveArguments& args) {
  const int p = comm.size();
  const std::int64_t count = args.output.count();
  const int me = comm.rank().value();
  Buffer all(args.output.type(), p * count);
  const auto of = [&](int r) { return all.view().slice(r % p * count, count); };
  comm.copy(of(me), args.input);
  for (int d = 1; d < p; ++d) comm.sendrecv(Rank((me + d) % p), of(me), Rank((me + p - d) % p), of(me + p - d));
  comm.copy(args.output, of(me));
  for (int d = 1; d < p; ++d) comm.reduce_into(args.output, of(me + d), *args.op);
}

inline Algorithm folds_from_itself_row() {
  return {.collective = Collective::allreduce,
          .name = "folds_from_itself",
          .needs = {.commutative = true},
          .run = folds_from_itself};
}

/// Rank 0 adds up what comes, as it comes, on a communicator of this call, and sends everybody the sum.
inline void folds_as_it_comes(Communicator& all, const CollectiveArguments& args) {
  const auto comm = all.split(0, all.rank().value());
  if (comm->rank() != Rank(0)) {
    comm->send(Rank(0), args.input);
    comm->recv(Rank(0), args.output, Tag(1));
    return;
  }
  if (!args.in_place()) comm->copy(args.output, args.input);
  Buffer other(args.output.type(), args.output.count());
  for (int r = 1; r < comm->size(); ++r) {
    comm->recv(kAnySource, other.view());
    comm->reduce_into(args.output, other.view(), *args.op);
  }
  for (int r = 1; r < comm->size(); ++r) comm->send(Rank(r), args.output, Tag(1));
}

inline Algorithm folds_as_it_comes_row() {
  return {.collective = Collective::allreduce,
          .name = "folds_as_it_comes",
          .needs = {.commutative = true},
          .run = folds_as_it_comes};
}

}  // namespace heddle::testing
