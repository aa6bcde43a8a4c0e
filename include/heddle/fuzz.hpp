// SPDX-License-Identifier: Apache-2.0
// Draws calls of algorithms, runs each with all checks, and makes what fails as small as it goes (docs/fuzzing.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle {

/// How far to look. The same bounds draw the same cases.
struct FuzzBounds {
  std::uint64_t seed = 1;
  std::int64_t cases = 1000;
  int most_ranks = 64;
  int fault_once_in = 0;      ///< one case in so many has faults (docs/faults.md); 0: none
  bool keep_going = false;    ///< past the first failure: each entry's first of each kind is found
  bool in_processes = false;  ///< of their own: a case that ends its process, or never ends, is found too
};

/// A case that failed, made small.
struct FailedCase {
  std::string line = {};  ///< the arguments of `heddle run` that repeat it
  Failure failure = {};
  std::string test = {};  ///< for Catch2: it fails as long as the case does
};

struct FuzzResults {
  std::vector<FailedCase> failed = {};
  std::string text = {};  ///< each explained, with how to repeat it; or "1000 cases right"

  bool passed() const { return failed.empty(); }
};

/// Fuzzes these entries on all cores; none: heddle's own. An entry needs no more than collective, name and run. Blocks. With
/// in_processes no other thread may run. Throws InputError for bounds out of range and for entries that cannot be drawn.
FuzzResults fuzz(const std::vector<Algorithm>& entries, const FuzzBounds& bounds = {});

/// Runs one case, as FailedCase::line has it, of these entries or heddle's. In this process, throws CheckError if it fails.
void check_case(std::string_view line, const std::vector<Algorithm>& entries = {});

/// The same in a process of its own, for at most a minute: what ends it, or goes on for ever, is a failure too.
void check_case_apart(std::string_view line, const std::vector<Algorithm>& entries = {});

}  // namespace heddle
