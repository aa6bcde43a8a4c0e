// SPDX-License-Identifier: Apache-2.0
// What counts in too few bits is found without the memory; what is right, or cannot be followed, is not accused.
#include "emu/check/checked_run.hpp"

#include <atomic>
#include <vector>

#include "core/sanitizers.hpp"
#include "emu/record/memory_estimate.hpp"
#include "tests/emu/check/planted_calls.hpp"

namespace heddle::planted {

namespace {

constexpr std::int64_t kBeyond31 = (std::int64_t{1} << 31) + 5;

CollectiveCall large(CollectiveCall call, std::int64_t count, Datatype type = Datatype::user(1)) {
  call.type = type;
  call.count = call.sampled = count - count % kRanks;
  return call;
}

PositionsCheck check(const CollectiveCall& call, const PositionsBound& bound = {}) {
  const Fabric fabric = star();
  return check_positions(fabric, linear_placement(kRanks, fabric.topology()), call, {}, bound);
}

std::string failure_beyond(const CollectiveCall& call) {
  try {
    return "passed: " + check(call).why_not;
  } catch (const CheckError& error) {
    return error.what();
  }
}

/// The root sends each other rank so many elements.
template <class Count>
CollectiveFunction broadcast_of(Count count) {
  return [count](Communicator& comm, const CollectiveArguments& call) {
    const VectorView part = call.output.slice(0, count(call.output));
    if (comm.rank() != call.root) {
      comm.recv(call.root, part);
      return;
    }
    for (int r = 0; r < comm.size(); ++r) {
      if (Rank(r) != call.root) comm.send(Rank(r), part);
    }
  };
}

/// Out of place, all at once; the tests' direct one copies by itself.
void alltoall(Communicator& comm, const CollectiveArguments& call) {
  const int me = comm.rank().value();
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (r == me) continue;
    requests.push_back(comm.irecv(Rank(r), call.received.block(call.output, r)));
    requests.push_back(comm.isend(Rank(r), call.blocks.block(call.input, r)));
  }
  if (call.blocks.size(me) > 0) comm.copy(call.received.block(call.output, me), call.blocks.block(call.input, me));
  comm.wait_all(requests);
}

}  // namespace

