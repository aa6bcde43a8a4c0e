// SPDX-License-Identifier: Apache-2.0
// Requests, tasks, promises: what a rank may not do, or does not do as it says.
#include <cstddef>
#include <span>
#include <thread>
#include <vector>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void not_waited_for(Communicator& comm, const Args& args) {
  from_root(
      comm, args,
      [&](Rank to) {
        const Request sent = comm.isend(to, args.output);
        if (to != Rank(comm.size() - 1) || comm.size() < 4) comm.wait(sent);
      },
      [&] { comm.recv(args.root, args.output); });
}

void waited_for_twice(Communicator& comm, const Args& args) {
  from_root(
      comm, args,
      [&](Rank to) {
        const Request sent = comm.isend(to, args.output);
        comm.wait(sent);
        if (comm.size() == 4) comm.wait(sent);
      },
      [&] { comm.recv(args.root, args.output); });
}

/// Two messages into one place, of which the second is wanted.
void receives_that_overlap(Communicator& comm, const Args& args) {
  from_root(
      comm, args,
      [&](Rank to) {
        comm.wait_all({comm.isend(to, args.output), comm.isend(to, args.output)});
      },
      [&] {
        comm.wait_all({comm.irecv(args.root, args.output), comm.irecv(args.root, args.output)});
      });
}

/// Asks for one element more than is sent, and takes it for there.
void asks_for_more_than_comes(Communicator& comm, const Args& args) {
  const std::int64_t count = args.output.count();
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output.slice(0, count - (count > 2 ? 1 : 0))); },
      [&] { comm.recv(args.root, args.output); });
}

void receive_too_short(Communicator& comm, const Args& args) {
  const std::int64_t count = args.output.count();
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output); },
      [&] { comm.recv(args.root, args.output.slice(0, count - (count > 32 ? 1 : 0))); });
}

void sends_to_rank_p(Communicator& comm, const Args& args) {
  if (comm.size() > 2 && comm.rank() == Rank(comm.size() - 1)) comm.send(Rank(comm.size()), args.output.slice(0, 0));
  right_broadcast(comm, args);
}

/// A task uses the communicator that its rank has.
void communicator_of_the_rank(Communicator& comm, const Args& args) {
  comm.concurrently(2, [&](int task, Communicator& own) {
    if (task == 0 && own.size() > 1)
      comm.sendrecv(next(comm), ConstVectorView(args.output).slice(0, 0), before(comm), args.output.slice(0, 0));
  });
  right_broadcast(comm, args);
}

/// A thread of one's own sends.
void thread_of_its_own(Communicator& comm, const Args& args) {
  if (comm.size() > 1 && comm.rank() == args.root) {
    std::jthread thread([&] {
      try {
        static_cast<void>(comm.wait(comm.isend(comm.rank(), args.output.slice(0, 0), Tag(4))));
      } catch (const std::exception&) {
      }
    });
  }
  right_broadcast(comm, args);
}

/// Two tasks of a rank use one piece of scratch.
void tasks_with_one_scratch(Communicator& comm, const Args& args) {
  Buffer scratch(args.output.type(), args.output.count());
  const std::int64_t half = args.output.count() / 2;
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  comm.concurrently(2, [&](int task, Communicator& own) {
    const VectorView part = task == 0 ? args.output.slice(0, half) : args.output.slice(half, args.output.count() - half);
    if (own.rank() != args.root) {
      own.recv(args.root, scratch.view().slice(0, part.count()));
      own.copy(part, scratch.view().slice(0, part.count()));
      return;
    }
    for (int r = 0; r < own.size(); ++r) {
      if (Rank(r) != args.root) own.send(Rank(r), part);
    }
  });
}

Algorithm with_formulas(const char* name, std::function<int(const Shape&)> rounds,
                        std::function<std::int64_t(const Shape&)> bytes) {
  Algorithm row{.collective = Collective::broadcast, .name = name, .run = [](Communicator& comm, const Args& args) {
                  from_root(
                      comm, args, [&](Rank to) { comm.send(to, args.output); }, [&] { comm.recv(args.root, args.output); });
                }};
  if (rounds != nullptr) row.rounds = {.text = "1", .of = std::move(rounds)};
  if (bytes != nullptr) row.bytes = {.text = "M", .of = std::move(bytes)};
  return row;
}

/// Says of itself that it keeps rank order.
void order_that_is_promised(Communicator& comm, const Args& args) {
  right(Collective::allreduce, args.op->commutative() || comm.size() < 3 ? "recursive_doubling" : "ring", comm, args);
}

