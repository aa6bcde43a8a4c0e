// SPDX-License-Identifier: Apache-2.0
// Right, but not the same way each time; or wrong at the third call of a process alone.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>

#include "tests/fuzz/plugins/planted.hpp"

namespace {

using heddle::Communicator;
using heddle::Rank;
using heddle::testing::barrier_with;

/// Rank 1 tells rank 2 one number or two, who takes either.
void tell(Communicator& comm, bool both) {
  std::array<int, 2> numbers = {};
  if (comm.rank() == Rank(1)) comm.send(Rank(2), heddle::VectorView(numbers).slice(0, both ? 2 : 1));
  if (comm.rank() == Rank(2)) comm.recv(Rank(1), heddle::VectorView(numbers));
}

heddle::Algorithm barrier_that_tells(const char* name, bool (*both)()) {
  return {.collective = heddle::Collective::barrier,
          .name = name,
          .run = [both](Communicator& comm, const heddle::CollectiveArguments& arguments) {
            if (comm.size() >= 3) tell(comm, comm.rank() == Rank(1) && both());
            heddle::find_algorithm(heddle::Collective::barrier, "dissemination").run(comm, arguments);
          }};
}

int calls = 0;

/// From where the heap was when the plugin was loaded. Each call keeps a block: so many calls are far from there.
bool is_far() {
  static constexpr std::ptrdiff_t kFar = std::ptrdiff_t{4} << 20;
  static const std::unique_ptr<char[]>& begin = *new std::unique_ptr<char[]>(new char[50'000]);
  auto* const kept = new char[50'000];
  volatile char* const here = kept;
  return here - begin.get() > kFar;
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  rows.push_back(barrier_that_tells("by_chance", [] { return std::random_device()() % 2 == 0; }));
  rows.push_back(
      barrier_that_tells("by_time", [] { return std::chrono::steady_clock::now().time_since_epoch().count() / 64 % 2 == 0; }));
  rows.push_back(barrier_that_tells("by_address", [] {
    const std::unique_ptr<int> somewhere = std::make_unique<int>();
    return reinterpret_cast<std::uintptr_t>(somewhere.get()) / 32 % 2 == 0;
  }));
  is_far();
  rows.push_back(barrier_with("by_place", [](Communicator&) {
    if (is_far()) throw std::runtime_error("too far from where the heap began");
  }));
  rows.push_back(barrier_with("by_earlier_calls", [](Communicator&) {
    if (++calls == 200) throw std::runtime_error("the two hundredth call of this process");
  }));
}
