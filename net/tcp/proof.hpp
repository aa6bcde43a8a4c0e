// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4, a keyed hash: Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::net::tcp {

using SipKey = std::array<std::byte, 16>;

/// Of any bytes. Who does not know the key can neither compute nor guess it.
std::uint64_t siphash(const SipKey& key, std::span<const std::byte> bytes);

// That both ends of a connection know the run's token, which never travels: each sends a nonce, and a keyed hash of both.

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
