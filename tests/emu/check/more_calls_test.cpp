// SPDX-License-Identifier: Apache-2.0
// More calls than two: what an algorithm keeps by count, or by communicator, for the next call.
#include <map>
#include <memory>
#include <mutex>

#include "tests/emu/check/planted_calls.hpp"

namespace heddle::planted {

namespace {

CollectiveCall with_calls(CollectiveCall call, int calls) {
  call.calls = calls;
  return call;
}

/// Right, but that rank 2 takes one element less than it should of every vector that is longer than its first one was.
CollectiveFunction remembers_the_count(Collective collective) {
  const auto first = std::make_shared<std::map<int, std::int64_t>>();
  const auto mutex = std::make_shared<std::mutex>();
  return then(collective, [=](Communicator& comm, const CollectiveArguments& call) {
    const std::lock_guard lock(*mutex);
    const std::int64_t known = first->try_emplace(comm.rank().value(), call.output.count()).first->second;
    if (comm.rank() == Rank(2) && call.output.count() > known) call.output.data()[call.output.size_bytes() - 1] ^= std::byte{1};
  });
}

/// Right, but that each rank is wrong in its fifth call, if it has called on two communicators by then.
CollectiveFunction mixes_up_communicators(Collective collective) {
  struct Seen {
    int calls = 0;
    const Communicator* first = nullptr;
    bool others = false;
  };
  const auto seen = std::make_shared<std::map<int, Seen>>();
  const auto mutex = std::make_shared<std::mutex>();
  return then(collective, [=](Communicator& comm, const CollectiveArguments& call) {
    const std::lock_guard lock(*mutex);
    Seen& of_rank = (*seen)[comm.rank().value()];
    if (of_rank.first == nullptr) of_rank.first = &comm;
    of_rank.others |= of_rank.first != &comm;
    if (++of_rank.calls % 5 == 0 && of_rank.others && !call.output.empty()) call.output.data()[0] ^= std::byte{1};
  });
}

}  // namespace

TEST_CASE("checked collectives: any number of calls are right") {
  for (const Collective collective : all_collectives()) {
    for (const int calls : {1, 2, 3, 4, 5, 11}) {
      for (const bool in_place : {false, true}) {
        INFO(to_string(collective) << ", " << calls << " calls, in place " << in_place);
        const CollectiveCall call = with_calls(call_of(collective, testing::direct(collective), in_place, 3), calls);
        CHECK_NOTHROW(run(call));
        CHECK(run(call).completion == run(with_calls(call, 1)).completion);  // only the first is measured
      }
    }
  }
}

TEST_CASE("checked collectives: blocks of given sizes are others in the third call") {
  CollectiveCall call = call_of(Collective::allgather, testing::direct(Collective::allgather));
  call.blocks = {3, 0, 7, 1, 9};
  call.calls = 5;
  CHECK_NOTHROW(run(call));
  call.collective = Collective::alltoall;
  call.function = testing::direct(Collective::alltoall);
  CHECK_NOTHROW(run(call));
}

TEST_CASE("checked collectives: what is kept by count shows in the third call") {
  CHECK_NOTHROW(run(call_of(Collective::allreduce, remembers_the_count(Collective::allreduce))));
  const Failure failure = failure_of(with_calls(call_of(Collective::broadcast, remembers_the_count(Collective::broadcast)), 3));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::StartsWith("wrong result of the third call: broadcast 'planted' of 31 i32") &&
                                      Catch::Contains(" (of another count)\n"));
}

TEST_CASE("checked collectives: what is kept by communicator shows in the fifth call") {
  CHECK_NOTHROW(run(with_calls(call_of(Collective::allgather, mixes_up_communicators(Collective::allgather)), 3)));
  const CollectiveCall call = with_calls(call_of(Collective::allgather, mixes_up_communicators(Collective::allgather)), 5);
  try {
    run(call);
    FAIL("the run passed");
  } catch (const CheckError& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("wrong result of the fifth call: "));
  }
}

TEST_CASE("checked collectives: a number of four bits goes wrong in the call that it comes round") {
  const CollectiveFunction wrong = [](Communicator& comm, const CollectiveArguments& call) {
    using Calls = std::vector<int>;  // each rank has a place of its own
    const auto calls = comm.shared_plan<std::shared_ptr<Calls>>(
        "calls", [&] { return std::make_shared<Calls>(static_cast<std::size_t>(comm.size())); });
    testing::direct(Collective::broadcast)(comm, call);
    if (++(**calls)[static_cast<std::size_t>(comm.rank().value())] > 16 && comm.rank() == Rank(1))
      call.output.data()[0] ^= std::byte{1};
  };
  CHECK_NOTHROW(run(with_calls(call_of(Collective::broadcast, wrong), 20)));
  // Every fourth call from the fourth on is on a communicator of its own: the 17th on this one is the 22nd.
  const Failure failure = failure_of(with_calls(call_of(Collective::broadcast, wrong), 30));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::StartsWith("wrong result of the 22nd call: "));
}

TEST_CASE("checked collectives: no fewer calls than one") {
  CHECK_THROWS_WITH(run(with_calls(call_of(Collective::allreduce, testing::direct(Collective::allreduce)), 0)),
                    "0 calls: 1 or more can be made");
}

}  // namespace heddle::planted
