// SPDX-License-Identifier: Apache-2.0
// That both ends of a connection know the run's token, which never travels: each sends a nonce, and a keyed hash of both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "net/tcp/wire/siphash.hpp"

namespace heddle::net::tcp {

using Nonce = std::array<std::byte, 16>;

/// From the system's generator of random numbers. Throws ResourceError if there is none.
Nonce random_nonce();

enum class Side : std::uint8_t { calling, called };

/// What both sides know once the nonces have come.
struct Acquaintance {
  std::int32_t caller = 0;
  std::int32_t called = 0;
  std::uint64_t ranks = 0;
  Nonce callers_nonce = {};
  Nonce calleds_nonce = {};
};

/// Each side's is another, so that neither can be sent back.
std::uint64_t prove(const SipKey& token, Side side, const Acquaintance& both);

}  // namespace heddle::net::tcp
