// SPDX-License-Identifier: Apache-2.0
#include "emu/data/element_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "heddle/datatype.hpp"

namespace heddle::emu {

namespace {

template <class T>
T load(ConstVectorView element) {
  T value;
  std::memcpy(&value, element.data(), sizeof value);
  return value;
}

std::string hex_text(ConstVectorView element) {
  constexpr std::size_t kMostBytes = 16;
  std::string text = "0x";
  for (std::size_t b = 0; b < std::min(element.size_bytes(), kMostBytes); ++b) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(element.data()[b]));
  }
  return element.size_bytes() > kMostBytes ? text + "…" : text;
}

}  // namespace

std::string difference_text(ConstVectorView got, ConstVectorView expected, std::span<const OtherElement> others) {
  std::vector<std::size_t> bits;
  std::size_t first = got.size_bytes();
  std::size_t last = 0;
  for (std::size_t b = 0; b < got.size_bytes(); ++b) {
    const auto differ = std::to_integer<unsigned>(got.data()[b] ^ expected.data()[b]);
    if (differ == 0) continue;
    first = std::min(first, b);
    last = b;
    for (std::size_t bit = 0; bit < 8; ++bit) {
      if ((differ >> bit & 1U) != 0) bits.push_back(8 * b + bit);
    }
  }
  if (bits.size() == 1) return fmt::format("bit {} alone differs, of {} bits", bits[0], 8 * got.size_bytes());
  if (bits.size() == 2) return fmt::format("bits {} and {} alone differ, of {} bits", bits[0], bits[1], 8 * got.size_bytes());
  if (last - first + 1 == got.size_bytes()) return "";
  for (const OtherElement& other : others) {
    if (!std::equal(got.data() + first, got.data() + last + 1, other.bytes.data() + first)) continue;
    const std::string which = first == last ? fmt::format("byte {} is", first) : fmt::format("bytes {}-{} are", first, last);
    return fmt::format("of its {} bytes, {} {}; the rest is right", got.size_bytes(), which, other.name);
  }
  return "";
}

std::string element_text(ConstVectorView vector, std::int64_t element) {
  const ConstVectorView one = vector.slice(element, 1);
  return visit_element_type(
      vector.type(),
      [one]<class T>(std::type_identity<T>) {
        if constexpr (kIsFloatElement<T>) {
          const auto value = static_cast<std::conditional_t<(sizeof(T) < sizeof(float)), float, T>>(load<T>(one));
          // One NaN is not another.
          if (std::isnan(value)) return fmt::format("NaN 0x{:x}", load<BitsOf<T>>(one));
          return fmt::to_string(value);
        } else {
          return fmt::to_string(load<T>(one));
        }
      },
      [one] { return hex_text(one); });
}

}  // namespace heddle::emu
