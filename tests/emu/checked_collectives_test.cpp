// SPDX-License-Identifier: Apache-2.0
// Checked runs of all collectives: what is right passes, and each kind of fault that a collective can have is told as what it
// is. checked_run_test.cpp has what does not depend on the collective.
#include <rapidcheck/catch.h>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "core/errors.hpp"
#include "emu/checks/checked_run.hpp"
#include "tests/catch.hpp"
#include "tests/emu/check_error_of.hpp"
#include "tests/emu/direct_collectives.hpp"

namespace heddle {

namespace {

using namespace literals;
using testing::direct;
using testing::own_output;

constexpr int kRanks = 5;

Fabric star(int ranks = kRanks) { return Fabric(parse_topology("star:" + std::to_string(ranks)), FabricSettings{}); }

Report run(const CollectiveCall& call, int ranks = kRanks, const EmulationSettings& settings = {}) {
  const Fabric fabric = star(ranks);
  return run_checked(fabric, linear_placement(ranks, fabric.topology()), call, settings);
}

/// 20 elements on 5 ranks: blocks of 4.
CollectiveCall call_of(Collective collective, CollectiveFunction function, bool in_place = true, int root = 0) {
  CollectiveCall call;
  call.collective = collective;
  call.function = std::move(function);
  call.name = "planted";
  call.count = call.held = collective == Collective::barrier ? 0 : 4 * kRanks;
  call.root = Rank(root);
  call.in_place = in_place;
  return call;
}

/// The collective done right, then `spoil(comm, call)` on each rank.
template <class Spoil>
CollectiveFunction then(Collective collective, Spoil spoil) {
  return [function = direct(collective), spoil](Communicator& comm, const CollectiveArguments& call) {
    function(comm, call);
    spoil(comm, call);
  };
}

/// How the run fails; the same on user-level and kernel threads.
Failure failure_of(const CollectiveCall& call) {
  const auto on = [&](Threads threads) -> Failure {
    EmulationSettings settings;
    settings.threads = threads;
    try {
      run(call, kRanks, settings);
    } catch (const CheckError& error) {
      return {error.kind(), error.what()};
    }
    FAIL("the run passed");
    return {};
  };
  Failure kernel = on(Threads::kernel);
  if (default_threads() == Threads::user) CHECK(on(Threads::user).explanation == kernel.explanation);
  return kernel;
}

void check_wrong(const CollectiveCall& call, const std::string& explanation) {
  const Failure failure = failure_of(call);
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::Contains(explanation));
}

void swap_blocks(VectorView vector, std::int64_t a, std::int64_t b) {
  std::swap_ranges(vector.slice(a, 4).data(), vector.slice(a, 4).data() + 16, vector.slice(b, 4).data());
}

}  // namespace

TEST_CASE("checked collectives: each passes when it is right, wherever its vectors are, whoever is the root") {
  for (const Collective collective : all_collectives()) {
    for (const int ranks : {1, 2, 3, 8}) {
      for (const std::int64_t count : {0, 1, 7, 48}) {
        for (const bool in_place : {true, false}) {
          CollectiveCall call = call_of(collective, direct(collective), in_place, ranks / 2);
          call.count = call.held = collective == Collective::alltoall ? count / ranks * ranks : count;
          INFO(to_string(collective) << " of " << call.count << ", " << ranks << " ranks" << (in_place ? ", in place" : ""));
          const bool moves = ranks > 1 && (collective == Collective::barrier || call.count > 1);
          const Time completion = run(call, ranks).completion;
          CHECK((completion > Time()) >= moves);
          if (ranks == 1) CHECK(completion == Time());
        }
      }
    }
  }
}

TEST_CASE("checked collectives: elements of every type are moved, and blocks of any size") {
  std::vector<Datatype> types = builtin_datatypes();
  types.insert(types.end(), {Datatype::user(1), Datatype::user(7), affine_type()});
  for (const Collective collective : all_collectives()) {
    if (!has_blocks(collective)) continue;
    for (const Datatype type : types) {
      if (reduces(collective) && type.kind() == Datatype::Kind::user) continue;
      for (const bool in_place : {true, false}) {
        CollectiveCall call = call_of(collective, direct(collective), in_place, 1);
        call.type = type;
        call.blocks = {3, 0, 9, 1, 0};
        call.count = call.held = 13;
        INFO(to_string(collective) << " of " << to_string(type) << (in_place ? ", in place" : ""));
        CHECK(run(call).completion > Time());
      }
    }
  }
}

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

TEST_CASE("checked collectives: in place, the rest of a reduce_scatter's vector may be anything") {
  const auto trash = [](Communicator& comm, const CollectiveArguments& call) {
    const int next = (comm.rank().value() + 1) % comm.size();
    std::memset(call.blocks.block(call.output, next).data(), 7, 16);
  };
  CHECK(run(call_of(Collective::reduce_scatter, then(Collective::reduce_scatter, trash))).completion > Time());
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
  call.count = call.held = 100'000;
  const Failure failure = failure_of(call);
  CHECK(failure.kind == CheckError::Kind::too_fast);
  CHECK_THAT(failure.explanation, Catch::Contains("the whole vector must"));
}

