// SPDX-License-Identifier: Apache-2.0
// A library of functions, and copies of it that runs take and give back.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mpi/image/program_copy.hpp"
#include "mpi/image/program_image.hpp"

namespace heddle::mpi {

/// Any thread.
class Library {
 public:
  /// Throws InputError for a file that `heddle mpicc` has not linked.
  explicit Library(std::string path) : image_(std::move(path)) {}

  const ProgramImage& image() const { return image_; }
  /// One as it is after loading: made by loading it, or one that another run has given back.
  std::unique_ptr<ProgramCopy> take();
  /// It is brought back to that state and kept where it can be, else unloaded. Nothing runs in it any more.
  void give_back(std::unique_ptr<ProgramCopy> copy);

  /// That of the file, loaded once in the life of the process.
  static std::shared_ptr<Library> of(const std::string& path);

 private:
  ProgramImage image_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ProgramCopy>> spare_;
};

/// A copy for as long as it lives. Nothing of what its functions have left is done: what they have not given back goes with it.
class LibraryCopy {
 public:
  explicit LibraryCopy(std::shared_ptr<Library> library) : library_(std::move(library)), copy_(library_->take()) {}
  LibraryCopy(const LibraryCopy&) = delete;
  LibraryCopy& operator=(const LibraryCopy&) = delete;
  ~LibraryCopy() { library_->give_back(std::move(copy_)); }

  ProgramCopy& program() { return *copy_; }

 private:
  std::shared_ptr<Library> library_;
  std::unique_ptr<ProgramCopy> copy_;
};

}  // namespace heddle::mpi
