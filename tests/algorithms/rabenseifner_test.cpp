// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <utility>
#include <vector>

#include "algorithms/families/rabenseifner.hpp"
#include "tests/algorithms/thread_communicator.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("rabenseifner among four takes the explainer's steps") {
  // Explainer 01 (Lu) App. B.2, with v_{i,k} = 10^i at place k, so that a digit of a sum counts one rank's contribution. Step 1
  // halves with the neighbour, step 2 with the partner at distance 2, then the same backwards with complete sums S = 1111. The
  // explainer has ranks 1 and 3 keep each other's quarter; everything else is as printed there.
  testing::ThreadWorld world(4);
  std::vector<std::vector<int>> results(4);
  world.run([&](Communicator& comm) {
    const int powers[] = {1, 10, 100, 1000};
    std::vector<int> v(4, powers[comm.rank().value()]);
    allreduce::rabenseifner(comm, v, ReduceOp::sum());
    results[static_cast<std::size_t>(comm.rank().value())] = v;
  });
  for (const auto& result : results) CHECK(result == std::vector(4, 1111));

  std::map<std::pair<int, int>, std::vector<int>> sent;  // (from, to) in two steps each: reduce-scatter, then allgather
  std::map<std::pair<int, int>, std::vector<int>> rounds;
  for (const testing::SentMessage& message : world.sent()) {
    const std::vector<int> data = message.as<int>();
    auto& all = sent[{message.from, message.to}];
    all.insert(all.end(), data.begin(), data.end());
    rounds[{message.from, message.to}].push_back(message.round);
  }
  REQUIRE(sent.size() == 8);
  CHECK(sent[{0, 1}] == std::vector{1, 1, 1111, 1111});
  CHECK(sent[{1, 0}] == std::vector{10, 10, 1111, 1111});
  CHECK(sent[{2, 3}] == std::vector{100, 100, 1111, 1111});
  CHECK(sent[{3, 2}] == std::vector{1000, 1000, 1111, 1111});
  CHECK(sent[{0, 2}] == std::vector{11, 1111});
  CHECK(sent[{2, 0}] == std::vector{1100, 1111});
  CHECK(sent[{1, 3}] == std::vector{11, 1111});
  CHECK(sent[{3, 1}] == std::vector{1100, 1111});
  CHECK(rounds[{0, 1}] == std::vector{1, 4});
  CHECK(rounds[{0, 2}] == std::vector{2, 3});
}

}  // namespace heddle
