// SPDX-License-Identifier: Apache-2.0
// Checked runs of all collectives that leave something wrong in a vector: what is wrong is named as what it is.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/emu/check/planted_calls.hpp"

namespace heddle::planted {

namespace {

using testing::direct;
using testing::own_output;

void swap_blocks(VectorView vector, std::int64_t a, std::int64_t b) {
  std::swap_ranges(vector.slice(a, 4).data(), vector.slice(a, 4).data() + 16, vector.slice(b, 4).data());
}

}  // namespace

TEST_CASE("checked collectives: a vector that nobody writes") {
  const auto idle = [](Communicator&, const CollectiveArguments&) {};
  for (const Collective collective : {Collective::broadcast, Collective::scatter}) {
    INFO(to_string(collective));
    for (const bool in_place : {true, false}) {
      const Failure failure = failure_of(call_of(collective, idle, in_place));
      CHECK(failure.kind == CheckError::Kind::wrong_result);
      CHECK_THAT(failure.explanation, Catch::Contains(": still the poison: never written\n"));
    }
  }
  check_wrong(call_of(Collective::allreduce, idle), "elements 0-19 on ranks 0-4: still each rank's own contribution");
  check_wrong(call_of(Collective::allreduce, idle, false), "elements 0-19 on ranks 0-4: still the poison: never written");
  check_wrong(call_of(Collective::gather, idle), "elements 4-19 on rank 0: still the poison: never written");
  check_wrong(call_of(Collective::allgather, idle),
              "80 of 100 elements are wrong, on 5 of 5 ranks\n  elements 4-19 on rank 0: still the poison: never written");
  check_wrong(call_of(Collective::reduce_scatter, idle), "elements 8-11 on rank 2: still each rank's own contribution");
  check_wrong(call_of(Collective::alltoall, idle, false), "elements 0-19 on ranks 0-4: still the poison: never written");
}

TEST_CASE("checked collectives: one rank that is forgotten") {
  // Rank 3 gets all but the last of its blocks.
  check_wrong(call_of(Collective::alltoall, then(Collective::alltoall,
                                                 [](Communicator& comm, const CollectiveArguments& call) {
                                                   if (comm.rank() != Rank(3)) return;
                                                   std::memset(call.output.slice(16, 4).data(), 0, 16);
                                                 })),
              "4 of 100 elements are wrong, on 1 of 5 ranks\n  elements 16-19 on rank 3\n  first: rank 3, element 16: got 0, ");
}

TEST_CASE("checked collectives: a root that is always rank 0") {
  const auto always_zero = [](Collective collective) {
    return [collective, function = direct(collective)](Communicator& comm, const CollectiveArguments& call) {
      CollectiveArguments fixed = call;
      fixed.root = Rank(0);
      // So that vectors are where such an algorithm would look for them.
      Buffer scratch(call.input.empty() ? call.output.type() : call.input.type(), 4 * kRanks);
      std::memset(scratch.view().data(), 0, scratch.view().size_bytes());
      if (comm.rank() == Rank(0) && fixed.input.empty()) fixed.input = scratch.view();
      if (comm.rank() == Rank(0) && fixed.output.empty()) fixed.output = scratch.view();
      if (comm.rank() != Rank(0) && collective == Collective::reduce) fixed.output = {};
      function(comm, fixed);
    };
  };
  for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
    const Failure failure = failure_of(call_of(collective, always_zero(collective), false));
    INFO(failure.explanation);
    CHECK_THAT(failure.explanation,
               Catch::Contains("wrong result of the second call: " + to_string(collective)) && Catch::Contains("at root 1"));
  }
}

