// SPDX-License-Identifier: Apache-2.0
// Where each rank listens: what it tells rank 0, and what rank 0 tells all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::net::tcp {

struct RankPlace {
  std::uint64_t machine = 0;  ///< equal on one machine
  std::uint16_t port = 0;
  std::string address;  ///< as text, at most 64 bytes

  bool operator==(const RankPlace&) const = default;
};

std::vector<std::byte> encode(std::span<const RankPlace> places);
/// Throws FrameError unless there are `count` of them and nothing else.
std::vector<RankPlace> decode_places(std::span<const std::byte> bytes, std::size_t count);

/// Of this machine as it runs now: from its name and the number of its latest start.
std::uint64_t this_machine();

}  // namespace heddle::net::tcp
