// SPDX-License-Identifier: Apache-2.0
// Long messages of ranks that wait for them: they lie in the ranks' memory, and nobody can tell.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "emu/messages/payload.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;
using Catch::Contains;

constexpr int kLong = 20'000;  // 80,000 bytes: 1 us + 80 us to drain, 0.4 us to arrive

std::vector<std::int32_t> numbers(int first) {
  std::vector<std::int32_t> all(kLong);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// To the right and from the left. `waits`: in one call.
void shift(Communicator& comm, std::vector<std::int32_t>& sent, std::vector<std::int32_t>& got, bool waits) {
  const Rank right((comm.rank().value() + 1) % comm.size()), left((comm.rank().value() + comm.size() - 1) % comm.size());
  if (waits)
    comm.exchange(1, [=, &sent, &got](int) { return Round{right, VectorView(sent), left, VectorView(got)}; });
  else
    comm.wait_all({comm.irecv(left, got), comm.isend(right, sent)});
}

}  // namespace

TEST_CASE("a long message arrives as it was sent, though its sender changes its memory once the send is over") {
  EmulationSettings settings = on(each_kind_of_threads());
  settings.buffering = GENERATE(Buffering::eager(), Buffering::synchronous(), Buffering::limited(1));
  const bool is_late = GENERATE(false, true);  // the receive: the message waits for it
  const auto run = [&](bool waits) {
    std::vector<std::vector<std::int32_t>> got(3, numbers(-7));
    std::array<bool, 3> is_right{};
    const Report report = run_on(
        fabric_of("ring:3"),
        [&got, &is_right, waits, is_late](Communicator& comm) {
          std::vector<std::int32_t> sent = numbers(1'000 * comm.rank().value());
          std::vector<std::int32_t>& into = got[static_cast<std::size_t>(comm.rank().value())];
          if (is_late && comm.rank() == Rank(1)) comm.sleep(200_us);
          shift(comm, sent, into, waits);
          std::ranges::fill(sent, 0);
          const int left = (comm.rank().value() + 2) % 3;
          is_right[static_cast<std::size_t>(comm.rank().value())] = into == numbers(1'000 * left);
          shift(comm, sent, into, waits);
          std::ranges::fill(sent, 1);
        },
        settings);
    CHECK(is_right == std::array{true, true, true});
    CHECK(got == std::vector(3, std::vector<std::int32_t>(kLong, 0)));
    return report.completion;
  };
  CHECK(run(true) == run(false));
}

TEST_CASE("a long message that changes in its sender's memory, while that waits, is found") {
  std::vector<std::int32_t> shared = numbers(0);
  const CheckError error = check_error_of(fabric_of("ring:3"), [&shared](Communicator& comm) {
    std::vector<std::int32_t> own = numbers(5);
    const VectorView into = VectorView(shared).slice(0, kLong / 2);
    // Rank 2's message is there at 41.4 us, where rank 1 sends from until 81 us.
    if (comm.rank() == Rank(0)) comm.exchange(1, [=](int) { return Round{Rank(1), {}, Rank(2), into}; });
    if (comm.rank() == Rank(1))
      comm.exchange(1, [&](int) { return Round{Rank(2), VectorView(shared), Rank(0), VectorView()}; });
    if (comm.rank() == Rank(2)) {
      const Request receive = comm.irecv(Rank(1), own);
      std::vector<std::int32_t> other = numbers(7);
      comm.wait_all({receive, comm.isend(Rank(0), VectorView(other).slice(0, kLong / 2))});
    }
  });
  CHECK(error.kind() == CheckError::Kind::hygiene);
  CHECK_THAT(
      error.what(),
      Contains("a send buffer of rank 1 changed while the rank waited for its send: the message of 20000 x "
               "i32 from rank 1 to rank 2 (tag 0), at 81us; another operation of that rank, or another rank, wrote there"));
}

TEST_CASE("bytes that differ anywhere, or change places, have another digest") {
  std::vector<std::byte> bytes(1'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i % 251);
  const auto digest = [&](std::size_t size) { return emu::digest_of(bytes.data(), size); };
  const std::uint64_t whole = digest(1'000);
  CHECK(digest(999) != whole);
  for (const std::size_t at : {0, 1, 7, 8, 500, 991, 992, 999}) {
    bytes[at] ^= std::byte{0x80};
    CHECK(digest(1'000) != whole);
    bytes[at] ^= std::byte{0x80};
  }
  std::swap_ranges(bytes.begin(), bytes.begin() + 64, bytes.begin() + 64);
  CHECK(digest(1'000) != whole);
}

}  // namespace heddle
