// SPDX-License-Identifier: Apache-2.0
// A finding as a test.
#pragma once

#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace heddle {

/// Whose rows a test runs.
enum class RowSource : std::uint8_t {
  registry,  ///< heddle's own
  plugin     ///< those of a plugin whose source is part of the test's program
};

/// A Catch2 test that compiles as it stands (link heddle::fuzz) and fails as long as the finding's smallest case does.
std::string catch2_test(const FuzzFinding& finding, RowSource source);

}  // namespace heddle
