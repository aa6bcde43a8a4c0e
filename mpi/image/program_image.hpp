// SPDX-License-Identifier: Apache-2.0
// A program or a library as `heddle mpicc` links it, or an executable with its flags: checked, and made ready to be loaded many times in one process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi/image/elf_file.hpp"
#include "process/child.hpp"

namespace heddle::mpi {

/// Something of the system that all ranks share, as the program imports it: each rank sees what another one does to it.
struct SharedImport {
  std::string name;  ///< "fork", "libfoo.so.1"
  std::string what;  ///< "starts processes: a copy of every rank"
};

/// Does not change once it is made. Must outlive the copies. Several threads may make copies of it at a time.
class ProgramImage {
 public:
  /// Throws InputError if copies of it cannot be ranks, with what would be right: other compilers' programs, another machine's,
  /// initial-exec thread-locals, executables with variables that cannot be copied.
  explicit ProgramImage(std::string path);
  ~ProgramImage();
  ProgramImage(const ProgramImage&) = delete;
  ProgramImage& operator=(const ProgramImage&) = delete;

  const ElfFile& file() const { return file_; }
  /// What the ranks will share, by name. Empty: nothing that is known to matter.
  std::vector<SharedImport> shared_imports() const;
  /// Libraries that the program needs and that are not the system's: there is one of each for all copies.
  std::vector<std::string> shared_libraries() const;
  /// Whether a copy can be brought back to the state after loading: there is nothing that constructors or threads have made.
  bool can_be_reset() const { return !file_.has_thread_locals() && file_.constructors() <= 1; }
  /// Ranges of memory with rights of their own, which the kernel counts.
  int maps_per_copy() const;

  /// What the loader maps: the file up to the end of its last segment, without its list of sections and what marks an executable, and
  /// with symbols that the loader would otherwise share between copies made the copy's own.
  std::span<const std::byte> loaded_bytes() const { return loaded_; }
  /// Whether code and constants are worth being mapped from one file for all copies.
  bool shares_text() const { return shares_text_; }
  /// A file with loaded_bytes(), in memory; closed where shares_text() is false.
  const OpenFile& shared_file() const { return shared_file_; }

 private:
  void check() const;
  void check_executable() const;
  void load_libraries();

  ElfFile file_;
  std::vector<std::byte> loaded_;
  bool shares_text_ = false;
  OpenFile shared_file_;
  std::vector<void*> libraries_;
};

/// Of the system's memory, in bytes: what rights are given to.
std::uint64_t page_size();

/// A file in memory that has these bytes. Throws ResourceError if the system refuses it.
OpenFile file_in_memory(const std::string& name, std::span<const std::byte> bytes);

/// Throws ResourceError if `copies` copies with `maps_each` ranges of memory each are more than the system allows one process, beside
/// those that there are; the message has the limit and how many copies it allows.
void require_maps(std::int64_t copies, std::int64_t maps_each);

}  // namespace heddle::mpi
