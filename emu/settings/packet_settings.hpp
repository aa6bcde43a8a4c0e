// SPDX-License-Identifier: Apache-2.0
// What a packet network is like, as a user writes it: "packets:mtu=4KiB,buffer=8,queues=fifo" (docs/packets.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heddle/units.hpp"

namespace heddle {

struct PacketSettings {
  /// When a packet's head may go on to the next link.
  struct Forward {
    enum class Kind : std::uint8_t {
      head,   ///< at once: virtual cut-through (Kermani and Kleinrock 1979)
      whole,  ///< once all of it is there: store-and-forward
      bytes,  ///< once so many bytes are there, or all of it
    };
    Kind kind = Kind::head;
    std::int64_t bytes = 0;

    bool operator==(const Forward&) const = default;
  };

  /// How many packets find room at the far end of a link, for each of its channels. A packet takes one slot, however short it is.
  struct Buffer {
    enum class Kind : std::uint8_t {
      automatic,  ///< twice what the link's round trip needs, at least 8
      slots,
      bytes,  ///< as many packets of `mtu` as fit, at least 1
      unbounded,
    };
    Kind kind = Kind::automatic;
    std::int64_t amount = 0;

    bool operator==(const Buffer&) const = default;
  };

  enum class Queues : std::uint8_t {
    voq,   ///< packets for other outputs pass (virtual output queues)
    fifo,  ///< they do not
  };

  /// Who goes first where several packets want the same link.
  enum class Arbiter : std::uint8_t {
    transit,      ///< those under way before the host's own; among them, in turns
    round_robin,  ///< in turns
    oldest,       ///< the packet that left its sender first
  };

  Bytes mtu = Bytes(4096);  ///< the most payload of a packet, ≥ 1
  Bytes header = Bytes(0);  ///< what each packet adds on every link
  Forward forward;
  Buffer buffer;
  Queues queues = Queues::voq;
  Arbiter arbiter = Arbiter::transit;
  std::optional<int> channels = {};  ///< virtual channels of a link, 1 … kMostChannels; no value: as many as its routes need

  std::optional<Bytes> window = {};  ///< the most payload under way from one host to another, ≥ 1; no value: any
  std::optional<int> mark = {};      ///< packets that join a longer queue are marked and counted, ≥ 0; no value: none

  static constexpr int kMostChannels = 16;

  bool operator==(const PacketSettings&) const = default;
};

/// "FIELD=VALUE,…"; empty: all as usual. Throws InputError.
PacketSettings parse_packet_settings(std::string_view text);
/// The fields that are not as usual, in their order: what parse_packet_settings reads back.
std::string to_string(const PacketSettings& settings);

/// As fields have it: "head", "whole", "256"; "voq"; "transit".
std::string to_string(const PacketSettings::Forward& forward);
std::string_view to_string(PacketSettings::Queues queues);
std::string_view to_string(PacketSettings::Arbiter arbiter);

}  // namespace heddle
