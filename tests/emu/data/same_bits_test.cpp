// SPDX-License-Identifier: Apache-2.0
// Ranks that share a result of floats hold the same bits of it, or the run fails.
#include <algorithm>
#include <cstring>
#include <vector>

#include "emu/data/call_bits.hpp"
#include "tests/catch.hpp"
#include "tests/emu/check/planted_calls.hpp"

namespace heddle {

namespace {

/// Everybody has everybody's contribution, and adds them up from its own one on: as many orders as ranks.
void folds_from_itself(Communicator& comm, const CollectiveArguments& args) {
  const int p = comm.size();
  const auto count = args.output.count();
  Buffer all(args.output.type(), p * count);
  const auto of = [&](int r) { return all.view().slice((r + p) % p * count, count); };
  const int me = comm.rank().value();
  comm.copy(of(me), args.input);
  std::vector<Request> requests;
  for (int d = 1; d < p; ++d) requests.push_back(comm.irecv(Rank((me + d) % p), of(me + d)));
  for (int d = 1; d < p; ++d) requests.push_back(comm.isend(Rank((me + d) % p), of(me)));
  comm.wait_all(requests);
  Buffer sum(args.output.type(), count);
  comm.copy(sum.view(), of(me));
  for (int d = 1; d < p; ++d) comm.reduce_into(sum.view(), of(me + d), *args.op);
  comm.copy(args.output, sum.view());
}

CollectiveCall planted_call(Datatype type, const ReduceOp& op = ReduceOp::sum()) {
  CollectiveCall call = planted::call_of(Collective::allreduce, folds_from_itself);
  call.type = type;
  call.op = &op;
  return call;
}

std::optional<emu::DifferentBits> difference_of(const std::vector<std::vector<float>>& outputs, const std::vector<int>& order) {
  const emu::CallLayout layout(Collective::allreduce, static_cast<int>(outputs.size()),
                               static_cast<std::int64_t>(outputs.front().size()), {}, Rank(0));
  emu::CallBits bits(layout, Datatype::f32(), ReduceOp::sum());
  for (const int rank : order) bits.note(outputs[static_cast<std::size_t>(rank)], Rank(rank));
  return bits.difference();
}

}  // namespace

TEST_CASE("an allreduce that each rank folds in an order of its own is right in integers, and caught in floats") {
  CHECK_NOTHROW(planted::run(planted_call(Datatype::i32())));
  for (const Datatype type : {Datatype::f16(), Datatype::bf16(), Datatype::f32(), Datatype::f64()}) {
    CAPTURE(to_string(type));
    CHECK(planted::failure_of(planted_call(type)).kind == CheckError::Kind::different_bits);
  }
  const Failure failure = planted::failure_of(planted_call(Datatype::f32()));
  CHECK_THAT(
      failure.explanation,
      Catch::StartsWith("ranks hold different bits after the first call: allreduce 'planted' of sum 20 f32, 5 ranks, seed 1\n"
                        "  ") &&
          Catch::Contains(" of 20 elements; the first is element ") && Catch::Contains(" (0x") &&
          Catch::Contains(") on rank") && Catch::Contains("same_bits = false"));
}

TEST_CASE("both values, their bits and their ranks are named") {
  // 0.1 has the bits 0x3dcccccd, the next one 0x3dccccce.
  const std::vector<std::vector<float>> outputs = {{1, 0.1F}, {1, 0.1F}, {1, 0.10000001F}, {1, 0.1F}};
  const auto found = difference_of(outputs, {0, 1, 2, 3});
  REQUIRE(found);
  CHECK(emu::different_bits_text(*found, 2) ==
        "1 of 2 elements; the first is element 1: 0.1 (0x3dcccccd) on ranks 0-1, 3, 0.10000001 (0x3dccccce) on rank 2");
}

TEST_CASE("what is said of different bits does not depend on which rank comes first") {
  const std::vector<std::vector<float>> outputs = {{1, 2, 3, 4, 5}, {1, 2, 30, 4, 50}, {1, 2, 30, 4, 5}};
  std::vector<int> order = {0, 1, 2};
  do {
    const auto found = difference_of(outputs, order);
    REQUIRE(found);
    CHECK(emu::different_bits_text(*found, 5) ==
          "2 of 5 elements; the first is element 2: 3 (0x40400000) on rank 0, 30 (0x41f00000) on ranks 1-2");
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("zeros of either sign are different bits, as who divides by them finds out") {
  CHECK_FALSE(difference_of({{0.0F}, {0.0F}}, {0, 1}));
  const auto found = difference_of({{0.0F}, {-0.0F}}, {1, 0});
  REQUIRE(found);
  CHECK(emu::different_bits_text(*found, 1) ==
        "1 of 1 elements; the first is element 0: 0 (0x00000000) on rank 0, -0 (0x80000000) on rank 1");
}

TEST_CASE("a minimum is the same in any order, and the sum in its second call is not") {
  const Failure failure = planted::failure_of(planted_call(Datatype::f32(), ReduceOp::min()));
  CHECK(failure.kind == CheckError::Kind::different_bits);
  CHECK_THAT(failure.explanation,
             Catch::StartsWith("ranks hold different bits after the second call: allreduce 'planted' of sum "));
  CollectiveCall once = planted_call(Datatype::f32(), ReduceOp::min());
  once.calls = 1;
  CHECK_NOTHROW(planted::run(once));
}

TEST_CASE("of a call that does not promise the same bits, the report says where they differ") {
  CollectiveCall call = planted_call(Datatype::f32());
  CHECK(std::ranges::count(checks_of(call), "same_bits") == 1);
  call.same_bits = false;
  CHECK(std::ranges::count(checks_of(call), "same_bits") == 0);
  const Report report = planted::run(call);
  REQUIRE(report.different_bits);
  CHECK_THAT(*report.different_bits, Catch::EndsWith(" of 20 elements after the first call"));
}

TEST_CASE("the report says that bits are the same, or that nobody shares any that round") {
  const auto bits_of = [](Collective collective, Datatype type) {
    CollectiveCall call = planted::call_of(collective, testing::direct(collective));
    call.type = type;
    return planted::run(call).different_bits;
  };
  CHECK(bits_of(Collective::allreduce, Datatype::f32()) == "");
  CHECK(bits_of(Collective::allreduce, Datatype::i32()) == std::nullopt);
  CHECK(bits_of(Collective::reduce, Datatype::f32()) == std::nullopt);
  CHECK(bits_of(Collective::allgather, Datatype::f32()) == std::nullopt);
  CHECK(std::ranges::count(checks_of(planted_call(Datatype::i32())), "same_bits") == 0);
}

TEST_CASE("each group of ranks has bits of its own") {
  const Fabric fabric = planted::star(6);
  const Placement placement = linear_placement(6, fabric.topology());
  CollectiveCall call = planted_call(Datatype::f32());
  const auto run = [&] { return run_checked_groups(fabric, placement, {{0, 2, 4}, {1, 3, 5}}, call).report; };
  CHECK_THROWS_WITH(run(),
                    Catch::StartsWith("group 0 (ranks 0, 2, 4 of the run), by the group's own ranks: ranks hold different "));
  call.function = testing::direct(Collective::allreduce);
  CHECK(run().different_bits == "");
  CHECK(run().result_bits.size() == 2 * 2 * 3);
}

TEST_CASE("each bit of a vector changes its number, whatever its length") {
  for (const std::size_t bytes : {1U, 7U, 8U, 31U, 32U, 33U, 100U}) {
    std::vector<std::byte> data(bytes, std::byte{0x5A});
    const ConstVectorView view(data.data(), static_cast<std::int64_t>(bytes), Datatype::user(1));
    const std::uint64_t before = emu::hash_of_bits(view);
    std::vector<std::uint64_t> others = {before};
    for (std::size_t bit = 0; bit < 8 * bytes; ++bit) {
      data[bit / 8] ^= std::byte{1} << (bit % 8);
      others.push_back(emu::hash_of_bits(view));
      data[bit / 8] ^= std::byte{1} << (bit % 8);
    }
    CHECK(emu::hash_of_bits(view) == before);
    std::ranges::sort(others);
    CHECK(std::ranges::adjacent_find(others) == others.end());
  }
}

}  // namespace heddle
