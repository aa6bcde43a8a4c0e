// SPDX-License-Identifier: Apache-2.0
// A wrong result of a checked run, explained by what it is made of.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "emu/check/checked_run.hpp"
#include "heddle/collective.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

constexpr int kPlantedRanks = 4;
constexpr std::int64_t kPlantedCount = 8;

CollectiveCall planted_call(Collective collective, CollectiveFunction function) {
  CollectiveCall call;
  call.collective = collective;
  call.function = std::move(function);
  call.name = "planted";
  call.count = call.sampled = kPlantedCount;
  return call;
}

/// What the run says, the same on user-level and kernel threads and in any order of one timestamp.
std::string explanation_of(const CollectiveCall& call, std::string_view topology = "star:4") {
  const Fabric fabric = fabric_of(topology);
  const auto explain = [&](EmulationSettings settings) -> std::string {
    try {
      run_checked(fabric, linear_placement(kPlantedRanks, fabric.topology()), call, settings);
    } catch (const CheckError& error) {
      return error.what();
    }
    return "the run passed";
  };
  EmulationSettings settings;
  settings.threads = Threads::kernel;
  const std::string kernel = explain(settings);
  settings.threads = default_threads();
  CHECK(explain(settings) == kernel);
  return kernel;
}

/// Each rank's block of its input to each other, straight.
void straight_alltoall(Communicator& comm, const CollectiveArguments& call) {
  const int p = comm.size();
  const int r = comm.rank().value();
  comm.copy(call.received.block(call.output, r), call.blocks.block(call.input, r));
  for (int shift = 1; shift < p; ++shift) {
    const int to = (r + shift) % p;
    const int from = (r + p - shift) % p;
    comm.sendrecv(Rank(to), call.blocks.block(call.input, to), Rank(from), call.received.block(call.output, from));
  }
}

}  // namespace

TEST_CASE("provenance in a run: an allreduce that forgets a contribution names it, the message and both ends") {
  const std::string text =
      explanation_of(planted_call(Collective::allreduce, [](Communicator& comm, const CollectiveArguments& call) {
        if (comm.rank() != Rank(2)) return line_allreduce(comm, call.output, *call.op);
        Buffer incoming(call.output.type(), kPlantedCount);
        comm.recv(Rank(1), incoming.view());
        comm.reduce_into(call.output.slice(0, 5), incoming.view().slice(0, 5), *call.op,
                         Side::left);  // the last three are left out
        comm.send(Rank(3), call.output);
        comm.recv(Rank(3), call.output, Tag(1));
        comm.send(Rank(1), call.output, Tag(1));
      }));
  CHECK_THAT(text, Catch::Contains("elements 5-7 on ranks 0-3\n"));
  // α + L + m/B = 1 us + 0.5 us + 32 ns a message.
  CHECK_THAT(text, Catch::EndsWith(
                       "\n  provenance of element 5 on rank 0, from a repeat whose elements know what they are made of:\n"
                       "    missing: the contributions of ranks 0-1\n"
                       "    cause: rank 2 did not use the contributions of ranks 0-1, which the message from rank 1 to rank 2 "
                       "(tag 0, round 2, "
                       "posted at 1.532us) brought\n"
                       "    first wrong message: from rank 3 to rank 2 (tag 1, round 4, posted at 4.596us), which carried the "
                       "contributions of ranks 2-3, without the contributions of ranks 0-1"));
}

TEST_CASE("provenance in a run: elements of any size, held in part, in any order of one instant") {
  for (const Datatype type : {Datatype::f16(), Datatype::u64(), Datatype::f32()}) {
    CollectiveCall call = planted_call(Collective::allreduce, [](Communicator& comm, const CollectiveArguments& args) {
      line_allreduce(comm, args.output, *args.op);
      if (comm.rank() == Rank(1)) comm.reduce_into(args.output.slice(7, 1), args.output.slice(7, 1), *args.op);
    });
    call.type = type;
    call.count = 8000;
    CHECK_THAT(
        explanation_of(call),
        Catch::Contains("provenance of element 7 on rank 1,") &&
            Catch::Contains("more than once: the contributions of ranks 0-3 (twice)\n") &&
            Catch::Contains("cause: rank 1 combined the contributions of ranks 0-3 with itself, brought by the message from "
                            "rank 2 to rank 1 (tag 1, round 5,"));
  }
}

