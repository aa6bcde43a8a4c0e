// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "core/units.hpp"

int main() {
  using namespace heddle::literals;
  return heddle::parse_bytes("1MiB") == 1_MiB && heddle::to_string(1_MiB) == "1MiB" ? EXIT_SUCCESS : EXIT_FAILURE;
}