/// Beyond 64 elements the second half is thought to come by itself.
void without_a_message(Communicator& comm, const Args& args) {
  if (!args.in_place() && comm.rank() == args.root) comm.copy(args.output, args.input);
  if (comm.size() > 1 && args.output.count() > 64) {
    Args half = args;
    half.output = args.output.slice(0, args.output.count() / 2);
    half.input = half.output;
    return right_broadcast(comm, half);
  }
  right_broadcast(comm, args);
}

/// All to rank 0 and back. What comes there is added up by `add`.
template <class Add>
void by_rank_0(Communicator& comm, const Args& args, Add add) {
  if (!args.in_place()) comm.copy(args.output, args.input);
  if (comm.rank() == Rank(0)) {
    add();
    for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), args.output, Tag(1));
  } else {
    comm.send(Rank(0), args.output);
    comm.recv(Rank(0), args.output, Tag(1));
  }
}

/// A receive into memory that goes with the call.
void receive_left_open(Communicator& comm, const Args& args) {
  Buffer kept(args.output.type(), args.output.count());
  if (comm.size() > 4 && comm.rank() == Rank(0)) static_cast<void>(comm.irecv(Rank(4), kept.view(), Tag(7)));
  right_allreduce(comm, args);
  if (comm.size() > 4 && comm.rank() == Rank(4)) comm.wait(comm.isend(Rank(0), args.output, Tag(7)));
}

/// The order of arrival is taken for that of the ranks.
void whoever_is_first(Communicator& comm, const Args& args) {
  by_rank_0(comm, args, [&] {
    std::vector<Buffer> came;
    std::vector<Request> open;
    for (int r = 1; r < comm.size(); ++r) came.emplace_back(args.output.type(), args.output.count());
    for (int r = 1; r < comm.size(); ++r) open.push_back(comm.irecv(Rank(r), came[static_cast<std::size_t>(r - 1)].view()));
    while (!open.empty()) {
      const auto first = static_cast<std::ptrdiff_t>(comm.wait_any(open));
      comm.reduce_into(args.output, came[static_cast<std::size_t>(first)].view(), *args.op);
      open.erase(open.begin() + first), came.erase(came.begin() + first);
    }
  });
}

/// The message of rank 5 is found, and forgotten.
void found_and_forgotten(Communicator& comm, const Args& args) {
  by_rank_0(comm, args, [&] {
    Buffer came(args.output.type(), args.output.count());
    const VectorView place = came.view();
    for (int r = 1; r < comm.size(); ++r) {
      const TakenMessage found = comm.mprobe(Rank(r), Tag());
      if (r == 5) continue;
      comm.wait(comm.imrecv(found, std::span(&place, 1), {}));
      comm.reduce_into(args.output, place, *args.op);
    }
  });
}

}  // namespace

void plant_requests(Rows& rows) {
  plant(rows, Collective::broadcast, "not_waited_for", not_waited_for);
  plant(rows, Collective::broadcast, "waited_for_twice", waited_for_twice);
  plant(rows, Collective::broadcast, "receives_that_overlap", receives_that_overlap);
  plant(rows, Collective::broadcast, "asks_for_more_than_comes", asks_for_more_than_comes);
  plant(rows, Collective::broadcast, "receive_too_short", receive_too_short);
  plant(rows, Collective::broadcast, "sends_to_rank_p", sends_to_rank_p);
  plant(rows, Collective::broadcast, "communicator_of_the_rank", communicator_of_the_rank);
  plant(rows, Collective::broadcast, "thread_of_its_own", thread_of_its_own);
  plant(rows, Collective::broadcast, "tasks_with_one_scratch", tasks_with_one_scratch);
  rows.push_back(with_formulas(
      "rounds_that_are_promised", [](const Shape& shape) { return shape.ranks > 1 ? 1 : 0; }, nullptr));
  rows.push_back(with_formulas("bytes_that_are_promised", nullptr, [](const Shape& shape) { return shape.bytes; }));
  plant(rows, Collective::allreduce, "order_that_is_promised", order_that_is_promised);
  plant(rows, Collective::broadcast, "without_a_message", without_a_message);
  plant(rows, Collective::allreduce, "receive_left_open", receive_left_open);
  plant(rows, Collective::allreduce, "whoever_is_first", whoever_is_first);
  plant(rows, Collective::allreduce, "found_and_forgotten", found_and_forgotten);
}

}  // namespace heddle::testing::bugs
