// SPDX-License-Identifier: Apache-2.0
#include "cli/process/out_of_memory.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/process/exit_status.hpp"

namespace heddle {

namespace {

// What handlers can reach is global.

/// Blocks so small that they come from the heap and go back to it.
constexpr std::size_t kBlock = std::size_t{64} * 1024;
std::array<std::atomic<void*>, 16> blocks = {};
std::atomic<int> refusals = 0;
std::terminate_handler terminated_before = nullptr;

void give_back(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) std::free(blocks[i].exchange(nullptr));
}

/// Returning has the allocation tried again.
void make_room() {
  switch (refusals.fetch_add(1)) {
    case 0:
      return give_back(0, blocks.size() / 2);
    case 2:
      return give_back(blocks.size() / 2, blocks.size());
    default:
      throw std::bad_alloc();
  }
}

[[noreturn]] void end_without_memory() {
  constexpr std::string_view kLine = "heddle: the system has no memory left\n";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_array_new_length&) {
  } catch (const std::bad_alloc&) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
    _exit(kExitBadInput);
  } catch (...) {
  }
  if (terminated_before != nullptr) terminated_before();
  std::abort();
}

}  // namespace

void prepare_for_no_memory() {
  for (auto& block : blocks) block = std::malloc(kBlock);
  std::set_new_handler(make_room);
  terminated_before = std::set_terminate(end_without_memory);
}

}  // namespace heddle
