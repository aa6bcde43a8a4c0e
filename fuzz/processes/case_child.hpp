// SPDX-License-Identifier: Apache-2.0
// The side of the child in a process that runs cases (case_process.hpp): it answers requests until its parent has no more.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "fuzz/processes/case_process.hpp"

namespace heddle {

/// Memory that parent and child share: what is in it when the child ends is what it was at.
struct SharedNote {
  static constexpr std::size_t kLongestText = std::size_t{60} * 1024;

  std::atomic<std::uint32_t> length;  ///< 0: no case
  std::atomic<std::uint64_t> done;    ///< cases, whether or not their answers are sent
  std::atomic<std::uint64_t> samples;
  std::atomic<std::uint64_t> turns;
  std::atomic<std::int32_t> rank;  ///< that ran when it was sampled, or when a signal or exit() ended the process; -1: none
  std::atomic<bool> is_out_of_memory;
  std::atomic<bool> has_address;
  std::atomic<std::uint64_t> address;  ///< that a signal was about
  char text[kLongestText];
};

/// The child answers this signal by saying in its note which rank runs.
inline constexpr int kSampling = SIGUSR2;

/// Answers what comes through `socket`; what code under test writes goes to the file `output`. The process ends with the requests,
/// or with `parent`.
[[noreturn]] void serve_cases(const CaseServer& server, int socket, SharedNote& note, int output, pid_t parent);

}  // namespace heddle
