// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/element_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/element_types.hpp"

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
