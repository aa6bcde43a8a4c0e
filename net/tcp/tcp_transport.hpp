// SPDX-License-Identifier: Apache-2.0
// Which process of which run this is.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/ranks/transport.hpp"

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

/// This rank among the others over TCP. Each rank keeps one connection to rank 0; others are made when a first message needs them. When
/// a rank dies, each other's next progress() throws NetworkError that names it. All of it is used from one thread; nothing goes on between
/// calls. abort() ends with exit status 1.
///
/// Blocks until all ranks are there. Throws NetworkError if they are not within settings.deadline.
///
/// Its end says goodbye; operations that have not ended are forgotten, and who waits for them gets NetworkError. It blocks until the
/// system has sent all, at most a few seconds; rank 0, through which deaths spread, until all others have ended, at most settings.deadline,
/// and not at all after a failure or while an exception unwinds.
std::unique_ptr<Transport> open_tcp(const TcpSettings& settings);

}  // namespace heddle::net
