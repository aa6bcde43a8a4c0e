// SPDX-License-Identifier: Apache-2.0
// in_network: each rank hands its block to the fabric once; switches with multicast send copies to all others.
//
// The story of all collectives that switches compute is in registry/rows/in_network_row.hpp.
#include "algorithms/registry/rows/in_network_row.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"

namespace heddle::allgather {

std::vector<Algorithm> in_network_rows() {
  return {in_network_row(Collective::allgather, "The switches send copies of each rank's block to all others.",
                         {"M/p", [](const Shape& shape) { return shape.ranks == 1 ? 0 : shape.bytes / shape.ranks; }})};
}

}  // namespace heddle::allgather
