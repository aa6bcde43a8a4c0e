// SPDX-License-Identifier: Apache-2.0
// Numbers as they travel: the lowest byte first, on any machine.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace heddle::net::tcp {

/// The first bytes; there must be enough of them.
template <class Number>
Number read_little(std::span<const std::byte> bytes) {
  std::make_unsigned_t<Number> number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;)
    number = static_cast<std::make_unsigned_t<Number>>((std::size_t{number} << 8) | std::to_integer<std::size_t>(bytes[i]));
  return static_cast<Number>(number);
}

template <class Number>
void write_little(Number value, std::span<std::byte> bytes) {
  auto number = static_cast<std::make_unsigned_t<Number>>(value);
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes[i] = static_cast<std::byte>(static_cast<unsigned char>(std::size_t{number} >> (8 * i)));
}

}  // namespace heddle::net::tcp
