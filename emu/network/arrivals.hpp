// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "emu/engine/engine.hpp"
#include "emu/network/network.hpp"

namespace heddle::emu {

/// Calls a network's client when a message has arrived.
class Arrivals final : public Alarm {
 public:
  /// The client outlives this.
  explicit Arrivals(NetworkClient& client) : client_(client) {}

  void ring(std::uint64_t message) override { client_.arrived(static_cast<MessageId>(message)); }
  void expect(std::uint64_t message, int stage) override { client_.expect_arrived(static_cast<MessageId>(message), stage); }

 private:
  NetworkClient& client_;
};

}  // namespace heddle::emu
