// SPDX-License-Identifier: Apache-2.0
// Memory that is written to from its begin to its end, made ready by another thread: the first write to a page takes as long as
// some hundred others, as the system clears the page first.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace heddle::emu {

/// For one thread. It only hints: what is written is the same without, and where the system has no thread or no page for it,
/// nothing is made ready.
class PagesAhead {
 public:
  /// `memory` must outlive it.
  PagesAhead(void* memory, std::size_t bytes);
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  /// So many bytes have been written. Does not block. The first few are not worth a thread.
  void reached(std::size_t bytes);

 private:
  void work();

  std::byte* first_ = nullptr;  ///< whole pages
  std::size_t bytes_ = 0;
  std::mutex mutex_;                 ///< of the next three
  std::condition_variable changed_;  ///< more is wanted, or nothing any more
  std::size_t wanted_ = 0;           ///< of bytes_
  bool is_ended_ = false;
  bool has_thread_ = false;
  std::thread thread_;
};

}  // namespace heddle::emu
