// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "emu/record/run_sample.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kWorthThread = 4 * kLargePage;
constexpr std::size_t kAhead = 4 * kLargePage;

}  // namespace

PagesAhead::PagesAhead(void* memory, std::size_t bytes) {
  if (std::align(kLargePage, kLargePage, memory, bytes) == nullptr) return;
  first_ = static_cast<std::byte*>(memory);
  bytes_ = bytes / kLargePage * kLargePage;
}

PagesAhead::~PagesAhead() {
  if (!has_thread_) return;
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void PagesAhead::reached(std::size_t bytes) {
  if (bytes < kWorthThread || bytes_ == 0) return;
  {
    const std::lock_guard lock(mutex_);
    wanted_ = std::min(bytes + kAhead, bytes_);
  }
  if (has_thread_) return changed_.notify_one();
  try {
    thread_ = std::thread([this] { work(); });
    has_thread_ = true;
  } catch (const std::exception&) {  // no thread, or no memory for one
    bytes_ = 0;
  }
}

void PagesAhead::work() {
  // Those before are in use.
  for (std::size_t done = kWorthThread; done < bytes_; done += kLargePage) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_ended_ || wanted_ > done; });
      if (is_ended_) return;
    }
    madvise(first_ + done, kLargePage, MADV_HUGEPAGE);
    if (madvise(first_ + done, kLargePage, MADV_POPULATE_WRITE) != 0) return;  // before Linux 5.14, or no memory
  }
}

}  // namespace heddle::emu
