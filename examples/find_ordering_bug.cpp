// SPDX-License-Identifier: Apache-2.0
// A program that is right in the usual order of events, and wrong in another: exploring finds which. Each rank sends rank 0 the
// largest of its values, then their sum; rank 0 takes them as they come.
#include <algorithm>
#include <heddle/run.hpp>
#include <iostream>
#include <stdexcept>

using namespace heddle;

namespace {

std::int32_t largest_of(Rank rank) { return 10 + rank.value(); }
std::int32_t sum_of(Rank rank) { return 100 * rank.value(); }

void tell_root(Communicator& comm, Tag largest_tag, Tag sum_tag) {
  if (comm.rank() != Rank(0)) {
    std::int32_t mine = largest_of(comm.rank());
    comm.send(Rank(0), std::span(&mine, 1), largest_tag);
    mine = sum_of(comm.rank());
    comm.send(Rank(0), std::span(&mine, 1), sum_tag);
    return;
  }
  std::int32_t largest = largest_of(Rank(0));
  std::int32_t sum = sum_of(Rank(0));
  std::int32_t theirs = 0;
  for (int i = 1; i < comm.size(); ++i) {
    comm.recv(kAnySource, std::span(&theirs, 1), largest_tag);
    largest = std::max(largest, theirs);
  }
  for (int i = 1; i < comm.size(); ++i) {
    comm.recv(kAnySource, std::span(&theirs, 1), sum_tag);
    sum += theirs;
  }
  if (largest != 13 || sum != 600)
    throw std::runtime_error("largest " + std::to_string(largest) + " and sum " + std::to_string(sum) + ", not 13 and 600");
}

/// One tag for both: takes it for granted that nobody's sum comes before somebody's largest.
void hasty(Communicator& comm) { tell_root(comm, Tag(0), Tag(0)); }

void careful(Communicator& comm) { tell_root(comm, Tag(0), Tag(1)); }

}  // namespace

int main() try {
  const Machine machine{"star:4"};
  const Settings explored{.explore = 2};
  std::cout << "hasty, in the usual order: right, in " << to_string(check(machine, hasty).completion) << '\n';
  std::cout << "hasty: " << run(machine, hasty, explored).failure->explanation << '\n';
  std::cout << "careful: " << check(machine, careful, explored).explored << '\n';
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
