// SPDX-License-Identifier: Apache-2.0
// Right, but where there are three ranks one computes for ever.
#include "lab/plugin/plugin.hpp"

namespace {

void barrier_but_for_three(heddle::Communicator& comm, const heddle::CollectiveArguments& arguments) {
  // A compiler may take a loop without effects for one that ends.
  volatile bool for_ever = comm.size() == 3;
  while (for_ever) {
  }
  heddle::find_algorithm(heddle::Collective::barrier, "dissemination").run(comm, arguments);
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  rows.push_back({.collective = heddle::Collective::barrier, .name = "endless", .run = barrier_but_for_three});
}
