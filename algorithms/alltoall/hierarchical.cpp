// SPDX-License-Identifier: Apache-2.0
// hierarchical: pairwise, near peers first: in each round every rank talks at the same distance.
//
// No part of an alltoall can be saved on the way: every pair has a block of its own. What the tiers of a fabric leave to choose
// is the order. A round of `pairwise` takes as long as its slowest pair, and shifts of rank numbers mix near pairs with far
// ones. Here a round is a shift within groups, or of groups, so that all its pairs are as far apart.
//
// Picture, groups {A B} and {C D}:
//
//   distance 0   A-B  C-D
//   distance 1   A-C  B-D   then   A-D  B-C
//
// Uneven groups: schedule/tiers/distance_classes.hpp.
//
// Rounds:  p-1 in even groups; where groups are uneven some ranks pause in some rounds.
// Bytes:   (p-1)/p · M sent by each rank with equal blocks. Empty blocks are not sent.
// Time:    Σ over the distances of n_d · (α_d + M/p/B_d), n_d the peers at that distance, where pairs share no links; s times
//          the second term on a tier that is oversubscribed by s.
// Limits:  the latency grows with p. While groups shift, all of one group's ranks send to one other group: where two groups
//          have little between them (one cable of a dragonfly), rounds that mix groups use more cables at once.
// Source:  Collectives Explainer 03 (Lu), §2.2.
#include "algorithms/alltoall/alltoall.hpp"

#include <fmt/core.h>

#include <limits>
#include <string>
#include <vector>

#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/tiers/distance_classes.hpp"
#include "core/communicator.hpp"

namespace heddle::alltoall {

using schedule::DistanceClasses;
using schedule::Hierarchy;

void hierarchical(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                  const BlockPartition& received, int most_levels) {
  if (outgoing.empty() && incoming.empty()) return;
  const int rank = comm.rank().value();
  const auto classes = comm.shared_plan<DistanceClasses>(fmt::format("distances/{}", most_levels), [&] {
    return DistanceClasses(Hierarchy(comm.tiers(), comm.size(), most_levels));
  });
  if (sent.size(rank) > 0) comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));
  std::vector<Request> requests;
  for (const DistanceClasses::Round& round : classes->rounds(rank)) {
    requests.clear();
    if (round.source >= 0 && received.size(round.source) > 0)
      requests.push_back(comm.irecv(Rank(round.source), received.block(incoming, round.source)));
    if (round.dest >= 0 && sent.size(round.dest) > 0)
      requests.push_back(comm.isend(Rank(round.dest), sent.block(outgoing, round.dest)));
    comm.wait_all(requests);
  }
}

namespace {

/// Fewer levels than the fabric has, most first.
std::vector<std::string> fewer_levels(const Shape& shape) {
  std::vector<std::string> values;
  for (int levels = Hierarchy(shape.tiers, shape.ranks, std::numeric_limits<int>::max()).levels() - 1; levels > 0; --levels)
    values.push_back(std::to_string(levels));
  return values;
}

std::vector<Parameter> parameters() {
  return {{.name = "tiers",
           .default_value = "all",
           .meaning = "how many of the fabric's innermost tiers are told apart: 1 is flat",
           .candidates = fewer_levels}};
}

Algorithm row(const Options& options) {
  const int most_levels =
      options.text("tiers") == "all" ? std::numeric_limits<int>::max() : static_cast<int>(options.number("tiers", 1, 1000));
  return {.collective = Collective::alltoall,
          .name = "hierarchical",
          .summary = "Pairwise, near peers first, so that in each round every rank talks at the same distance.",
          .source = "[explainer-03] §2.2",
          .needs = {},
          .rounds = {"p-1; with pauses in uneven groups",
                     [most_levels](const Shape& shape) {
                       return DistanceClasses(Hierarchy(shape.tiers, shape.ranks, most_levels)).longest_chain();
                     }},
          .bytes = formulas::other_blocks_once(),
          .granule = formulas::block_per_rank,
          .run = as_alltoall([most_levels](Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent,
                                           VectorView incoming, const BlockPartition& received) {
            hierarchical(comm, outgoing, sent, incoming, received, most_levels);
          }),
          .uniform = true,
          .parameters = parameters(),
          .configured = row};
}

}  // namespace

std::vector<Algorithm> hierarchical_rows() { return {row(Options(parameters()))}; }

}  // namespace heddle::alltoall
