// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/library_copies.hpp"

#include <map>
#include <utility>

#include "mpi/calls/calls.hpp"

namespace heddle::mpi {

std::unique_ptr<ProgramCopy> Library::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      std::unique_ptr<ProgramCopy> copy = std::move(spare_.back());
      spare_.pop_back();
      return copy;
    }
  }
  return std::make_unique<ProgramCopy>(
      image_, program_table(true), image_.can_be_reset() ? ProgramCopy::Keep::state_after_loading : ProgramCopy::Keep::nothing);
}

void Library::give_back(std::unique_ptr<ProgramCopy> copy) {
  copy->abandon();
  if (!image_.can_be_reset()) {
    copy->program().empty_heap();
    return;
  }
  copy->reset();
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(copy));
}

std::shared_ptr<Library> Library::of(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<Library>> libraries;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Library>& library = libraries[path];
  if (!library) library = std::make_shared<Library>(path);
  return library;
}

}  // namespace heddle::mpi