TEST_CASE("checked collectives: only the first call is measured, at the root that was asked for") {
  // Star, α = 0, L = 200 ns. The root of a gather receives 4 blocks of 400 kB through one port: 4·8 µs + L.
  CollectiveCall call = call_of(Collective::gather, direct(Collective::gather), true, 2);
  call.count = 500'000;
  call.held = 500;
  const Report report = run(call);
  CHECK(report.completion == 32'200_ns);
  CHECK(report.payload_scale == 1000);
  CHECK(report.ranks[2].messages == 0);
  CHECK(report.ranks[2].received == Bytes(1'600'000));
  CHECK(report.ranks[3].messages == 1);
  CHECK(report.messages() == 4);
  CHECK(report.host.messages == 8);
}

TEST_CASE("checked collectives: calls that cannot be made") {
  const auto refusal = [](Collective collective, const std::function<void(CollectiveCall&)>& change) {
    CollectiveCall call = call_of(collective, direct(collective));
    change(call);
    try {
      run(call);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto with_blocks = [](std::vector<std::int64_t> blocks) {
    return [blocks](CollectiveCall& call) { call.blocks = blocks; };
  };
  CHECK(refusal(Collective::reduce, [](CollectiveCall& call) { call.root = Rank(5); }) == "root 5: ranks are 0 to 4");
  CHECK(refusal(Collective::reduce, [](CollectiveCall& call) { call.root = Rank(-1); }) == "root -1: ranks are 0 to 4");
  CHECK(refusal(Collective::allreduce, [](CollectiveCall& call) { call.root = Rank(5); }) == "accepted");
  CHECK(refusal(Collective::alltoall, [](CollectiveCall& call) { call.count = call.held = 21; }) ==
        "alltoall of 21 elements (21 held): 5 ranks must divide them");
  CHECK(refusal(Collective::broadcast, with_blocks({4, 4, 4, 4, 4})) == "broadcast has no blocks to give sizes of");
  CHECK(refusal(Collective::gather, with_blocks({10, 10})) == "2 sizes of blocks for 5 ranks: one for each is needed");
  CHECK(refusal(Collective::gather, with_blocks({10, 10, 1, -1, 0})) == "a block's size must not be negative");
  CHECK_THAT(refusal(Collective::gather, with_blocks({10, 10, 1, 0, 0})), Catch::StartsWith("blocks of 21 elements in all"));
  CHECK_THAT(refusal(Collective::gather,
                     [](CollectiveCall& call) {
                       call.blocks = {20, 20, 0, 0, 0};
                       call.count = 40;
                     }),
             Catch::StartsWith("blocks of 40 elements in all, 20 of 40 held"));
}

TEST_CASE("checked collectives: nothing right is ever called too fast or wrong") {
  rc::prop("any collective, fabric, placement, root, blocks, type, speed and scale", [] {
    const Collective collective = *rc::gen::elementOf(all_collectives());
    FabricSettings settings;
    settings.tiers = {{.bandwidth = *rc::gen::element(Bandwidth(1e3), Bandwidth(50e9), Bandwidth::unlimited()),
                       .latency = *rc::gen::element(Time(), 1_ps, 100_ns)}};
    settings.hop = *rc::gen::element(Time(), 300_ns);
    settings.alpha = *rc::gen::element(Time(), 1_us);
    settings.routing = *rc::gen::element(Routing::split(), Routing::deterministic());
    const std::string spec = *rc::gen::element<std::string>("ring:2", "ring:9", "torus:3x4", "torus:2x2x2", "mesh:5x2",
                                                            "mesh:6", "star:7", "fullmesh:5");
    const Fabric fabric(parse_topology(spec), settings);
    const int ranks = *rc::gen::inRange(1, fabric.topology().endpoints() + 1);
    CollectiveCall call = call_of(collective, direct(collective), *rc::gen::arbitrary<bool>(), *rc::gen::inRange(0, ranks));
    call.seed = *rc::gen::arbitrary<std::uint64_t>();
    call.type = *rc::gen::element(Datatype::i32(), Datatype::f64(), Datatype::bf16());
    if (has_blocks(collective) && *rc::gen::arbitrary<bool>()) {
      for (int r = 0; r < ranks; ++r) call.blocks.push_back(*rc::gen::inRange(0, 20) / 3);
      call.count = call.held = std::accumulate(call.blocks.begin(), call.blocks.end(), std::int64_t{0});
    } else if (collective != Collective::barrier) {
      call.held = *rc::gen::inRange(0, 40);
      if (collective == Collective::alltoall) call.held *= ranks;
      call.count = call.held * *rc::gen::element(1, 1, 3, 1000);
    }
    const Placement placement = random_placement(ranks, fabric.topology(), call.seed);
    EmulationSettings emulation;
    emulation.threads = Threads::kernel;
    if (default_threads() == Threads::user && *rc::gen::arbitrary<bool>()) emulation.threads = Threads::user;
    emulation.buffering = *rc::gen::element(Buffering::eager(), Buffering::synchronous());
    const Report report = run_checked(fabric, placement, call, emulation);
    RC_ASSERT(report.ranks.size() == static_cast<std::size_t>(ranks));
    for (const RankReport& rank : report.ranks) RC_ASSERT(rank.completion <= report.completion);
  });
}

}  // namespace heddle
