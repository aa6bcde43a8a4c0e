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
      {"traeff/corollary-2", "Not every list of skips that reaches all offsets serves Algorithm 1",
       "That every offset is a sum of different skips is not enough for Algorithm 1 as it is printed: at p = "
       "12 with skips 5, 3, 2, 1 the first round sends R[5…11] and adds what comes in to R[0…6], so that "
       "what is added to R[5] and R[6] has left already. Each skip must be at least half of what is still "
       "held. The corollary itself can be kept: give each offset the last round that can take it, working "
       "backwards from 1, and all such lists serve, in q rounds and p - 1 blocks."},
      {"swing/odd-nodes", "An odd node adds no bytes to the busiest one",
       "The text adds 1/p to the bandwidth deficiency at odd p. Counted in bytes that the busiest node sends, nothing is "
       "added: "
       "the last node sends each of the others its block once, and each of these sends one block to it in place of one that it "
       "would have passed on. What grows is the number of messages that are under way at once."},
      {"swing/figure-8", "At 3.2 Tb/s and 512 MiB an 8x8 torus is quicker with bucket, unless messages cost more than stated",
       "Swing takes fewer rounds, bucket has no congestion deficiency. At 512 MiB on fast links start-up no longer decides, "
       "and "
       "the bytes on the busiest link do. No start-up of up to 2 us a message gives the printed order: something else that "
       "costs "
       "bucket time must be in the simulation, and the paper does not name it."},
      {"explainer/02-rabenseifner", "Halving and doubling on a torus of 8x8x8 is slower than rings, not faster",
       "The form counts each step as one hop on links of its own. On a ring of 8 the partners 2 and 4 places "
       "away are 2 and 4 hops away, and their messages share links. Latency is 1 + 2 + 4 hops a dimension, "
       "as many as a ring's 7, and the bytes take longer than the ring's: the step count alone does not say "
       "which is faster."},
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