TEST_CASE("positions: right collectives are right beyond 31 bits, and of a few elements, and followed") {
  for (const Collective collective : {Collective::broadcast, Collective::allgather, Collective::gather, Collective::scatter}) {
    for (const bool in_place : {false, true}) {
      for (const std::int64_t count : {2 * kBeyond31, std::int64_t{5}, std::int64_t{300}, std::int64_t{50'000}}) {
        INFO(to_string(collective) << " of " << count << ", in place " << in_place);
        CHECK(check(large(call_of(collective, testing::direct(collective), in_place, 2), count)).why_not == "");
      }
    }
  }
  CHECK(check(large(call_of(Collective::alltoall, alltoall, false), 2 * kBeyond31)).why_not.empty());
}

TEST_CASE("positions: equal blocks stay equal where fewer elements are tried first") {
  const CollectiveFunction equal = [](Communicator& comm, const CollectiveArguments& call) {
    if (call.blocks.size(0) != call.blocks.size(comm.size() - 1)) throw UsageError("it serves equal blocks");
    testing::direct(Collective::allgather)(comm, call);
  };
  CHECK(check(large(call_of(Collective::allgather, equal, false), 2 * kBeyond31)).why_not.empty());
}

TEST_CASE("positions: a count in int is found") {
  const auto as_int = [](ConstVectorView vector) {
    return std::max<std::int64_t>(0, static_cast<std::int32_t>(vector.count()));
  };
  const std::string text = failure_beyond(large(call_of(Collective::broadcast, broadcast_of(as_int)), kBeyond31));
  CHECK_THAT(text, Catch::StartsWith("wrong beyond 31 bits: broadcast 'planted' of 2147483650 bytes1"));
  CHECK_THAT(text, Catch::Contains("element 0 on rank 1 is none of any rank's, or was never written"));
  CHECK_THAT(text, Catch::Contains("with 134217728 bytes1 all is where it belongs"));
}

TEST_CASE("positions: bytes in 32 bits are found, where the count fits") {
  const auto by_bytes = [](ConstVectorView vector) {
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(vector.count() * 8)) / 8;
  };
  CHECK_THAT(failure_beyond(
                 large(call_of(Collective::broadcast, broadcast_of(by_bytes)), (std::int64_t{1} << 29) + 13, Datatype::i64())),
             Catch::Contains("wrong beyond 31 bits"));
}

TEST_CASE("positions: a displacement in int is found, where counts fit, and what is there instead is said") {
  const CollectiveFunction wrong = [](Communicator& comm, const CollectiveArguments& call) {
    alltoall(comm, call);
    if (call.received.offset(4) <= std::numeric_limits<std::int32_t>::max()) return;
    comm.copy(call.received.block(call.output, 4), call.received.block(call.output, 0));
  };
  CHECK_THAT(failure_beyond(large(call_of(Collective::alltoall, wrong, false), 2 * kBeyond31)),
             Catch::Contains(" of rank 0 where element ") && Catch::Contains(" of rank 4 belongs"));
}

TEST_CASE("positions: what works by itself is not followed, and not accused") {
  const CollectiveFunction by_hand = [](Communicator& comm, const CollectiveArguments& call) {
    testing::direct(Collective::broadcast)(comm, call);
    if (comm.rank() == Rank(1) && call.output.count() > 1'000'000)
      std::fill_n(call.output.data(), call.output.size_bytes() / 8, std::byte{1});
  };
  CHECK(check(large(call_of(Collective::broadcast, by_hand), kBeyond31)).why_not == "it reads or writes memory by itself");
  // Of a few elements as well.
  const CollectiveFunction by_hand_too = [](Communicator& comm, const CollectiveArguments& call) {
    testing::direct(Collective::broadcast)(comm, call);
    if (call.output.count() > 20'000) std::fill_n(call.output.data(), call.output.size_bytes() / 2, std::byte{1});
  };
  CHECK(check(large(call_of(Collective::broadcast, by_hand_too), 100'000)).why_not == "it reads or writes memory by itself");
  const CollectiveFunction nothing = [](Communicator&, const CollectiveArguments&) {};
  CHECK_THAT(check(large(call_of(Collective::broadcast, nothing), kBeyond31)).why_not,
             Catch::StartsWith("it moves or combines elements by itself: "));
}

#if !HEDDLE_ADDRESS_SANITIZER && !HEDDLE_THREAD_SANITIZER  // which end the process where memory is refused
TEST_CASE("positions: a rank that is refused room for every rank's vector is not accused") {
  const CollectiveFunction broadcast = broadcast_of([](ConstVectorView vector) { return vector.count(); });
  const CollectiveFunction with_room = [&](Communicator& comm, const CollectiveArguments& call) {
    const Buffer room(call.output.type(), comm.size() * call.output.count());
    broadcast(comm, call);
  };
  // Of which the machine has one, and not as many as there are ranks.
  const std::int64_t count = machine_memory().count() / (kRanks - 1);
  CHECK(failure_beyond(large(call_of(Collective::broadcast, with_room, true), count)).starts_with("passed: "));
}
#endif

TEST_CASE("a check of positions, and one whose data is being made, are stopped") {
  std::atomic<int> asked = 0;
  EmulationSettings settings;
  settings.interrupted = [&asked] { return ++asked > 20; };
  const CollectiveCall call = large(call_of(Collective::alltoall, alltoall, false), kBeyond31);
  const Fabric fabric = star();
  const Placement placement = linear_placement(kRanks, fabric.topology());
  CHECK_THROWS_AS(check_positions(fabric, placement, call, settings), RunStopped);
  std::atomic<bool> was_called = false;
  const CollectiveCall summed =
      large(call_of(Collective::allreduce, [&](auto&, auto&) { was_called = true; }), 100'000, Datatype::i32());
  settings.interrupted = [] { return true; };
  CHECK_THROWS_WITH(run_checked(fabric, placement, summed, settings), "interrupted while its data was made");
  CHECK_FALSE(was_called);
}

TEST_CASE("positions: too many messages are not followed") {
  const auto in_pieces_of = [](std::int64_t size) -> CollectiveFunction {
    return [size](Communicator& comm, const CollectiveArguments& call) {
      for (std::int64_t first = 0; first < call.output.count(); first += size) {
        const VectorView piece = call.output.slice(first, std::min(size, call.output.count() - first));
        for (int r = 1; r < comm.size(); ++r)
          if (comm.rank() == Rank(0)) comm.send(Rank(r), piece);
        if (comm.rank() != Rank(0)) comm.recv(Rank(0), piece);
      }
    };
  };
  CHECK(check(large(call_of(Collective::broadcast, in_pieces_of(4096)), kBeyond31), {.actions = 1000}).why_not ==
        "it makes more than 1000 messages and pieces of local work");
  // What a sixteenth of the elements makes says it, before the bound is met.
  CHECK_THAT(check(large(call_of(Collective::broadcast, in_pieces_of(65'536)), kBeyond31), {.actions = 50'000}).why_not,
             Catch::Matchers::StartsWith("it would make some ") &&
                 Catch::Matchers::EndsWith(" messages and pieces of local work, and 50000 are followed"));
}

TEST_CASE("positions: counts of an alltoall that two ranks do not share") {
  CollectiveCall call = call_of(Collective::alltoall, alltoall, false);
  std::vector<std::int64_t> counts(std::size_t{kRanks} * kRanks, 3);
  counts[2] = kBeyond31;
  counts[10] = 0;
  call.sends = CountMatrix::of(kRanks, counts);
  call.type = Datatype::user(1);
  call.count = call.sampled = call.sends.most_sent();
  CHECK(check(call).why_not.empty());
}

}  // namespace heddle::planted
