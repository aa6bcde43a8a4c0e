// SPDX-License-Identifier: Apache-2.0
// Modes and labels of sends, any tag, messages that are too long. Speeds: B = 1 byte/ns, α = 1 us, 400 ns a link: 4 bytes have drained
// after 1,004 ns and arrive at 1,404 ns.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

Request send_as(Communicator& comm, int dest, const Numbers& values, Tag tag, const SendOptions& options) {
  const ConstVectorView view(values);
  return comm.isend(Rank(dest), std::span(&view, 1), tag, options);
}

Request receive_as(Communicator& comm, Rank source, Numbers& into, Tag tag, const ReceiveOptions& options = {}) {
  const VectorView view(into);
  return comm.irecv(source, std::span(&view, 1), tag, options);
}

/// Rank 0 sends one number in this mode, rank 1 receives it 50 us later: when rank 0 had sent.
Time sent_at(SendMode mode, const EmulationSettings& settings) {
  Time sent;
  Numbers got(1);
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          Numbers values = {7};
          comm.wait(send_as(comm, 1, values, {}, {.mode = mode}));
          sent = comm.now();
          values[0] = 8;
        } else {
          comm.sleep(50_us);
          comm.recv(Rank(0), got);
        }
      },
      settings);
  CHECK(got == Numbers{7});
  return sent;
}

}  // namespace

TEST_CASE(
    "modes: standard and ready sends end when they have drained, synchronous ones not before their receive, buffered at once") {
  EmulationSettings settings = on(each_kind_of_threads());
  SECTION("where messages have no bound") {
    CHECK(sent_at(SendMode::standard, settings) == 1004_ns);
    CHECK(sent_at(SendMode::synchronous, settings) == 51'004_ns);
    CHECK(sent_at(SendMode::buffered, settings) == 0_ns);
  }
  SECTION("where there are credits") {
    settings.buffering.credits = 1;
    CHECK(sent_at(SendMode::standard, settings) == 1004_ns);
    CHECK(sent_at(SendMode::synchronous, settings) == 51'004_ns);
    CHECK(sent_at(SendMode::buffered, settings) == 0_ns);
  }
  SECTION("where every send waits for its receive") {
    settings.buffering.credits = 0;
    CHECK(sent_at(SendMode::standard, settings) == 51'004_ns);
    CHECK(sent_at(SendMode::buffered, settings) == 0_ns);
  }
}

TEST_CASE("modes: under the wall clock, too") {
  EmulationSettings settings;
  settings.wall.emplace();
  Numbers got(3);
  std::uint64_t label = 0;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers one = {1}, two = {2}, three = {3};
          const Request buffered = send_as(comm, 1, one, Tag(1), {.mode = SendMode::buffered});
          const Request synchronous = send_as(comm, 1, two, Tag(2), {.mode = SendMode::synchronous});
          comm.wait_all({buffered, synchronous, send_as(comm, 1, three, Tag(3), {.label = 5})});
        } else {
          label = comm.wait(receive_as(comm, Rank(0), got, kAnyTag)).label;
          Numbers two(1), three(1);
          comm.wait(receive_as(comm, Rank(0), two, kAnyTag));
          comm.wait(receive_as(comm, Rank(0), three, kAnyTag));
          got[1] = two[0], got[2] = three[0];
        }
      },
      settings);
  CHECK(got == Numbers{1, 2, 3});
  CHECK(label == 0);
}

TEST_CASE("modes: of credits, a synchronous send takes none and gives none back") {
  EmulationSettings settings = on(each_kind_of_threads());
  settings.buffering.credits = 1;
  Time last;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers values = {1};
          comm.wait(send_as(comm, 1, values, {}, {.mode = SendMode::synchronous}));
          comm.wait(send_as(comm, 1, values, {}, {}));
          comm.wait(send_as(comm, 1, values, {}, {}));  // waits for the credit of the one before
          last = comm.now();
        } else {
          Numbers into(1);
          comm.recv(Rank(0), into);
          comm.sleep(100_us);
          comm.recv(Rank(0), into);
          comm.recv(Rank(0), into);
        }
      },
      settings);
  CHECK(last > 100_us);
}

TEST_CASE("modes: a ready send whose receive is not posted fails and names both ranks") {
  const EmulationSettings settings = on(each_kind_of_threads());
  const auto send_ready = [](bool receives_before) {
    return [receives_before](Communicator& comm) {
      Numbers into(1);
      if (comm.rank() == Rank(0)) {
        comm.sleep(10_us);
        const Numbers values = {3};
        comm.wait(send_as(comm, 1, values, Tag(4), {.mode = SendMode::ready}));
      } else {
        if (!receives_before) comm.sleep(20_us);
        comm.recv(Rank(0), into, Tag(4));
      }
    };
  };
  run_on(fabric_of("ring:2"), send_ready(true), settings);
  const CheckError error = check_error_of(fabric_of("ring:2"), send_ready(false), settings);
  CHECK(error.kind() == CheckError::Kind::usage);
  CHECK(error.what() ==
        std::string(
            "rank 0 sent the message of 1 x i32 from rank 0 to rank 1 (tag 4) in ready mode at 10us, and rank 1 has posted "
            "no receive for it; the receive must be posted before, or the mode be standard"));
}

