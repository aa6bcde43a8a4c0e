// SPDX-License-Identifier: Apache-2.0
// Three-way exchanges on tori.
#include <utility>

#include "claims/trivance/trivance_claims.hpp"
#include "claims/trivance/trivance_pictures.hpp"

namespace heddle::claims {

Source trivance() {
  Source source{
      .name = "trivance",
      .title = "Trivance (Jürß, Addanki, Schmid)",
      .setting =
          "§6: links of 800 Gb/s and 100 ns, 100 ns of processing per hop, α = 1.5 µs, hosts on links of their own (`--preset "
          "trivance`). The published figures are of the packet simulator SST 11.1 (packets of 8 KiB, flits of 256 B, "
          "routers of 50 ns in and 50 ns out, no cost of a message beyond α, none of a reduction); heddle shares links "
          "max-min fairly.\n"
          "\n"
          "The published plots read the simulated time of a whole program, which ends with a barrier: a binary tree "
          "over the ranks, up and down, each message 0.3 µs and 0.2 µs a hop: 4.6 µs on a ring of 8, 46.6 µs on 32x32. "
          "So the gains that they show are smaller than the allreduce's own. Findings of figures give both; sizes are "
          "those that were simulated, 32 B and four times as much each.\n"
          "\n"
          "As in the paper, each family shows the better of its latency- (L) and bandwidth-optimal (B) variants. In "
          "the authors' public simulation code Trivance, Bruck and recursive doubling (B) ran on 2D ports, the "
          "latency-optimal Swing and recursive doubling on one. Here too (`swing_latency`, `torus_recursive_doubling`), "
          "but for recursive doubling (B), which `torus_rabenseifner` runs on one port at a time; it is never next to "
          "Trivance. Their Bruck goes one way round, heddle's the shorter way, as §6 has it. The same code set the "
          "messages of the 16x16x16 runs to 0.33^(step+1) of the vector instead of following the block sets, which "
          "favours Trivance there.\n"
          "\n"
          "Tables 1 and 2 name optimality factors: of latency Λ = steps / log₃n, of bandwidth Δ = bytes sent by a "
          "rank / 2m, of "
          "transmission delay Θ = Σ m_k·c_k / (m/D), the share of the vector that is sent in a step times how many "
          "of these messages "
          "share the busiest link. Here Λ and Δ are counted, and Θ is the time of a run without α and latency over "
          "m·β/D. Dimension-order "
          "routing, ties one way (`--routing deterministic`): where a message may go both ways round an even ring, "
          "half of it each way, the last step of recursive doubling takes half as long.",
      .claims = {}};
  for (auto* part : {&trivance_parts::pattern_claims, &trivance_parts::table_claims, &trivance_parts::figure_claims})
    for (Claim& claim : part()) source.claims.push_back(std::move(claim));
  trivance_parts::add_pictures(source.claims);
  return source;
}

}  // namespace heddle::claims
