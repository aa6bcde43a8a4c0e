// SPDX-License-Identifier: Apache-2.0
// The same algorithms where each rank is a process:
//   heddle launch -n 4 -- real_network          over TCP
//   mpirun -n 4 real_network                    over the MPI that started it
#include <heddle/network.hpp>
#include <heddle/registry.hpp>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
  using namespace heddle;
  run_on_network([](Communicator& world) {
    std::vector<std::int64_t> numbers(1000, world.rank().value() + 1);
    const Algorithm ring = find_algorithm(Collective::allreduce, "ring");
    ring.run(world, {.input = numbers, .output = numbers, .op = &ReduceOp::sum()});
    if (world.rank() == Rank(0))
      std::cout << world.size() << " ranks: " << std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}) << '\n';
  });
}
