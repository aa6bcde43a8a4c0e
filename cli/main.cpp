// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <iostream>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/process/out_of_memory.hpp"

int main(int argc, char** argv) {
  heddle::prepare_for_no_memory();
  // A run takes and gives back its messages' payloads a million times: memory that is kept need not be cleared by the system
  // each time. A third off the time of a run with large messages.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return heddle::run_command_line(arguments, std::cout, std::cerr);
}
