// SPDX-License-Identifier: Apache-2.0
// Right algorithms in unusual ways. Fuzzing must find nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "heddle/plugin.hpp"

using namespace heddle;

namespace {

using Args = CollectiveArguments;

VectorView block_of(const Args& args, int b) { return args.blocks.block(args.output, b); }

/// A plan for each size, root and rank, kept for good.
std::vector<int> children_of(int ranks, int root, int rank) {
  static std::mutex mutex;
  static std::map<std::tuple<int, int, int>, std::vector<int>> plans;
  const std::lock_guard lock(mutex);
  const auto [plan, is_new] = plans.try_emplace({ranks, root, rank});
  if (is_new) {
    const int place = (rank - root + ranks) % ranks;
    for (int child : {2 * place + 1, 2 * place + 2}) {
      if (child < ranks) plan->second.push_back((child + root) % ranks);
    }
  }
  return plan->second;
}

void cached_tree(Communicator& comm, const Args& args) {
  const int p = comm.size();
  const int place = (comm.rank().value() - args.root.value() + p) % p;
  if (place == 0 && !args.in_place()) comm.copy(args.output, args.input);
  if (place > 0) comm.recv(Rank(((place - 1) / 2 + args.root.value()) % p), args.output);
  std::vector<Request> sends;
  for (const int child : children_of(p, args.root.value(), comm.rank().value()))
    sends.push_back(comm.isend(Rank(child), args.output));
  comm.wait_all(sends);
}

/// 24 KiB of a stack of 64.
void large_frame(Communicator& comm, const Args& args) {
  std::array<std::byte, 24 * 1024> frame;
  frame.back() = std::byte{1};
  volatile std::byte kept = frame.back();
  static_cast<void>(kept);
  find_algorithm(Collective::allgather, "ring").run(comm, args);
}

/// Each half by a task of its own.
void halves_by_tasks(Communicator& comm, const Args& args) {
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  const std::int64_t half = args.output.count() / 2;
  comm.concurrently(2, [&](int task, Communicator& own) {
    Args part = args;
    part.output = task == 0 ? args.output.slice(0, half) : args.output.slice(half, args.output.count() - half);
    part.input = own.rank() == args.root ? ConstVectorView(part.output) : ConstVectorView();
    find_algorithm(Collective::broadcast, task == 0 ? "chain" : "binomial_doubling").run(own, part);
  });
}

/// Whoever comes first, by who it was, on a communicator of this call: no other call's messages come there.
void in_order_of_arrival(Communicator& all, const Args& args) {
  const auto of_this_call = all.split(0, all.rank().value());
  Communicator& comm = *of_this_call;
  if (comm.rank() != args.root) return comm.send(args.root, args.input);
  const int me = comm.rank().value();
  if (!args.in_place()) comm.copy(block_of(args, me), args.input);
  Buffer block(args.output.type(), args.blocks.longest());
  for (int i = 1; i < comm.size(); ++i) {
    const Status from = comm.recv(kAnySource, block.view());
    comm.copy(block_of(args, from.peer.value()), block.view().slice(0, from.count));
  }
}

/// Even ranks, odd ranks, and those who are first there.
void by_halves_of_the_ranks(Communicator& comm, const Args& args) {
  const auto same = comm.split(comm.rank().value() % 2, comm.rank().value());
  const auto first = comm.split(same->rank() == Rank(0) ? 0 : -1, comm.rank().value());
  if (!args.in_place()) comm.copy(args.output, args.input);
  const auto reduce = [&](Communicator& who) {
    Args own = args;
    own.input = args.output;
    find_algorithm(Collective::allreduce, "recursive_doubling").run(who, own);
  };
  reduce(*same);
  if (first != nullptr) reduce(*first);
  Args down = args;
  down.root = Rank(0);
  down.input = same->rank() == Rank(0) ? ConstVectorView(args.output) : ConstVectorView();
  find_algorithm(Collective::broadcast, "binomial_halving").run(*same, down);
}

/// Its own block is a message like the others.
void blocks_to_oneself(Communicator& comm, const Args& args) {
  Buffer own(args.output.type(), args.blocks.size(comm.rank().value()));
  const ConstVectorView input = args.in_place() ? ConstVectorView(block_of(args, comm.rank().value())) : args.input;
  comm.copy(own.view(), input);
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) requests.push_back(comm.irecv(Rank(r), block_of(args, r)));
  for (int r = 0; r < comm.size(); ++r) requests.push_back(comm.isend(Rank(r), own.view()));
  comm.wait_all(requests);
}

