// SPDX-License-Identifier: Apache-2.0
// Counts that are wrong by a little, or for some numbers of ranks.
#include <bit>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void even_counts_only(Communicator& comm, const Args& args) {
  broadcast_of(comm, args, args.output.count() & ~std::int64_t{1});
}

/// The last round of a halving is left out where p is a power of two.
void short_at_powers_of_two(Communicator& comm, const Args& args) {
  const bool is_power = std::has_single_bit(static_cast<unsigned>(comm.size()));
  const std::int64_t count = args.output.count();
  broadcast_of(comm, args, is_power && comm.size() > 2 ? count - count / comm.size() : count);
}

void one_too_many_at_sixteen(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  const std::int64_t count = args.output.count();
  if (count > 0 && count % 16 == 0 && comm.rank() != args.root) args.output.data()[args.output.size_bytes()] = std::byte{0x11};
}

/// Ranks for which there is no element take no part, though they need the result.
void idle_without_elements(Communicator& comm, const Args& args) {
  const std::int64_t count = args.output.count();
  from_root(
      comm, args,
      [&](Rank to) {
        if (to.value() < count) comm.send(to, args.output);
      },
      [&] {
        if (comm.rank().value() < count) comm.recv(args.root, args.output);
      });
}

void short_by_one_where_p_divides(Communicator& comm, const Args& args) {
  const std::int64_t count = args.output.count();
  broadcast_of(comm, args, comm.size() > 2 && count > 0 && count % comm.size() == 0 ? count - 1 : count);
}

/// Twice the first half.
void second_half_is_the_first(Communicator& comm, const Args& args) {
  const std::int64_t half = args.output.count() / 2;
  from_root(
      comm, args,
      [&](Rank to) {
        comm.send(to, args.output.slice(0, half));
        comm.send(to, args.output.slice(0, args.output.count() - half));
      },
      [&] {
        comm.recv(args.root, args.output.slice(0, half));
        comm.recv(args.root, args.output.slice(half, args.output.count() - half));
      });
}

/// What the last rank contributes is added twice where p is odd.
void doubled_at_odd_p(Communicator& comm, const Args& args) {
  right_allreduce(comm, args);
  if (comm.size() % 2 == 0 || comm.size() == 1 || args.output.empty()) return;
  Buffer last(args.output.type(), args.output.count());
  const Rank end(comm.size() - 1);
  if (comm.rank() == end)
    for (int r = 0; r < end.value(); ++r) comm.send(Rank(r), args.output);
  else
    comm.recv(end, last.view());
  if (comm.rank() == Rank(0)) comm.reduce_into(args.output, last.view(), *args.op);
}

void left_out_between_powers(Communicator& comm, const Args& args) {
  // Ranks beyond the greatest power of two are forgotten.
  const auto most = static_cast<int>(std::bit_floor(static_cast<unsigned>(comm.size())));
  if (!args.in_place()) comm.copy(args.output, args.input);
  Buffer other(args.output.type(), args.output.count());
  if (comm.rank() == Rank(0)) {
    for (int r = 1; r < most; ++r) {
      comm.recv(Rank(r), other.view());
      comm.reduce_into(args.output, other.view(), *args.op);
    }
  } else if (comm.rank().value() < most) {
    comm.send(Rank(0), args.output);
  }
  Args result = args;
  result.input = args.output;
  result.root = Rank(0);
  right_broadcast(comm, result);
}

}  // namespace

void plant_counts(Rows& rows) {
  plant(rows, Collective::broadcast, "even_counts_only", even_counts_only);
  plant(rows, Collective::broadcast, "short_at_powers_of_two", short_at_powers_of_two);
  plant(rows, Collective::broadcast, "one_too_many_at_sixteen", one_too_many_at_sixteen);
  plant(rows, Collective::broadcast, "idle_without_elements", idle_without_elements);
  plant(rows, Collective::broadcast, "short_by_one_where_p_divides", short_by_one_where_p_divides);
  plant(rows, Collective::broadcast, "second_half_is_the_first", second_half_is_the_first);
  plant(rows, Collective::allreduce, "doubled_at_odd_p", doubled_at_odd_p);
  plant(rows, Collective::allreduce, "left_out_between_powers", left_out_between_powers);
}

}  // namespace heddle::testing::bugs
