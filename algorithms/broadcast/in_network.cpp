// SPDX-License-Identifier: Apache-2.0
// in_network: the root hands its vector to the fabric once; switches with multicast send copies to all others.
//
// The story of all collectives that switches compute is in registry/rows/in_network_row.hpp.
#include "algorithms/registry/rows/in_network_row.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"

namespace heddle::broadcast {

std::vector<Algorithm> in_network_rows() {
  return {in_network_row(Collective::broadcast, "The switches send copies of what the root gives them once.",
                         formulas::vector_once())};
}

}  // namespace heddle::broadcast
