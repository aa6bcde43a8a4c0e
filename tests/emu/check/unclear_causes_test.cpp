// SPDX-License-Identifier: Apache-2.0
// Wrong results whose symptoms look like those of other mistakes: what is said of each is so, and names what can be known.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "tests/catch.hpp"
#include "tests/emu/check/planted_calls.hpp"
#include "tests/emu/programs.hpp"

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

TEST_CASE("who does not use what all have is named, not others that have no use for it") {
  // Rank 0 adds up all, and sends the whole to everyone. Rank 2 takes its block of it at the wrong place.
  const Failure failure =
      unclear_failure(call_of(Collective::reduce_scatter, [](Communicator& comm, const CollectiveArguments& call) {
        Buffer all(call.input.type(), call.input.count());
        Buffer other(call.input.type(), call.input.count());
        comm.copy(all.view(), call.input);
        if (comm.rank() != Rank(0)) comm.send(Rank(0), call.input);
        for (int r = 1; comm.rank() == Rank(0) && r < comm.size(); ++r) {
          comm.recv(Rank(r), other.view());
          comm.reduce_into(all.view(), other.view(), *call.op);
        }
        for (int r = 1; comm.rank() == Rank(0) && r < comm.size(); ++r) comm.send(Rank(r), all.view());
        if (comm.rank() != Rank(0)) comm.recv(Rank(0), all.view());
        const int block = comm.rank() == Rank(2) ? 3 : comm.rank().value();
        const VectorView sums = call.blocks.block(all.view(), block);
        comm.copy(call.blocks.block(call.output, block), sums);
      }));
  CHECK_THAT(failure.explanation,
             Contains("first: rank 2, element 8: ") &&
                 Contains("cause: rank 2 did not use the contributions of ranks 0-4, which the message from "
                          "rank 0 to rank 2 "));
}

TEST_CASE("of several messages with changed bytes, the first to be added is named with its own rank's") {
  // Ranks 1 and 2 send the root what they have, but for a bit.
  const Failure failure = unclear_failure(call_of(Collective::reduce, [](Communicator& comm, const CollectiveArguments& call) {
    Buffer mine(call.input.type(), call.input.count());
    comm.copy(mine.view(), call.input);
    if (comm.rank() != call.root) {
      if (comm.rank().value() < 3) flip(mine.view(), static_cast<std::size_t>(comm.rank().value()));
      return comm.send(call.root, mine.view());
    }
    Buffer other(call.input.type(), call.input.count());
    for (int r = 0; r < comm.size(); ++r) {
      if (Rank(r) == call.root) continue;
      comm.recv(Rank(r), other.view());
      comm.reduce_into(mine.view(), other.view(), *call.op);
    }
    comm.copy(call.output, mine.view());
  }));
  CHECK_THAT(failure.explanation, Contains("brought by the message from rank 1 to rank 0 ") &&
                                      Contains("; those bytes are rank 1's contribution, but for 1 bit of it"));
}

TEST_CASE("a message of the next call that is received in this one is told as that") {
  // Whoever is not the root takes what comes first. In the second call rank 1 is the root.
  CollectiveCall call = call_of(Collective::broadcast, [](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() != args.root) {
      // Rank 2 is late: its message of this call comes after that of the next.
      if (comm.rank() == Rank(2) && args.root == Rank(0)) {
        comm.recv(Rank(1), args.output);
        return;
      }
      comm.recv(comm.rank() == Rank(2) && args.root == Rank(1) ? Rank(0) : args.root, args.output);
      return;
    }
    for (int r = 0; r < comm.size(); ++r)
      if (Rank(r) != args.root) comm.send(Rank(r), args.output);
  });
  const Failure failure = unclear_failure(call);
  CHECK_THAT(failure.explanation,
             Contains("wrong result of the first call") &&
                 Contains("cause: rank 2 received the message from rank 1 to rank 2 ") &&
                 Contains(" in this call, and it was sent in a later one: it brought element 0 of rank 1 in "
                          "the next call where element 0 of rank 0 belongs"));
}

