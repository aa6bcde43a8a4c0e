// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/half_bandwidth.hpp"

#include "topo/graph/narrowest_cut.hpp"

namespace heddle {

Bandwidth bandwidth_between_halves(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  double finite = 0;
  for (LinkId link = 0; link < topology.links(); ++link)
    if (!fabric.bandwidth(link).is_unlimited()) finite += fabric.bandwidth(link).bytes_per_second();
  const double unlimited = 2 * finite + 1;  // more than all others together
  const double bytes_per_second = flow_between_parts(topology, straight_halves(topology), [&](LinkId link) {
    const Bandwidth bandwidth = fabric.bandwidth(link);
    return bandwidth.is_unlimited() ? unlimited : bandwidth.bytes_per_second();
  });
  return bytes_per_second >= unlimited ? Bandwidth::unlimited() : Bandwidth(bytes_per_second);
}

}  // namespace heddle
