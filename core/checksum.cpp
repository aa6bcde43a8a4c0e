// SPDX-License-Identifier: Apache-2.0
#include "core/checksum.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace heddle {

std::string checksum_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace heddle
