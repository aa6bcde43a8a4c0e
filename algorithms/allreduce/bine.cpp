// SPDX-License-Identifier: Apache-2.0
// bine_small, bine_large, bine_torus: allreduces along Bine butterflies.
//
// Partners are |Σ_{i≤j} (-2)^i| ranks apart, 1, 1, 3, 5, 11, … to alternating sides, instead of 2^j: Swing's, but taken over
// the circle of rank numbers whatever the fabric is (schedule/bine/bine_schedule.hpp). Where neighbouring ranks share a group,
// fewer messages leave it.
//
// bine_small exchanges whole vectors in each step and adds, as recursive doubling does: fewest steps.
// bine_large cuts the vector into p blocks: a reduce-scatter of doubling distances, then its allgather, of halving ones. Each
// step carries half as much as the one before, then twice as much, so most goes to the neighbour. Blocks lie in an order in
// which a message is one run, and nobody needs to undo it: the allgather takes the same ways back.
// bine_torus takes steps along one dimension of a grid after the other, and cuts the vector into 2D slices, each with a
// bine_large of its own that begins in another direction.
//
// The rounds as the paper writes them, for p = 2^s: paper::bine_partner and paper::bine_round in
// schedule/bine/bine_schedule.hpp. Beside them is what runs, bine_block_schedule; tests hold that both send the same.
//
//   ρ(i)    = Σ_{k=0..i} (-2)^k = 1, -1, 3, -5, 11, …
//   q(r, i) = r + ρ(i) for even r, r - ρ(i) for odd r, modulo p                                    §3.1; App. A, eq. 5
//   v(x)    = h ⊕ h/2, h the digits of x in base -2 for odd x, those of p - x for even x           §3.2.1
//   step i:   r sends q(r, i) the blocks r + x for even r, r - x for odd r, modulo p,
//             of all x whose v(x) ends with 10…0, i + 1 digits                                     §3.2.3
//
// Picture, p = 8: the blocks that rank 0 of bine_large holds and what it sends; and the directions of a 2D torus's ports.
//
//   step 0   holds 0 3 7 4 1 6 2 5   sends 1 6 2 5 to rank 1      port     0  1  2  3
//   step 1   holds 0 3 7 4           sends     7 4 to rank 7      step 0   E  N  W  S
//   step 2   holds 0 3               sends       3 to rank 3      step 1   N  W  S  E
//   done     holds 0                                              step 2   W  S  E  N
//
// Other p than powers of two. In even sizes all keep partners and steps. bine_large and bine_torus send a block that could go in
// two steps in one. Of whole vectors the last step wants but a part of the partner's sum, and a sum cannot be taken apart:
// ranks of bine_small keep two from the start, as swing_latency's do (schedule/butterflies/swing_pattern.hpp, swing_windows).
// In odd sizes neighbours fold into 2^⌊log2 p⌋ positions (schedule/butterflies/fold.hpp), bine_large and bine_torus block by
// block.
//
// Rounds:  bine_small ⌈log2 p⌉, or ⌊log2 p⌋ + 2 at odd p; bine_large twice ⌈log2 p⌉, or ⌊log2 p⌋ + 2 at odd p; bine_torus twice the
//          sum of that over its dimensions.
// Bytes:   bine_small ⌈log2 p⌉ · M, at even p that is no power of two up to (2⌈log2 p⌉ - 3) · M; the others 2(p-1)/p · M sent by each rank where nothing folds; a partner of bine_large
//          sends about 3M.
// Time:    bine_small log2 p · (α + M·β); bine_large 2·log2 p · α + 2(p-1)/p · M·β; bine_torus 2·log2 p · α +
//          2(p-1)/p · M·β/(2D), each where messages share no links.
// Limits:  the op must be commutative. In a step of bine_small and bine_large on a ring, δ messages share a link. Unequal
//          dimensions leave ports of bine_torus idle at the end. In bine_small ranks add up in different orders, so floats may
//          differ in their last bits from rank to rank.
// Source:  Bine (De Sensi et al.) §4.4, §3.1; App. C (other p); App. D and Fig. 16 to 18 (tori); two sums: heddle's own.
#include "algorithms/allreduce/allreduce.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/bine_formulas.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_schedule.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"
#include "algorithms/schedule/butterflies/swing_schedule.hpp"
#include "algorithms/schedule/windows/window_schedule.hpp"

