// SPDX-License-Identifier: Apache-2.0
// A collective of one's own, run on an emulated fabric: each rank's number goes once round the ring, and all add up the same.
#include <array>
#include <heddle/run.hpp>
#include <iostream>
#include <vector>

namespace {

constexpr int kRanks = 5;

std::int64_t sum_round_the_ring(heddle::Communicator& ranks) {
  const heddle::Rank right{(ranks.rank().value() + 1) % ranks.size()};
  const heddle::Rank left{(ranks.rank().value() + ranks.size() - 1) % ranks.size()};
  std::array<std::int64_t, 1> travelling{ranks.rank().value()};
  std::int64_t sum = travelling[0];
  for (int step = 1; step < ranks.size(); ++step) {
    const auto leaving = travelling;
    ranks.sendrecv(right, leaving, left, travelling);
    sum += travelling[0];
  }
  return sum;
}

}  // namespace

int main() {
  std::vector<std::int64_t> sums(kRanks);
  const heddle::Record record = heddle::check({"ring:5"}, [&sums](heddle::Communicator& ranks) {
    sums[static_cast<std::size_t>(ranks.rank().value())] = sum_round_the_ring(ranks);
  });
  std::cout << record.messages << " messages in " << heddle::to_string(record.completion) << '\n';
  const bool right = sums == std::vector<std::int64_t>(kRanks, 0 + 1 + 2 + 3 + 4) && record.messages == kRanks * (kRanks - 1);
  return right ? 0 : 1;
}
