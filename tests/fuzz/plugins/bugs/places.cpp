// SPDX-License-Identifier: Apache-2.0
// In place or not, and who is the root.
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void output_of_the_root_forgotten(Communicator& comm, const Args& args) {
  if (comm.rank() != args.root) return static_cast<void>(comm.recv(args.root, args.output));
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) != args.root) comm.send(Rank(r), args.input);
  }
}

/// Adds its own input at the end: in place that is the sum by then.
void own_input_last(Communicator& comm, const Args& args) {
  Args own = args;
  right_allreduce(comm, own);
  if (!args.in_place() || comm.size() < 3 || comm.rank() != Rank(1) || args.output.empty()) return;
  Buffer input(args.output.type(), args.output.count());
  comm.copy(input.view(), args.output);
  comm.reduce_into(args.output, input.view(), *args.op);
}

void rank_0_is_the_root(Communicator& comm, const Args& args) {
  Args at_zero = args;
  at_zero.root = Rank(0);
  if (comm.rank() == args.root && args.root != Rank(0)) at_zero.input = args.input;
  if (comm.rank() == Rank(0) && args.root != Rank(0)) at_zero.input = args.output;
  right_broadcast(comm, at_zero);
}

/// The rank before the root, without going round.
void rank_before_the_root(Communicator& comm, const Args& args) {
  if (comm.size() > 1 && comm.rank() == args.root) comm.send(Rank(args.root.value() - 1), args.output.slice(0, 0), Tag(3));
  if (comm.size() > 1 && comm.rank().value() == args.root.value() - 1) comm.recv(args.root, args.output.slice(0, 0), Tag(3));
  right_broadcast(comm, args);
}

/// The input is scratch, and is put back afterwards.
void input_as_scratch(Communicator& comm, const Args& args) {
  Buffer kept(args.input.type(), args.input.count());
  comm.copy(kept.view(), args.input);
  if (!args.in_place() && !args.input.empty()) {
    auto* const input = const_cast<std::byte*>(args.input.data());
    input[0] ^= std::byte{0xff};
    Args own = args;
    own.input = kept.view();
    right_allreduce(comm, own);
    input[0] ^= std::byte{0xff};
    return;
  }
  right_allreduce(comm, args);
}

void input_changed_for_good(Communicator& comm, const Args& args) {
  right_allreduce(comm, args);
  if (!args.in_place() && comm.rank() == Rank(comm.size() - 1) && !args.input.empty())
    const_cast<std::byte*>(args.input.data())[args.input.size_bytes() - 1] ^= std::byte{1};
}

/// The last rank as the root sends to one rank less.
void last_root_forgets_one(Communicator& comm, const Args& args) {
  const bool is_wrong = comm.size() > 2 && args.root == Rank(comm.size() - 1);
  from_root(
      comm, args,
      [&](Rank to) {
        if (!is_wrong || to != Rank(0)) comm.send(to, args.output);
      },
      [&] {
        if (!is_wrong || comm.rank() != Rank(0)) comm.recv(args.root, args.output);
      });
}

}  // namespace

void plant_places(Rows& rows) {
  plant(rows, Collective::broadcast, "output_of_the_root_forgotten", output_of_the_root_forgotten);
  plant(rows, Collective::allreduce, "own_input_last", own_input_last);
  plant(rows, Collective::broadcast, "rank_0_is_the_root", rank_0_is_the_root);
  plant(rows, Collective::broadcast, "rank_before_the_root", rank_before_the_root);
  plant(rows, Collective::allreduce, "input_as_scratch", input_as_scratch);
  plant(rows, Collective::allreduce, "input_changed_for_good", input_changed_for_good);
  plant(rows, Collective::broadcast, "last_root_forgets_one", last_root_forgets_one);
}

}  // namespace heddle::testing::bugs