TEST_CASE("checked collectives: blocks in each other's places") {
  const auto at_rank_2 = [](Collective collective, auto spoil) {
    return then(collective, [spoil](Communicator& comm, const CollectiveArguments& call) {
      if (comm.rank() == Rank(2) && !call.output.empty()) spoil(call);
    });
  };
  const auto swap_1_and_3 = [](const CollectiveArguments& call) { swap_blocks(call.output, 4, 12); };
  check_wrong(call_of(Collective::allgather, at_rank_2(Collective::allgather, swap_1_and_3)),
              "elements 4-7, 12-15 on rank 2: blocks of others, first that of rank 3 instead of rank 1");
  check_wrong(call_of(Collective::gather, at_rank_2(Collective::gather, swap_1_and_3), true, 2),
              "blocks of others, first that of rank 3 instead of rank 1");
  check_wrong(call_of(Collective::allgather, at_rank_2(Collective::allgather,
                                                       [](const CollectiveArguments& call) {
                                                         std::memcpy(call.output.data(), call.output.slice(16, 4).data(), 16);
                                                       })),
              "elements 0-3 on rank 2: the block of rank 4 instead of rank 0");
  // Rank 1 gets what was meant for rank 2.
  check_wrong(call_of(
                  Collective::scatter,
                  [](Communicator& comm, const CollectiveArguments& call) {
                    CollectiveArguments shifted = call;
                    if (comm.rank() == call.root && !call.in_place()) {
                      Buffer other(call.input.type(), call.input.count());
                      std::memcpy(other.view().data(), call.input.data(), call.input.size_bytes());
                      std::memcpy(other.view().slice(4, 4).data(), call.input.slice(8, 4).data(), 16);
                      shifted.input = other.view();
                      return direct(Collective::scatter)(comm, shifted);
                    }
                    direct(Collective::scatter)(comm, shifted);
                  },
                  false),
              "elements 0-3 on rank 1: the block of rank 2 instead of rank 1");
  // Everyone sends its blocks in the wrong order: to r what r + 1 should have.
  check_wrong(call_of(
                  Collective::alltoall,
                  [](Communicator& comm, const CollectiveArguments& call) {
                    Buffer turned(call.input.type(), call.input.count());
                    std::memcpy(turned.view().data(), call.input.slice(4, 16).data(), 64);
                    std::memcpy(turned.view().slice(16, 4).data(), call.input.data(), 16);
                    CollectiveArguments wrong = call;
                    wrong.input = turned.view();
                    direct(Collective::alltoall)(comm, wrong);
                  },
                  false),
              "elements 0-19 on rank 0: blocks of others, first what rank 0 sends to rank 1");
}

TEST_CASE("checked collectives: the reduced block of another rank") {
  check_wrong(call_of(Collective::reduce_scatter,
                      [](Communicator& comm, const CollectiveArguments& call) {
                        // Rank r reduces block r + 1 into its own place.
                        const Buffer whole = [&] {
                          Buffer copy(call.input.type(), call.input.count());
                          std::memcpy(copy.view().data(), call.input.data(), call.input.size_bytes());
                          return copy;
                        }();
                        Buffer sum(call.input.type(), call.input.count());
                        CollectiveArguments all{.input = whole.view(), .output = sum.view(), .op = call.op};
                        direct(Collective::allreduce)(comm, all);
                        const int other = (comm.rank().value() + 1) % comm.size();
                        std::memcpy(own_output(comm, call).data(), sum.view().slice(4 * other, 4).data(), 16);
                      }),
              "elements 4-7 on rank 1: the block of rank 2 instead of rank 1");
}

TEST_CASE("checked collectives: what is left of the call before") {
  std::vector<std::vector<std::byte>> remembered(kRanks);
  const auto once = [&remembered](Communicator& comm, const CollectiveArguments& call) {
    auto& mine = remembered[static_cast<std::size_t>(comm.rank().value())];
    if (mine.empty()) {
      mine.assign(call.output.data(), call.output.data() + call.output.size_bytes());
    } else {
      std::memcpy(call.output.data(), mine.data(), mine.size());
      mine.clear();  // for the next run
    }
  };
  for (const Collective collective : {Collective::broadcast, Collective::allgather, Collective::alltoall}) {
    INFO(to_string(collective));
    check_wrong(call_of(collective, then(collective, once)), "elements 0-19 on ranks 0-4: the result of the call before");
  }
}

}  // namespace heddle::planted
