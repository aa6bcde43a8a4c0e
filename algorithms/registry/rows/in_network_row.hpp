// SPDX-License-Identifier: Apache-2.0
// Collectives that the switches compute (Collectives Explainer 04, §1): each rank hands its vector to the fabric once and gets
// its part of the result back.
//
//   rank 0 ─ push M ─┐                    ┌─ M ─ rank 0
//   rank 1 ─ push M ─┼─ switch: add up, ──┼─ M ─ rank 1        an allreduce on a star
//   rank 2 ─ push M ─┤  send copies       ├─ M ─ rank 2
//   rank 3 ─ push M ─┘                    └─ M ─ rank 3
//
// One round, whatever p. Needs switches that offer it: an ALU to reduce, multicast to spread, both for an allreduce, scatter-
// gather for an alltoall. Over k tiers of switches an allreduce, an allgather, a reduce_scatter and an alltoall take
// α + 2k·(ℓ + h) + M/B, a broadcast and a reduce one crossing less at the top.
#pragma once

#include <string_view>

#include "algorithms/registry/registry.hpp"

namespace heddle {

/// The row `in_network` of a broadcast, reduce, allreduce, reduce_scatter, allgather or alltoall. Its function throws
/// UsageError where the switches do not serve the call. A rank that is alone needs no switch.
Algorithm in_network_row(Collective collective, std::string_view summary, Formula<std::int64_t> bytes);

}  // namespace heddle
