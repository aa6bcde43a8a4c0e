// SPDX-License-Identifier: Apache-2.0
#include "claims/findings_for_authors.hpp"

#include <algorithm>
#include <vector>

namespace heddle::claims {

std::span<const FindingForAuthors> findings_for_authors() {
  static const std::vector<FindingForAuthors> findings = {
      {"bine/figure-5", "Global traffic can increase at 64 nodes and more",
       "The text allows an increase below 64 nodes only. The distance between partners is that modulo p, and "
       "who is near modulo p need not be near on the line of the machine's nodes: where two groups share a "
       "job, ranks on both sides of the border between them, and at the job's two ends, decide. How often "
       "that happens depends on where the nodes of a job are, not on how many they are."},
      {"bine/bound", "A single tree can save more than a third of the traffic between groups",
       "Two thirds is the limit of the ratio between the distances of a Bine tree and of a binomial one, for "
       "long ways. The last step but one goes 1 instead of 2, which is half. Where groups are so cut that "
       "this step decides, more than 33 % is saved. The bound is that of a sum over many steps."},
      {"bine/odd-ranks", "At odd p blocks need no fold",
       "A reduce-scatter at odd p need not send twice as much. An extra rank sends its partner all partial "
       "sums but that of its own block, takes part in no step between, and gets what its block lacks in the "
       "last one. Every rank then sends p - 1 blocks, as at any other p. Only an allreduce of whole vectors "
       "needs the fold: a partial sum cannot be taken apart."},
      {"traeff/corollary-2", "Not every list of skips that reaches all offsets serves Algorithm 1",
       "That every offset is a sum of different skips is not enough for Algorithm 1 as it is printed: at p = "
       "12 with skips 5, 3, 2, 1 the first round sends R[5…11] and adds what comes in to R[0…6], so that "
       "what is added to R[5] and R[6] has left already. Each skip must be at least half of what is still "
       "held. The corollary itself can be kept: give each offset the last round that can take it, working "
       "backwards from 1, and all such lists serve, in q rounds and p - 1 blocks."},
      {"swing/torus-like-congestion", "On boards of 4x4 Swing's congestion is above that of a torus as small as 16x16",
       "Links that are added do not lower the congestion everywhere. Partners at distance 3 on different "
       "boards of four leave over the two edges of the board, and four messages share each of these links "
       "where a torus has three. Beyond distance 3 it stays at four, where a torus has as many as the "
       "distance: so the HammingMesh gains only as its lines grow."},
      {"swing/eq-3", "On oblong tori Swing's congestion grows about four times as fast as Eq. 3 has it",
       "Eq. 3 sums one phase in units of n·β. The Ξ of Table 2, to which it is added, counts n/D·β and two "
       "phases. In these units the surplus of a 16x8 torus is near four times what is printed. The order of "
       "the algorithms at large sizes depends on it."},
      {"explainer/02-rabenseifner", "Halving and doubling on a torus of 8x8x8 is slower than rings, not faster",
       "The form counts each step as one hop on links of its own. On a ring of 8 the partners 2 and 4 places "
       "away are 2 and 4 hops away, and their messages share links. Latency is 1 + 2 + 4 hops a dimension, "
       "as many as a ring's 7, and the bytes take longer than the ring's: the step count alone does not say "
       "which is faster."},
      {"explainer/03-order-of-phases", "An allgather in two tiers goes between pods first, a reduce_scatter within pods first",
       "The table prints the other order of both, with the aim that the slow tier carries little. In the "
       "printed order each GPU carries the whole blocks of its pod over the slow tier, as many times more as "
       "a pod has GPUs. The order of the same note's allreduce, reduce_scatter inside and allgather inside "
       "last, is the one that keeps the slow tier's share small."},
      {"explainer/05-concurrent-groups", "Groups on whole lines of a torus share no links",
       "Groups along one dimension of 8x8x8 are 64 lines, each with links of its own. They run side by side "
       "as fast as one alone. What the text warns of comes with groups that do not fill lines: two groups of "
       "four on one ring of eight, or groups that are scattered."},
      {"explainer/05-skew", "A star does not absorb the skew of an alltoall",
       "Every port has the same bandwidth, and that is why skew shows: a rank that is sent five times as "
       "much takes it in through one port, and the collective ends when it has. The star spares the links "
       "between switches, not the port of the rank in demand. Fewer bytes to it, or more ports, would help; "
       "the topology does not."},
  };
  return findings;
}

void add_findings_for_authors(std::span<Source> sources) {
  for (const FindingForAuthors& finding : findings_for_authors())
    for (Source& source : sources)
      if (const auto claim = std::ranges::find(source.claims, finding.claim, &Claim::name); claim != source.claims.end())
        claim->for_authors = finding.title + '\n' + finding.text;
}

}  // namespace heddle::claims
