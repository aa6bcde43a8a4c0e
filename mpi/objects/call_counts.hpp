// SPDX-License-Identifier: Apache-2.0
// How often ranks called which function on which communicator, by which algorithm, and how long it took them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/units.hpp"

namespace heddle::mpi {

/// Of one rank.
struct CallCount {
  std::string communicator = {};  ///< its name; empty: it has none
  std::vector<int> members = {};  ///< of the communicator, in the world; none: the call is on none
  std::int64_t calls = 0;
  Time time = {};                         ///< in all of them
  std::set<std::string> algorithms = {};  ///< of heddle's, that served them
};

/// By the communicator's number, which all its ranks have alike (0: none), and the function.
using CallCounts = std::map<std::pair<std::uint64_t, std::string_view>, CallCount>;

/// Of all ranks together.
struct CountedCalls {
  std::string communicator = {};  ///< its name, or "ranks 0, 2, 4"; empty: these calls are on none
  int ranks = 0;
  std::string function = {};
  std::string algorithms = {};  ///< with commas; empty: none of heddle's
  std::int64_t calls = 0;
  Time longest = {};  ///< of the rank that was longest in them
};

/// Adds a rank's to those of others.
void add_counts(CallCounts& all, const CallCounts& of_rank);
/// What communicates: what took time, sent or received, or ran an algorithm. By communicator and function; the world first, then by members.
std::vector<CountedCalls> counted_calls(const CallCounts& all);

}  // namespace heddle::mpi
