// SPDX-License-Identifier: Apache-2.0
// Messages and receives that share memory, of one rank or of several: each is named before it makes a result wrong.
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;
using Kind = CheckError::Kind;
using Catch::Contains;

}  // namespace

TEST_CASE("receives that are open at once into the same memory") {
  const EmulationSettings settings = on(each_kind_of_threads());
  std::array<std::int32_t, 8> data{};
  const auto error_of = [&](std::int64_t first, std::int64_t second, std::int64_t count, bool waits_between) {
    return check_error_of(
        reducing_ring(3),
        [=, &data](Communicator& comm) {
          std::array<std::int32_t, 4> sent{};
          const VectorView into = VectorView(data);
          if (comm.rank() != Rank(0)) return comm.send(Rank(0), VectorView(sent).slice(0, count));
          const Request a = comm.irecv(Rank(1), into.slice(first, count));
          if (waits_between) comm.wait(a);
          const Request b = comm.irecv(Rank(2), into.slice(second, count));
          if (!waits_between) comm.wait(a);
          comm.wait(b);
          if (waits_between || second - first >= count) throw std::runtime_error("no overlap");
        },
        settings);
  };
  const CheckError error = error_of(1, 4, 4, false);
  CHECK(error.kind() == Kind::usage);
  CHECK_THAT(
      error.what(),
      Contains("buffers of receives that are open at once overlap: to receive 4 x i32 from rank 1 (tag 0) and to receive 4 x "
               "i32 from rank 2 (tag 0), in 4 bytes: bytes 12-15 of the first are bytes 0-3 of the second; each needs memory "
               "of its own"));
  CHECK_THAT(error_of(0, 4, 4, false).what(), Contains("no overlap"));
  CHECK_THAT(error_of(0, 0, 4, true).what(), Contains("no overlap"));
  CHECK_THAT(error_of(2, 2, 0, true).what(), Contains("no overlap"));
}

TEST_CASE("a receive into memory that is still to be sent") {
  const EmulationSettings settings = on(each_kind_of_threads());
  const CheckError own = check_error_of(
      reducing_ring(3),
      [](Communicator& comm) {
        std::array<std::int32_t, 4> data{};
        if (comm.rank() == Rank(1)) comm.wait_all({comm.isend(Rank(2), data), comm.irecv(Rank(2), data)});
        if (comm.rank() == Rank(2)) comm.wait_all({comm.isend(Rank(1), std::span(data).first(2)), comm.irecv(Rank(1), data)});
      },
      settings);
  CHECK(own.kind() == Kind::usage);
  CHECK_THAT(own.what(),
             Contains("rank 1 failed at 0ps: buffers of a send and a receive that are open at once overlap: to send 4 x i32 "
                      "to rank 2 (tag 0) and to receive 4 x i32 from rank 2 (tag 0), in 16 bytes"));
  std::array<std::int32_t, 4> shared{};
  const CheckError others = check_error_of(
      reducing_ring(3),
      [&shared](Communicator& comm) {
        if (comm.rank() == Rank(1)) comm.wait_all({comm.isend(Rank(2), shared)});
        std::array<std::int32_t, 4> data{};
        compute(comm, comm.rank() == Rank(0) ? 100 : 0);
        if (comm.rank() == Rank(2)) comm.recv(Rank(1), data);
        if (comm.rank() == Rank(0)) comm.recv(Rank(1), shared, Tag(5));
      },
      settings);
  CHECK_THAT(others.what(),
             Contains("ranks 1 and 0 share memory: rank 0 has a receive open, to receive 4 x i32 from rank 1 (tag 5), "
                      "into 16 bytes that rank 1 has yet to send"));
}

TEST_CASE("ranks that send from the same memory") {
  std::array<std::int32_t, 4> shared{};
  const CheckError error = check_error_of(
      reducing_ring(4),
      [&shared](Communicator& comm) {
        std::array<std::int32_t, 4> data{};
        const int half = comm.rank().value() % 2;
        compute(comm, 50 * half);
        if (comm.rank().value() >= 2) comm.recv(Rank(comm.rank().value() - 2), data);
        if (comm.rank().value() >= 2) return;
        shared.fill(half);
        comm.send(Rank(comm.rank().value() + 2), shared);
      },
      on(each_kind_of_threads()));
  CHECK(error.kind() == Kind::hygiene);
  CHECK_THAT(error.what(),
             Contains("ranks 0 and 1 share memory: both have yet to send 16 bytes of it, which have changed meanwhile: the "
                      "message of 4 x i32 from rank 0 to rank 2 (tag 0), element 0 of it"));
}

}  // namespace heddle
