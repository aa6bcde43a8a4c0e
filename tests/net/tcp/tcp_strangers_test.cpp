// SPDX-License-Identifier: Apache-2.0
// Who does not belong to the run neither joins it nor disturbs it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "net/tcp/launch.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/net/tcp/ranks_as_threads.hpp"

namespace heddle::net {

using loopback::loopback_settings;
using loopback::pattern;
using loopback::receive;
using loopback::run_rank;
using loopback::send;
using loopback::wait_for;

namespace {

/// A connection to the port; -1: nobody listens.
int connect_to(std::uint16_t port) {
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return file;
  close(file);
  return -1;
}

void talk(Transport& transport) {
  const std::vector<std::byte> sent = pattern(1000, 1);
  std::vector<std::byte> received(1000);
  for (int i = 0; i < 20; ++i) {
    for (int peer = 0; peer < transport.size(); ++peer) {
      send(transport, peer, {1, i}, sent);
      receive(transport, peer, {1, i}, received);
    }
    wait_for(transport, 2 * static_cast<std::size_t>(transport.size()));
    if (received != sent) throw std::runtime_error("other bytes");
  }
  transport.barrier();
}

}  // namespace

TEST_CASE("a rank with another token is refused, and the run goes on with the right one") {
  const ReservedPort port;
  std::vector<std::string> errors(2);
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { errors[0] = run_rank(loopback_settings(0, 2, port.port()), talk); });
  TcpSettings wrong = loopback_settings(1, 2, port.port());
  wrong.token[15] ^= std::byte{1};
  const std::string refused = run_rank(wrong, talk);
  threads.emplace_back([&] { errors[1] = run_rank(loopback_settings(1, 2, port.port()), talk); });
  threads.clear();
  CHECK_THAT(refused, Catch::StartsWith("rank 0 at 127.0.0.1:") &&
                          Catch::EndsWith("is not of this run: it does not know its token (HEDDLE_TOKEN)"));
  CHECK(errors == std::vector<std::string>(2));
}

TEST_CASE("a thousand strangers who say nothing, or anything, and who leave or stay, change nothing") {
  const ReservedPort port;
  const int strangers = testing::sampled(1000, 300);
  std::vector<std::string> errors(3);
  std::vector<int> open;
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { errors[0] = run_rank(loopback_settings(0, 3, port.port()), talk); });
  for (int i = 0; i < strangers; ++i) {
    int file = connect_to(port.port());
    if (file < 0 && i > strangers * 3 / 4) break;  // all have come, and rank 0 listens no more
    while (file < 0) file = connect_to(port.port());
    const std::vector<std::byte> bytes = pattern(static_cast<std::size_t>(i % 7) * 30, static_cast<std::uint64_t>(i));
    if (!bytes.empty()) ::send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (i % 3 == 0) {
      open.push_back(file);
    } else {
      close(file);
    }
    if (i == strangers * 3 / 4)
      for (const int rank : {1, 2})
        threads.emplace_back(
            [&, rank] { errors[static_cast<std::size_t>(rank)] = run_rank(loopback_settings(rank, 3, port.port()), talk); });
  }
  threads.clear();
  for (const int file : open) close(file);
  CHECK(errors == std::vector<std::string>(3));
}

}  // namespace heddle::net
