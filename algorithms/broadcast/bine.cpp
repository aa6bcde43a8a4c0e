// SPDX-License-Identifier: Apache-2.0
// bine_halving, bine_doubling: broadcasts along binomial trees whose partners are a third nearer.
//
// In every step each rank that has the vector sends it to one that has not, as in any binomial tree. But ranks are taken round
// a circle and numbered in base -2 (schedule/bine/bine_tree.hpp), so that a tree grows to both sides of its root in turn and a
// step that a binomial tree takes over 2^j ranks goes over |Σ_{i≤j} (-2)^i| of them: 1, 1, 3, 5, 11, … Messages that leave a
// group of neighbouring ranks are fewer, by a third at most.
//
// Picture, p = 8, root 0:
//
//             distance halving               distance doubling
//   step 0    0->3                           0->1
//   step 1    0->7 3->4                      0->7 1->2
//   step 2    0->1 3->2 4->5 7->6            0->3 1->6 2->5 7->4
//
// The rounds as the paper writes them, for p = 2^s and root 0: paper::bine_halving_edge and paper::bine_doubling_edge in
// schedule/bine/bine_tree.hpp. Beside them is what runs, bine_edge; tests hold that both give the same.
//
//   halving    nb(r) = the s digits of r, or of r - p, in base -2                                   §2.3.1
//              r receives in step i = s - u, nb(r) ending with u equal digits                       §2.3.2
//              from the q with nb(q) = nb(r) ⊕ 1…1, u ones                                          eq. 1
//   doubling   v(r) = h ⊕ h/2, where h = nb(r) for odd r, nb(p - r) for even r                      §3.2.1
//              r receives in step i, the place of the highest one of v(r)                           §3.2.2
//              from the q with v(q) = v(r) ⊕ 2^i
//
// Where the lower half of eight ranks and the upper one stand apart, halving carries 2 vectors across, 0->7 and 3->4. The
// binomial tree of distance halving carries 1: what is near round the circle may be far on a line.
//
// Even p that are no power of two: a rank that would be reached twice is not sent the second. Odd p: 2^⌊log2 p⌋ ranks first,
// then each of their neighbours that were left out from its own.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   k · M, sent by the rank with the most children, k of them: ⌈log2 p⌉ or, at some even p, one less.
// Time:    ⌈log2 p⌉ · (α + M·β) where the messages of a step share no links.
// Limits:  the whole vector in every step: for short vectors.
// Source:  Bine (De Sensi et al.) §2 and Fig. 3 (halving), §3.2 and App. A (doubling), App. C and Fig. 15 (other p), §4.5.
#include "algorithms/broadcast/broadcast.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_tree.hpp"

namespace heddle::broadcast {

void bine_halving(Communicator& comm, VectorView vector, Rank root) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto tree = comm.shared_plan<schedule::Tree>("bine_halving, root " + std::to_string(root.value()), [&] {
    return schedule::bine_tree(comm.size(), root.value(), schedule::Distances::halving);
  });
  schedule::tree_broadcast(comm, *tree, vector);
}

void bine_doubling(Communicator& comm, VectorView vector, Rank root) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto tree = comm.shared_plan<schedule::Tree>("bine_doubling, root " + std::to_string(root.value()), [&] {
    return schedule::bine_tree(comm.size(), root.value(), schedule::Distances::doubling);
  });
  schedule::tree_broadcast(comm, *tree, vector);
}

namespace {

/// One vector per child of the rank that has the most.
template <schedule::Distances distances>
std::int64_t bine_bytes(const Shape& shape) {
  const schedule::Tree tree = schedule::bine_tree(shape.ranks, 0, distances);
  std::size_t most = 0;
  for (int rank = 0; rank < shape.ranks; ++rank) most = std::max(most, tree.children(rank).size());
  return static_cast<std::int64_t>(most) * shape.bytes;
}

}  // namespace

std::vector<Algorithm> bine_rows() {
  return {{.collective = Collective::broadcast,
           .name = "bine_halving",
           .summary = "A binomial tree to both sides of the root in turn, far ranks first, over a third less distance.",
           .source = "[bine] §2, §4.5, App. C",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = {"⌈log2 p⌉ · M; at some even p one M less", bine_bytes<schedule::Distances::halving>},
           .granule = formulas::one_element,
           .run = as_broadcast(bine_halving)},
          {.collective = Collective::broadcast,
           .name = "bine_doubling",
           .summary = "A binomial tree to both sides of the root in turn, neighbours first, over a third less distance.",
           .source = "[bine] §3.2, App. A, App. C",
           .needs = {},
           .rounds = formulas::log2_rounds(),
           .bytes = {"⌈log2 p⌉ · M; at some even p one M less", bine_bytes<schedule::Distances::doubling>},
           .granule = formulas::one_element,
           .run = as_broadcast(bine_doubling)}};
}

}  // namespace heddle::broadcast
