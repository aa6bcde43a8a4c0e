// SPDX-License-Identifier: Apache-2.0
// The same algorithms where each rank is a process:
//   heddle launch -n 4 -- real_network          over TCP
//   mpirun -n 4 real_network                    over the MPI that started it
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

#include "algorithms/families/ring.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/ranks/run_rank.hpp"
#include "net/tcp/tcp_transport.hpp"

int main() {
  using namespace heddle;
  const std::unique_ptr<net::Transport> network =
      net::started_by().empty() ? net::open_tcp(net::settings_from_environment()) : net::open_mpi();
  net::run_program(*network, [](Communicator& world) {
    std::vector<std::int64_t> numbers(1000, world.rank().value() + 1);
    allreduce::ring(world, numbers, ReduceOp::sum());
    if (world.rank() == Rank(0))
      std::cout << world.size() << " ranks: " << std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}) << '\n';
  });
}