/// A vector of vectors, thrown away at each call; contributions from rank 0 upwards.
void scratch_of_vectors(Communicator& comm, const Args& args) {
  const std::size_t bytes = args.input.size_bytes();
  if (comm.rank() != args.root) return comm.send(args.root, args.input);
  std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(comm.size()), std::vector<std::byte>(bytes));
  const auto view = [&](int r) {
    return VectorView(all[static_cast<std::size_t>(r)].data(), args.input.count(), args.input.type());
  };
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) == args.root)
      comm.copy(view(r), args.input);
    else
      comm.recv(Rank(r), view(r));
  }
  for (int r = 1; r < comm.size(); ++r) comm.reduce_into(view(0), view(r), *args.op);
  comm.copy(args.output, view(0));
}

/// Every second byte in a message of its own kind.
void pieces_of_pieces(Communicator& comm, const Args& args) {
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  const std::int64_t count = args.output.count();
  std::vector<VectorView> pieces;
  for (std::int64_t first = 0; first < count; first += 3)
    pieces.push_back(args.output.slice(first, std::min<std::int64_t>(3, count - first)));
  const std::vector<ConstVectorView> sent(pieces.begin(), pieces.end());
  if (comm.rank() != args.root) return static_cast<void>(comm.wait(comm.irecv(args.root, pieces)));
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) != args.root) comm.wait(comm.isend(Rank(r), sent));
  }
}

/// Tokens go round twice, by tags that are never used twice in a call.
void tokens_go_round(Communicator& comm, const Args&) {
  const int p = comm.size();
  const Rank next((comm.rank().value() + 1) % p);
  const Rank before((comm.rank().value() + p - 1) % p);
  for (int round = 0; round < 2 && p > 1; ++round) {
    const Tag tag(1000 + round);
    if (comm.rank() != Rank(0)) comm.recv(before, VectorView(), tag);
    comm.send(next, ConstVectorView(), tag);
    if (comm.rank() == Rank(0)) comm.recv(before, VectorView(), tag);
  }
}

/// Plans of the communicator, by all that they depend on.
void plans_with_their_keys(Communicator& comm, const Args& args) {
  const auto order = comm.shared_plan<std::vector<int>>("order from " + std::to_string(args.root.value()), [&] {
    std::vector<int> ranks;
    for (int i = 0; i < comm.size(); ++i) ranks.push_back((args.root.value() + i) % comm.size());
    return ranks;
  });
  for (const int r : *order) {
    if (comm.rank() == args.root && Rank(r) != args.root) comm.send(Rank(r), args.blocks.block(args.input, r));
  }
  if (comm.rank() != args.root) return static_cast<void>(comm.recv(args.root, args.output));
  if (!args.in_place()) comm.copy(args.output, args.blocks.block(args.input, args.root.value()));
}

/// The arithmetic is its own where elements are integers of 32 or 64 bits and are added; contributions from rank 0 upwards.
void sums_by_hand(Communicator& comm, const Args& args) {
  if (comm.rank() != args.root) return comm.send(args.root, args.input);
  Buffer sum(args.input.type(), args.input.count());
  Buffer incoming(args.input.type(), args.input.count());
  for (int r = 0; r < comm.size(); ++r) {
    const VectorView into = r == 0 ? sum.view() : incoming.view();
    if (Rank(r) == args.root)
      comm.copy(into, args.input);
    else
      comm.recv(Rank(r), into);
    if (r == 0) continue;
    const auto add = [&]<class T>(std::type_identity<T>) {
      for (std::size_t i = 0; i < into.as<T>().size(); ++i) sum.view().as<T>()[i] += into.as<T>()[i];
    };
    if (args.op->name() == "sum" && into.type() == Datatype::i32())
      add(std::type_identity<std::uint32_t>());
    else if (args.op->name() == "sum" && into.type() == Datatype::i64())
      add(std::type_identity<std::uint64_t>());
    else
      comm.reduce_into(sum.view(), into, *args.op);
  }
  comm.copy(args.output, sum.view());
}

