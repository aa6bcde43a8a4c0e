// SPDX-License-Identifier: Apache-2.0
// Fuzzes an allgather of your own: heddle draws ranks, counts, types and fabrics until it is wrong, and makes that call small.
#include <heddle/fuzz.hpp>
#include <iostream>

using namespace heddle;

/// Blocks go round the ring. It takes it for granted that all of them are as long as rank 0's.
void my_allgather(Communicator& comm, const CollectiveArguments& args) {
  const int p = comm.size();
  const int me = comm.rank().value();
  if (!args.in_place()) comm.copy(args.blocks.block(args.output, me), args.input);
  const auto block = [&](int of) { return args.output.slice(args.blocks.offset(of % p), args.blocks.size(0)); };
  for (int step = 0; step < p - 1; ++step)
    comm.sendrecv(Rank((me + 1) % p), block(me + p - step), Rank((me + p - 1) % p), block(me + p - step - 1));
}

int main() try {
  const FuzzResults results = fuzz({{.collective = Collective::allgather, .name = "mine", .run = my_allgather}});
  std::cout << results.text;
  return results.passed() ? 0 : 1;
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
