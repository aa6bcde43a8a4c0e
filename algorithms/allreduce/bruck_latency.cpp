// SPDX-License-Identifier: Apache-2.0
// bruck_latency: whole vectors from k ranks ahead at once, k + 1 times as far in each step.
//
// After some steps a rank has the sum over the t ranks behind it in the ring and itself, its window. It gets the sums of the k
// windows that follow, each of them of a rank further on, and adds them: k + 1 times as many. With two ports, the default, that
// is ⌈log3 p⌉ rounds; with one it is the census algorithm of Bar-Noy et al., in ⌈log2 p⌉.
//
// Picture, p = 9, two ports: the window of rank 0 and what it gets.
//
//   step 0   0 [1] [2]                        from 1 and 2
//   step 1   0 1 2 [3 4 5] [6 7 8]            from 3 and 6
//
// Any p: a window of which only t places are wanted is summed without its own rank, one of t + 1 with it. Each rank keeps both
// sums, and the digits of p - 1 in base k + 1 say how many of which kind go in a step (schedule/windows/bruck_pattern.hpp).
//
// On a grid the vector is cut into D slices, each with an allreduce of its own along one dimension after the other, starting in
// another dimension each. With two ports per dimension that is what 2D ports can send at once. All messages set out in one
// direction, so they go three times as far as Trivance's, except in the last step, where 2·3^k is nearer the other way round.
//
// Rounds:  Σ⌈log_{k+1} dᵢ⌉ for every size.
// Bytes:   k·Σ⌈log_{k+1} dᵢ⌉ · M sent by each rank; the first step of a dimension has as many messages as the first digit says.
// Time:    Σ⌈log3 dᵢ⌉ · α + M/D·β·Σ 3·3^k over the steps before the last of each dimension, for two ports.
// Limits:  sends the whole vector in every step: for short vectors. The window wraps round: the op must be commutative. Ranks add
//          up in different orders, so floats may differ in their last bits from rank to rank.
// Source:  Trivance (Jürß et al.) §2.4, App. B.1; the algorithm is Bruck et al.'s, for any p Bruck and Ho's.
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

namespace heddle::allreduce {

void bruck_latency(Communicator& comm, VectorView inout, const ReduceOp& op, int ports) {
  require_commutative("bruck_latency", op);
  if (comm.size() == 1 || inout.empty()) return;
  schedule::allreduce_by_windows(
      comm, "bruck_latency, ports " + std::to_string(ports), [ports](int size) { return schedule::bruck_windows(size, ports); },
      inout, op);
}

namespace {

Algorithm bruck_latency_row(const Options& options) {
  const int ports = bruck_ports(options);
  return {.collective = Collective::allreduce,
          .name = "bruck_latency",
          .summary = "Whole vectors from several ranks ahead at once, over one dimension of the grid after the other.",
          .source = "[trivance] §2.4, App. B; [bruck-1997]; [bruck-1993] for any p",
          .needs = {.commutative = true},
          .rounds = formulas::bruck_rounds(ports),
          .bytes = {"Σ(k(⌈log_{k+1} dᵢ⌉ - 1) + cᵢ) · M, cᵢ the first digit of dᵢ-1 in base k+1",
                    [ports](const Shape& shape) {
                      return shape.bytes * formulas::sum_over_dimensions(shape, [ports](int size) {
                               return schedule::bruck_windows(size, ports).vectors();
                             });
                    }},
          .messages_a_round = formulas::message_per_port,
          .granule = formulas::element_per_dimension,
          .run = as_allreduce(
              [ports](Communicator& comm, VectorView inout, const ReduceOp& op) { bruck_latency(comm, inout, op, ports); }),
          .tasks_share_credits = true,
          .parameters = bruck_parameters(),
          .configured = bruck_latency_row,
          .same_bits = false,
          .other_names = {{"one-shot", "ports=p-1"}}};
}

}  // namespace

std::vector<Algorithm> bruck_latency_rows() { return {bruck_latency_row(Options(bruck_parameters()))}; }

}  // namespace heddle::allreduce
