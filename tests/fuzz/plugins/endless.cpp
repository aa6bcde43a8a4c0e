// SPDX-License-Identifier: Apache-2.0
// Right, but where there are three ranks or more one goes on for ever, each row in its own way.
#include <array>

#include "tests/fuzz/plugins/planted.hpp"

namespace {

using heddle::Communicator;
using heddle::testing::barrier_with;

void compute_for_ever() {
  // A compiler may take a loop without effects for one that ends.
  volatile bool for_ever = true;
  while (for_ever) {
  }
}

/// To itself, which takes no time.
void exchange_at_one_timestamp(Communicator& comm) {
  std::array<int, 1> sent = {};
  std::array<int, 1> received = {};
  while (true) comm.sendrecv(comm.rank(), heddle::ConstVectorView(sent), comm.rank(), heddle::VectorView(received));
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  rows.push_back(barrier_with("endless", [](Communicator&) { compute_for_ever(); }));
  rows.push_back(barrier_with("endless_exchange", exchange_at_one_timestamp));
}
