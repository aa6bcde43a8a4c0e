// SPDX-License-Identifier: Apache-2.0
// dissemination: in round k everyone reports to the rank 2^k further that it has come, and hears from the rank 2^k before.
//
// Who hears in round k hears of all that its peer had heard of: after it a rank knows of 2^(k+1) ranks up to itself, round the
// end of the ranks; when they are all of them, it may go on.
//
// Picture, p = 8: of whom rank 0 knows.
//
//   round 0    7 0                  hears from 7
//   round 1    5 6 7 0              hears from 6
//   round 2    1 2 3 4 5 6 7 0      hears from 4
//
// Rounds:  ⌈log2 p⌉, for any p.
// Bytes:   none; p messages in every round.
// Time:    ⌈log2 p⌉ · (α + L).
// Limits:  no fewer rounds are possible with one message at a time.
// Source:  Hensgen, Finkel and Manber's; explainer 01 (Lu) App. B.5 has its pattern in Bruck's alltoall.
#include "algorithms/barrier/barrier.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::barrier {

void dissemination(Communicator& comm) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const ConstVectorView nothing;
  for (int distance = 1; distance < p; distance *= 2)
    comm.sendrecv(Rank((rank + distance) % p), nothing, Rank((rank + p - distance) % p), VectorView());
}

std::vector<Algorithm> dissemination_rows() {
  return {{.collective = Collective::barrier,
           .name = "dissemination",
           .summary = "Everyone tells the rank 1, 2, 4, … further that it has come: fewest rounds for any p.",
           .source = "[hensgen-1988]; [explainer-01] App. B.5 for the pattern",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = formulas::no_bytes(),
           .granule = formulas::one_element,
           .run = as_barrier(dissemination)}};
}

}  // namespace heddle::barrier
