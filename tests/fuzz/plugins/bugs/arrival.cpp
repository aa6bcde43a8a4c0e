// SPDX-License-Identifier: Apache-2.0
// Right where messages come in the order that was thought of.
#include <array>
#include <stdexcept>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Whoever comes first is rank 0, or the first of the others.
void first_come_first_block(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  if (comm.rank() != args.root) return comm.send(args.root, args.input);
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, me), args.input);
  for (int r = 0; r < comm.size(); ++r) {
    if (r == me) continue;
    const bool has_equal_blocks = args.blocks.all_equal();
    comm.recv(has_equal_blocks ? kAnySource : Rank(r), args.blocks.block(args.output, r));
  }
}

/// Sums as they come, also where the order matters.
void sums_as_they_come(Communicator& comm, const Args& args) {
  if (comm.rank() != args.root) return comm.send(args.root, args.input);
  if (!args.in_place()) comm.copy(args.output, args.input);
  Buffer other(args.output.type(), args.output.count());
  for (int r = 1; r < comm.size(); ++r) {
    comm.recv(kAnySource, other.view());
    comm.reduce_into(args.output, other.view(), *args.op);
  }
}

/// Each sends a value and then the number of its values, by one tag: nobody's second is thought to come before somebody's first.
void second_before_first(Communicator& comm, const Args&) {
  std::array<std::int32_t, 1> word = {0};
  if (comm.rank() != Rank(0)) {
    word[0] = 1;
    comm.send(Rank(0), VectorView(word));
    word[0] = 2;
    comm.send(Rank(0), VectorView(word));
    comm.recv(Rank(0), VectorView(word), Tag(1));
    return;
  }
  for (int part = 1; part <= 2; ++part) {
    for (int r = 1; r < comm.size(); ++r) {
      comm.recv(kAnySource, VectorView(word));
      if (word[0] != part) throw std::runtime_error("a second message overtook another rank's first");
    }
  }
  for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), VectorView(word), Tag(1));
}

/// The last one to report is thought to be the last rank.
void last_to_come_is_the_last_rank(Communicator& comm, const Args& args) {
  std::array<std::int32_t, 1> word = {comm.rank().value()};
  if (comm.rank() == Rank(0)) {
    Status status;
    for (int r = 1; r < comm.size(); ++r) status = comm.recv(kAnySource, VectorView(word));
    if (comm.size() > 1) comm.send(status.peer, VectorView(word), Tag(1));
  } else {
    comm.send(Rank(0), VectorView(word));
    if (comm.rank() == Rank(comm.size() - 1)) comm.recv(Rank(0), VectorView(word), Tag(1));
  }
  right(Collective::barrier, "dissemination", comm, args);
}

}  // namespace

void plant_arrival(Rows& rows) {
  plant(rows, Collective::gather, "first_come_first_block", first_come_first_block);
  plant(rows, Collective::reduce, "sums_as_they_come", sums_as_they_come);
  plant(rows, Collective::barrier, "second_before_first", second_before_first);
  plant(rows, Collective::barrier, "last_to_come_is_the_last_rank", last_to_come_is_the_last_rank);
}

}  // namespace heddle::testing::bugs
