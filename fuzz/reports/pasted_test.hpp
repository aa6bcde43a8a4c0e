// SPDX-License-Identifier: Apache-2.0
// A finding as a test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace heddle {

/// Whose rows a test runs.
enum class RowSource : std::uint8_t {
  registry,  ///< heddle's own
  plugin     ///< those of a plugin whose source is part of the test's program
};

/// Which framework runs it.
enum class TestStyle : std::uint8_t {
  catch2_v2,
  catch2_v3,
  googletest,
  plain  ///< a program of its own: exit status 1, with the explanation on standard error
};

/// Reads "catch2-v2", "catch2-v3", "googletest" or "plain". Throws InputError for another word.
TestStyle parse_test_style(std::string_view name);

/// A test that compiles as it stands (link heddle::heddle) and fails as long as the finding's smallest case does: also one that ends its
/// process, or never ends, which it runs in a process of its own.
std::string pasted_test(const FuzzFinding& finding, RowSource source, TestStyle style);

}  // namespace heddle
