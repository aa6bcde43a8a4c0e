// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4, a keyed hash: Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::net::tcp {

using SipKey = std::array<std::byte, 16>;

/// Of any bytes. Who does not know the key can neither compute nor guess it.
std::uint64_t siphash(const SipKey& key, std::span<const std::byte> bytes);

}  // namespace heddle::net::tcp
