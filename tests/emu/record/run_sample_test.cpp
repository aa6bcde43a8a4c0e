// SPDX-License-Identifier: Apache-2.0
#include "emu/record/run_sample.hpp"

#include <array>

#include "tests/catch.hpp"

namespace heddle {

using namespace literals;

namespace {

std::uint32_t send_from(int source, RunSample& sample, Time posted = {}) {
  const auto number = static_cast<std::uint32_t>(sample.messages_seen());
  sample.posted({.source = source, .time = posted});
  return number;
}

double sum_of(const LoadHistory& loads, LinkId link, double LoadHistory::Load::*what) {
  double sum = 0;
  for (std::size_t span = 0; span < loads.spans(); ++span) sum += loads.of(link, span).*what;
  return sum;
}

double bytes_of(const LoadHistory& loads, LinkId link) { return sum_of(loads, link, &LoadHistory::Load::bytes); }

}  // namespace

TEST_CASE("sample: all messages while there is room, then an even part of them, in order") {
  RunSample sample(1);
  for (int i = 0; i < 100; ++i) send_from(i, sample);
  REQUIRE(sample.messages().size() == 100);
  CHECK(sample.messages()[42].source == 42);

  constexpr int kMessages = 300'000;
  for (int i = 100; i < kMessages; ++i) send_from(i, sample);
  const std::vector<MessageRecord> kept = sample.messages();
  CHECK(sample.messages_seen() == kMessages);
  CHECK(kept.size() <= 8192);
  CHECK(kept.size() > 2048);
  std::array<int, 4> quarters{};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i > 0) CHECK(kept[i - 1].source < kept[i].source);
    ++quarters[static_cast<std::size_t>(kept[i].source) * 4 / kMessages];
  }
  for (const int quarter : quarters) CHECK(quarter > static_cast<int>(kept.size()) / 5);
}

TEST_CASE("sample: of many ranks some are followed") {
  CHECK(RunSample(1, 64).follows(63));
  const RunSample sample(1, 1000);
  int followed = 0;
  for (int rank = 0; rank < 1000; ++rank) followed += sample.follows(rank) ? 1 : 0;
  CHECK(followed > 32);
  CHECK(followed <= 64);
}

TEST_CASE("sample: a chain leads from the first message to the last, however many came between") {
  RunSample sample(1);
  CriticalPath path;
  for (int i = 0; i < 50'000; ++i) {
    const std::uint32_t number = send_from(i, sample, 1_ns * i);
    if (i % 10'000 != 0) continue;
    sample.injected(number, 1_ns * i, 2_ns * i, path.last_record);
    sample.drained(number, 2_ns * i, 2_ns * i + 5_ns, 3_ns);
    sample.arrived(number, 2_ns * i, 2_ns * i + 7_ns);
    path.last_record = number;
  }
  const auto chain = sample.chain(path);
  REQUIRE(chain);
  REQUIRE(chain->size() == 5);
  for (int i = 0; i < 5; ++i) {
    CHECK((*chain)[static_cast<std::size_t>(i)].source == i * 10'000);
    CHECK((*chain)[static_cast<std::size_t>(i)].started == 10'000_ns * i);
    CHECK((*chain)[static_cast<std::size_t>(i)].entered == 20'000_ns * i);
  }
  CHECK(chain->back().contention == 2_ns);
  CHECK(chain->back().arrived - chain->back().entered == 7_ns);
  CHECK(sample.chain(CriticalPath())->empty());
}

TEST_CASE("sample: a chain's times are exact, of messages that take picoseconds or seconds") {
  RunSample sample(1);
  CriticalPath path;
  const std::vector<Time> unit{1_ps, 1_us, 4294967295_ps, 4294967296_ps, 1'000'000'000_ns};
  for (const Time of : unit) {
    const std::uint32_t number = send_from(7, sample);
    sample.injected(number, of, of + of, path.last_record);
    sample.drained(number, of * 2, of * 7, of * 3);
    sample.arrived(number, of * 2, of * 8);
    path.last_record = number;
  }
  const auto chain = sample.chain(path).value();
  REQUIRE(chain.size() == unit.size());
  for (std::size_t i = 0; i < unit.size(); ++i) {
    CHECK(chain[i].started == unit[i]);
    CHECK(chain[i].entered == unit[i] * 2);
    CHECK(chain[i].contention == unit[i] * 2);
    CHECK(chain[i].arrived == unit[i] * 8);
  }
}

TEST_CASE("sample: a link's load is where it was in time, and none is lost as spans grow") {
  RunSample sample(3);
  const std::vector<LinkId> links{0, 2};
  // 1,000 bytes in 100 ns, alone; then for 1 ms 1 byte a nanosecond.
  sample.begin_flow(0, {.bytes = 1000, .full_rate = 100_ns}, links, 0_ns);
  sample.rate_of_flow(0, 1e10, 0_ns);
  sample.end_flow(0, 100_ns);
  CHECK(bytes_of(sample.loads(), 0) == Approx(1000));
  CHECK(sample.loads().of(0, 0).bytes == Approx(0.01 * static_cast<double>(sample.loads().width().ps())));
  CHECK(bytes_of(sample.loads(), 1) == 0);
  sample.begin_flow(1, {.bytes = 1e6, .full_rate = 1'000'000_ns}, links, 1000_ns);
  sample.rate_of_flow(1, 1e9, 1000_ns);
  sample.end_flow(1, 1'001'000_ns);
  CHECK(bytes_of(sample.loads(), 2) == Approx(1'001'000));
  CHECK(sample.loads().spans() <= 128);
  CHECK(sample.loads().width() * static_cast<std::int64_t>(sample.loads().spans()) >= 1'001'000_ns);
}

TEST_CASE("sample: time is lost in links that flows share, as far as they are slower than alone") {
  RunSample sample(3);
  const std::vector<LinkId> one{0, 1};
  const std::vector<LinkId> other{1, 2};
  sample.begin_flow(0, {.bytes = 100, .full_rate = 100_ns}, one, 0_ns);
  sample.begin_flow(1, {.bytes = 100, .full_rate = 100_ns}, other, 0_ns);
  for (const std::uint32_t flow : {0U, 1U}) sample.rate_of_flow(flow, 5e8, 0_ns);  // half of what each would have alone
  for (const std::uint32_t flow : {0U, 1U}) sample.end_flow(flow, 200_ns);
  const auto lost = [&](LinkId link) { return sum_of(sample.loads(), link, &LoadHistory::Load::lost_ps); };
  CHECK(lost(0) == 0);
  CHECK(lost(1) == Approx(200'000));  // 100 ns each
  CHECK(lost(2) == 0);
  // Spans grow, and nothing more is lost.
  sample.begin_flow(0, {.bytes = 1e6, .full_rate = 1'000'000_ns}, one, 200_ns);
  sample.rate_of_flow(0, 1e9, 200_ns);
  sample.end_flow(0, 1'000'200_ns);
  CHECK(lost(1) == Approx(200'000));
  CHECK(bytes_of(sample.loads(), 1) == Approx(1'000'200));
}

}  // namespace heddle
