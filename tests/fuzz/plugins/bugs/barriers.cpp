// SPDX-License-Identifier: Apache-2.0
// Barriers that let somebody through.
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void signal(Communicator& comm, int to, int tag) { comm.send(Rank(to), ConstVectorView(), Tag(tag)); }
void await(Communicator& comm, int from, int tag) { comm.recv(Rank(from), VectorView(), Tag(tag)); }

/// Ranks report to rank 0 and go.
void reports_only(Communicator& comm, const Args&) {
  if (comm.rank() != Rank(0)) return signal(comm, 0, 1);
  for (int r = 1; r < comm.size(); ++r) await(comm, r, 1);
}

/// Rank 0 lets all go before it has heard the last.
void released_before_the_last(Communicator& comm, const Args&) {
  const int last = comm.size() - 1;
  if (comm.rank() != Rank(0)) {
    signal(comm, 0, 1);
    return await(comm, 0, 2);
  }
  for (int r = 1; r < last; ++r) await(comm, r, 1);
  for (int r = 1; r <= last; ++r) signal(comm, r, 2);
  if (last > 0) await(comm, last, 1);
}

/// Neighbours know of each other.
void neighbours_only(Communicator& comm, const Args&) {
  if (comm.size() == 1) return;
  comm.sendrecv(next(comm), ConstVectorView(), before(comm), VectorView());
  comm.sendrecv(before(comm), ConstVectorView(), next(comm), VectorView(), Tag(1));
}

/// One round of the dissemination is missing beyond eight ranks.
void round_missing_beyond_eight(Communicator& comm, const Args&) {
  const int p = comm.size();
  for (int step = 1; step < p; step *= 2) {
    if (p > 8 && step == 4) continue;
    const int me = comm.rank().value();
    comm.sendrecv(Rank((me + step) % p), ConstVectorView(), Rank((me - step + p) % p), VectorView(), Tag(step));
  }
}

/// A rank in the middle does not wait where p is odd.
void middle_goes_on(Communicator& comm, const Args&) {
  const int middle = comm.size() / 2;
  const bool goes = comm.size() % 2 == 1 && comm.size() > 1;
  if (comm.rank() != Rank(0)) {
    signal(comm, 0, 1);
    if (!goes || comm.rank() != Rank(middle)) await(comm, 0, 2);
    return;
  }
  for (int r = 1; r < comm.size(); ++r) await(comm, r, 1);
  for (int r = 1; r < comm.size(); ++r) {
    if (!goes || r != middle) signal(comm, r, 2);
  }
}

}  // namespace

void plant_barriers(Rows& rows) {
  plant(rows, Collective::barrier, "reports_only", reports_only);
  plant(rows, Collective::barrier, "released_before_the_last", released_before_the_last);
  plant(rows, Collective::barrier, "neighbours_only", neighbours_only);
  plant(rows, Collective::barrier, "round_missing_beyond_eight", round_missing_beyond_eight);
  plant(rows, Collective::barrier, "middle_goes_on", middle_goes_on);
}

}  // namespace heddle::testing::bugs
