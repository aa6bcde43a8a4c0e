// SPDX-License-Identifier: Apache-2.0
// A barrier that does something besides where there are three ranks or more, on rank 1.
#pragma once

#include "heddle/plugin.hpp"

namespace heddle::testing {

template <class Harm>
Algorithm barrier_with(const char* name, Harm harm) {
  return {
      .collective = Collective::barrier, .name = name, .run = [harm](Communicator& comm, const CollectiveArguments& arguments) {
        if (comm.size() >= 3 && comm.rank().value() == 1) harm(comm);
        find_algorithm(Collective::barrier, "dissemination").run(comm, arguments);
      }};
}

}  // namespace heddle::testing
