// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/wire/rank_table.hpp"

#include <unistd.h>

#include <array>
#include <fstream>

#include "net/tcp/wire/frame.hpp"
#include "net/tcp/wire/little_endian.hpp"
#include "net/tcp/wire/siphash.hpp"

namespace heddle::net::tcp {

namespace {

constexpr std::size_t kPlaceBytes = 11;  // without its address
constexpr std::size_t kLongestAddress = 64;

}  // namespace

std::vector<std::byte> encode(std::span<const RankPlace> places) {
  std::vector<std::byte> bytes;
  for (const RankPlace& place : places) {
    std::array<std::byte, kPlaceBytes> head = {};
    const std::span<std::byte> all(head);
    write_little(place.machine, all);
    write_little(place.port, all.subspan(8));
    write_little(static_cast<std::uint8_t>(place.address.size()), all.subspan(10));
    bytes.insert(bytes.end(), head.begin(), head.end());
    const auto text = std::as_bytes(std::span(place.address));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  return bytes;
}

std::vector<RankPlace> decode_places(std::span<const std::byte> bytes, std::size_t count) {
  std::vector<RankPlace> places;
  while (!bytes.empty()) {
    if (bytes.size() < kPlaceBytes) throw FrameError("a table of ranks that is cut");
    const auto length = read_little<std::uint8_t>(bytes.subspan(10));
    if (length > kLongestAddress || bytes.size() < kPlaceBytes + length) throw FrameError("a table of ranks that is cut");
    const auto* text = reinterpret_cast<const char*>(bytes.data() + kPlaceBytes);
    places.push_back({read_little<std::uint64_t>(bytes), read_little<std::uint16_t>(bytes.subspan(8)), {text, length}});
    bytes = bytes.subspan(kPlaceBytes + length);
  }
  if (places.size() != count) throw FrameError("a table of other ranks");
  return places;
}

std::uint64_t this_machine() {
  std::array<char, 256> name = {};
  gethostname(name.data(), name.size() - 1);
  std::string text = name.data();
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string start;
  std::getline(file, start);
  text += '\n' + start;
  return siphash({}, std::as_bytes(std::span(text)));
}

}  // namespace heddle::net::tcp
