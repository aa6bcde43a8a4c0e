// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/frame.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string_view>

#include "net/tcp/proof.hpp"

namespace heddle::net::tcp {

namespace {

constexpr std::uint32_t kMagic = 0x6c646468;  // "hddl"
constexpr std::uint8_t kVersion = 1;

struct KindRow {
  std::string_view name;
  std::uint32_t longest;
};

// In the order of FrameKind, from 1.
constexpr std::array<KindRow, 16> kKinds = {{{"hello", 16},
                                             {"challenge", 16},
                                             {"proof", 0},
                                             {"welcome", 0},
                                             {"decline", kLongestText},
                                             {"enlist", 256},
                                             {"table", 16U << 20},
                                             {"message", kLongestPart},
                                             {"announce", 0},
                                             {"clear", 0},
                                             {"drop", 0},
                                             {"part", kLongestPart},
                                             {"credit", 0},
                                             {"goodbye", 0},
                                             {"death", kLongestText},
                                             {"abort", kLongestText}}};

const KindRow& row_of(FrameKind kind) { return kKinds[static_cast<std::size_t>(kind) - 1]; }

}  // namespace

std::uint32_t longest_payload(FrameKind kind) { return row_of(kind).longest; }

std::string to_string(FrameKind kind) { return std::string(row_of(kind).name); }

EncodedFrame encode(const Frame& frame) {
  EncodedFrame bytes = {};
  const std::span<std::byte> all(bytes);
  write_little(kMagic, all);
  write_little(kVersion, all.subspan(4));
  write_little(static_cast<std::uint8_t>(frame.kind), all.subspan(5));
  write_little(static_cast<std::uint8_t>(frame.lane), all.subspan(6));
  write_little(frame.tag, all.subspan(8));
  write_little(frame.payload, all.subspan(12));
  write_little(frame.context, all.subspan(16));
  write_little(frame.id, all.subspan(24));
  write_little(frame.length, all.subspan(32));
  return bytes;
}

Frame decode(std::span<const std::byte, kFrameBytes> bytes) {
  const std::span<const std::byte> all(bytes);
  if (read_little<std::uint32_t>(all) != kMagic) throw FrameError("no frame: its first bytes are not heddle's");
  const auto version = read_little<std::uint8_t>(all.subspan(4));
  if (version != kVersion) throw FrameError(fmt::format("a frame of version {}; this heddle has {}", version, kVersion));
  const auto kind = read_little<std::uint8_t>(all.subspan(5));
  if (kind == 0 || kind > kKinds.size()) throw FrameError(fmt::format("no frame: its kind is {}", kind));
  const auto lane = read_little<std::uint8_t>(all.subspan(6));
  if (lane > 1 || bytes[7] != std::byte{0}) throw FrameError("no frame: a reserved byte is set");
  const Frame frame = {static_cast<FrameKind>(kind),
                       static_cast<Lane>(lane),
                       read_little<std::int32_t>(all.subspan(8)),
                       read_little<std::uint32_t>(all.subspan(12)),
                       read_little<std::uint64_t>(all.subspan(16)),
                       read_little<std::uint64_t>(all.subspan(24)),
                       read_little<std::uint64_t>(all.subspan(32))};
  if (frame.payload > longest_payload(frame.kind))
    throw FrameError(fmt::format("a frame '{}' of {} bytes; it has at most {}", to_string(frame.kind), frame.payload,
                                 longest_payload(frame.kind)));
  if (frame.kind == FrameKind::message && frame.payload != frame.length)
    throw FrameError(fmt::format("a message of {} bytes in a frame of {}", frame.length, frame.payload));
  return frame;
}

std::optional<FrameReader::Item> FrameReader::take(std::span<const std::byte>& bytes) {
  if (bytes.empty()) return std::nullopt;
  if (payload_left_ > 0) {
    const std::span<const std::byte> part = bytes.first(std::min(payload_left_, bytes.size()));
    payload_left_ -= part.size();
    bytes = bytes.subspan(part.size());
    return part;
  }
  const std::size_t more = std::min(kFrameBytes - header_bytes_, bytes.size());
  std::copy_n(bytes.begin(), more, header_.begin() + static_cast<std::ptrdiff_t>(header_bytes_));
  header_bytes_ += more;
  bytes = bytes.subspan(more);
  if (header_bytes_ < kFrameBytes) return std::nullopt;
  header_bytes_ = 0;
  const Frame frame = decode(header_);
  payload_left_ = frame.payload;
  return frame;
}

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
