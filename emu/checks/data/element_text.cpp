// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/element_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/half.hpp"

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
  switch (vector.type().kind()) {
    case Datatype::Kind::i32:
      return fmt::to_string(load<std::int32_t>(one));
    case Datatype::Kind::i64:
      return fmt::to_string(load<std::int64_t>(one));
    case Datatype::Kind::u32:
      return fmt::to_string(load<std::uint32_t>(one));
    case Datatype::Kind::u64:
      return fmt::to_string(load<std::uint64_t>(one));
    case Datatype::Kind::f16:
      return fmt::to_string(static_cast<float>(load<F16>(one)));
    case Datatype::Kind::bf16:
      return fmt::to_string(static_cast<float>(load<Bf16>(one)));
    case Datatype::Kind::f32:
      return fmt::to_string(load<float>(one));
    case Datatype::Kind::f64:
      return fmt::to_string(load<double>(one));
    case Datatype::Kind::user:
      break;
  }
  return hex_text(one);
}

}  // namespace heddle::emu