/// One vector is sent to all at once, and read meanwhile; messages to oneself are asked for before they are sent.
void sends_of_one_buffer(Communicator& comm, const Args& args) {
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  Buffer own(args.output.type(), args.output.count());
  if (comm.rank() != args.root) {
    comm.recv(args.root, args.output);
  } else {
    std::vector<Request> requests = {comm.irecv(comm.rank(), own.view(), Tag(1))};
    for (int r = 0; r < comm.size(); ++r)
      requests.push_back(comm.isend(Rank(r), args.output, Tag(Rank(r) == args.root ? 1 : 0)));
    Buffer read(args.output.type(), args.output.count());
    comm.copy(read.view(), args.output);
    comm.wait_all(requests);
    comm.copy(args.output, own.view());
  }
}

/// What comes is combined in a scratch that is longer than needed; sums, data and scratch are one piece of memory in three parts.
void three_parts_of_one_buffer(Communicator& comm, const Args& args) {
  const std::int64_t count = args.output.count();
  const int p = comm.size();
  Buffer all(args.output.type(), 4 * count);
  const VectorView sums = all.view().slice(0, count);
  const VectorView own = all.view().slice(count, count);
  comm.copy(sums, args.in_place() ? ConstVectorView(args.output) : args.input);
  comm.copy(own, sums);
  comm.exchange(p - 1, {args.op, all.view().slice(2 * count, 2 * count)}, [=, r = comm.rank().value()](int i) {
    return Round{Rank((r + i + 1) % p), own, Rank((r + p - i - 1) % p), sums};
  });
  comm.copy(args.output, sums);
}

/// In segments that stand for half a kilobyte, whatever a byte stands for.
void segments_of_what_is_charged(Communicator& comm, const Args& args) {
  const double held = 512 / comm.byte_scale() / static_cast<double>(args.output.type().size());
  const std::int64_t piece = std::max<std::int64_t>(1, std::llround(held));
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  for (std::int64_t first = 0; first < args.output.count(); first += piece) {
    const VectorView part = args.output.slice(first, std::min(piece, args.output.count() - first));
    if (comm.rank() != args.root) comm.recv(args.root, part);
    for (int r = 0; comm.rank() == args.root && r < comm.size(); ++r) {
      if (Rank(r) != args.root) comm.send(Rank(r), part);
    }
  }
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  const auto add = [&rows](Collective collective, const char* name, CollectiveFunction run) {
    rows.push_back({.collective = collective, .name = name, .run = std::move(run)});
  };
  add(Collective::broadcast, "cached_tree", cached_tree);
  add(Collective::allgather, "large_frame", large_frame);
  add(Collective::broadcast, "halves_by_tasks", halves_by_tasks);
  add(Collective::gather, "in_order_of_arrival", in_order_of_arrival);
  rows.push_back({.collective = Collective::allreduce,
                  .name = "by_halves_of_the_ranks",
                  .needs = {.commutative = true},
                  .run = by_halves_of_the_ranks});
  add(Collective::allgather, "blocks_to_oneself", blocks_to_oneself);
  add(Collective::reduce, "scratch_of_vectors", scratch_of_vectors);
  add(Collective::broadcast, "pieces_of_pieces", pieces_of_pieces);
  add(Collective::barrier, "tokens_go_round", tokens_go_round);
  add(Collective::scatter, "plans_with_their_keys", plans_with_their_keys);
  add(Collective::reduce, "sums_by_hand", sums_by_hand);
  add(Collective::broadcast, "sends_of_one_buffer", sends_of_one_buffer);
  rows.push_back({.collective = Collective::allreduce,
                  .name = "three_parts_of_one_buffer",
                  .needs = {.commutative = true},
                  .run = three_parts_of_one_buffer,
                  .same_bits = false});
  // Of elements that are a power of two of bytes, up to 16 of them.
  rows.push_back({.collective = Collective::broadcast,
                  .name = "segments_of_what_is_charged",
                  .needs = {.more = "elements of 2, 4 or 8 bytes",
                            .has_more =
                                [](const Shape& shape) {
                                  const std::int64_t each = shape.count > 0 ? shape.bytes / shape.count : 2;
                                  return each == 2 || each == 4 || each == 8;
                                }},
                  .block_count = [](const Shape& shape) { return std::max<std::int64_t>(1, shape.bytes / 512); },
                  .run = segments_of_what_is_charged,
                  .independent_of_size = true});
}
