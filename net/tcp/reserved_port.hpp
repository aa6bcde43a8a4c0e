// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle::net {

/// A free port of the loopback address, kept from others while this lives: bound, and not listened at. Who sets SO_REUSEADDR, as rank 0
/// does, can listen there meanwhile.
class ReservedPort {
 public:
  /// Throws ResourceError if there is none.
  ReservedPort();
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;
  ~ReservedPort();

  std::uint16_t port() const { return port_; }

 private:
  int socket_;
  std::uint16_t port_ = 0;
};

}  // namespace heddle::net
