// SPDX-License-Identifier: Apache-2.0
// Contexts: numbers that keep the messages of one communicator apart from those of all others.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace heddle::emu {

/// 0 is the world's. Not for several threads at once.
class Contexts {
 public:
  /// One call of concurrently(), as the first rank has made it.
  struct Branches {
    std::uint32_t first;  ///< context; each branch has one, in turn
    int tasks;
    int by_rank;  ///< world rank
  };

  std::uint32_t take() { return next_++; }

  /// A rank calls concurrently(tasks, …), for the `call`-th time on communicator `parent`. All ranks must ask for as many tasks
  /// as the first did: the caller compares.
  const Branches& branches(std::uint32_t parent, std::uint32_t call, int tasks, int rank) {
    const auto [place, is_new] = branches_.try_emplace({parent, call}, Branches{next_, tasks, rank});
    if (is_new) next_ += static_cast<std::uint32_t>(tasks);
    return place->second;
  }

 private:
  std::uint32_t next_ = 1;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Branches> branches_;  ///< by context and call
};

}  // namespace heddle::emu
