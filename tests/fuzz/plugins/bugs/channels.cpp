// SPDX-License-Identifier: Apache-2.0
// Channels: slices of the vector that go different ways at once.
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// The call on a part of the vector.
Args part_of(const Args& args, std::int64_t offset, std::int64_t count) {
  Args part = args;
  part.output = args.output.slice(offset, count);
  part.input = args.in_place() ? ConstVectorView(part.output) : args.input.slice(offset, count);
  return part;
}

/// Three channels of a third each, rounded down.
void remainder_in_no_channel(Communicator& comm, const Args& args) {
  const std::int64_t third = args.output.count() / 3;
  comm.concurrently(3, [&](int channel, Communicator& task) { right_allreduce(task, part_of(args, channel * third, third)); });
}

/// Both halves by one tag; ranks of odd number ask for the second one first.
void channels_by_one_tag(Communicator& comm, const Args& args) {
  const BlockPartition halves(args.output.count(), 2);
  const int first = comm.rank().value() % 2;
  from_root(
      comm, args,
      [&](Rank to) {
        for (int half = 0; half < 2; ++half) comm.send(to, halves.block(args.output, half));
      },
      [&] {
        for (const int half : {first, 1 - first}) comm.recv(args.root, halves.block(args.output, half));
      });
}

/// The root leaves empty slices out, which the others wait for.
void empty_channel_not_sent(Communicator& comm, const Args& args) {
  const BlockPartition slices(args.output.count(), 4);
  if (args.output.empty()) return;
  from_root(
      comm, args,
      [&](Rank to) {
        for (int channel = 0; channel < 4; ++channel)
          if (slices.size(channel) > 0) comm.send(to, slices.block(args.output, channel), Tag(channel));
      },
      [&] {
        for (int channel = 0; channel < 4; ++channel) comm.recv(args.root, slices.block(args.output, channel), Tag(channel));
      });
}

/// The second ring goes backwards, but the last rank passes on to where it went forwards.
void last_rank_goes_forwards(Communicator& comm, const Args& args) {
  const int p = comm.size();
  const int me = comm.rank().value();
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, me), args.input);
  comm.concurrently(2, [&](int channel, Communicator& task) {
    const int way = channel == 0 || (me == p - 1 && p > 3) ? 1 : p - 1;
    const auto slice = [&](int b) {
      const VectorView block = args.blocks.block(args.output, (b % p + p) % p);
      return BlockPartition(block.count(), 2).block(block, channel);
    };
    for (int round = 0; round + 1 < p; ++round)
      task.sendrecv(Rank((me + way) % p), slice(me - way * round), Rank((me + p - way) % p), slice(me - way * (round + 1)));
  });
}

/// Pairs of ranks hang on the first of the two, which sums up with the other pairs' first ones; what it hears of its own pair is
/// added by `add`.
template <class Add>
void tree_of_pairs(Communicator& comm, const Args& args, const Add& add) {
  const int me = comm.rank().value();
  const bool is_head = me % 2 == 0;
  if (!args.in_place()) comm.copy(args.output, args.input);
  const auto heads = comm.split(is_head ? 0 : -1, me);
  if (!is_head) {
    comm.send(Rank(me - 1), args.output);
    return static_cast<void>(comm.recv(Rank(me - 1), args.output));
  }
  const bool has_other = me + 1 < comm.size();
  Buffer heard(args.output.type(), args.output.count());
  if (has_other) {
    comm.recv(Rank(me + 1), heard.view());
    add(args.output, heard.view());
  }
  Args between = args;
  between.input = args.output;
  right_allreduce(*heads, between);
  if (has_other) comm.send(Rank(me + 1), args.output);
}

/// Of a fourth pair nothing is added.
void chain_forgotten(Communicator& comm, const Args& args) {
  tree_of_pairs(comm, args, [&](VectorView sum, ConstVectorView heard) {
    if (comm.rank().value() != 6) comm.reduce_into(sum, heard, *args.op);
  });
}

/// Where six ranks or more are, the second pair's head adds what it heard twice.
void chain_added_twice(Communicator& comm, const Args& args) {
  tree_of_pairs(comm, args, [&](VectorView sum, ConstVectorView heard) {
    comm.reduce_into(sum, heard, *args.op);
    if (comm.rank().value() == 2 && comm.size() > 5) comm.reduce_into(sum, heard, *args.op);
  });
}

/// Channel c enters at rank c, however many ranks there are.
void entered_at_rank_c(Communicator& comm, const Args& args) {
  const BlockPartition slices(args.output.count(), 4);
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  comm.concurrently(4, [&](int channel, Communicator& task) {
    const Rank hub(channel);
    const VectorView slice = slices.block(args.output, channel);
    if (comm.rank() == args.root && hub != args.root) task.send(hub, slice);
    if (comm.rank() == hub && hub != args.root) task.recv(args.root, slice);
    for (int r = 0; r < comm.size(); ++r) {
      if (Rank(r) == hub || Rank(r) == args.root) continue;
      if (comm.rank() == hub) task.send(Rank(r), slice);
      if (comm.rank() == Rank(r)) task.recv(hub, slice);
    }
  });
}

}  // namespace

void plant_channels(Rows& rows) {
  plant(rows, Collective::allreduce, "remainder_in_no_channel", remainder_in_no_channel);
  plant(rows, Collective::broadcast, "channels_by_one_tag", channels_by_one_tag);
  plant(rows, Collective::broadcast, "empty_channel_not_sent", empty_channel_not_sent);
  plant(rows, Collective::allgather, "last_rank_goes_forwards", last_rank_goes_forwards);
  plant(rows, Collective::allreduce, "chain_forgotten", chain_forgotten);
  plant(rows, Collective::allreduce, "chain_added_twice", chain_added_twice);
  plant(rows, Collective::broadcast, "entered_at_rank_c", entered_at_rank_c);
}

}  // namespace heddle::testing::bugs