TEST_CASE("what is received over a rank's own contribution is told as that") {
  const Failure failure = unclear_failure(call_of(Collective::reduce, [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() != call.root) return comm.send(call.root, call.input);
    Buffer other(call.input.type(), call.input.count());
    bool is_first = true;
    for (int r = 0; r < comm.size(); ++r) {
      if (Rank(r) == call.root) continue;
      comm.recv(Rank(r), is_first ? call.output : other.view());
      if (!std::exchange(is_first, false)) comm.reduce_into(call.output, other.view(), *call.op);
    }
  }));
  CHECK_THAT(failure.explanation,
             Contains("cause: rank 0 lost its own contribution, and received the message from rank 1 to rank 0 ") &&
                 Contains(" to where it belongs"));
}

TEST_CASE("what nobody had written and a rank passes on is told as that") {
  const Failure failure =
      unclear_failure(call_of(Collective::broadcast, [](Communicator& comm, const CollectiveArguments& args) {
        const int behind = (comm.rank().value() - args.root.value() + kRanks) % kRanks;
        const auto at = [&](int place) { return Rank((args.root.value() + place) % kRanks); };
        if (behind == 1) comm.send(at(2), args.output);  // before it has it
        if (behind > 0) comm.recv(at(behind - 1), args.output);
        if (behind != 1 && behind < kRanks - 1) comm.send(at(behind + 1), args.output);
      }));
  CHECK_THAT(failure.explanation,
             Contains("cause: rank 1 had what nobody had written (heddle's poison) where element 0 of rank 0 "
                      "belongs, and sent it by the message from rank 1 to rank 2 "));
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
  CHECK_THAT(planted::failure_of(call).explanation, Contains("bytes 4-7 are still the poison") &&
                                                        Contains("its first 4 of 8 bytes are those of element 19 of rank 0"));
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

TEST_CASE("a receive with room to spare is not named where nothing was read from there") {
  const std::string text =
      planted::failure_of(call_of(
                              Collective::reduce,
                              [](Communicator& comm, const CollectiveArguments& call) {
                                if (comm.rank() != call.root) return comm.send(call.root, call.input);
                                comm.copy(call.output, call.input);
                                std::vector<std::byte> room((call.input.count() + 1) * call.input.type().size());
                                const VectorView theirs(room.data(), call.input.count() + 1, call.input.type());
                                for (int r = 0; r < comm.size(); ++r) {
                                  if (Rank(r) == call.root) continue;
                                  comm.recv(Rank(r), theirs);
                                  if (r != 3) comm.reduce_into(call.output, theirs.slice(0, call.input.count()), *call.op);
                                }
                              },
                              false))
          .explanation;
  CHECK_THAT(text, Contains("missing: rank 3's contribution") && !Contains("shorter than its receive"));
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

namespace {

/// All to rank 0, which combines as `combine(comm, args, sums, incoming)` does, but for rank 3's, and back.
template <class Combine>
CollectiveFunction without_rank_3(Combine combine) {
  return [combine](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() != Rank(0)) {
      comm.send(Rank(0), args.output);
      comm.recv(Rank(0), args.output, Tag(1));
      return;
    }
    Buffer incoming(args.output.type(), args.output.count());
    for (int r = 1; r < comm.size(); ++r) {
      comm.recv(Rank(r), incoming.view());
      if (r != 3) combine(args, incoming.view());
    }
    for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), args.output, Tag(1));
  };
}

template <class T>
void add_by_hand(const CollectiveArguments& args, VectorView incoming) {
  // Integers wrap around, as heddle's own sums do.
  using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  for (std::size_t i = 0; i < incoming.as<T>().size(); ++i) {
    T& sum = args.output.as<T>()[i];
    sum = static_cast<T>(static_cast<Sum>(sum) + static_cast<Sum>(incoming.as<T>()[i]));
  }
}

void add_halves(const CollectiveArguments& args, VectorView incoming) {
  for (std::size_t i = 0; i < incoming.as<F16>().size(); ++i)
    args.output.as<F16>()[i] = F16(float(args.output.as<F16>()[i]) + float(incoming.as<F16>()[i]));
}

