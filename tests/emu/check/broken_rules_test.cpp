// SPDX-License-Identifier: Apache-2.0
// Checked runs of all collectives that break a rule: an input that is changed, memory beyond a vector, the order of
// contributions, a barrier that does not hold, a time that the fabric does not allow.
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "tests/emu/check/planted_calls.hpp"

namespace heddle::planted {

namespace {

using testing::direct;

}  // namespace

TEST_CASE("checked collectives: an input that is changed") {
  const auto spoil_input = [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() != Rank(3) || call.input.empty()) return;
    auto* memory = const_cast<std::byte*>(call.input.data());
    memory[2 * 4] = ~memory[2 * 4];
  };
  for (const Collective collective : all_collectives()) {
    if (collective == Collective::barrier) continue;
    const Failure failure = failure_of(call_of(collective, then(collective, spoil_input), false, 3));
    INFO(failure.explanation);
    CHECK(failure.kind == CheckError::Kind::input_changed);
    CHECK_THAT(failure.explanation,
               Catch::StartsWith("input changed by the first call: " + to_string(collective) + " 'planted' of "));
    CHECK_THAT(failure.explanation,
               Catch::Contains("out of place, 5 ranks, seed 1\n  element 2 on rank 3: the input was changed\n"
                               "  first: the input of rank 3, element 2: it was "));
  }
}

TEST_CASE("checked collectives: an input that is changed for a while and put back") {
  for (const Collective collective : all_collectives()) {
    if (collective == Collective::barrier) continue;
    // Everything goes through memory that is the caller's to read alone, element by element of its last one.
    const auto borrow_input = [function = direct(collective)](Communicator& comm, const CollectiveArguments& call) {
      if (comm.rank() != Rank(3) || call.input.empty()) return function(comm, call);
      const std::vector<std::byte> kept(call.input.data(), call.input.data() + call.input.size_bytes());
      auto* const memory = const_cast<std::byte*>(call.input.data());
      CollectiveArguments own = call;
      own.input = ConstVectorView(kept.data(), call.input.count(), call.input.type());
      memory[kept.size() - 1] ^= std::byte{0x40};
      function(comm, own);
      memory[kept.size() - 1] ^= std::byte{0x40};
    };
    const Failure failure = failure_of(call_of(collective, borrow_input, false, 3));
    INFO(to_string(collective) + failure.explanation);
    CHECK(failure.kind == CheckError::Kind::input_changed);
    CHECK_THAT(
        failure.explanation,
        Catch::Contains(
            "  the input of rank 3 was changed while the call went on, and put back\n  first: the input of rank 3, element ") &&
            Catch::Contains(" when the rank waited"));
  }
}

TEST_CASE("checked collectives: an input that a task changes for a while, a long one in its middle") {
  for (const bool is_long : {false, true}) {
    CollectiveCall call = call_of(
        Collective::allgather,
        [](Communicator& comm, const CollectiveArguments& args) {
          auto* const memory = const_cast<std::byte*>(args.input.data());
          const std::size_t middle = args.input.size_bytes() / 2;
          comm.concurrently(1, [&](int, Communicator& task) {
            if (comm.rank() == Rank(1)) memory[middle] ^= std::byte{1};
            for (int i = 0; i < 2000; ++i)
              task.sendrecv(task.rank(), args.input.slice(0, 0), task.rank(), args.output.slice(0, 0));
            if (comm.rank() == Rank(1)) memory[middle] ^= std::byte{1};
          });
          testing::direct(Collective::allgather)(comm, args);
        },
        false);
    if (is_long) call.count = call.sampled = 5 * 5'000;
    CHECK_THAT(failure_of(call).explanation,
               Catch::Contains("the input of rank 1 was changed while the call went on, and put back"));
    call.watch_whole_inputs = true;
    CHECK_THAT(failure_of(call).explanation,
               Catch::Contains("the input of rank 1 was changed while the call went on, and put back"));
  }
}

TEST_CASE("checked collectives: in place, what a leaf gives and what a root scatters stay") {
  const auto spoil = [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == Rank(2) && !call.input.empty()) const_cast<std::byte*>(call.input.data())[5] ^= std::byte{1};
  };
  for (const auto& [collective, root] : {std::pair{Collective::gather, 0}, {Collective::reduce, 0}, {Collective::scatter, 2}}) {
    INFO(to_string(collective));
    const Failure failure = failure_of(call_of(collective, then(collective, spoil), true, root));
    CHECK(failure.kind == CheckError::Kind::input_changed);
    CHECK_THAT(failure.explanation, Catch::Contains("element 1 on rank 2: the input was changed"));
  }
}

TEST_CASE("checked collectives: writing outside of an input or an output") {
  const auto spoil = [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == Rank(1)) call.output.data()[call.output.size_bytes()] = std::byte{1};
    if (comm.rank() == Rank(4)) const_cast<std::byte*>(call.input.data())[-1] = std::byte{1};
  };
  const Failure failure = failure_of(call_of(Collective::alltoall, then(Collective::alltoall, spoil), false));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::Contains("  written beyond the end of the output of rank 1\n"
                                                  "  written before the beginning of the input of rank 4"));
  // A root's place is long in one call and short in another: its end is guarded in both.
  const auto beyond_block = [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == Rank(1) && call.root == Rank(0)) const_cast<std::byte*>(call.input.data())[16] = std::byte{1};
  };
  check_wrong(call_of(Collective::gather, then(Collective::gather, beyond_block)),
              "written beyond the end of the vector of rank 1");
}

