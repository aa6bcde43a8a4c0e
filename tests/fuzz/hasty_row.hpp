// SPDX-License-Identifier: Apache-2.0
// An algorithm with an ordering bug.
#pragma once

#include "heddle/registry.hpp"

namespace heddle::testing {

/// A gather in two halves. The root takes both as they come and by one tag: right unless somebody's second half overtakes
/// somebody's first. A root other than rank 0 asks each by name.
inline void hasty_gather(Communicator& comm, const CollectiveArguments& args) {
  if (comm.rank() != args.root) {
    const std::int64_t half = args.input.count() / 2;
    comm.send(args.root, args.input.slice(0, half));
    comm.send(args.root, args.input.slice(half, args.input.count() - half));
    return;
  }
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, comm.rank().value()), args.input);
  const std::int64_t block = args.output.count() / comm.size();
  Buffer part(args.output.type(), block - block / 2);
  for (const bool is_second : {false, true}) {
    const std::int64_t first = is_second ? block / 2 : 0;
    const std::int64_t count = is_second ? block - block / 2 : block / 2;
    for (int i = 0; i < comm.size(); ++i) {
      if (Rank(i) == args.root) continue;
      const Status from = comm.recv(args.root == Rank(0) ? kAnySource : Rank(i), part.view());
      comm.copy(args.blocks.block(args.output, from.peer.value()).slice(first, count), part.view().slice(0, count));
    }
  }
}

inline Algorithm hasty_row() {
  Algorithm row{.collective = Collective::gather, .name = "hasty", .run = hasty_gather};
  row.needs.more = "blocks of one size";
  row.needs.has_more = [](const Shape& shape) { return shape.equal_blocks && shape.count % shape.ranks == 0; };
  return row;
}

}  // namespace heddle::testing