TEST_CASE("provenance in a run: what comes out of order is reported as it was combined") {
  CollectiveCall call = planted_call(Collective::allreduce, [](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() != Rank(3)) return line_allreduce(comm, args.output, *args.op);
    Buffer incoming(args.output.type(), args.output.count());
    comm.recv(Rank(2), incoming.view());
    comm.reduce_into(args.output, incoming.view(), *args.op, Side::right);
    comm.send(Rank(2), args.output, Tag(1));
  });
  call.type = affine_type();
  call.op = &affine_op();
  const std::string text = explanation_of(call);
  CHECK_THAT(text, Catch::Contains("\n    out of order: combined as 3 0 1 2\n"));
  CHECK_THAT(text, Catch::Contains(
                       "cause: rank 3 put rank 3's contribution to the left of the contributions of ranks 0-2; the message "
                       "from rank 2 to rank 3 (tag 0, round 3,"));
  CHECK_THAT(text, Catch::EndsWith("\n  every contribution is there once, but they were not combined in rank order"));
}

TEST_CASE("provenance in a run: an alltoall that mixes up two destinations") {
  CollectiveCall call = planted_call(Collective::alltoall, [](Communicator& comm, const CollectiveArguments& args) {
    CollectiveArguments spoilt = args;
    Buffer swapped(args.input.type(), kPlantedCount);
    if (comm.rank() == Rank(2)) {
      comm.copy(swapped.view(), args.input);
      comm.copy(swapped.view().slice(0, 2), args.input.slice(2, 2));  // what is meant for rank 1 goes to rank 0, too
      spoilt.input = swapped.view();
    }
    straight_alltoall(comm, spoilt);
  });
  call.in_place = false;
  CHECK_THAT(
      explanation_of(call),
      Catch::Contains("provenance of element 4 on rank 0,") &&
          Catch::Contains("\n    missing: element 0 of rank 2\n    not expected: element 2 of rank 2\n"
                          "    cause: the message from rank 2 to rank 0 (tag 0, round 2, posted at 1.508us) brought element 2 "
                          "of rank 2 where element 0 of rank 2 belongs\n"));
}

TEST_CASE("provenance in a run: outputs out of place are numbered as they stand there") {
  CollectiveCall call = planted_call(Collective::reduce_scatter, [](Communicator& comm, const CollectiveArguments& args) {
    Buffer vector(args.input.type(), kPlantedCount);
    comm.copy(vector.view(), args.input);
    if (comm.rank() == Rank(1)) std::memset(vector.view().slice(6, 1).data(), 0, args.input.type().size());
    line_allreduce(comm, vector.view(), *args.op);
    comm.copy(args.output, args.blocks.block(vector.view(), comm.rank().value()));
  });
  call.in_place = false;
  CHECK_THAT(
      explanation_of(call),
      Catch::Contains("provenance of element 0 on rank 3,") &&
          Catch::Contains("\n    missing: rank 1's contribution\n    not expected: bytes that nobody contributed\n"
                          "    cause: rank 1 had bytes that nobody contributed and added rank 0's contribution, brought by"));
}

TEST_CASE("provenance in a run: what the call before left behind, and what nobody wrote") {
  const auto kept = std::make_shared<std::vector<std::byte>>();
  const std::string stale =
      explanation_of(planted_call(Collective::allgather, [kept](Communicator& comm, const CollectiveArguments& args) {
        for (int r = 0; r < kPlantedRanks; ++r) {
          const VectorView block = args.blocks.block(args.output, r);
          if (comm.rank() != Rank(r)) {
            comm.recv(Rank(r), block);
            continue;
          }
          for (int to = 0; to < kPlantedRanks; ++to)
            if (to != r) comm.send(Rank(to), block);
        }
        if (comm.rank() != Rank(1)) return;
        const VectorView block = args.blocks.block(args.output, 3);
        if (kept->empty()) {
          kept->assign(block.data(), block.data() + block.size_bytes());
        } else {
          std::memcpy(block.data(), kept->data(), kept->size());
          kept->clear();
        }
      }));
  CHECK_THAT(stale, Catch::Contains("wrong result of the second call") &&
                        Catch::EndsWith(
                            "\n    missing: element 6 of rank 3\n    not expected: element 6 of rank 3 in the call before\n"
                            "    cause: no message of this call brought element 6 of rank 3 in the call before to rank 1: it "
                            "was left in memory by another call"));
  CHECK_THAT(explanation_of(planted_call(Collective::gather, [](Communicator&, const CollectiveArguments&) {})),
             Catch::EndsWith("\n    missing: element 2 of rank 1\n    not expected: bytes that nobody contributed\n"
                             "    cause: no message carried element 2 of rank 1"));
}

