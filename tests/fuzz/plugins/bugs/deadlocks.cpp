// SPDX-License-Identifier: Apache-2.0
// Ranks that wait for each other.
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Round the ranks, each sends first: with sends that wait nobody receives.
void all_send_first(Communicator& comm, const Args& args) {
  if (comm.size() > 1) {
    comm.send(next(comm), args.output.slice(0, 0), Tag(1));
    comm.recv(before(comm), args.output.slice(0, 0), Tag(1));
  }
  right_broadcast(comm, args);
}

/// Promises to live with one credit, and has three messages under way before any is awaited, the last of them first.
void three_under_way(Communicator& comm, const Args& args) {
  if (comm.size() > 1) {
    const VectorView nothing = args.output.slice(0, 0);
    std::vector<Request> sends;
    for (int tag = 1; tag <= 3; ++tag) sends.push_back(comm.isend(next(comm), nothing, Tag(tag)));
    for (int tag = 3; tag >= 1; --tag) comm.recv(before(comm), nothing, Tag(tag));
    comm.wait_all(sends);
  }
  right_broadcast(comm, args);
}

void circle_of_three(Communicator& comm, const Args& args) {
  if (comm.size() % 3 == 0) {
    comm.recv(before(comm), args.output.slice(0, 0), Tag(1));
    comm.send(next(comm), args.output.slice(0, 0), Tag(1));
  }
  right_broadcast(comm, args);
}

/// The last rank takes no part in making the communicators.
void split_without_the_last(Communicator& comm, const Args& args) {
  if (comm.size() > 3 && comm.rank() != Rank(comm.size() - 1)) static_cast<void>(comm.split(comm.rank().value() % 2, 0));
  right_broadcast(comm, args);
}

/// One rank has two tasks where others have three.
void tasks_of_another_number(Communicator& comm, const Args& args) {
  const int tasks = comm.rank() == Rank(1) && comm.size() > 2 ? 2 : 3;
  comm.concurrently(tasks, [&](int, Communicator& task) {
    if (task.size() > 1)
      task.sendrecv(next(task), ConstVectorView(args.output).slice(0, 0), before(task), args.output.slice(0, 0));
  });
  right_broadcast(comm, args);
}

void waits_for_itself(Communicator& comm, const Args& args) {
  if (args.root == Rank(comm.size() / 2) && comm.rank() == args.root) comm.recv(comm.rank(), args.output.slice(0, 0), Tag(9));
  right_broadcast(comm, args);
}

/// A receive too many at the rank that is two before the end.
void awaits_one_too_many(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.size() > 4 && comm.rank() == Rank(comm.size() - 2)) comm.recv(Rank(0), args.output.slice(0, 0), Tag(5));
}

}  // namespace

void plant_deadlocks(Rows& rows) {
  plant(rows, Collective::broadcast, "all_send_first", all_send_first);
  rows.push_back({.collective = Collective::broadcast, .name = "three_under_way", .run = three_under_way, .credits = 1});
  plant(rows, Collective::broadcast, "circle_of_three", circle_of_three);
  plant(rows, Collective::broadcast, "split_without_the_last", split_without_the_last);
  plant(rows, Collective::broadcast, "tasks_of_another_number", tasks_of_another_number);
  plant(rows, Collective::broadcast, "waits_for_itself", waits_for_itself);
  plant(rows, Collective::broadcast, "awaits_one_too_many", awaits_one_too_many);
}

}  // namespace heddle::testing::bugs
