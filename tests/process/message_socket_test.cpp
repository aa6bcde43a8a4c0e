// SPDX-License-Identifier: Apache-2.0
#include "process/message_socket.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("messages between processes come whole, however many are written at once") {
  auto [one, other] = connected_sockets();
  REQUIRE(other.is_open());
  MessageSocket here(one.get());
  MessageSocket there(other.get());
  CHECK(there.read(false) == MessageSocket::Arrived::nothing);
  const std::vector<std::string> sent = {"", "short", std::string(40'000, 'x'), "last"};
  for (const std::string& message : sent) here.put(message);
  CHECK_FALSE(there.take());
  REQUIRE(here.flush());
  std::vector<std::string> received;
  while (received.size() < sent.size()) {
    REQUIRE(there.read(true) == MessageSocket::Arrived::something);
    while (std::optional<std::string> message = there.take()) received.push_back(*std::move(message));
  }
  CHECK(received == sent);
  one.close();
  CHECK(there.read(false) == MessageSocket::Arrived::end);
}

}  // namespace heddle
