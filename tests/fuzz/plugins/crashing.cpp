// SPDX-License-Identifier: Apache-2.0
// Right, but where there are three ranks it ends the process.
#include <csignal>

#include "lab/plugin/plugin.hpp"

namespace {

void barrier_but_for_three(heddle::Communicator& comm, const heddle::CollectiveArguments& arguments) {
  if (comm.size() == 3) std::raise(SIGSEGV);
  heddle::find_algorithm(heddle::Collective::barrier, "dissemination").run(comm, arguments);
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  rows.push_back({.collective = heddle::Collective::barrier, .name = "crashing", .run = barrier_but_for_three});
}
