// SPDX-License-Identifier: Apache-2.0
// bruck_bandwidth: a reduce-scatter, then an allgather, with k ranks ahead at once, k + 1 times as far in each step.
//
// The vector is cut into p blocks, and a block is named by its offset, how far from the rank its owner is. Written in base k +
// 1 the offset's digits are the way: in step i all blocks whose digit i is j go to the rank j·(k+1)^i ahead, as sums, where
// they are added to those at hand. What is left has one digit less; in the end only offset 0 is, the rank's own block. The
// allgather takes the same steps backwards.
//
// Picture, p = 9, two ports: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7 8   sends 1 4 7 to rank 1, 2 5 8 to rank 2
//   step 1   holds 0     3     6       sends     3 to rank 3,     6 to rank 6
//   done     holds 0
//
// These are Trivance's blocks, but all messages set out in one direction: in step k they meet on 3·3^k links where Trivance's
// meet on 3^k, except in a dimension's last step, as 2·3^k is nearer the other way round. Blocks are laid out so that a message
// is a few runs (schedule/windows/lattice_skip_schedule.hpp). On a grid the steps take turns over the dimensions, one
// collective per dimension on its slice, each with k ports.
//
// Rounds:  2·Σ⌈log_{k+1} dᵢ⌉ for every size.
// Bytes:   2(p-1)/p · M sent by each rank, for every p.
// Time:    2·log3 p · α + 2·log3 p · M·β on a ring for two ports, as the source counts it; a run spends less in the last step.
// Limits:  the op must be commutative.
// Source:  Trivance (Jürß et al.) §2.4, §3.1, App. B; the algorithm is Bruck et al.'s.
#include "algorithms/allreduce/allreduce.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/bruck_options.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/pattern_rounds.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/windows/bruck_pattern.hpp"
#include "algorithms/schedule/windows/lattice_skip_exchange.hpp"

namespace heddle::allreduce {

void bruck_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op, int ports) {
  require_commutative("bruck_bandwidth", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::allreduce_by_skips(comm, schedule::bruck_pattern(ports), inout, op);
}

namespace {

Algorithm bruck_bandwidth_row(const Options& options) {
  const int ports = bruck_ports(options);
  return {.collective = Collective::allreduce,
          .name = "bruck_bandwidth",
          .summary = "Reduce-scatter and allgather with several ranks ahead at once, by the digits of a block's distance.",
          .source = "[trivance] §2.4, App. B; [bruck-1997]",
          .needs = {.commutative = true},
          .rounds = formulas::two_bruck_rounds(ports),
          .bytes = formulas::all_blocks_twice(),
          .messages_a_round = formulas::message_per_port,
          .granule = formulas::block_per_rank_and_dimension,
          .run = as_allreduce(
              [ports](Communicator& comm, VectorView inout, const ReduceOp& op) { bruck_bandwidth(comm, inout, op, ports); }),
          .tasks_share_credits = true,
          .parameters = bruck_parameters(),
          .configured = bruck_bandwidth_row,
          .other_names = {{"two-shot", "ports=p-1"}, {"direct", "ports=p-1"}}};
}

}  // namespace

std::vector<Algorithm> bruck_bandwidth_rows() { return {bruck_bandwidth_row(Options(bruck_parameters()))}; }

}  // namespace heddle::allreduce
