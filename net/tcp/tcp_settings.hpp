// SPDX-License-Identifier: Apache-2.0
// Which process of which run this is.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::net {

/// A machine's name or address, and a port of it.
struct HostAndPort {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;

  bool operator==(const HostAndPort&) const = default;
};

/// What all processes of a run know, and nobody else may: 128 random bits. It proves who belongs to the run, and is never sent.
using Token = std::array<std::byte, 16>;

struct TcpSettings {
  int rank = 0;
  int size = 1;
  HostAndPort rendezvous;          ///< where rank 0 listens, the same for all
  std::string bind = "127.0.0.1";  ///< where this rank listens; 0.0.0.0 or :: for any of the machine's addresses
  Token token = {};
  std::chrono::milliseconds deadline{30'000};      ///< for all ranks to be there, and for one to reach another
  std::size_t unexpected = std::size_t{64} << 20;  ///< bytes of messages without a receive that each peer may leave here
};

/// From HEDDLE_RANK, HEDDLE_RANKS, HEDDLE_RENDEZVOUS (host:port, [address]:port), HEDDLE_TOKEN (32 hex digits), and, if they are set,
/// HEDDLE_BIND (an address) and HEDDLE_DEADLINE (seconds). Throws InputError that names the variable and what would be right.
TcpSettings settings_from_environment();

/// "host:port" or "[address]:port". Throws InputError.
HostAndPort parse_host_and_port(std::string_view text);
std::string to_string(const HostAndPort& place);

/// 32 hex digits. Throws InputError, without the text in it.
Token parse_token(std::string_view text);
std::string to_string(const Token& token);
/// From the system's generator of random numbers.
Token random_token();

}  // namespace heddle::net
