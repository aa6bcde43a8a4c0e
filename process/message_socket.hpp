// SPDX-License-Identifier: Apache-2.0
// Messages between two processes of one machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "process/child.hpp"

namespace heddle {

/// Two sockets that are connected to each other; closed ones if the system has no more.
std::pair<OpenFile, OpenFile> connected_sockets();

/// One side of a socket between two processes: messages, each with its length before it. Many small ones are written and read together.
/// For one thread. Does not own the file.
class MessageSocket {
 public:
  explicit MessageSocket(int file) : file_(file) {}

  /// Kept until flush().
  void put(std::string_view bytes);
  std::size_t unsent() const { return out_.size(); }
  /// Blocks until all is written. False if the other side is gone.
  bool flush();

  /// The next message that is here already.
  std::optional<std::string> take();
  enum class Arrived : std::uint8_t { something, nothing, end };
  /// Reads what there is; `wait`: until there is something. `end`: the other side is gone, or what it writes is no message.
  Arrived read(bool wait);

 private:
  int file_;
  std::string out_;
  std::string in_;
  std::size_t taken_ = 0;  ///< of `in_`
};

}  // namespace heddle
