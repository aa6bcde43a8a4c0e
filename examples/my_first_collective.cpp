// SPDX-License-Identifier: Apache-2.0
// Checks an allreduce of your own: heddle calls it on every rank of an emulated torus, compares the result, reports the time.
#include <heddle/run.hpp>
#include <iostream>

using namespace heddle;

/// Everyone sends everything to everyone.
void my_allreduce(Communicator& comm, const CollectiveArguments& args) {
  Buffer mine(args.output.type(), args.output.count());
  comm.copy(mine.view(), args.output);
  Buffer theirs(args.output.type(), args.output.count());
  for (int step = 1; step < comm.size(); ++step) {
    const Rank to((comm.rank().value() + step) % comm.size());
    const Rank from((comm.rank().value() + comm.size() - step) % comm.size());
    comm.sendrecv(to, mine.view(), from, theirs.view());
    comm.reduce_into(args.output, theirs.view(), *args.op);
  }
}

int main() try {
  const Record record = check({"torus:3x3"}, Call{.function = my_allreduce, .count = 1000});
  std::cout << "right, in " << to_string(record.completion) << " and " << record.rounds << " rounds\n";
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
