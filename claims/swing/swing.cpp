// SPDX-License-Identifier: Apache-2.0
// Short cuts on tori: what the source claims, in the order of its sections.
#include <iterator>
#include <utility>

#include "claims/swing/swing_claims.hpp"
#include "claims/swing/swing_figures.hpp"

namespace heddle::claims {

Source swing() {
  Source source{
      .name = "swing",
      .title = "Swing (De Sensi et al., NSDI '24)",
      .setting =
          "§5: links of 400 Gb/s and 100 ns, 300 ns for each hop, hosts on links of their own (`--preset swing-nsdi24`), "
          "simulated packet by packet with SST; heddle shares links max-min fairly. The paper prints no start-up latency α per "
          "message, so runs have none; where an order would need one, the finding says how much.\n"
          "\n"
          "As in the figures, Swing and recursive doubling are the better of their latency- (L) and bandwidth-optimal (B) "
          "variants: `swing_latency`, `swing_bandwidth`; `torus_recursive_doubling`, `torus_rabenseifner`. §3.1.2 says that "
          "Swing (L) uses all ports, and counts its bytes as if it used one: the published figures draw the variant on one "
          "port. All slices of their bucket go on to the next dimension together, as §5.2 has it "
          "(`bucket:stages=sync`).",
      .claims = {}};
  const auto add = [&](std::vector<Claim> part) {
    source.claims.insert(source.claims.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  };
  add(swing_pattern_claims());
  add(swing_deficiency_claims());
  add(swing_square_torus_claims());
  add(swing_other_fabric_claims());
  add_swing_figures(source.claims);
  return source;
}

}  // namespace heddle::claims
