// SPDX-License-Identifier: Apache-2.0
// Texts between processes that share work; net/ has them.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Between rank 0 and each of the other processes of a run; the others say nothing to each other. One thread uses it. What goes wrong
/// with the network, or with a process at its other end, throws Error that names the rank.
class ProcessMessages {
 public:
  struct Received {
    int from = 0;
    std::string text;
  };

  virtual ~ProcessMessages() = default;

  virtual int size() const = 0;
  /// Of this process.
  virtual int rank() const = 0;
  /// On this machine, with this one.
  virtual int processes_here() const = 0;

  /// Returns at once; the text goes while receive() and part() are called. To rank 0, or from it to any other.
  virtual void send(int to, const std::string& text) = 0;
  /// What has come, that of one process in its order. Returns at once.
  virtual std::vector<Received> receive() = 0;
  /// Blocks until rank 0 and the others have called it, and all that was sent has come; what was not received is dropped. The last call.
  virtual void part() = 0;
};

}  // namespace heddle