TEST_CASE("modes: receives that other messages will take are none for a ready send") {
  // The first message is on its way, and the one receive is for it.
  const CheckError error = check_error_of(
      fabric_of("ring:2"),
      [](Communicator& comm) {
        const Numbers values = {3};
        Numbers into(1), more(1);
        if (comm.rank() == Rank(0)) {
          comm.wait_all({comm.isend(Rank(1), values), send_as(comm, 1, values, {}, {.mode = SendMode::ready})});
        } else {
          const Request first = comm.irecv(Rank(0), into);
          comm.sleep(20_us);
          comm.wait_all({first, comm.irecv(Rank(0), more)});
        }
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::usage);
}

TEST_CASE("labels come back with the message, whoever receives it and however") {
  std::array<Status, 3> statuses;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        if (comm.rank() == Rank(0)) {
          const Numbers values = {1};
          comm.wait_all({send_as(comm, 1, values, {}, {.label = 11}), send_as(comm, 1, values, {}, {.label = 12}),
                         comm.isend(Rank(1), values)});
        } else {
          Numbers a(1), b(1), c(1);
          const std::array requests = {comm.irecv(Rank(0), a), receive_as(comm, Rank(0), b, {}), comm.irecv(Rank(0), c)};
          comm.wait_all(requests, statuses);
        }
      },
      on(each_kind_of_threads()));
  CHECK(statuses[0].label == 11);
  CHECK(statuses[1].label == 12);
  CHECK(statuses[2].label == 0);
}

TEST_CASE("any tag: the message that was sent first is waited for, a receive of one tag waits for no other") {
  // 40,000 bytes of tag 1 and 4 of tag 2 share the link: tag 2 is there at 1,408 ns.
  Time tag_two_at;
  std::array<Status, 2> got;
  run_on(
      fabric_of("ring:2"),
      [&](Communicator& comm) {
        Numbers large(10'000), small(1), other(1);
        if (comm.rank() == Rank(0)) {
          comm.wait_all(
              {comm.isend(Rank(1), large, Tag(1)), comm.isend(Rank(1), small, Tag(2)), comm.isend(Rank(1), other, Tag(2))});
        } else {
          const Request any = receive_as(comm, Rank(0), large, kAnyTag);
          comm.recv(Rank(0), small, Tag(2));
          tag_two_at = comm.now();
          got[0] = comm.wait(any);
          got[1] = comm.wait(receive_as(comm, kAnySource, other, kAnyTag));
        }
      },
      on(each_kind_of_threads()));
  CHECK(tag_two_at < 2_us);
  CHECK(got[0].tag == Tag(1));
  CHECK(got[0].count == 10'000);
  CHECK(got[1].tag == Tag(2));
  CHECK(got[1].peer == Rank(0));
}

TEST_CASE("any tag is none that a message can have") {
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    const Numbers values = {1};
    comm.wait(send_as(comm, 1 - comm.rank().value(), values, kAnyTag, {}));
  });
  CHECK(error.kind() == CheckError::Kind::usage);
  CHECK_THAT(error.what(), Catch::Contains("isend of any tag: a message has one"));
}

TEST_CASE("any tag: a deadlock names it") {
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    Numbers into(4);
    if (comm.rank() == Rank(0)) comm.wait(receive_as(comm, Rank(1), into, kAnyTag));
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits to receive 4 x i32 from rank 1 (any tag)"));
}

TEST_CASE("a message longer than its receive is cut where the receive says so, and an error elsewhere") {
  const Numbers sent = {1, 2, 3, 4};
  Numbers into(3, 0);
  Status status;
  const auto cut = [&](bool takes_longer) {
    return [&, takes_longer](Communicator& comm) {
      if (comm.rank() == Rank(0)) {
        comm.send(Rank(1), sent);
      } else {
        const VectorView room = VectorView(into).slice(0, 2);
        status = comm.wait(comm.irecv(Rank(0), std::span(&room, 1), Tag(), ReceiveOptions{.takes_longer = takes_longer}));
      }
    };
  };
  run_on(fabric_of("ring:2"), cut(true), on(each_kind_of_threads()));
  CHECK(into == Numbers{1, 2, 0});
  CHECK(status.count == 4);
  CHECK(check_error_of(fabric_of("ring:2"), cut(false)).kind() == CheckError::Kind::truncation);
}

}  // namespace heddle
