// SPDX-License-Identifier: Apache-2.0
// An algorithm of your own in a shared library: heddle fuzz --plugin ./my_plugin.so. What it needs of heddle comes from the
// command that loads it. Two broadcasts along a chain; one of them has a mistake that `heddle fuzz` finds.
#include <algorithm>
#include <heddle/plugin.hpp>

using namespace heddle;

namespace {

/// The rank that is `steps` behind the root, round the ranks.
Rank behind(const Communicator& comm, const CollectiveArguments& args, int steps) {
  return Rank((args.root.value() + steps) % comm.size());
}

/// The vector goes down the chain in pieces, so that links work side by side.
void pass_along(Communicator& comm, const CollectiveArguments& args, std::int64_t piece, std::int64_t pieces) {
  const int p = comm.size();
  const int place = (comm.rank().value() - args.root.value() + p) % p;
  if (place == 0 && !args.in_place()) comm.copy(args.output, args.input);
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t first = i * piece;
    const std::int64_t count = std::min(piece, args.output.count() - first);
    const VectorView part = args.output.slice(first, count);
    if (place > 0) comm.recv(behind(comm, args, place - 1), part);
    if (place < p - 1) comm.send(behind(comm, args, place + 1), part);
  }
}

constexpr std::int64_t kPiece = 64;  // elements

void chain(Communicator& comm, const CollectiveArguments& args) {
  pass_along(comm, args, kPiece, (args.output.count() + kPiece - 1) / kPiece);
}

/// Forgets what is left where the pieces do not divide the vector.
void forgetful_chain(Communicator& comm, const CollectiveArguments& args) {
  pass_along(comm, args, kPiece, args.output.count() / kPiece);
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  rows.push_back({.collective = Collective::broadcast, .name = "my_chain", .run = chain});
  rows.push_back({.collective = Collective::broadcast, .name = "my_forgetful_chain", .run = forgetful_chain});
}
