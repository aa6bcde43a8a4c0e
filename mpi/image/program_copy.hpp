// SPDX-License-Identifier: Apache-2.0
// One rank's copy of a program: its own code, global variables, heap and state of libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/image/program_image.hpp"
#include "mpi/image/table.hpp"

namespace heddle::mpi {

/// Loaded when it is made, and unloaded with it. What atexit and static objects have left is done then, on the calling thread, unless
/// finalize() or abandon() came before. For one thread at a time.
class ProgramCopy {
 public:
  enum class Keep : std::uint8_t { nothing, state_after_loading };

  /// Loads `image`, runs its constructors and gives it the table. Both must outlive the copy. reset() needs the state after loading.
  /// Throws InputError if the loader refuses it or if it is of another version, ResourceError if there is no memory.
  ProgramCopy(const ProgramImage& image, const heddle_mpi_table& table, Keep keep = Keep::nothing);
  ~ProgramCopy();
  ProgramCopy(ProgramCopy&& other) noexcept;
  ProgramCopy& operator=(ProgramCopy&&) = delete;

  const ProgramImage& image() const { return *image_; }
  const heddle_mpi_program& program() const { return *program_; }
  /// What the loader has added to addresses of the file.
  std::uintptr_t base() const { return base_; }
  /// Whether it is in one of the copy's segments.
  bool contains(const void* address) const;
  /// A function or variable that it exports; null: none.
  void* find(const char* name) const;

  /// Runs what atexit and static objects have left to be done, as the end of a program does. Call it while the rank still runs.
  void finalize();
  /// Nothing of that will be done: for a rank that something else has ended, as a signal ends a process. Functions with the attribute
  /// `destructor` run all the same when it is unloaded.
  void abandon();
  /// Brings its variables back to the state after loading, and frees its guarded blocks: another call then finds it as the first one
  /// did. Runs finalize() before. It must have been made with Keep::state_after_loading, of an image that can be reset.
  void reset();

 private:
  struct KeptBytes {
    std::uintptr_t address;
    std::vector<std::byte> bytes;
    std::size_t zeros;  // behind them
  };

  void share_text(const OpenFile& file) const;
  void bind();
  void bind_libraries() const;
  void keep_state();

  const ProgramImage* image_;
  const heddle_mpi_table* table_;
  void* handle_ = nullptr;
  std::uintptr_t base_ = 0;
  const heddle_mpi_program* program_ = nullptr;
  std::vector<KeptBytes> kept_;
};

}  // namespace heddle::mpi