template <class T>
void greatest_by_hand(const CollectiveArguments& args, VectorView incoming) {
  for (std::size_t i = 0; i < incoming.as<T>().size(); ++i)
    args.output.as<T>()[i] = std::max(args.output.as<T>()[i], incoming.as<T>()[i]);
}

CollectiveCall reduction(CollectiveFunction function, Datatype type, const ReduceOp& op = ReduceOp::sum()) {
  CollectiveCall call = call_of(Collective::allreduce, std::move(function));
  call.type = type;
  call.op = &op;
  return call;
}

}  // namespace

TEST_CASE("a program that adds up by itself is told that nothing can follow it, and is accused of nothing") {
  const auto check = [](CollectiveFunction function, Datatype type, const ReduceOp& op, const std::string& words) {
    CHECK_THAT(planted::failure_of(reduction(std::move(function), type, op)).explanation,
               Contains("cannot be told: this program computes with elements itself (data[i] += theirs[i]") &&
                   Contains(words) && Contains("Leave local arithmetic to reduce_into()") && !Contains("cause:") &&
                   !Contains("no message") && !Contains("did not use"));
  };
  const std::string computes = "it made bytes that are no name";
  const ReduceOp& sum = ReduceOp::sum();
  check(without_rank_3(add_by_hand<std::int32_t>), Datatype::i32(), sum, computes);
  check(without_rank_3(add_by_hand<std::int64_t>), Datatype::i64(), sum, computes);
  check(without_rank_3(add_by_hand<float>), Datatype::f32(), sum, "");
  // Of two doubles of different size the sum may be one of them.
  check(without_rank_3(add_by_hand<double>), Datatype::f64(), sum, "");
  // One's own maximum takes one of two names, and may look as if the other had not been used.
  const std::string looks = "or looks at their values";
  check(without_rank_3(greatest_by_hand<std::int32_t>), Datatype::i32(), ReduceOp::max(), looks);
  check(without_rank_3(greatest_by_hand<float>), Datatype::f32(), ReduceOp::max(), looks);
}

TEST_CASE("a program that adds up some types by itself goes another way with elements of another type") {
  // Right but for the last rank, which forgets; of another type than f16 it does nothing.
  const auto add = [](const CollectiveArguments& args, VectorView incoming) {
    if (args.output.type() == Datatype::f16()) add_halves(args, incoming);
  };
  const CollectiveFunction function = [add](Communicator& comm, const CollectiveArguments& args) {
    const Buffer own = [&] {
      Buffer copy(args.output.type(), args.output.count());
      comm.copy(copy.view(), args.output);
      return copy;
    }();
    Buffer incoming(args.output.type(), args.output.count());
    for (int i = 1; i < comm.size(); ++i) {
      const int r = comm.rank().value();
      const int p = comm.size();
      comm.sendrecv(Rank((r + i) % p), own.view(), Rank((r + p - i) % p), incoming.view());
      if (r != p - 1 || i != 1) add(args, incoming.view());
    }
  };
  CHECK_THAT(planted::failure_of(reduction(function, Datatype::f16())).explanation,
             Contains("a repeat whose elements know what they are made of, of type bytes4, is wrong on ranks 0-3, where the "
                      "run is right") &&
                 !Contains("did not use"));
}

