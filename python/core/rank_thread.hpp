// SPDX-License-Identifier: Apache-2.0
// A plain function in Python, which blocks in its operations, on a thread of its own beside its rank: frames of Python cannot
// be left where they are while another rank runs. The two take turns. The rank makes the operations, as it makes a coroutine's.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "python/core/stop.hpp"

namespace heddle::python {

class RankThread {
 public:
  /// `function` is made on the thread, under the lock. `stop` outlives this.
  RankThread(std::function<void(RankThread&)> function, StopQuestion& stop);
  /// Ends what has not ended: operations raise, and so does the code between them.
  ~RankThread();
  RankThread(const RankThread&) = delete;
  RankThread& operator=(const RankThread&) = delete;

  /// By the rank, without the lock: makes what the function asks for until it has returned. Rethrows what it throws.
  void serve();
  /// By the function, under the lock, which it lets go of meanwhile: has the rank make this. Throws the UsageError that it
  /// throws.
  void ask(const std::function<void()>& operation);

 private:
  void run();
  void give_up();
  /// Waits for the rank's turn, and lets signals be handled.
  void wait_for_turn();

  std::function<void(RankThread&)> function_;
  StopQuestion& stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* asked_ = nullptr;  ///< the rank's turn while it is set
  std::exception_ptr thrown_;                     ///< by what was asked
  std::exception_ptr raised_;                     ///< by the function
  bool has_ended_ = false;
  bool is_given_up_ = false;
  unsigned long ident_ = 0;  ///< Python's name of the thread
  std::thread thread_;
};

}  // namespace heddle::python