TEST_CASE("checked collectives: contributions combined out of order") {
  for (const Collective collective : {Collective::reduce, Collective::reduce_scatter}) {
    // The last rank's contribution comes first.
    const auto rotated = [collective](Communicator& comm, const CollectiveArguments& call) {
      const ReduceOp turned(
          "turned",
          [&call](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
            const auto n = static_cast<std::int64_t>(count);
            Buffer right(type, n);
            std::memcpy(right.view().data(), b, right.view().size_bytes());
            call.op->apply(right.view(), ConstVectorView(a, n, type));
            std::memcpy(result, right.view().data(), right.view().size_bytes());
          },
          {});
      CollectiveArguments wrong = call;
      wrong.op = &turned;
      direct(collective)(comm, wrong);
    };
    CollectiveCall call = call_of(collective, rotated);
    CHECK(run(call).completion > Time());  // a sum does not mind
    call.type = affine_type();
    call.op = &affine_op();
    const Failure failure = failure_of(call);
    INFO(failure.explanation);
    CHECK(failure.kind == CheckError::Kind::order);
  }
}

TEST_CASE("checked collectives: a barrier that does not hold") {
  check_wrong(call_of(Collective::barrier, [](Communicator&, const CollectiveArguments&) {}),
              "barrier 'planted', 5 ranks, seed 1 does not hold: ranks 1-4 left before rank 0 had entered");
  // Rank 3 only hears from others; nobody waits for it.
  check_wrong(call_of(Collective::barrier,
                      [](Communicator& comm, const CollectiveArguments&) {
                        const VectorView empty;
                        if (comm.rank() == Rank(0)) {
                          for (const int r : {1, 2, 4}) comm.recv(Rank(r), empty);
                          for (const int r : {1, 2, 3, 4}) comm.send(Rank(r), empty);
                        } else {
                          if (comm.rank() != Rank(3)) comm.send(Rank(0), empty);
                          comm.recv(Rank(0), empty);
                        }
                      }),
              "ranks 0-2, 4 left before rank 3 had entered");
}

TEST_CASE("checked collectives: faster than the fabric allows") {
  // The root's vector is looked at through shared memory, and a message without data makes sure that it is there.
  const auto shared = std::make_shared<ConstVectorView>();
  CollectiveCall call = call_of(Collective::broadcast, [shared](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() == args.root) {
      *shared = args.input;
      for (int r = 0; r < comm.size(); ++r) {
        if (Rank(r) != comm.rank()) comm.send(Rank(r), ConstVectorView());
      }
      for (int r = 0; r < comm.size(); ++r) {
        if (Rank(r) != comm.rank()) comm.recv(Rank(r), VectorView());
      }
    } else {
      comm.recv(args.root, VectorView());
      std::memcpy(args.output.data(), shared->data(), shared->size_bytes());
      comm.send(args.root, ConstVectorView());
    }
  });
  call.count = call.sampled = 100'000;
  const Failure failure = failure_of(call);
  CHECK(failure.kind == CheckError::Kind::too_fast);
  CHECK_THAT(failure.explanation, Catch::Contains("the whole vector must"));
}

TEST_CASE("checked collectives: a barrier that holds nobody in its first call shows where a rank is late") {
  const auto calls = std::make_shared<std::map<int, int>>();
  const auto mutex = std::make_shared<std::mutex>();
  const CollectiveFunction lazy = [=, barrier = direct(Collective::barrier)](Communicator& comm,
                                                                             const CollectiveArguments& call) {
    const bool is_first = [&] {
      const std::lock_guard lock(*mutex);
      return (*calls)[comm.rank().value()]++ == 0;
    }();
    if (!is_first) barrier(comm, call);
  };
  EmulationSettings settings;
  settings.faults.ranks.push_back({.kind = RankFault::Kind::late, .rank = 3, .at = Time::ps(1'000'000)});
  try {
    run(call_of(Collective::barrier, lazy), kRanks, settings);
    FAIL("the run passed");
  } catch (const CheckError& error) {
    CHECK(error.kind() == CheckError::Kind::wrong_result);
    CHECK_THAT(error.what(), Catch::Contains("left the first call before rank 3 had entered it at 1us"));
  }
}

TEST_CASE("checked collectives: whoever a barrier of many ranks does not wait for is late with some seed") {
  constexpr int kMany = 23;
  for (const int forgotten : {1, 7, 12, 21}) {
    // All but one tell rank 0, which tells all.
    const CollectiveFunction forgetful = [forgotten](Communicator& comm, const CollectiveArguments&) {
      const VectorView nothing(nullptr, 0, Datatype::i32());
      const int rank = comm.rank().value();
      if (rank != 0 && rank != forgotten) comm.send(Rank(0), nothing);
      for (int r = 1; rank == 0 && r < kMany; ++r)
        if (r != forgotten) comm.recv(Rank(r), nothing);
      for (int r = 1; rank == 0 && r < kMany; ++r) comm.send(Rank(r), nothing);
      if (rank != 0) comm.recv(Rank(0), nothing);
    };
    bool is_found = false;
    for (std::uint64_t seed = 1; seed <= 8 && !is_found; ++seed) {
      CollectiveCall call = call_of(Collective::barrier, forgetful);
      call.seed = seed;
      try {
        run(call, kMany);
      } catch (const CheckError& error) {
        INFO(error.what());
        CHECK(std::string(error.what()).find(" before rank " + std::to_string(forgotten) + " had entered") !=
              std::string::npos);
        is_found = true;
      }
    }
    CHECK(is_found);
  }
}

}  // namespace heddle::planted
