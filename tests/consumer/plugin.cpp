// SPDX-License-Identifier: Apache-2.0
// A plugin of one's own project: it is compiled and linked with nothing; `heddle fuzz` would load it.
#include "heddle/plugin.hpp"

namespace {

/// The root sends to everyone, one after the other.
void tell_all(heddle::Communicator& ranks, const heddle::CollectiveArguments& arguments) {
  if (ranks.rank() != arguments.root) {
    ranks.recv(arguments.root, arguments.output);
    return;
  }
  if (!arguments.in_place()) ranks.copy(arguments.output, arguments.input);
  for (int other = 0; other < ranks.size(); ++other) {
    if (heddle::Rank(other) != arguments.root) ranks.send(heddle::Rank(other), arguments.output);
  }
}

}  // namespace

HEDDLE_PLUGIN(rows) { rows.push_back({.collective = heddle::Collective::broadcast, .name = "tell_all", .run = tell_all}); }
