// SPDX-License-Identifier: Apache-2.0
// in_network: each rank hands its vector to the fabric once; switches with an ALU add up what comes and pass the sum to the
// root.
//
// The story of all collectives that switches compute is in registry/rows/in_network_row.hpp.
#include "algorithms/registry/rows/in_network_row.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"

namespace heddle::reduce {

std::vector<Algorithm> in_network_rows() {
  return {in_network_row(Collective::reduce, "The switches add up what the ranks give them and pass the sum to the root.",
                         formulas::vector_once())};
}

}  // namespace heddle::reduce
