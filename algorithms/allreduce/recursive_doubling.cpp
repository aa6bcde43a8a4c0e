// SPDX-License-Identifier: Apache-2.0
// recursive_doubling: everyone exchanges its whole vector with partners at distance 1, 2, 4, …
//
// A rank's vector is the sum over its group, at first itself. In each step it exchanges vectors with the partner whose number
// differs in one bit, adds, and both groups become one of twice the size. After log2 p steps the group is everybody.
//
// Picture, p = 8: partners of step 0, 1 and 2 (distance 1, 2, 4).
//
//   0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7
//   +-+ +-+ +-+ +-+      +---+   +---+        +-------+
//                          +---+   +---+        +-------+  …
//
// Any p: neighbours fold into 2^⌊log2 p⌋ positions first (schedule/butterflies/fold.hpp), and the positions run the steps.
// Order: a group is always a run of consecutive ranks and its partner's the run beside it; the lower one goes on the left.
//
// Rounds:  log2 p; if p is not a power of two ⌊log2 p⌋ + 2, for the fold.
// Bytes:   log2 p · M sent by each rank; a partner of the fold sends (⌊log2 p⌋ + 1) · M.
// Time:    log2 p · (α + M·β) where partners' routes share no links; on a ring of p, step k has 2^k flows on a link.
// Limits:  sends log2 p times the vector: for short vectors.
// Source:  Swing (De Sensi et al.) §2.3.2, explainer 01 (Lu) App. B.1; congestion: Trivance (Jürß et al.) App. B.1.
#include "algorithms/allreduce/allreduce.hpp"

#include <array>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"

namespace heddle::allreduce {

void recursive_doubling(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || inout.empty()) return;

  const schedule::Fold fold(p);
  const int position = fold.position_of(rank);
  Buffer scratch(inout.type(), inout.count());
  const std::array parts{schedule::fold_part(fold, rank)};
  schedule::with_folds(comm, parts, inout, scratch.view(), op, [&] {
    comm.phase("recursive doubling");
    for (int distance = 1; distance < fold.positions(); distance *= 2) {
      const int partner_position = position ^ distance;
      const Rank partner(fold.member_at(partner_position));
      comm.sendrecv(partner, inout, partner, scratch.view());
      comm.reduce_into(inout, scratch.view(), op, partner_position < position ? Side::left : Side::right);
    }
  });
}

std::vector<Algorithm> recursive_doubling_rows() {
  return {{.collective = Collective::allreduce,
           .name = "recursive_doubling",
           .summary = "Whole vectors exchanged with partners at distance 1, 2, 4, …: fewest rounds, keeps rank order.",
           .source = "[swing] §2.3.2; [explainer-01] App. B.1",
           .needs = {},
           .rounds = formulas::folded_log2_rounds(),
           .bytes = formulas::log2_vectors(),
           .granule = formulas::one_element,
           .run = as_allreduce(recursive_doubling)}};
}

}  // namespace heddle::allreduce