namespace heddle::allreduce {

namespace {

void exchange_blocks(Communicator& comm, const schedule::BlockSchedule& blocks, VectorView vector, const ReduceOp& op) {
  schedule::BlockExchange exchange(comm, blocks, vector);
  exchange.reduce_scatter(op);
  exchange.allgather();
}

}  // namespace

void bine_small(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("bine_small", op);
  if (comm.size() == 1 || inout.empty()) return;
  const int p = comm.size();
  if (schedule::swings_by_windows(p)) {
    const auto windows =
        comm.shared_plan<schedule::WindowSchedule>("bine_small, windows", [p] { return schedule::swing_windows(p); });
    const int r = comm.rank().value();
    schedule::allreduce_by_windows(comm, *windows, inout, op,
                                   [&](int place) { return Rank(((r % 2 == 0 ? r + place : r - place) % p + p) % p); });
    return;
  }
  const schedule::Lattice circle(nullptr, p);
  schedule::exchange_vectors(comm, schedule::swing_vector_schedule(circle, schedule::swing_port(0, 1), comm.rank()), inout, op);
}

void bine_large(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("bine_large", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto blocks =
      comm.shared_plan<schedule::BlockSchedule>("bine, compact", [&] { return schedule::bine_block_schedule(comm.size()); });
  exchange_blocks(comm, *blocks, inout, op);
}

void bine_torus(Communicator& comm, VectorView inout, const ReduceOp& op) {
  require_commutative("bine_torus", op);
  require_grid("bine_torus", comm);
  if (comm.size() == 1 || inout.empty()) return;
  const schedule::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  schedule::on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
    const auto blocks = task.shared_plan<schedule::BlockSchedule>("bine_torus, port " + std::to_string(port), [&] {
      return schedule::bine_block_schedule(lattice, schedule::bine_port(port, dimensions));
    });
    exchange_blocks(task, *blocks, slice, op);
  });
}

namespace {

int bine_small_rounds(const Shape& shape) {
  if (schedule::swings_by_windows(shape.ranks)) return schedule::swing_steps(shape.ranks);
  return formulas::floor_log2(shape.ranks) + 2 * formulas::folds(shape.ranks);
}

std::int64_t bine_small_bytes(const Shape& shape) {
  if (schedule::swings_by_windows(shape.ranks)) return schedule::swing_windows(shape.ranks).vectors() * shape.bytes;
  return formulas::ceil_log2(shape.ranks) * shape.bytes;
}

}  // namespace

std::vector<Algorithm> bine_rows() {
  return {
      {.collective = Collective::allreduce,
       .name = "bine_small",
       .summary = "Whole vectors exchanged along a Bine butterfly over the circle of ranks: fewest rounds.",
       .source = "[bine] §4.4, App. C",
       .needs = {.commutative = true},
       .rounds = {"⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p", bine_small_rounds},
       .bytes = {"⌈log2 p⌉ · M, up to (2⌈log2 p⌉ - 3) · M at even p that is no power of two", bine_small_bytes},
       .granule = formulas::one_element,
       .run = as_allreduce(bine_small),
       .same_bits = false},
      {.collective = Collective::allreduce,
       .name = "bine_large",
       .summary = "Reduce-scatter and allgather along a Bine butterfly over the circle of ranks: most bytes to neighbours.",
       .source = "[bine] §4.4, §3.1, App. C",
       .needs = {.commutative = true},
       .rounds = {"2⌈log2 p⌉; 2⌊log2 p⌋ + 4 at odd p", [](const Shape& shape) { return 2 * formulas::bine_rounds()(shape); }},
       .bytes = {"2(p-1)/p · M; by a host at odd p about 3M", formulas::bine_large_bytes},
       .granule = formulas::block_per_rank,
       .run = as_allreduce(bine_large)},
      {.collective = Collective::allreduce,
       .name = "bine_torus",
       .summary = "Reduce-scatter and allgather along Bine butterflies in each dimension of a grid, through all 2D ports.",
       .source = "[bine] App. D",
       .needs = {.commutative = true, .grid = true},
       .rounds = {"2Σ(⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd)", formulas::bine_torus_rounds},
       .bytes = {"2(p-1)/p · M; by hosts more where a dᵢ is odd", formulas::bine_torus_bytes},
       .messages_a_round = formulas::message_per_port,
       .granule = formulas::block_per_rank_and_port,
       .run = as_allreduce(bine_torus),
       .tasks_share_credits = true}};
}

}  // namespace heddle::allreduce
