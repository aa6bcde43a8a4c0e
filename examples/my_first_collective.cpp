// SPDX-License-Identifier: Apache-2.0
// Checks an allreduce of your own: heddle calls it on every rank of an emulated torus, compares the result, reports the time.
#include <iostream>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "topo/spec/topology_spec.hpp"

using namespace heddle;

/// Everyone sends everything to everyone.
void my_allreduce(Communicator& comm, const CollectiveArguments& args) {
  const Buffer mine = [&] {
    Buffer copy(args.output.type(), args.output.count());
    comm.copy(copy.view(), args.output);
    return copy;
  }();
  Buffer theirs(args.output.type(), args.output.count());
  for (int step = 1; step < comm.size(); ++step) {
    const Rank to((comm.rank().value() + step) % comm.size());
    const Rank from((comm.rank().value() + comm.size() - step) % comm.size());
    comm.sendrecv(to, mine.view(), from, theirs.view());
    comm.reduce_into(args.output, theirs.view(), *args.op);
  }
}

int main() try {
  const Fabric fabric(parse_topology("torus:3x3"), FabricSettings{});
  const Placement ranks = linear_placement(9, fabric.topology());
  const Report report = run_checked(fabric, ranks, {.function = my_allreduce, .name = "mine", .count = 1000, .held = 1000});
  std::cout << "right, in " << to_string(report.completion) << " and " << report.rounds_max() << " rounds\n";
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
