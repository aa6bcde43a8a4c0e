// SPDX-License-Identifier: Apache-2.0
// Streams of messages that are taken for one another.
#include <array>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Both halves by one tag, awaited in the other order.
void halves_by_one_tag(Communicator& comm, const Args& args) {
  const std::int64_t half = args.output.count() / 2;
  const auto front = [&] { return args.output.slice(0, half); };
  const auto back = [&] { return args.output.slice(half, half); };
  from_root(
      comm, args,
      [&](Rank to) {
        comm.wait_all({comm.isend(to, front()), comm.isend(to, back())});
        if (args.output.count() % 2 != 0) comm.send(to, args.output.slice(2 * half, 1));
      },
      [&] {
        comm.wait_all({comm.irecv(args.root, back()), comm.irecv(args.root, front())});
        if (args.output.count() % 2 != 0) comm.recv(args.root, args.output.slice(2 * half, 1));
      });
}

/// A tag for each block, modulo eight: beyond eight ranks a receive from anywhere takes the wrong one.
void tags_modulo_eight(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  if (comm.rank() != args.root) return comm.send(args.root, args.input, Tag(me % 8));
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, me), args.input);
  for (int r = comm.size() - 1; r >= 0; --r) {
    if (r != me) comm.recv(comm.size() > 8 ? kAnySource : Rank(r), args.blocks.block(args.output, r), Tag(r % 8));
  }
}

/// The tag is a rank's own number of the call, and rank 0 does not count its first one.
void tag_is_a_private_count(Communicator& comm, const Args& args) {
  const int tag = static_cast<int>(args.output.count() % 5) + (comm.rank() == Rank(0) && args.output.count() % 5 == 3 ? 1 : 0);
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output, Tag(tag)); }, [&] { comm.recv(args.root, args.output, Tag(tag)); });
}

/// A message too many, which stays for the next call with the same tag.
void left_for_the_next_call(Communicator& comm, const Args& args) {
  from_root(
      comm, args,
      [&](Rank to) {
        comm.send(to, args.output);
        if (to == Rank(comm.size() - 1)) static_cast<void>(comm.wait(comm.isend(to, args.output.slice(0, 0))));
      },
      [&] { comm.recv(args.root, args.output); });
}

/// Requests and grants by one tag.
void grant_taken_for_data(Communicator& comm, const Args& args) {
  std::array<std::int32_t, 1> grant = {7};
  from_root(
      comm, args,
      [&](Rank to) {
        comm.send(to, VectorView(grant));
        comm.send(to, args.output);
      },
      [&] {
        if (comm.rank().value() % 3 == 2) return static_cast<void>(comm.recv(args.root, args.output));
        comm.recv(args.root, VectorView(grant));
        comm.recv(args.root, args.output);
      });
}

}  // namespace

void plant_tags(Rows& rows) {
  plant(rows, Collective::broadcast, "halves_by_one_tag", halves_by_one_tag);
  plant(rows, Collective::gather, "tags_modulo_eight", tags_modulo_eight);
  plant(rows, Collective::broadcast, "tag_is_a_private_count", tag_is_a_private_count);
  plant(rows, Collective::broadcast, "left_for_the_next_call", left_for_the_next_call);
  plant(rows, Collective::broadcast, "grant_taken_for_data", grant_taken_for_data);
}

}  // namespace heddle::testing::bugs
