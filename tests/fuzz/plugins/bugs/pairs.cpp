// SPDX-License-Identifier: Apache-2.0
// What two ranks of an alltoall send each other, where it is not as much both ways.
#include <algorithm>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Each rank's own block, and one message each way between every two ranks: `receives(r)` and `sends(r)` say which are made,
/// `place(r)` where what comes of rank r is put.
template <class Receives, class Sends, class Place>
void exchange(Communicator& comm, const Args& args, Receives receives, Sends sends, Place place) {
  const int me = comm.rank().value();
  Buffer given(args.input.type(), args.input.count());
  if (!args.input.empty()) comm.copy(given.view(), args.input);
  if (args.blocks.size(me) > 0) comm.copy(args.received.block(args.output, me), args.blocks.block(given.view(), me));
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (r != me && receives(r)) requests.push_back(comm.irecv(Rank(r), place(r)));
  }
  for (int r = 0; r < comm.size(); ++r) {
    if (r != me && sends(r)) requests.push_back(comm.isend(Rank(r), args.blocks.block(given.view(), r)));
  }
  comm.wait_all(requests);
}

bool always(int) { return true; }

/// As much of the output as lies there, where a place is wrong.
VectorView clipped(VectorView vector, std::int64_t first, std::int64_t count) {
  const std::int64_t begin = std::min(first, vector.count());
  return vector.slice(begin, std::min(count, vector.count() - begin));
}

/// Who is sent nothing sends nothing, it thinks.
void receives_where_it_sends(Communicator& comm, const Args& args) {
  exchange(
      comm, args, [&](int r) { return args.blocks.size(r) > 0; }, [&](int r) { return args.blocks.size(r) > 0; },
      [&](int r) { return args.received.block(args.output, r); });
}

/// What comes is as long as what goes, it thinks.
void receives_as_much_as_it_sends(Communicator& comm, const Args& args) {
  exchange(comm, args, always, always,
           [&](int r) { return clipped(args.output, args.received.offset(r), args.blocks.size(r)); });
}

/// Where a block goes from is where it comes to, it thinks.
void displacements_of_the_sender(Communicator& comm, const Args& args) {
  exchange(comm, args, always, always,
           [&](int r) { return clipped(args.output, args.blocks.offset(r), args.received.size(r)); });
}

/// Nothing to send is nothing to do.
void nothing_to_send_is_nothing_to_do(Communicator& comm, const Args& args) {
  if (args.input.empty()) return;
  exchange(
      comm, args, [&](int r) { return args.received.size(r) > 0; }, [&](int r) { return args.blocks.size(r) > 0; },
      [&](int r) { return args.received.block(args.output, r); });
}

/// Two ranks of which one has nothing for the other are no neighbours.
void neighbours_both_ways(Communicator& comm, const Args& args) {
  const auto both = [&](int r) { return args.blocks.size(r) > 0 && args.received.size(r) > 0; };
  exchange(comm, args, both, both, [&](int r) { return args.received.block(args.output, r); });
}

/// Blocks of a root's vector end with the first that is empty, where a later one is not.
void ends_with_an_empty_block(Communicator& comm, const Args& args) {
  if (comm.rank() != args.root) {
    if (!args.output.empty()) comm.recv(args.root, args.in_place() ? args.output : args.output);
    return;
  }
  for (int r = 0; r < comm.size() && args.blocks.offset(r) < args.blocks.count(); ++r) {
    if (args.blocks.size(r) == 0 && r + 1 == comm.size() - 1) break;
    if (Rank(r) != args.root && args.blocks.size(r) > 0) comm.send(Rank(r), args.blocks.block(args.input, r));
  }
  if (!args.in_place() && args.blocks.size(args.root.value()) > 0)
    comm.copy(args.output, args.blocks.block(args.input, args.root.value()));
}

}  // namespace

void plant_pairs(Rows& rows) {
  plant(rows, Collective::alltoall, "receives_where_it_sends", receives_where_it_sends);
  plant(rows, Collective::alltoall, "receives_as_much_as_it_sends", receives_as_much_as_it_sends);
  plant(rows, Collective::alltoall, "displacements_of_the_sender", displacements_of_the_sender);
  plant(rows, Collective::alltoall, "nothing_to_send_is_nothing_to_do", nothing_to_send_is_nothing_to_do);
  plant(rows, Collective::alltoall, "neighbours_both_ways", neighbours_both_ways);
  plant(rows, Collective::scatter, "ends_with_an_empty_block", ends_with_an_empty_block);
}

}  // namespace heddle::testing::bugs
