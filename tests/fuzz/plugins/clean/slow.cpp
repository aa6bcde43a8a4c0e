// SPDX-License-Identifier: Apache-2.0
// Right algorithms that take long, each in its own way. Fuzzing must find nothing: whatever a case is given up after, it is slow.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "heddle/plugin.hpp"

using namespace heddle;

namespace {

using Args = CollectiveArguments;

/// p messages from each rank, all at once: they share links, and the network has much to work out.
void direct(Communicator& comm, const Args& args) {
  const VectorView own = args.blocks.block(args.output, comm.rank().value());
  if (!args.in_place()) comm.copy(own, args.input);
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) != comm.rank()) requests.push_back(comm.irecv(Rank(r), args.blocks.block(args.output, r)));
  }
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) != comm.rank()) requests.push_back(comm.isend(Rank(r), own));
  }
  comm.wait_all(requests);
}

/// A message for each element, one after the other, along a chain.
void element_by_element(Communicator& comm, const Args& args) {
  const int p = comm.size();
  const int place = (comm.rank().value() - args.root.value() + p) % p;
  if (place == 0 && !args.in_place()) comm.copy(args.output, args.input);
  for (std::int64_t i = 0; i < args.output.count(); ++i) {
    if (place > 0) comm.recv(Rank((comm.rank().value() + p - 1) % p), args.output.slice(i, 1));
    if (place < p - 1) comm.send(Rank((comm.rank().value() + 1) % p), args.output.slice(i, 1));
  }
}

/// A token goes round as often as there are ranks, so that time goes on and on.
void many_rounds(Communicator& comm, const Args&) {
  const int p = comm.size();
  for (int round = 0; round < p && p > 1; ++round) {
    if (comm.rank() != Rank(0)) comm.recv(Rank(comm.rank().value() - 1), VectorView(), Tag(1));
    comm.send(Rank((comm.rank().value() + 1) % p), ConstVectorView(), Tag(1));
    if (comm.rank() == Rank(0)) comm.recv(Rank(p - 1), VectorView(), Tag(1));
  }
}

/// Plans for some milliseconds before it sends anything.
void plans_for_long(Communicator& comm, const Args& args) {
  volatile std::uint64_t plan = 1;
  const int steps = comm.rank() == args.root ? 3'000'000 : 0;
  for (int step = 0; step < steps; ++step) plan = plan * 6364136223846793005U + 1442695040888963407U;
  find_algorithm(Collective::broadcast, "binomial_halving").run(comm, args);
}

/// Waits for the machine, and for a helper that it has made.
void has_a_helper(Communicator& comm, const Args& args) {
  if (comm.size() % 5 == 2 && comm.rank() == args.root) {
    usleep(3000);
    const pid_t helper = fork();
    if (helper == 0) _exit(0);
    waitpid(helper, nullptr, 0);
  }
  find_algorithm(Collective::broadcast, "binomial_doubling").run(comm, args);
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  const auto add = [&rows](Collective collective, const char* name, CollectiveFunction run) {
    rows.push_back({.collective = collective, .name = name, .run = std::move(run)});
  };
  add(Collective::allgather, "direct", direct);
  add(Collective::broadcast, "element_by_element", element_by_element);
  add(Collective::barrier, "many_rounds", many_rounds);
  add(Collective::broadcast, "plans_for_long", plans_for_long);
  add(Collective::broadcast, "has_a_helper", has_a_helper);
}
