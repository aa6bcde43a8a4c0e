// SPDX-License-Identifier: Apache-2.0
// Memory used as it must not be is refused on each runtime of one process, with rank, buffers and what would be right; what may be is
// let be. (Ranks as processes: tests/net/ranks.)
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/memory/in_memory_runtime.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/runs.hpp"
#include "tests/memory_misuse.hpp"

namespace heddle {

namespace {

using Kind = CheckError::Kind;
using Catch::Contains;

/// Where a program of ranks runs. Throws what the run ends with.
struct Runtime {
  std::string name;
  std::function<void(const RankFunction&)> run;
};

void run_as_memory(const RankFunction& function) {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
  const Fabric fabric = fabric_of("star:2", settings);
  emu::InMemoryRuntime(fabric, linear_placement(2, fabric.topology()), true).run(function);
}

std::vector<Runtime> runtimes() {
  std::vector<Runtime> all;
  const auto add = [&all](const char* name, const EmulationSettings& settings) {
    all.push_back({name, [settings](const RankFunction& function) { run_on(reducing_ring(2), function, settings); }});
  };
  for (const Threads threads : threads_under_test())
    add(threads == Threads::user ? "user threads" : "kernel threads", on(threads));
  EmulationSettings settings;
  settings.wall.emplace();
  add("wall clock", settings);
  settings = {};
  settings.buffering = Buffering::synchronous();
  add("synchronous", settings);
  all.push_back({"in memory", run_as_memory});
  return all;
}

}  // namespace

TEST_CASE("memory that is used as it must not be is refused by every runtime, with the same words; other memory is let be") {
  for (const Runtime& runtime : runtimes()) {
    for (const testing::MemoryUse& use : testing::memory_uses()) {
      CAPTURE(runtime.name, use.name);
      if (use.words.empty()) {
        // Some of them send before they receive.
        if (runtime.name != "synchronous") CHECK_NOTHROW(runtime.run(use.run));
        continue;
      }
      try {
        runtime.run(use.run);
        FAIL("the run passed");
      } catch (const CheckError& error) {
        // Where time runs by itself, what is sent may be looked at between its change and its rank's wait, and that is said: with the
        // receive that wrote there, where one is open.
        if (runtime.name == "wall clock" && error.kind() == Kind::hygiene) {
          CHECK_THAT(error.what(),
                     Contains("changed a send buffer before its send was complete") || Contains(" that it has yet to send: "));
          continue;
        }
        CHECK(error.kind() == Kind::usage);
        CHECK_THAT(error.what(), Contains("rank ") && Contains(" failed") && Contains(use.words));
      }
    }
  }
}

TEST_CASE("a message that is shorter than the sums it is to be combined with is refused") {
  const auto program = [](bool by_exchange) {
    return [by_exchange](Communicator& comm) {
      testing::Places places{};
      const VectorView all(places);
      const std::int64_t sent = comm.rank() == Rank(0) ? 7 : 8;
      const std::int64_t got = comm.rank() == Rank(0) ? 8 : 8;
      if (by_exchange)
        testing::exchange_once(comm, all.slice(0, sent), all.slice(8, got), all.slice(32, 8));
      else
        testing::reduce_once(comm, all.slice(0, sent), all.slice(8, got), all.slice(32, 8));
    };
  };
  for (const bool by_exchange : {false, true}) {
    const CheckError error = check_error_of(reducing_ring(2), program(by_exchange), on(each_kind_of_threads()));
    CHECK(error.kind() == Kind::usage);
    CHECK_THAT(error.what(),
               Contains("rank 1 failed") &&
                   Contains("the message from rank 0 has 7 elements, and is to be combined with 8; both must be as long"));
    CHECK_THROWS_WITH(run_as_memory(program(by_exchange)), Contains("is shorter than what it is to be combined with"));
  }
}

TEST_CASE("where a call has vectors, buffers are told by their names") {
  const auto error_of = [](bool in_place, bool in_task) {
    const Fabric fabric = fabric_of("star:2", {});
    const CollectiveFunction function = [in_task](Communicator& comm, const CollectiveArguments& args) {
      const auto misuse = [&](Communicator& own) {
        const Request open = own.irecv(testing::source_of(own), args.output.slice(4, 4));
        own.wait_all({open, own.isend(testing::peer_of(own), args.output.slice(6, 4))});
      };
      if (!in_task) return misuse(comm);
      comm.concurrently(1, [&](int, Communicator& task) { misuse(task); });
    };
    try {
      run_checked(fabric, linear_placement(2, fabric.topology()),
                  {.function = function, .name = "mine", .count = 16, .sampled = 16, .in_place = in_place});
    } catch (const CheckError& error) {
      return std::string(error.what());
    }
    return std::string("the run passed");
  };
  for (const bool in_task : {false, true}) {
    CHECK_THAT(error_of(true, in_task),
               Contains("in 8 bytes: bytes 8-15 of the first are bytes 0-7 of the second (elements 6-7 of the vector)"));
    CHECK_THAT(error_of(false, in_task), Contains("(elements 6-7 of the output)"));
  }
}

TEST_CASE("what is open when a call returns is refused there, but a freed send from memory that stays") {
  const auto error_of = [](const std::function<void(Communicator&, VectorView)>& use) {
    const Fabric fabric = fabric_of("star:2", {});
    const CollectiveFunction function = [&use](Communicator& comm, const CollectiveArguments& args) {
      const Rank other(1 - comm.rank().value());
      if (comm.rank() == args.root)
        comm.send(other, args.output);
      else
        comm.recv(other, args.output);
      use(comm, args.output);
    };
    try {
      run_checked(fabric, linear_placement(2, fabric.topology()),
                  {.collective = Collective::broadcast,
                   .function = function,
                   .name = "mine",
                   .count = 16,
                   .sampled = 16,
                   .in_place = true});
    } catch (const CheckError& error) {
      return std::string(error.what());
    }
    return std::string("the run passed");
  };
  // The other rank answers long after the call has returned.
  const auto with_answer = [&error_of](const std::function<void(Communicator&)>& ask) {
    return error_of([&ask](Communicator& comm, VectorView vector) {
      if (comm.rank() == Rank(1)) return ask(comm);
      comm.sleep(Time::from_seconds(1));
      comm.send(Rank(1), vector.slice(0, 4), Tag(7));
    });
  };
  CHECK_THAT(
      with_answer([](Communicator& comm) {
        Buffer place(Datatype::i32(), 4);
        static_cast<void>(comm.irecv(Rank(0), place.view(), Tag(7)));
      }),
      Contains("rank 1 returned without waiting for 1 of its requests, one of them to receive 4 x i32 from rank 0 (tag 7)"));
  CHECK_THAT(with_answer([](Communicator& comm) {
               Buffer place(Datatype::i32(), 4);
               comm.free_request(comm.irecv(Rank(0), place.view(), Tag(7)));
             }),
             Contains("one of them to receive 4 x i32 from rank 0 (tag 7), which it has freed and which is not complete"));

  const auto sends_freed = [&error_of](bool from_vector) {
    static const std::vector<std::int32_t> kept(16);
    return error_of([from_vector](Communicator& comm, VectorView vector) {
      if (comm.rank() == Rank(0))
        return comm.free_request(comm.isend(Rank(1), from_vector ? ConstVectorView(vector) : ConstVectorView(kept), Tag(7)));
      std::array<std::int32_t, 16> place{};
      comm.recv(Rank(0), place, Tag(7));
    });
  };
  CHECK_THAT(sends_freed(true), Contains("one of them to send 16 x i32 to rank 1 (tag 7), which it has freed"));
  CHECK(sends_freed(false) == "the run passed");
}

TEST_CASE("with synchronous sends, who sends to oneself has to have asked for it") {
  const auto send_to_oneself = [](bool asks_first) {
    return [asks_first](Communicator& comm) {
      std::array<std::int32_t, 2> sent{}, got{};
      if (asks_first) {
        const Request receive = comm.irecv(comm.rank(), got);
        comm.send(comm.rank(), sent);
        comm.wait(receive);
      } else {
        comm.send(comm.rank(), sent);
        comm.recv(comm.rank(), got);
      }
    };
  };
  EmulationSettings settings = on(each_kind_of_threads());
  CHECK_NOTHROW(run_on(reducing_ring(2), send_to_oneself(false), settings));
  settings.buffering = Buffering::synchronous();
  CHECK_NOTHROW(run_on(reducing_ring(2), send_to_oneself(true), settings));
  const CheckError error = check_error_of(reducing_ring(2), send_to_oneself(false), settings);
  CHECK(error.kind() == Kind::deadlock);
  CHECK_THAT(error.what(), Contains("rank 0 waits to send 2 x i32 to rank 0 (tag 0): synchronous, and no receive is posted"));
}

}  // namespace heddle
