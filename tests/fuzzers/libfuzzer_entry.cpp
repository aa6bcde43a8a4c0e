// SPDX-License-Identifier: Apache-2.0
// One target under libFuzzer, which brings main().
#include "tests/fuzzers/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::fuzzers::HEDDLE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
