// SPDX-License-Identifier: Apache-2.0
// Failures in the words of a program whose places somebody knows, and in heddle's where nobody does.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

/// Its places are texts: "ring.c:41".
class Lines final : public PlaceDescriber {
 public:
  std::string describe(const PlacedCall& call) const override {
    const char* const line = static_cast<const char*>(call.place);
    switch (call.kind) {
      case PlacedCall::Kind::send:
        return fmt::format("put({} of {}, to {}) at {}", call.count, call.label, call.peer.value(), line);
      case PlacedCall::Kind::receive:
        return fmt::format("get({} of {}, from {}) at {}", call.count, call.label, call.peer.value(), line);
      case PlacedCall::Kind::probe:
        return fmt::format("look({}) at {}", call.peer.value(), line);
      case PlacedCall::Kind::task:
        return fmt::format("fork() at {}", line);
      case PlacedCall::Kind::wait:
        return fmt::format("finish() at {}", line);
    }
    return "";
  }
};

Request put(Communicator& comm, int dest, const Numbers& values, std::uint64_t label, const char* line) {
  comm.call_from(line);
  const ConstVectorView view(values);
  return comm.isend(Rank(dest), std::span(&view, 1), {}, SendOptions{.label = label});
}

Request get(Communicator& comm, int source, Numbers& into, std::uint64_t label, const char* line) {
  comm.call_from(line);
  const VectorView view(into);
  return comm.irecv(Rank(source), std::span(&view, 1), {}, ReceiveOptions{.label = label});
}

const Lines kLines;

}  // namespace

TEST_CASE("places: a deadlock names where each rank waits, and for what it had asked where") {
  const CheckError error = check_error_of(
      fabric_of("ring:4"),
      [](Communicator& comm) {
        comm.let_describe(&kLines);
        Numbers into(4);
        const int next = right(comm);
        if (comm.rank() == Rank(0)) comm.wait(get(comm, next, into, 8, "a.c:1"));
        if (comm.rank() == Rank(1)) {
          const Request request = get(comm, next, into, 8, "a.c:2");
          comm.call_from("a.c:3");
          comm.wait(request);
        }
        if (comm.rank() == Rank(2)) {
          comm.call_from("a.c:4");
          comm.probe(Rank(next), {});
        }
        if (comm.rank() == Rank(3)) {
          comm.call_from(nullptr);
          comm.recv(Rank(next), into);
        }
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("\n  rank 0 waits in get(4 of 8, from 1) at a.c:1\n"));
  CHECK_THAT(error.what(), Catch::Contains("\n  rank 1 waits in finish() at a.c:3 for get(4 of 8, from 2) at a.c:2\n"));
  CHECK_THAT(error.what(), Catch::Contains("\n  rank 2 waits in look(3) at a.c:4\n"));
  CHECK_THAT(error.what(), Catch::Contains("\n  rank 3 waits to receive 4 x i32 from rank 0 (tag 0)\n"));
}

TEST_CASE("places: a truncation names both ends") {
  const CheckError error = check_error_of(
      fabric_of("ring:2"),
      [](Communicator& comm) {
        comm.let_describe(&kLines);
        Numbers two(2), three(3);
        comm.wait(comm.rank() == Rank(0) ? put(comm, 1, three, 6, "a.c:7") : get(comm, 0, two, 5, "a.c:9"));
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == CheckError::Kind::truncation);
  CHECK(error.what() ==
        std::string("the message of 3 x i32 from rank 0 to rank 1 (tag 0) is longer than its receive: rank 1 asked for "
                    "2 x i32; sent by put(3 of 6, to 1) at a.c:7, received by get(2 of 5, from 0) at a.c:9"));
}

TEST_CASE("places: what nobody received names where it was sent") {
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    comm.let_describe(&kLines);
    Numbers one(1);
    if (comm.rank() == Rank(0)) comm.wait(put(comm, 1, one, 2, "b.c:3"));
  });
  CHECK(error.kind() == CheckError::Kind::hygiene);
  CHECK_THAT(error.what(), Catch::Contains("from rank 0 to rank 1 (tag 0), sent by put(1 of 2, to 1) at b.c:3"));
}

TEST_CASE("places: without a describer the texts are heddle's own") {
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    Numbers one(1);
    if (comm.rank() == Rank(0)) comm.wait(get(comm, 1, one, 2, "b.c:3"));
  });
  CHECK_THAT(error.what(), Catch::Contains("rank 0 waits to receive 1 x i32 from rank 1 (tag 0)"));
}

}  // namespace heddle
