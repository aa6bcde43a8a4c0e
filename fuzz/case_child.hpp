// SPDX-License-Identifier: Apache-2.0
// The side of the child in a process that runs cases (case_process.hpp): it answers requests until its parent has no more.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "fuzz/case_process.hpp"

namespace heddle {

/// Memory that parent and child share: what is in it when the child ends is what it was at.
struct SharedNote {
  static constexpr std::size_t kLongestText = std::size_t{60} * 1024;

  std::atomic<std::uint32_t> length;  ///< 0: no case
  std::atomic<std::size_t> hash;      ///< of its text, which is read while it is written, and which a case may spoil
  std::atomic<std::uint64_t> done;    ///< cases, whether or not their answers are sent
  std::atomic<bool> can_be_sampled;   ///< before, the signal would end it
  std::atomic<std::uint64_t> samples;
  std::atomic<std::uint64_t> slices;       ///< of ranks, in this case
  std::atomic<std::int64_t> emulated_ps;   ///< time in the run
  std::atomic<bool> in_task;               ///< a rank's code ran when it was sampled
  std::atomic<std::int32_t> sampled_rank;  ///< that ran when it was sampled; -1: none
  std::atomic<std::int32_t> rank;          ///< that ran when a signal or exit() ended the process; -1: none
  std::atomic<bool> has_exited;            ///< by exit()
  std::atomic<bool> is_deaf;               ///< the case has closed the descriptor through which the process is asked
  std::atomic<std::uint32_t> copies;       ///< of the process, that the case has made by fork()
  std::atomic<std::int32_t> copied_by;     ///< the rank that ran then; -1: none
  std::atomic<bool> copy_went_on;          ///< a copy has run the case to its end
  static constexpr std::uint32_t kMostCopies = 64;
  std::atomic<std::int32_t> copy_pids[kMostCopies];
  std::atomic<bool> is_out_of_memory;
  std::atomic<bool> has_address;
  std::atomic<std::uint64_t> address;  ///< that a signal was about
  static constexpr std::size_t kLongestPlace = 512;
  char place[kLongestPlace];  ///< in a rank's program, and what happened there; empty: unknown
  char text[kLongestText];
};

/// The child answers this signal by saying in its note which rank runs.
inline constexpr int kSampling = SIGUSR2;

/// fork(), of a process that is to call serve_cases(): it is no copy that a case has made.
pid_t fork_for_cases();

/// Answers what comes through `socket`; what code under test writes goes to the file `output`. The process ends with the requests,
/// or with `parent`.
[[noreturn]] void serve_cases(const CaseServer& server, int socket, SharedNote& note, int output, pid_t parent);

// Where a process has its memory.

/// What this process allocates from now on lies elsewhere, by a distance that `amount` ≥ 1 sets: on the heap, and mapped. What it
/// takes for that is never given back: for a process that ends soon. Safe from any thread.
void shift_addresses(std::uint32_t amount);

}  // namespace heddle
