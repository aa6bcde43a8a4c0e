// SPDX-License-Identifier: Apache-2.0
// in_network: each rank hands all its blocks to the fabric at once; switches take them apart by destination.
//
// The story of all collectives that switches compute is in registry/rows/in_network_row.hpp.
#include "algorithms/registry/rows/in_network_row.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"

namespace heddle::alltoall {

std::vector<Algorithm> in_network_rows() {
  return {in_network_row(Collective::alltoall, "The switches take what each rank gives them once apart by destination.",
                         formulas::other_blocks_once())};
}

}  // namespace heddle::alltoall