TEST_CASE("a receive buffer that is read too early is told as that, and who sent it on") {
  CollectiveCall call = call_of(Collective::broadcast, [](Communicator& comm, const CollectiveArguments& args) {
    // Along the ranks from the root on; rank 2 passes on what it has not waited for.
    const int place = (comm.rank().value() - args.root.value() + kRanks) % kRanks;
    const auto at = [&](int other) { return Rank((other + args.root.value()) % kRanks); };
    Buffer incoming(args.output.type(), args.output.count());
    Buffer passed(args.output.type(), args.output.count());
    const Request receive = place > 0 ? comm.irecv(at(place - 1), incoming.view(), Tag(4)) : Request();
    const auto pass = [&](const std::byte* from) {
      std::memcpy(passed.view().data(), from, passed.view().size_bytes());
      if (place + 1 < kRanks) comm.send(at(place + 1), passed.view(), Tag(4));
    };
    if (place == 0) return pass(args.output.data());
    if (place == 2) pass(incoming.view().data());
    comm.wait(receive);
    if (place != 2) pass(incoming.view().data());
    comm.copy(args.output, incoming.view());
  });
  // Only the first bytes of a buffer show poison, and what lies behind is other each time.
  CHECK_THAT(unclear_failure(call).explanation,
             Contains("which heddle fills with poison until the message is there, was read before"));
  call.count = call.sampled = 15;
  CHECK_THAT(
      planted::failure_of(call).explanation,
      Contains("not expected: the poison of the buffer of rank 2's receive from rank 1 (tag 4)") &&
          Contains(
              "cause: the buffer of rank 2's receive from rank 1 (tag 4), which heddle fills with poison until the message is "
              "there, was read before the receive was complete: wait for it first; rank 2 sent it on by the message from "
              "rank 2 to rank 3 (tag 4") &&
          !Contains("no message") && !Contains("share memory"));
}

TEST_CASE("a sum that a message is received over is told as that") {
  // Rank 0 receives rank 3's where its sum is.
  CollectiveCall call = call_of(Collective::allreduce, [](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() != Rank(0)) {
      comm.send(Rank(0), args.output);
      comm.recv(Rank(0), args.output, Tag(1));
      return;
    }
    Buffer incoming(args.output.type(), args.output.count());
    for (int r = 1; r < comm.size(); ++r) {
      comm.recv(Rank(r), r == 3 ? args.output : incoming.view());
      if (r != 3) comm.reduce_into(args.output, incoming.view(), *args.op);
    }
    for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), args.output, Tag(1));
  });
  CHECK_THAT(
      planted::failure_of(call).explanation,
      Contains(
          "cause: rank 0 had combined the contributions of ranks 0-2, and received the message from rank 3 to rank 0 (tag 0, "
          "round 1, ") &&
          Contains("over it before it had sent it on") && !Contains("did not use"));
}

TEST_CASE("what no message brought is told as no more than that") {
  // What rank 2 had in the call before.
  std::vector<std::byte> kept;
  CollectiveCall call =
      call_of(Collective::allreduce, then(Collective::allreduce, [&](Communicator& comm, const auto& args) {
                if (comm.rank() != Rank(2)) return;
                const std::vector<std::byte> now(args.output.data(), args.output.data() + args.output.size_bytes());
                if (kept.size() == now.size()) std::memcpy(args.output.data(), kept.data(), kept.size());
                kept = now;
              }));
  CHECK_THAT(unclear_failure(call).explanation, Contains("the result of the call before") ||
                                                    Contains("left in memory by another call") ||
                                                    Contains("what earlier calls have left"));
  // Bytes in another order, by hand.
  call = call_of(Collective::broadcast, spoiled_at_last(Collective::broadcast, [](const CollectiveArguments& args) {
                   for (std::int64_t i = 0; i < args.output.count(); ++i) {
                     const VectorView element = args.output.slice(i, 1);
                     std::reverse(element.data(), element.data() + element.size_bytes());
                   }
                 }));
  CHECK_THAT(planted::failure_of(call).explanation,
             Contains("rank 4 has element 0 of rank 0, its bytes in the other order: the program itself has put them so"));
}

TEST_CASE("that a call depends on the values is said where other values were tried") {
  // Wrong with the first data that it meets alone.
  std::vector<std::byte> first;
  CollectiveCall call =
      call_of(Collective::broadcast, spoiled_at_last(Collective::broadcast, [&first](const CollectiveArguments& args) {
                const std::vector<std::byte> now(args.output.data(), args.output.data() + args.output.size_bytes());
                if (first.empty()) first = now;
                if (first == now) flip(args.output, 0);
              }));
  CHECK_THAT(
      planted::failure_of(call).explanation,
      Contains(
          "provenance of element 0 on rank 4: none; a repeat whose elements know what they are made of is right there, and "
          "with other data (seed 2) the call is right: what goes wrong depends on the values"));
}

}  // namespace heddle
