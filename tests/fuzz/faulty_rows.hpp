// SPDX-License-Identifier: Apache-2.0
// Algorithms with one fault each, as a user might write them. None promises that ranks, who add up in different orders, hold the
// same bits: those that do and should not are in folding_rows.hpp.
#pragma once

#include <functional>

#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle::testing {

/// The rank `steps` after this one, round the ranks.
inline Rank round_the_ranks(const Communicator& comm, int steps) {
  const int p = comm.size();
  return Rank(((comm.rank().value() + steps) % p + p) % p);
}

/// Everyone sends all to everyone: an allreduce that adds up the ranks in the order in which they follow this one, and leaves
/// the sums as `last_step` says.
inline void all_to_all_sums(Communicator& comm, const CollectiveArguments& args, const std::function<int(int p)>& last_step) {
  if (!args.in_place()) comm.copy(args.output, args.input);
  Buffer mine(args.output.type(), args.output.count());
  Buffer theirs(args.output.type(), args.output.count());
  comm.copy(mine.view(), args.output);
  for (int step = 1; step <= last_step(comm.size()); ++step) {
    comm.sendrecv(round_the_ranks(comm, step), mine.view(), round_the_ranks(comm, -step), theirs.view());
    comm.reduce_into(args.output, theirs.view(), *args.op);
  }
}

/// Right where the operation commutes, and says that it need not.
inline Algorithm out_of_order_row() {
  return {.name = "out_of_order",
          .run = [](Communicator& comm,
                    const CollectiveArguments& args) { all_to_all_sums(comm, args, [](int p) { return p - 1; }); },
          .same_bits = false};
}

/// The same with what it needs.
inline Algorithm right_row() {
  Algorithm row = out_of_order_row();
  row.name = "right";
  row.needs.commutative = true;
  return row;
}

/// Leaves out the last rank where p is odd and more than 3.
inline Algorithm forgetful_row() {
  return {.name = "forgetful",
          .needs = {.commutative = true},
          .run =
              [](Communicator& comm, const CollectiveArguments& args) {
                all_to_all_sums(comm, args, [](int p) { return p % 2 == 1 && p > 3 ? p - 2 : p - 1; });
              },
          .same_bits = false};
}

/// A barrier whose ranks all wait for the one before.
inline Algorithm waiting_row() {
  return {.collective = Collective::barrier, .name = "waiting", .run = [](Communicator& comm, const CollectiveArguments&) {
            if (comm.size() == 1) return;
            comm.recv(round_the_ranks(comm, -1), VectorView());
            comm.send(round_the_ranks(comm, 1), ConstVectorView());
          }};
}

/// Sends within a grid's rows of more than two alone.
inline Algorithm wide_grid_row() {
  return {.name = "wide_grid",
          .needs = {.commutative = true, .grid = true},
          .run =
              [](Communicator& comm, const CollectiveArguments& args) {
                const bool is_wide = comm.grid() != nullptr && comm.grid()->dims().size() == 2;
                all_to_all_sums(comm, args, [is_wide](int p) { return is_wide ? 0 : p - 1; });
              },
          .same_bits = false};
}

/// Promises a round less than it takes.
inline Algorithm boastful_row() {
  Algorithm row = right_row();
  row.name = "boastful";
  row.rounds = {"p-2", [](const Shape& shape) { return shape.ranks < 3 ? shape.ranks - 1 : shape.ranks - 2; }};
  row.block_count = [](const Shape&) { return std::int64_t{1}; };
  return row;
}

}  // namespace heddle::testing
