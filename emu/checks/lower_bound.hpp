// SPDX-License-Identifier: Apache-2.0
// The least time in which a fabric can do a collective, whatever the algorithm. A run that claims less is wrong.
#pragma once

#include <string>

#include "topo/fabric.hpp"
#include "topo/placement.hpp"

namespace heddle::emu {

struct LowerBound {
  double seconds = 0;
  std::string reason;  ///< "the vector must cross the middle of dimension 0", for a message
};

/// For an allreduce of M = `bytes` over p ranks, software only (no switch computes). With L₁ the latency of the shortest way
/// out of an endpoint, the largest of
///
///   latency   α + max over pairs of ranks of the least latency between them: every result depends on every contribution.
///   ports     α + L₁ + 2(p-1)·M / Σ_r B_out(r), and the same with B_in. Each element's contributions must spread from every
///             rank to every other; p participants who call one another one way need 2p - 2 calls for that (gossiping:
///             Harary, Schwenk 1974, "The communication problem on graphs and digraphs"), and each call carries one element
///             out of one rank's ports and into another's.
///   one port  α + L₁ + M / min_r B_out(r), and the same with B_in: each rank must give all its own and receive at least a
///   result. cuts      α + L₁ + M / B(cut), each way over each cut of a grid in two halves: what one side knows must reach the
///   other
///             (the bisection bound, Dally, Towles 2004, "Principles and Practices of Interconnection Networks", §3.3.2).
///
/// B_out(r) and B_in(r) are the bandwidths of all links out of and into rank r's endpoint. Traffic that passes through an
/// endpoint on its way only adds to it. Zero for p = 1 or no bytes.
LowerBound allreduce_lower_bound(const Fabric& fabric, const Placement& placement, double bytes);

}  // namespace heddle::emu
