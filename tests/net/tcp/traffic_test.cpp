// SPDX-License-Identifier: Apache-2.0
// What is sent unasked, without a network.
#include "net/tcp/traffic.hpp"

#include <utility>
#include <vector>

#include "net/tcp/frame.hpp"
#include "tests/catch.hpp"

namespace heddle::net::tcp {

namespace {

class NotingCarrier : public FrameCarrier {
 public:
  void carry(int, const Frame& frame) override { carried.push_back(frame); }
  void wake(int) override {}
  std::vector<Frame> carried;
};

/// All that is to be written to rank 1.
std::vector<FrameKind> kinds_written(Traffic& traffic) {
  std::vector<FrameKind> kinds;
  for (;;) {
    Batch batch;
    traffic.fill(1, batch, std::size_t{1} << 20);
    if (batch.bytes() == 0) return kinds;
    FrameReader reader;
    for (std::span<const std::byte> piece : batch.pieces())
      while (const auto item = reader.take(piece))
        if (const auto* frame = std::get_if<Frame>(&*item)) kinds.push_back(frame->kind);
    traffic.written(batch);
  }
}

void send_several(Traffic& traffic, int messages, std::span<const std::byte> bytes) {
  for (int i = 0; i < messages; ++i) traffic.send(1, {}, {&bytes, 1});
}

const auto kMessage = FrameKind::message;
const auto kAnnounce = FrameKind::announce;

}  // namespace

TEST_CASE("so much is sent unasked as the receiver has given credit for, the rest is announced, in order") {
  NotingCarrier carrier;
  Traffic traffic(0, 2, 0, carrier);
  const std::vector<std::byte> bytes(100);
  traffic.grant(1, 3 * (100 + kMessageCost));
  send_several(traffic, 5, bytes);
  CHECK(kinds_written(traffic) == std::vector{kMessage, kMessage, kMessage, kAnnounce, kAnnounce});
  CHECK(traffic.ended(Lane::program).size() == 3);
  traffic.take(1, {.kind = FrameKind::credit, .length = 100 + kMessageCost}, {});
  send_several(traffic, 2, bytes);
  CHECK(kinds_written(traffic) == std::vector{kMessage, kAnnounce});
  // One that is announced goes when it may.
  traffic.take(1, {.kind = FrameKind::clear, .id = 4}, {});
  CHECK(kinds_written(traffic) == std::vector{FrameKind::part});
  CHECK(traffic.ended(Lane::program).size() == 5);
  CHECK(traffic.ended(Lane::program).back().operation == 4);
}

TEST_CASE("a long message is announced whatever the credit, and goes in parts") {
  NotingCarrier carrier;
  Traffic traffic(0, 2, 0, carrier);
  traffic.grant(1, std::size_t{1} << 40);
  const std::vector<std::byte> bytes(2 * kLongestPart + 1);
  send_several(traffic, 1, std::span(bytes).first(kLongestUnasked));
  send_several(traffic, 1, bytes);
  CHECK(kinds_written(traffic) == std::vector{kMessage, kAnnounce});
  traffic.take(1, {.kind = FrameKind::clear, .id = 2}, {});
  CHECK(kinds_written(traffic) == std::vector(3, FrameKind::part));
}

TEST_CASE("credit is given back for what was kept, once there is some") {
  NotingCarrier carrier;
  Traffic traffic(0, 2, 4 * (100 + kMessageCost), carrier);
  const Frame frame = {.kind = kMessage, .payload = 100, .length = 100};
  for (int i = 0; i < 2; ++i) {
    CHECK(traffic.destination(1, frame).is_kept);
    traffic.take(1, frame, std::vector<std::byte>(100));
  }
  CHECK(carrier.carried.empty());
  std::vector<std::byte> memory(100);
  const std::span<std::byte> piece = memory;
  traffic.receive(1, {}, {&piece, 1});
  REQUIRE(carrier.carried.size() == 1);
  CHECK(carrier.carried[0] == Frame{.kind = FrameKind::credit, .length = 100 + kMessageCost});
}

TEST_CASE("frames that answer nothing are refused") {
  NotingCarrier carrier;
  Traffic traffic(0, 2, 1000, carrier);
  CHECK_THROWS_AS(traffic.take(1, {.kind = FrameKind::clear, .id = 1}, {}), FrameError);
  CHECK_THROWS_AS(traffic.destination(1, {.kind = FrameKind::part, .id = 1}), FrameError);
  CHECK_THROWS_AS(traffic.take(1, {.kind = FrameKind::hello}, {}), FrameError);
}

}  // namespace heddle::net::tcp
