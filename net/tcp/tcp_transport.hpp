// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "net/tcp/tcp_settings.hpp"
#include "net/transport/transport.hpp"

namespace heddle::net {

namespace tcp {
class Run;
}

/// Ranks over TCP. Each keeps one connection to rank 0; others are made when a first message needs them. When a rank dies, each other's
/// next progress() throws NetworkError that names it. All of a transport is used from one thread; nothing goes on between calls.
class TcpTransport : public Transport {
 public:
  /// Blocks until all ranks are there. Throws NetworkError if they are not within settings.deadline.
  explicit TcpTransport(const TcpSettings& settings);
  /// Says goodbye; operations that have not ended are forgotten, and who waits for them gets NetworkError. Blocks until the system has sent
  /// all, at most a few seconds; rank 0, through which deaths spread, until all others have ended, at most settings.deadline, and not
  /// at all after a failure or while an exception unwinds.
  ~TcpTransport() override;

  int rank() const override;
  int size() const override;
  std::string name() const override;
  std::vector<int> machines() const override;
  OperationId send(int peer, Stream stream, SendPieces pieces) override;
  OperationId receive(int peer, Stream stream, ReceivePieces pieces) override;
  void progress(Patience patience, std::vector<Completion>& ended) override;
  std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) override;
  void meet() override;
  /// The exit status is 1.
  [[noreturn]] void abort(const std::string& text) override;

 private:
  std::unique_ptr<tcp::Run> run_;
};

}  // namespace heddle::net