TEST_CASE("provenance in a run: wrong values that the right ranks contributed are reported as that") {
  // Right arithmetic on what it takes for integers, and a mistake in it.
  const std::string text =
      explanation_of(planted_call(Collective::allreduce, [](Communicator& comm, const CollectiveArguments& call) {
        line_allreduce(comm, call.output, *call.op);
        if (comm.rank() != Rank(3) || call.output.type() != Datatype::i32()) return;
        std::int32_t& element = call.output.as<std::int32_t>()[2];
        element = static_cast<std::int32_t>(static_cast<std::uint32_t>(element) * 3U);
      }));
  CHECK_THAT(text, Catch::Contains(
                       "\n  provenance of element 2 on rank 3: cannot be told: this program computes with elements itself"));
}

TEST_CASE("provenance in a run: through the switches, where it went wrong is named, before them, in them or behind them") {
  using Prepare = void (*)(Communicator&, const CollectiveArguments&);
  const auto report_of = [](Prepare before, Prepare after) {
    return explanation_of(planted_call(Collective::allreduce,
                                       [=](Communicator& comm, const CollectiveArguments& call) {
                                         before(comm, call);
                                         comm.in_network()->perform(Collective::allreduce, call);
                                         after(comm, call);
                                       }),
                          "star:4,alu,multicast");
  };
  const Prepare nothing = [](Communicator&, const CollectiveArguments&) {};
  CHECK(report_of(nothing, nothing) == "the run passed");

  const Prepare doubles = [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == Rank(1)) comm.reduce_into(call.output, call.output, *call.op);
  };
  const std::string before = report_of(doubles, nothing);
  CHECK_THAT(before, Catch::Contains("\n    more than once: rank 1's contribution (twice)\n"));
  CHECK_THAT(before, Catch::Contains("\n    cause: rank 1 combined rank 1's contribution with itself\n"));
  CHECK_THAT(before, Catch::Contains("\n    first wrong message: from rank 1 to the switches (round 1, posted at 0ps)"));

  const std::string behind = report_of(nothing, doubles);
  CHECK_THAT(behind,
             Catch::Contains("cause: rank 1 combined the contributions of ranks 0-3 with itself, brought by the message "
                             "from the switches to rank 1 (round 1, posted at 0ps)"));

  // Rank 2 gives what it got from rank 3 in place of its own.
  const std::string other = report_of(
      [](Communicator& comm, const CollectiveArguments& call) {
        if (comm.rank() == Rank(3)) comm.send(Rank(2), call.output);
        if (comm.rank() == Rank(2)) comm.recv(Rank(3), call.output);
      },
      nothing);
  CHECK_THAT(other,
             Catch::Contains("\n    missing: rank 2's contribution\n    more than once: rank 3's contribution (twice)\n"));
  CHECK_THAT(other, Catch::Contains("cause: the switches had "));
}

TEST_CASE("checked run: what an idempotent operation hides shows in the second call, which is a sum") {
  const auto doubling = [](Communicator& comm, const CollectiveArguments& args) {
    line_allreduce(comm, args.output, *args.op);
    if (comm.rank() == Rank(1)) comm.reduce_into(args.output, args.output, *args.op);
  };
  for (const ReduceOp* op : {&ReduceOp::min(), &ReduceOp::max(), &ReduceOp::bit_and(), &ReduceOp::bit_or()}) {
    CollectiveCall call = planted_call(Collective::allreduce, doubling);
    call.op = op;
    CHECK_THAT(explanation_of(call),
               Catch::StartsWith("wrong result of the second call: allreduce 'planted' of sum 8 i32, 4 ranks"));
    call.function = [](Communicator& comm, const CollectiveArguments& args) { line_allreduce(comm, args.output, *args.op); };
    CHECK(explanation_of(call) == "the run passed");
  }
  // A user's own: whichever operand comes first in memory order.
  const ReduceOp least("least",
                       [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                         for (std::size_t i = 0; i < count * type.size(); i += type.size())
                           std::memmove(result + i, std::memcmp(a + i, b + i, type.size()) < 0 ? a + i : b + i, type.size());
                       },
                       {.commutative = true, .idempotent = true});
  CollectiveCall call = planted_call(Collective::allreduce, doubling);
  call.op = &least;
  call.type = Datatype::user(12);
  CHECK_THAT(explanation_of(call), Catch::StartsWith("wrong result of the second call: allreduce 'planted' of bytewise sum"));
}

}  // namespace heddle
