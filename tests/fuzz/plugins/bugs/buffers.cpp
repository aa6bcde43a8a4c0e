// SPDX-License-Identifier: Apache-2.0
// Buffers that overlap, are too short, or are used while a request has them.
#include <numeric>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// The whole vector from each rank in place: what comes is combined with what is there.
void in_place(Communicator& comm, const Args& args) {
  if (!args.in_place()) comm.copy(args.output, args.input);
}

/// Makes room for one element in front, by a copy upwards.
void copy_upwards(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  const std::int64_t count = args.output.count();
  if (count < 10 || comm.rank() == args.root) return;
  Buffer room(args.output.type(), count + 1);
  comm.copy(room.view().slice(0, count), args.output);
  comm.copy(room.view().slice(1, count), room.view().slice(0, count));
  comm.copy(args.output, room.view().slice(1, count));
}

/// Two pieces, of which the second begins where the first has its last element, where the count is odd.
void pieces_share_an_element(Communicator& comm, const Args& args) {
  const std::int64_t count = args.output.count();
  const std::int64_t half = count / 2;
  const bool is_odd = count % 2 == 1 && count > 2;
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output.slice(0, count)); },
      [&] {
        const std::vector<VectorView> pieces = {args.output.slice(0, half + (is_odd ? 1 : 0)),
                                                args.output.slice(half, count - half)};
        comm.wait(comm.irecv(args.root, pieces));
      });
}

/// Each sends its contribution round the ring, and adds what comes; the scratch is as long as an even block.
void ring_of_contributions(Communicator& comm, const Args& args, std::int64_t scratch_count) {
  if (!args.op->commutative()) return right_allreduce(comm, args);
  in_place(comm, args);
  const int p = comm.size();
  Buffer own(args.output.type(), args.output.count());
  Buffer scratch(args.output.type(), scratch_count);
  comm.copy(own.view(), args.output);
  const ConstVectorView sent = own.view();
  for (int i = 1; i < p; ++i) {
    const Rank dest((comm.rank().value() + i) % p);
    const Rank source((comm.rank().value() + p - i) % p);
    comm.sendrecv_reduce(dest, std::span(&sent, 1), source, std::span(&args.output, 1), scratch.view(), *args.op);
  }
}

void scratch_for_even_counts(Communicator& comm, const Args& args) {
  ring_of_contributions(comm, args, args.output.count() / 2 * 2);
}

/// With two ranks the contribution is sent from where the sum grows.
void sends_the_sum_that_grows(Communicator& comm, const Args& args) {
  if (comm.size() != 2 || !args.op->commutative()) return right_allreduce(comm, args);
  in_place(comm, args);
  Buffer scratch(args.output.type(), args.output.count());
  const ConstVectorView sent = args.output;
  comm.sendrecv_reduce(next(comm), std::span(&sent, 1), next(comm), std::span(&args.output, 1), scratch.view(), *args.op);
}

/// Reduces while the message is on its way, where there are few elements.
void reduces_before_it_came(Communicator& comm, const Args& args) {
  if (args.output.count() > 16 || comm.size() != 2) return right_allreduce(comm, args);
  in_place(comm, args);
  Buffer own(args.output.type(), args.output.count());
  Buffer incoming(args.output.type(), args.output.count());
  comm.copy(own.view(), args.output);
  const Request receive = comm.irecv(next(comm), incoming.view());
  const Request send = comm.isend(next(comm), own.view());
  comm.reduce_into(args.output, incoming.view(), *args.op, comm.rank() == Rank(0) ? Side::right : Side::left);
  comm.wait_all({receive, send});
}

/// Along a chain, each hop posted before the one before is complete.
void passes_on_what_it_awaits(Communicator& comm, const Args& args) {
  const int p = comm.size();
  const int place = (comm.rank().value() - args.root.value() + p) % p;
  if (place == 0) in_place(comm, args);
  std::vector<Request> requests;
  if (place > 0) requests.push_back(comm.irecv(before(comm), args.output));
  if (place > 0 && p < 4) {
    comm.wait(requests.front());
    requests.clear();
  }
  if (place + 1 < p) requests.push_back(comm.isend(next(comm), args.output));
  comm.wait_all(requests);
}

/// Its own block is a message to itself, sent before it is asked for.
void sends_to_itself_first(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  Buffer own(args.output.type(), args.blocks.size(me));
  comm.copy(own.view(), args.in_place() ? ConstVectorView(args.blocks.block(args.output, me)) : args.input);
  comm.send(comm.rank(), own.view(), Tag(1));
  comm.recv(comm.rank(), args.blocks.block(args.output, me), Tag(1));
  right(Collective::allgather, "ring", comm, {.input = args.output, .output = args.output, .blocks = args.blocks});
}

/// Blocks are as long as the longest.
void longest_block_from_everywhere(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  std::vector<Request> requests;
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, me), args.input);
  for (int r = 0; r < comm.size(); ++r) {
    if (r == me) continue;
    requests.push_back(comm.irecv(Rank(r), args.output.slice(args.blocks.offset(r), args.blocks.longest())));
    requests.push_back(comm.isend(Rank(r), args.blocks.block(args.output, me)));
  }
  comm.wait_all(requests);
}

/// What the plan needs to know, it asks the others.
void plan_that_asks(Communicator& comm, const Args& args) {
  if (comm.size() > 2) {
    comm.shared_plan<int>("asks", [&] {
      comm.send(next(comm), ConstVectorView(), Tag(9));
      return 1;
    });
  }
  right_broadcast(comm, args);
}

}  // namespace

void plant_buffers(Rows& rows) {
  plant(rows, Collective::broadcast, "copy_upwards", copy_upwards);
  plant(rows, Collective::broadcast, "pieces_share_an_element", pieces_share_an_element);
  plant(rows, Collective::allreduce, "scratch_for_even_counts", scratch_for_even_counts);
  plant(rows, Collective::allreduce, "sends_the_sum_that_grows", sends_the_sum_that_grows);
  plant(rows, Collective::allreduce, "reduces_before_it_came", reduces_before_it_came);
  plant(rows, Collective::broadcast, "passes_on_what_it_awaits", passes_on_what_it_awaits);
  plant(rows, Collective::allgather, "sends_to_itself_first", sends_to_itself_first);
  plant(rows, Collective::allgather, "longest_block_from_everywhere", longest_block_from_everywhere);
  plant(rows, Collective::broadcast, "plan_that_asks", plan_that_asks);
}

}  // namespace heddle::testing::bugs
