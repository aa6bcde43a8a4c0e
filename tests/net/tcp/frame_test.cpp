// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "net/tcp/frame.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::net::tcp {

namespace {

struct ReadFrame {
  Frame frame;
  std::vector<std::byte> payload;
  bool operator==(const ReadFrame&) const = default;
};

/// What the reader finds in the pieces, one after the other.
class Listening {
 public:
  void hear(std::span<const std::byte> bytes) {
    while (const auto item = reader_.take(bytes)) {
      if (const auto* frame = std::get_if<Frame>(&*item)) {
        found.push_back({*frame, {}});
      } else {
        const auto part = std::get<std::span<const std::byte>>(*item);
        found.back().payload.insert(found.back().payload.end(), part.begin(), part.end());
      }
    }
  }
  std::vector<ReadFrame> found;

 private:
  FrameReader reader_;
};

std::vector<ReadFrame> some_frames() {
  const std::vector<std::byte> bytes(11, std::byte{0x5a});
  return {{{FrameKind::hello, Lane::program, 3, 11, 4, 0, 0}, bytes},
          {{FrameKind::message, Lane::own, -7, 0, 0, 1, 0}, {}},
          {{FrameKind::message, Lane::program, 5, 11, ~std::uint64_t{0}, 2, 11}, bytes},
          {{FrameKind::announce, Lane::program, 5, 0, 1, 3, std::uint64_t{1} << 40}, {}},
          {{FrameKind::part, Lane::program, 0, 11, 0, 3, 77}, bytes}};
}

std::vector<std::byte> bytes_of(const std::vector<ReadFrame>& frames) {
  std::vector<std::byte> all;
  for (const ReadFrame& one : frames) {
    const EncodedFrame header = encode(one.frame);
    all.insert(all.end(), header.begin(), header.end());
    all.insert(all.end(), one.payload.begin(), one.payload.end());
  }
  return all;
}

}  // namespace

TEST_CASE("frames are read back however their bytes are cut") {
  const std::vector<ReadFrame> frames = some_frames();
  const std::vector<std::byte> all = bytes_of(frames);
  const std::span<const std::byte> bytes(all);
  for (std::size_t first = 0; first <= all.size(); ++first)
    for (std::size_t second = first; second <= all.size(); second += 1 + second / 16) {
      Listening listening;
      listening.hear(bytes.first(first));
      listening.hear(bytes.subspan(first, second - first));
      listening.hear(bytes.subspan(second));
      if (listening.found != frames) FAIL("cut at " << first << " and " << second);
    }
  Listening one_by_one;
  for (const std::byte& one : all) one_by_one.hear({&one, 1});
  CHECK(one_by_one.found == frames);
}

TEST_CASE("a payload that is read elsewhere is passed over") {
  const std::vector<ReadFrame> frames = some_frames();
  const std::vector<std::byte> all = bytes_of({frames[0], frames[1]});
  FrameReader reader;
  std::span<const std::byte> bytes = std::span(all).first(kFrameBytes + 4);
  CHECK(std::get<Frame>(*reader.take(bytes)) == frames[0].frame);
  CHECK(std::get<std::span<const std::byte>>(*reader.take(bytes)).size() == 4);
  CHECK(reader.payload_left() == 7);
  reader.skip(7);
  bytes = std::span(all).subspan(kFrameBytes + 11);
  CHECK(std::get<Frame>(*reader.take(bytes)) == frames[1].frame);
}

TEST_CASE("what is no frame is refused with a reason, and nothing else comes of damage") {
  const auto refusal = [](std::size_t at, int value) {
    EncodedFrame bytes = encode({FrameKind::message, Lane::program, 5, 11, 1, 2, 11});
    bytes[at] = static_cast<std::byte>(value);
    try {
      Listening().hear(bytes);
      return std::string();
    } catch (const FrameError& error) {
      return std::string(error.what());
    }
  };
  CHECK_THAT(refusal(0, 'G'), Catch::Contains("not heddle's"));
  CHECK_THAT(refusal(4, 2), Catch::Contains("version 2"));
  CHECK_THAT(refusal(5, 0), Catch::Contains("kind is 0"));
  CHECK_THAT(refusal(5, 17), Catch::Contains("kind is 17"));
  CHECK_THAT(refusal(7, 1), Catch::Contains("reserved"));
  CHECK_THAT(refusal(15, 1), Catch::Contains("at most 1048576"));
  CHECK_THAT(refusal(12, 12), Catch::Contains("11 bytes in a frame of 12"));
  CHECK(refusal(8, 6) == "");  // another tag
}

TEST_CASE("damaged streams end in frames or a refusal") {
  testing::property([] {
    std::vector<std::byte> all = bytes_of(some_frames());
    const int changes = drawn::number(1, 6);
    for (int i = 0; i < changes; ++i)
      all[drawn::number<std::size_t>(0, all.size())] = static_cast<std::byte>(drawn::number(0, 256));
    all.resize(drawn::number<std::size_t>(0, all.size()));
    Listening listening;
    try {
      listening.hear(all);
    } catch (const FrameError&) {
    }
    std::size_t payloads = 0;
    for (const ReadFrame& one : listening.found) payloads += one.payload.size();
    RC_ASSERT(payloads <= all.size());
  });
}

}  // namespace heddle::net::tcp
