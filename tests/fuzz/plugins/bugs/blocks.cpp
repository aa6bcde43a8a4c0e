// SPDX-License-Identifier: Apache-2.0
// Blocks: of given sizes, empty, at another place.
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

VectorView block_of(const Args& args, int b) { return args.blocks.block(args.output, b); }

/// Every rank's block goes to every other, one message each.
template <class Skips>
void exchange_blocks(Communicator& comm, const Args& args, Skips skips) {
  const int me = comm.rank().value();
  if (!args.in_place()) comm.copy(block_of(args, me), args.input);
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (r != me) requests.push_back(comm.irecv(Rank(r), block_of(args, r)));
  }
  for (int r = 0; r < comm.size(); ++r) {
    if (r != me && !skips(me)) requests.push_back(comm.isend(Rank(r), block_of(args, me)));
  }
  comm.wait_all(requests);
}

void blocks_cut_evenly(Communicator& comm, const Args& args) {
  Args even = args;
  even.blocks = BlockPartition(args.output.count(), comm.size());
  right(Collective::allgather, "ring", comm, even);
}

void empty_block_not_sent(Communicator& comm, const Args& args) {
  exchange_blocks(comm, args, [&](int b) { return args.blocks.size(b) == 0 && comm.size() > 1; });
}

void empty_block_not_awaited(Communicator& comm, const Args& args) {
  if (comm.rank() != args.root) return comm.send(args.root, args.input);
  for (int r = 0; r < comm.size(); ++r) {
    if (args.blocks.size(r) == 0) continue;
    if (Rank(r) != args.root)
      comm.recv(Rank(r), block_of(args, r));
    else if (!args.in_place())
      comm.copy(block_of(args, r), args.input);
  }
}

/// Out of place a rank's own block goes to the front.
void own_block_in_front(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  const std::int64_t size = args.blocks.size(me);
  if (!args.in_place() && size > 0) comm.copy(args.output.slice(0, size), args.input);
  Args there = args;
  if (args.in_place() || size == 0) return right(Collective::allgather, "ring", comm, there);
  right(Collective::allgather, "ring", comm, there);
  comm.copy(args.output.slice(0, size), args.input);
}

/// Blocks of two neighbours change places where p is a prime number above 4.
void neighbours_swapped(Communicator& comm, const Args& args) {
  right(Collective::allgather, "ring", comm, args);
  const int p = comm.size();
  if (p != 5 && p != 7 && p != 11 && p != 13) return;
  if (args.blocks.size(1) != args.blocks.size(2) || args.blocks.size(1) == 0) return;
  Buffer kept(args.output.type(), args.blocks.size(1));
  comm.copy(kept.view(), block_of(args, 1));
  comm.copy(block_of(args, 1), block_of(args, 2));
  comm.copy(block_of(args, 2), kept.view());
}

/// Each rank sends its neighbour what is meant for the one behind it.
void destinations_shifted(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  const int p = comm.size();
  Buffer sent(args.input.type(), args.input.count());
  comm.copy(sent.view(), args.input);
  std::vector<Request> requests;
  for (int r = 0; r < p; ++r) requests.push_back(comm.irecv(Rank(r), args.received.block(args.output, r)));
  for (int r = 0; r < p; ++r) {
    const int block = p > 3 && args.blocks.all_equal() && r != me ? (r + 1 == me ? (r + 2) % p : (r + 1) % p) : r;
    requests.push_back(comm.isend(Rank(r), args.blocks.block(sent.view(), block)));
  }
  comm.wait_all(requests);
}

/// A scatter that hands out blocks by distance from the root, as if the vector began there.
void blocks_from_the_root(Communicator& comm, const Args& args) {
  const int p = comm.size();
  if (comm.rank() != args.root) {
    comm.recv(args.root, args.output.count() == args.blocks.count() && p > 1 ? args.output : args.output);
    return;
  }
  for (int r = 0; r < p; ++r) {
    const int block = args.blocks.all_equal() ? (r - args.root.value() + p) % p : r;
    if (Rank(r) != args.root) comm.send(Rank(r), args.blocks.block(args.input, block));
  }
  if (!args.in_place()) comm.copy(args.output, args.blocks.block(args.input, args.root.value()));
}

}  // namespace

void plant_blocks(Rows& rows) {
  plant(rows, Collective::allgather, "blocks_cut_evenly", blocks_cut_evenly);
  plant(rows, Collective::allgather, "empty_block_not_sent", empty_block_not_sent);
  plant(rows, Collective::gather, "empty_block_not_awaited", empty_block_not_awaited);
  plant(rows, Collective::allgather, "own_block_in_front", own_block_in_front);
  plant(rows, Collective::allgather, "neighbours_swapped", neighbours_swapped);
  plant(rows, Collective::alltoall, "destinations_shifted", destinations_shifted);
  plant(rows, Collective::scatter, "blocks_from_the_root", blocks_from_the_root);
}

}  // namespace heddle::testing::bugs
