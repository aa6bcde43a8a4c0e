// SPDX-License-Identifier: Apache-2.0
// in_network: each rank hands its vector to the fabric once; switches add up what comes and send copies of the sum back.
//
// The story of all collectives that switches compute is in registry/rows/in_network_row.hpp.
#include "algorithms/registry/rows/in_network_row.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/formulas.hpp"

namespace heddle::allreduce {

std::vector<Algorithm> in_network_rows() {
  return {in_network_row(Collective::allreduce, "The switches add up what the ranks give them and send copies of the sum back.",
                         formulas::vector_once())};
}

}  // namespace heddle::allreduce
