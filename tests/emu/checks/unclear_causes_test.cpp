// SPDX-License-Identifier: Apache-2.0
// Wrong results whose symptoms look like those of other mistakes: what is said of each is so, and names what can be known.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "tests/catch.hpp"
#include "tests/emu/checks/planted_calls.hpp"
#include "tests/emu/direct_collectives.hpp"

namespace heddle {

namespace {

using Catch::Contains;
using planted::call_of;
using planted::kRanks;
using planted::then;
using Kind = CheckError::Kind;

/// On the usual threads: some of these mistakes are races where ranks run side by side.
Failure unclear_failure(const CollectiveCall& call) {
  try {
    planted::run(call);
  } catch (const CheckError& error) {
    return {error.kind(), error.what()};
  }
  FAIL("the run passed");
  return {};
}

void flip(VectorView vector, std::size_t bit) { vector.data()[bit / 8] ^= static_cast<std::byte>(1U << bit % 8); }

/// `spoil(output)` after the right call, on the last rank.
template <class Spoil>
CollectiveFunction spoiled_at_last(Collective collective, Spoil spoil) {
  return then(collective, [spoil](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank().value() == comm.size() - 1) spoil(call);
  });
}

const std::string kMadeAgain = "the same call, made again at once, is ";

}  // namespace

TEST_CASE("a bit that changes in a rank's memory is told as that") {
  for (const Collective collective :
       {Collective::allreduce, Collective::broadcast, Collective::allgather, Collective::alltoall}) {
    CAPTURE(to_string(collective));
    const Failure failure = planted::failure_of(
        call_of(collective,
                spoiled_at_last(collective,
                                [](const CollectiveArguments& call) { flip(call.output, 8 * call.output.size_bytes() - 9); }),
                collective != Collective::alltoall));
    CHECK(failure.kind == Kind::wrong_result);
    CHECK_THAT(
        failure.explanation,
        Contains(": bit 23 alone differs, of 32 bits\n") && Contains("cause: rank 4 has ") &&
            Contains(", but for 1 bit of it: changed after it was received or combined, or damaged in the rank's own memory") &&
            !Contains("did not use") && !Contains("missing"));
  }
}

TEST_CASE("a bit that changes before it is passed on is told of the rank that passes it on") {
  CollectiveCall call = call_of(Collective::broadcast, [](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() != args.root) comm.recv(Rank((comm.rank().value() + kRanks - 1) % kRanks), args.output);
    if (comm.rank().value() == (args.root.value() + 2) % kRanks) flip(args.output, 3);
    if (comm.rank().value() != (args.root.value() + kRanks - 1) % kRanks)
      comm.send(Rank((comm.rank().value() + 1) % kRanks), args.output);
  });
  const Failure failure = planted::failure_of(call);
  CHECK_THAT(failure.explanation, Contains("first: rank 2, element 0: ") && Contains("bit 3 alone differs") &&
                                      Contains("cause: rank 2 has element 0 of rank 0, but for 1 bit of it"));
}

TEST_CASE("bits that change by chance are not blamed on an order of operations") {
  // Elsewhere each time.
  int calls = 0;
  CollectiveCall call =
      call_of(Collective::allreduce, spoiled_at_last(Collective::allreduce, [&calls](const CollectiveArguments& args) {
                if (calls < 2) flip(args.output, static_cast<std::size_t>(64 * calls));
                ++calls;
              }));
  call.type = affine_type();
  call.op = &affine_op();
  const Failure failure = unclear_failure(call);
  CHECK(failure.kind == Kind::wrong_result);
  CHECK_THAT(failure.explanation,
             Contains(kMadeAgain + "right: it depends on chance, time, addresses") && !Contains("rank order"));
  calls = 0;
  call.function = spoiled_at_last(Collective::allreduce, [&calls](const CollectiveArguments& args) {
    flip(args.output, static_cast<std::size_t>(256 * (calls++ % 5)));
  });
  CHECK_THAT(unclear_failure(call).explanation, Contains(kMadeAgain + "wrong in another way") && !Contains("rank order"));
}

