// SPDX-License-Identifier: Apache-2.0
// Figures of docs/model.md, "Packets", worked by hand.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/packets/packet_runs.hpp"

namespace heddle {

namespace {

using namespace literals;
using Ps = std::vector<std::int64_t>;

constexpr std::int64_t kKiB = 1024;

FabricSettings two_tiers(Bandwidth inner, Bandwidth outer) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = inner, .latency = 100_ns}, LinkSpeed{.bandwidth = outer, .latency = 100_ns}};
  return settings;
}

}  // namespace

TEST_CASE("a message alone: latency, its bytes, and what each link waits for before it passes packets on") {
  // 3 links of 400 ns, 10,000 B in 200,000 ps; whole: 2 · 81,920 ps more; forward=256: 2 · 5,120 ps.
  const auto time = [](const char* model) { return run_packets("mesh:4", packet_speeds(), model, {{0, 3, 10'000}}).arrivals; };
  CHECK(time("packets") == Ps{1'400'000});
  CHECK(time("packets:forward=whole") == Ps{1'563'840});
  CHECK(time("packets:forward=256") == Ps{1'410'240});
}

TEST_CASE("few slots: what a round trip lets through") {
  // n packets, b slots, R = λ + s + c = 581,920: ⌊(n−1)/b⌋·R + ((n−1) mod b)·s + s + λ.
  const auto time = [](const char* model) {
    return run_packets("mesh:2", packet_speeds(), model, {{0, 1, 100 * 4 * kKiB}}).arrivals;
  };
  CHECK(time("packets:buffer=1") == Ps{58'092'000});
  CHECK(time("packets:buffer=4") == Ps{14'693'760});
}

TEST_CASE("a window: what is under way waits for acknowledgements") {
  // w packets in a window, R = s + λ + L = 881,920: as with slots.
  const auto time = [](const char* model) {
    return run_packets("mesh:2", packet_speeds(), model, {{0, 1, 100 * 4 * kKiB}}).arrivals;
  };
  CHECK(time("packets:window=1") == Ps{87'792'000});
  CHECK(time("packets:window=8KiB") == Ps{43'777'920});
  CHECK(time("packets:window=1MiB") == time("packets"));
}

TEST_CASE("packets that join a longer queue are marked") {
  const PacketRun run =
      run_packets("star:3", packet_speeds(), "packets:buffer=inf,mark=4", {{1, 0, 64 * kKiB}, {2, 0, 64 * kKiB}});
  const auto to_0 = std::ranges::max_element(run.report.packets->links, {}, &PacketLinkReport::marked);
  // Two come for each that leaves: the queue is 1 after the first pair, and one longer after each of the 15 others.
  CHECK(to_0->queue_max == 16);
  CHECK(to_0->marked > 0);
  CHECK(run_packets("star:3", packet_speeds(), "packets:buffer=inf,mark=16", {{1, 0, 64 * kKiB}, {2, 0, 64 * kKiB}})
            .report.packets->links[1]
            .marked == 0);
}

TEST_CASE("settings are read back as they are written, and what is wrong in them is named") {
  for (const char* text : {"", "mtu=9KiB,header=26B,forward=whole", "forward=256B,buffer=4,queues=fifo,arbiter=oldest,vcs=3",
                           "buffer=64KiB,arbiter=round-robin,window=1MiB,mark=0", "buffer=inf"}) {
    CHECK(to_string(parse_packet_settings(text)) == text);
  }
  const auto refusal = [](const char* text) -> std::string {
    try {
      parse_packet_settings(text);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  CHECK(refusal("bufer=1") == "packets: no field 'bufer'; did you mean buffer?");
  CHECK(refusal("buffer=0") == "packets: buffer=0: at least one packet");
  CHECK(refusal("vcs=17") == "packets: vcs=17: auto, or 1 to 16");
  CHECK(refusal("mtu=0") == "packets: mtu=0: 1B to 1TiB");
  CHECK(refusal("mark=-1") == "packets: mark=-1: so many packets, 0 or more");
  CHECK(refusal("mtu") == "packets: 'mtu' is no field=value");
  CHECK(refusal("mtu=1KiB,mtu=2KiB") == "packets: mtu is given twice");
  CHECK(refusal("queues=lifo") == "packets: queues=lifo: voq or fifo");
}

TEST_CASE("one message alone: more room is never later") {
  std::int64_t before = emu::kLatestTime.ps();
  for (const char* buffer : {"1", "2", "3", "4", "8", "16", "inf"}) {
    const std::int64_t time =
        run_packets("mesh:4", packet_speeds(), fmt::format("packets:buffer={}", buffer), {{0, 3, 300'000}}).arrivals.front();
    CAPTURE(buffer);
    CHECK(time <= before);
    before = time;
  }
}

TEST_CASE("an incast takes what all its bytes take, and ends within a packet of each") {
  const PacketRun run = run_packets("star:5", packet_speeds(), "packets:buffer=inf",
                                    {{1, 0, 64 * kKiB}, {2, 0, 64 * kKiB}, {3, 0, 64 * kKiB}, {4, 0, 64 * kKiB}});
  CHECK(run.arrivals == Ps{5'497'120, 5'579'040, 5'660'960, 5'742'880});
  const auto most = std::ranges::max_element(run.report.packets->links, {}, &PacketLinkReport::queue_max);
  CHECK(most->queue_max <= 3 * 16 + 1);
}

TEST_CASE("packets back to back take what their bytes take together") {
  FabricSettings speeds;
  speeds.tiers = {LinkSpeed{.bandwidth = 900_GBps, .latency = 0_ns}};
  speeds.hop = 100_ns;
  CHECK(run_packets("star:2", speeds, "packets", {{0, 1, 1'000'000}}).arrivals == Ps{1'211'112});
}

TEST_CASE("slow, fast, slow costs a wait") {
  CHECK(run_packets("clos:hosts=2,leaves=2,spines=1", two_tiers(25_GBps, 100_GBps), "packets", {{0, 2, 4 * kKiB}}).arrivals ==
        Ps{686'720});
}

TEST_CASE("the parking lot: merges in turns give half to the nearest") {
  const std::vector<Transfer> to_0 = {{1, 0, 64 * kKiB}, {2, 0, 64 * kKiB}, {3, 0, 64 * kKiB}};
  const auto times = [&](const char* model) { return run_packets("mesh:4", packet_speeds(), model, to_0).arrivals; };
  CHECK(times("packets:buffer=8,arbiter=round-robin") == Ps{2'611'840, 3'922'560, 4'332'160});
  CHECK(times("packets:buffer=8") == Ps{4'332'160, 3'431'040, 2'529'920});
}

TEST_CASE("head of line: a packet waits behind one for another output") {
  const std::vector<Transfer> posted = {{0, 2, 8 * kKiB}, {1, 2, 8 * kKiB}, {1, 3, 8 * kKiB}};
  CHECK(run_packets("star:4", packet_speeds(), "packets", posted).arrivals == Ps{745'760, 827'680, 827'680});
  const PacketRun fifo = run_packets("star:4", packet_speeds(), "packets:queues=fifo", posted);
  CHECK(fifo.arrivals == Ps{745'760, 827'680, 909'600});
  Time blocked;
  for (const PacketLinkReport& link : fifo.report.packets->links) blocked += link.blocked;
  CHECK(blocked == Time::ps(163'840));
}

TEST_CASE("a victim: an incast fills the buffers of a link that another message shares") {
  const std::vector<Transfer> incast = {{0, 4, 64 * kKiB}, {1, 4, 64 * kKiB}, {2, 4, 64 * kKiB}, {3, 5, 64 * kKiB}};
  const auto victim = [&](const char* model) {
    return run_packets("clos:hosts=4,leaves=2,spines=1", two_tiers(50_GBps, 200_GBps), model, incast).arrivals[3];
  };
  CHECK(victim("packets:buffer=inf") == 1'833'600);
  CHECK(victim("packets:buffer=4") == 4'956'480);
}

TEST_CASE("a ring of full buffers is told, and two channels break it") {
  std::vector<Transfer> shift;
  for (int rank = 0; rank < 6; ++rank) shift.push_back({rank, (rank + 2) % 6, 64 * kKiB});
  const auto time = [&](const char* model) {
    return run_packets("ring:6", packet_speeds(), model, shift).report.completion.ps();
  };
  CHECK(time("packets:buffer=1") == 19'649'120);
  CHECK(time("packets") == 3'339'520);
  try {
    time("packets:buffer=1,vcs=1");
    FAIL("it ends");
  } catch (const CheckError& error) {
    CHECK(error.kind() == CheckError::Kind::deadlock);
    CHECK(std::string(error.what()) ==
          "packets wait for each other, with 1 virtual channel where routes need 2: 0->1 is full of packets for 1->2, 1->2 is "
          "full of "
          "packets for 2->3, 2->3 is full of packets for 3->4, 3->4 is full of packets for 4->5, 4->5 is full of packets for "
          "5->0, "
          "5->0 is full of packets for 0->1 (6 messages under way, from 0 to 2 first); vcs=auto or a larger buffer");
  }
}

}  // namespace heddle
