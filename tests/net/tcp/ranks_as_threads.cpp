// SPDX-License-Identifier: Apache-2.0
#include "tests/net/tcp/ranks_as_threads.hpp"

#include <algorithm>
#include <thread>

#include "net/tcp/launch.hpp"

namespace heddle::net::loopback {

TcpSettings loopback_settings(int rank, int size, std::uint16_t port) {
  TcpSettings settings;
  settings.rank = rank;
  settings.size = size;
  settings.rendezvous = {"127.0.0.1", port};
  settings.token = parse_token("000102030405060708090a0b0c0d0e0f");
  return settings;
}

std::string run_rank(const TcpSettings& settings, const RankProgram& program) {
  try {
    program(*open_tcp(settings));
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::vector<std::string> run_ranks(int size, const RankProgram& program, const std::function<void(TcpSettings&)>& change) {
  const ReservedPort port;
  std::vector<std::string> errors(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    TcpSettings settings = loopback_settings(rank, size, port.port());
    change(settings);
    threads.emplace_back(
        [settings, &program, &error = errors[static_cast<std::size_t>(rank)]] { error = run_rank(settings, program); });
  }
  threads.clear();
  return errors;
}

std::vector<Completion> wait_for(Transport& transport, std::size_t operations) {
  std::vector<Completion> ended;
  while (ended.size() < operations) transport.progress(Patience::some, ended);
  return ended;
}

OperationId send(Transport& transport, int peer, Stream stream, std::span<const std::byte> bytes) {
  return transport.send(peer, stream, {&bytes, 1});
}

OperationId receive(Transport& transport, int peer, Stream stream, std::span<std::byte> bytes) {
  return transport.receive(peer, stream, {&bytes, 1});
}

std::vector<std::byte> pattern(std::size_t bytes, std::uint64_t seed) {
  std::vector<std::byte> all(bytes);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
  for (std::byte& one : all) {
    state = state * 6364136223846793005 + 1442695040888963407;
    one = static_cast<std::byte>(state >> 56);
  }
  return all;
}

bool all_went_well(const std::vector<std::string>& errors) {
  return std::ranges::all_of(errors, [](const std::string& error) { return error.empty(); });
}

}  // namespace heddle::net::loopback
