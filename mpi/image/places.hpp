// SPDX-License-Identifier: Apache-2.0
// Where in a program's source an address is.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mpi/image/program_copy.hpp"

namespace heddle::mpi {

/// Knows which copy lies where, and asks addr2line of the files that the copies are of.
class Places {
 public:
  /// The file must outlive this. The copy need not.
  void add(const ProgramCopy& copy);

  /// Of addresses that calls return to, the places of these calls, each one of:
  ///   "ring.c:41"                 if it was compiled with -g
  ///   "my_allreduce+0x1f"         without
  ///   "libmine.so+0x11f0"         if it was stripped as well
  ///   "unknown place"             in no copy
  /// The program addr2line runs once for each file, however many addresses there are. Where it is not installed: as without -g.
  std::vector<std::string> texts(std::span<const void* const> return_addresses) const;
  /// Of a stack, from the innermost on: "in work at ring.c:41", or "in what work calls at ring.c:41" where a library is innermost.
  /// Empty: nothing of it is in a copy.
  std::string stack_text(std::span<const void* const> return_addresses) const;

 private:
  struct Range {
    std::uintptr_t end;
    std::uintptr_t base;
    const ElfFile* file;
  };

  /// nullptr: in no copy. The call ends before the address that it returns to, which may be in the next line or function.
  const Range* range_of(const void* return_address) const;

  std::map<std::uintptr_t, Range> ranges_;  // by start
  /// What has been asked for before, by file and address in it: a run may name the place of each of its messages.
  mutable std::map<std::pair<const ElfFile*, std::uint64_t>, std::string> known_;
  mutable std::mutex mutex_;
};

}  // namespace heddle::mpi
