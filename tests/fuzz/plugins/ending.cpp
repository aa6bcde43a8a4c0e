// SPDX-License-Identifier: Apache-2.0
// Right, but for one row after the other that ends the process in its own way.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "tests/fuzz/plugins/planted.hpp"

namespace {

using heddle::Communicator;
using heddle::testing::barrier_with;

int deeper(int depth) {
  volatile char frame[512] = {};
  frame[0] = static_cast<char>(depth);
  return depth < 1'000'000'000 ? deeper(depth + 1) + frame[0] : 0;
}

/// A frame that steps over what guards a stack, and has its end alone written.
void step_over() {
  [[maybe_unused]] volatile char frame[200'000];
  frame[0] = 1;
}

void corrupt_heap() {
  const std::unique_ptr<char[]> first(new char[24]);
  std::unique_ptr<char[]> second(new char[2000]);
  std::unique_ptr<char[]> third(new char[2000]);
  volatile char* volatile overrun = second.get();
  for (int i = 1; i <= 16; ++i) overrun[-i] = 0x5a;
  second.reset();
  third.reset();
}

void fail() { throw std::runtime_error("nobody may catch this"); }

void throw_out_of_noexcept() noexcept { fail(); }

}  // namespace

HEDDLE_PLUGIN(rows) {
  rows.push_back(barrier_with("exit_0", [](Communicator&) { std::exit(0); }));
  rows.push_back(barrier_with("quiet_exit_7", [](Communicator&) { _exit(7); }));
  rows.push_back(barrier_with("abort", [](Communicator&) { std::abort(); }));
  rows.push_back(barrier_with("kill", [](Communicator&) { std::raise(SIGKILL); }));
  rows.push_back(barrier_with("null", [](Communicator&) {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }));
  rows.push_back(barrier_with("heap", [](Communicator&) { corrupt_heap(); }));
  rows.push_back(barrier_with("terminate", [](Communicator&) { throw_out_of_noexcept(); }));
  rows.push_back(barrier_with("recursion", [](Communicator&) { deeper(0); }));
  rows.push_back(barrier_with("large_frame", [](Communicator&) { step_over(); }));
}