TEST_CASE("an element of which half is written is told as that") {
  const auto copy_short = [](const CollectiveArguments& call, std::size_t left) {
    // What is left of the last element is what it was before.
    std::memset(call.output.data() + call.output.size_bytes() - left, 0xDB, left);
  };
  CollectiveCall call =
      call_of(Collective::broadcast, spoiled_at_last(Collective::broadcast, [=](const CollectiveArguments& args) {
                copy_short(args, args.output.type().size() / 2);
              }));
  CHECK_THAT(planted::failure_of(call).explanation,
             Contains("of its 4 bytes, bytes 2-3 are still the poison, never written; the rest is right") &&
                 Contains("cause: rank 4 has an element in parts: its first 2 of 4 bytes are those of element 19 of rank 0, "
                          "the others still "
                          "what was there before the call: it was written in part"));
  call.type = Datatype::f64();
  CHECK_THAT(planted::failure_of(call).explanation, Contains("of its 8 bytes, bytes 4-7 are still the poison") &&
                                                        Contains("its first 4 of 8 bytes are those of element 19 of rank 0"));
  // Where the repeat's elements, which are of another type, do not show it.
  call.function = spoiled_at_last(Collective::broadcast, [=](const CollectiveArguments& args) {
    if (args.output.type() == Datatype::f64()) copy_short(args, 4);
  });
  CHECK_THAT(planted::failure_of(call).explanation,
             Contains("bytes 4-7 are still the poison") &&
                 Contains("what goes wrong depends on the values, or on the type or size of elements") && !Contains("not who"));
}

TEST_CASE("a message that is shorter than its receive is named where the rest is wrong") {
  CHECK_THAT(
      planted::failure_of(call_of(Collective::broadcast,
                                  [](Communicator& comm, const CollectiveArguments& call) {
                                    if (comm.rank() != call.root) {
                                      comm.recv(call.root, call.output);
                                      return;
                                    }
                                    for (int r = 0; r < comm.size(); ++r) {
                                      if (Rank(r) != call.root) comm.send(Rank(r), call.input.slice(0, call.input.count() - 1));
                                    }
                                  }))
          .explanation,
      Contains(
          "shorter than its receive: the message from rank 0 to rank 1 (tag 0) brought 19 of the 20 elements that were asked "
          "for; what lies behind them stayed as it was"));
}

TEST_CASE("a result that depends on the order in which messages arrive is named") {
  CollectiveCall call = call_of(
      Collective::gather,
      [](Communicator& comm, const CollectiveArguments& args) {
        if (comm.rank() != args.root) return comm.send(args.root, args.input);
        comm.copy(args.blocks.block(args.output, comm.rank().value()), args.input);
        for (int r = 0; r < comm.size(); ++r) {
          if (Rank(r) != args.root)
            comm.recv(
                kAnySource,
                args.blocks.block(args.output, comm.size() - 1 - r == args.root.value() ? args.root.value() == 0 ? 4 : 0 : r));
        }
      },
      false);
  CHECK_THAT(planted::failure_of(call).explanation,
             Contains("the result depends on the order in which messages arrive: rank ") &&
                 Contains(" receives from any source, and in another order (--order-seed "));
}

TEST_CASE("memory that ranks share is named") {
  static std::array<std::byte, 1024> static_memory;
  std::vector<std::byte> memory(1024);
  for (std::byte* const shared : {static_memory.data(), memory.data()}) {
    CollectiveCall call = call_of(Collective::allreduce, [shared](Communicator& comm, const CollectiveArguments& args) {
      const VectorView scratch(shared, args.output.count(), args.output.type());
      Buffer sum(args.output.type(), args.output.count());
      comm.copy(sum.view(), args.output);
      const int p = comm.size();
      const int r = comm.rank().value();
      for (int i = 1; i < p; ++i) {
        comm.sendrecv(Rank((r + i) % p), args.output, Rank((r + p - i) % p), scratch);
        comm.reduce_into(sum.view(), scratch, *args.op, Side::right);
      }
      comm.copy(args.output, sum.view());
    });
    if (default_threads() == Threads::kernel) return;  // a race
    const std::string explanation = unclear_failure(call).explanation;
    CHECK_THAT(explanation, Contains("shared memory: rank 1 receives into 80 bytes"));
    CHECK_THAT(explanation, Contains(" that rank 0 receives into"));
    CHECK((explanation.find("of a static or global variable") != std::string::npos) == (shared == static_memory.data()));
  }
}

}  // namespace heddle
