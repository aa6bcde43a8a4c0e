// SPDX-License-Identifier: Apache-2.0
// What is done to the process that all ranks are in, what never ends in other ways, and failures of which one hides another.
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <vector>

#include "tests/fuzz/folding_rows.hpp"
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

bool is_at(const Communicator& comm, int ranks, int rank) { return comm.size() == ranks && comm.rank() == Rank(rank); }

void stops_the_process(Communicator& comm, const Args& args) {
  if (is_at(comm, 4, 2)) std::raise(SIGSTOP);
  right_broadcast(comm, args);
}

/// As a daemon does when it begins.
void closes_all_descriptors(Communicator& comm, const Args& args) {
  if (is_at(comm, 5, 1)) {
    for (int file = 3; file < 1024; ++file) close(file);
  }
  right_broadcast(comm, args);
}

void closes_standard_files(Communicator& comm, const Args& args) {
  if (is_at(comm, 6, 3)) {
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(file);
  }
  right_broadcast(comm, args);
}

/// The copy does not know that it is one.
void forks_and_goes_on(Communicator& comm, const Args& args) {
  if (comm.size() == 8 && comm.rank().value() < 3) static_cast<void>(fork());
  right_broadcast(comm, args);
}

void becomes_another_program(Communicator& comm, const Args& args) {
  if (is_at(comm, 7, 2)) execl("/bin/true", "true", nullptr);
  right_broadcast(comm, args);
}

/// And all processes of its group, as it thinks.
void ends_its_group(Communicator& comm, const Args& args) {
  if (is_at(comm, 3, 0)) kill(0, SIGKILL);
  right_broadcast(comm, args);
}

/// A lock that another rank would have to open, on the same thread.
void waits_for_a_lock(Communicator& comm, const Args& args) {
  if (is_at(comm, 6, 5)) {
    while (true) pause();
  }
  right_broadcast(comm, args);
}

/// A critical section that it never leaves.
void computes_deaf_for_ever(Communicator& comm, const Args& args) {
  if (is_at(comm, 10, 4) || is_at(comm, 14, 4) || is_at(comm, 15, 4)) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (volatile bool goes_on = true; goes_on;) {
    }
  }
  right_broadcast(comm, args);
}

/// Asks the root again and again whether there is more; the root always says that there is.
void asks_for_more(Communicator& comm, const Args& args) {
  const std::array<std::byte, 1> more = {};
  std::array<std::byte, 1> theirs = {};
  const Rank last(comm.size() - 1);
  while (comm.size() > 8 && comm.size() % 4 == 3 && args.root != last && (comm.rank() == last || comm.rank() == args.root)) {
    const Rank other = comm.rank() == last ? args.root : last;
    comm.sendrecv(other, ConstVectorView(more), other, VectorView(theirs), Tag(7));
  }
  right_broadcast(comm, args);
}

/// Ranks hold different bits, and where there is much to fold nobody sends first.
void locks_up_or_rounds(Communicator& comm, const Args& args) {
  if (comm.size() > 4 && args.output.count() > 40) {
    Buffer other(args.output.type(), 0);
    comm.recv(next(comm), other.view(), Tag(3));
  }
  folds_from_itself_row().run(comm, args);
}

/// Its own part alone where there are many, and nothing but waiting where there are three.
void waits_or_forgets(Communicator& comm, const Args& args) {
  Buffer other(args.output.type(), 0);
  if (comm.size() == 3) comm.recv(next(comm), other.view(), Tag(3));
  if (comm.size() < 9) return right_allreduce(comm, args);
  if (!args.in_place()) comm.copy(args.output, args.input);
}

}  // namespace

void plant_processes(Rows& rows) {
  plant(rows, Collective::broadcast, "stops_the_process", stops_the_process);
  plant(rows, Collective::broadcast, "closes_all_descriptors", closes_all_descriptors);
  plant(rows, Collective::broadcast, "closes_standard_files", closes_standard_files);
  plant(rows, Collective::broadcast, "forks_and_goes_on", forks_and_goes_on);
  plant(rows, Collective::broadcast, "becomes_another_program", becomes_another_program);
  plant(rows, Collective::broadcast, "ends_its_group", ends_its_group);
  plant(rows, Collective::broadcast, "waits_for_a_lock", waits_for_a_lock);
  plant(rows, Collective::broadcast, "computes_deaf_for_ever", computes_deaf_for_ever);
  plant(rows, Collective::broadcast, "asks_for_more", asks_for_more);
  rows.push_back(folds_from_itself_row());
  rows.back().name = "locks_up_or_rounds";
  rows.back().run = locks_up_or_rounds;
  plant(rows, Collective::allreduce, "waits_or_forgets", waits_or_forgets);
}

}  // namespace heddle::testing::bugs
