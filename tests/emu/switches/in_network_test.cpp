// SPDX-License-Identifier: Apache-2.0
// What ranks get from the switches, and what error they get when they ask for what there is not.
#include "heddle/collective.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "emu/check/lower_bound.hpp"
#include "heddle/datatype.hpp"
#include "tests/catch.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

void allreduce(Communicator& comm, VectorView vector, const ReduceOp& op = ReduceOp::sum()) {
  comm.in_network()->perform(Collective::allreduce, {.input = vector, .output = vector, .op = &op});
}

void broadcast(Communicator& comm, VectorView vector, int root) {
  const bool is_root = comm.rank() == Rank(root);
  comm.in_network()->perform(
      Collective::broadcast,
      {.input = is_root ? ConstVectorView(vector) : ConstVectorView(), .output = vector, .root = Rank(root)});
}

template <class T>
std::vector<T> allreduced(const std::string& topology, const std::vector<T>& by_rank) {
  std::vector<T> results(by_rank.size());
  run_on(fabric_of(topology), [&](Communicator& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank().value());
    std::vector<T> value = {by_rank[rank]};
    allreduce(comm, value);
    results[rank] = value.front();
  });
  return results;
}

}  // namespace

TEST_CASE("a fabric without such switches offers nothing") {
  for (const std::string topology : {"torus:2x2", "star:4", "clos:hosts=2,leaves=2,spines=1"}) {
    std::array<bool, 4> offers = {true, true, true, true};
    run_on(fabric_of(topology), [&offers](Communicator& comm) {
      offers[static_cast<std::size_t>(comm.rank().value())] = comm.in_network() != nullptr;
    });
    CHECK(offers == std::array<bool, 4>{});
  }
}

TEST_CASE("an operation starts when the last rank has posted") {
  // α + 2·(ℓ + h) + M = 1 us + 0.8 us + 0.4 us after rank 2, which works for 5 us first: 7.2 us.
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  const Report report = run_on(fabric_of("star:4,alu,multicast", settings), [](Communicator& comm) {
    std::vector<std::int32_t> work(1250);
    const std::vector<std::int32_t> more(1250);
    std::vector<std::int32_t> vector(100, 1);
    if (comm.rank() == Rank(2)) comm.reduce_into(work, more, ReduceOp::sum());
    allreduce(comm, vector);
    if (vector != std::vector<std::int32_t>(100, 4)) throw std::logic_error("wrong sum");
  });
  for (const RankReport& rank : report.ranks) CHECK(rank.completion == 7200_ns);
  CHECK(report.messages() == 4);
  CHECK(report.ranks[1].sent == Bytes(400));
  CHECK(report.ranks[1].received == Bytes(400));
  CHECK(report.rounds_max() == 1);
}

TEST_CASE("who only gives is done when it has given, who gets, when it has got") {
  // Rank 1's 1000 B drain at α + 1 us = 2 us; the others have them 2ℓ + h = 0.5 us later.
  const Report report = run_on(fabric_of("star:3,multicast"), [](Communicator& comm) {
    std::vector<std::byte> vector(1000, std::byte(comm.rank().value()));
    broadcast(comm, vector, 1);
    if (vector != std::vector<std::byte>(1000, std::byte(1))) throw std::logic_error("wrong bytes");
  });
  CHECK(report.ranks[0].completion == 2500_ns);
  CHECK(report.ranks[1].completion == 2_us);
  CHECK(report.ranks[2].completion == 2500_ns);
}

TEST_CASE("an operation and a message share a link") {
  // 1000 B each way: rank 0's message and its contribution share its way up, 2 us; alone 1 us.
  const Report report = run_on(fabric_of("star:3,alu,multicast"), [](Communicator& comm) {
    comm.concurrently(2, [](int task, Communicator& own) {
      std::vector<std::int32_t> vector(250, 1);
      if (task == 0) return allreduce(own, vector);
      if (own.rank() == Rank(0)) own.send(Rank(1), vector);
      if (own.rank() == Rank(1)) own.recv(Rank(0), vector);
    });
  });
  CHECK(report.ranks[2].completion == 1_us + 2_us + 800_ns);  // α + M/(B/2) + 2·(ℓ + h)
}

TEST_CASE("groups and tasks have operations of their own") {
  const Report report = run_on(fabric_of("clos:hosts=4,leaves=2,spines=2,alu,multicast"), [](Communicator& world) {
    const int rank = world.rank().value();
    const auto pair = world.split(rank % 4, rank);
    pair->concurrently(3, [rank](int task, Communicator& own) {
      std::vector<std::int64_t> vector = {100 * rank + task};
      allreduce(own, vector);
      if (vector.front() != 100 * (2 * (rank % 4) + 4) + 2 * task) throw std::logic_error("wrong sum");
    });
  });
  CHECK(report.messages() == 24);
}

TEST_CASE("a switch adds up halves in 32 bits and rounds once, as they leave it") {
  // 2048 + 1 + 1 + 0: in f16 2048 + 1 is 2048 again; a switch over all four gives 2050.
  const std::vector<F16> values = {F16(2048.0F), F16(1.0F), F16(1.0F), F16(0.0F)};
  for (const F16 sum : allreduced("star:4,alu,multicast", values)) CHECK(static_cast<float>(sum) == 2050.0F);
  // Two leaves of two: 2049 leaves the first as 2048, the spine gives 2048 + 1 = 2049 as 2048.
  for (const F16 sum : allreduced("clos:hosts=2,leaves=2,spines=1,alu,multicast", values))
    CHECK(static_cast<float>(sum) == 2048.0F);
}

TEST_CASE("an ALU of reduced precision rounds f32 as it goes in, and nothing else") {
  const std::string alu = "star:2,alu,multicast,precision=bf16";
  CHECK(allreduced<float>(alu, {1.0F + 0x1p-10F, 2.0F}) == std::vector<float>{3.0F, 3.0F});
  CHECK(allreduced<double>(alu, {1.0 + 0x1p-40, 2.0}) == std::vector<double>{3.0 + 0x1p-40, 3.0 + 0x1p-40});
  CHECK(allreduced<std::int32_t>(alu, {1'000'001, 1}) == std::vector<std::int32_t>{1'000'002, 1'000'002});
  const Report report = run_on(fabric_of(alu), [](Communicator& comm) {
    std::vector<float> vector(1000, 1.0F);
    allreduce(comm, vector);
  });
  CHECK(report.ranks[0].sent == Bytes(2000));
  CHECK(report.switch_precision == Datatype::bf16());
}

TEST_CASE("what the switches do not offer is refused, and nothing is done in software") {
  const auto refusal = [](const std::string& topology, const ReduceOp& op, std::int64_t count) {
    const Fabric fabric = fabric_of(topology);
    const CheckError error = check_error_of(fabric, [&](Communicator& comm) {
      std::vector<std::int32_t> vector(static_cast<std::size_t>(count));
      allreduce(comm, vector, op);
    });
    CHECK(error.kind() == CheckError::Kind::usage);
    return std::string(error.what());
  };
  CHECK_THAT(refusal("star:4,alu", ReduceOp::sum(), 4),
             Catch::Equals("rank 0 failed at 0ps: in-network allreduce: star:4,alu has no switch with an ALU and multicast"));
  CHECK_THAT(refusal("star:4,alu,multicast", ReduceOp::prod(), 4),
             Catch::Contains("the ALUs of switches do not have prod: they have sum, min, max, band, bor, bxor"));
  CHECK_THAT(refusal("star:4,alu,multicast,radix=3", ReduceOp::sum(), 4),
             Catch::Contains("switch s0 computes over 3 ports at most, and 4 take part"));
  CHECK_THAT(refusal("star:4,alu,multicast,align=128", ReduceOp::sum(), 4),
             Catch::Contains("switch s0 takes vectors of a multiple of 128 bytes, and this one has 16"));
  CHECK_THAT(refusal("clos:hosts=2,leaves=2,spines=1,alu=leaf,multicast=leaf", ReduceOp::sum(), 4),
             Catch::Contains("rank 2 is outside the domain of rank 0: no switches with an ALU and multicast join them"));
}

TEST_CASE("a user's operation is none of the switches'") {
  const ReduceOp own("own", [](const std::byte*, const std::byte*, std::byte*, std::size_t, Datatype) {},
                     {.commutative = true});
  const CheckError error = check_error_of(fabric_of("star:2,alu,multicast"), [&](Communicator& comm) {
    std::vector<std::int32_t> vector(1);
    allreduce(comm, vector, own);
  });
  CHECK_THAT(error.what(), Catch::Contains("the ALUs of switches do not have own"));
}

TEST_CASE("ranks that ask for different things get an error that says so") {
  const auto error_of = [](auto rank_1) {
    const CheckError error = check_error_of(fabric_of("star:3,alu,multicast"), [&](Communicator& comm) {
      std::vector<std::int32_t> vector(4);
      if (comm.rank() == Rank(1)) return rank_1(comm);
      allreduce(comm, vector);
    });
    CHECK(error.kind() == CheckError::Kind::usage);
    return std::string(error.what());
  };
  std::vector<std::int32_t> five(5);
  CHECK(error_of([&](Communicator& comm) { allreduce(comm, five); }) ==
        "rank 1 calls an in-network allreduce of sum 5 x i32 where rank 0 calls an in-network allreduce of sum 4 x i32: all "
        "ranks "
        "must ask for the same");
  std::vector<std::int32_t> four(4);
  CHECK_THAT(error_of([&](Communicator& comm) { allreduce(comm, four, ReduceOp::max()); }),
             Catch::Contains("of max 4 x i32 where"));
  CHECK_THAT(error_of([&](Communicator& comm) { broadcast(comm, four, 0); }),
             Catch::Contains("an in-network broadcast of 4 x i32 from root 0 where"));
}

TEST_CASE("a rank that waits for another in the switches is named, and so is whom it waits for") {
  const CheckError error = check_error_of(fabric_of("star:4,alu,multicast"), [](Communicator& comm) {
    std::vector<std::int32_t> vector(4);
    if (comm.rank() != Rank(2)) return allreduce(comm, vector);
    comm.recv(Rank(3), vector);
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("rank 3 waits in an in-network allreduce for rank 2"));
  CHECK_THAT(error.what(), Catch::Contains("rank 2 waits to receive 4 x i32 from rank 3 (tag 0)"));
  CHECK_THAT(error.what(), Catch::Contains("cycle"));
}

TEST_CASE("where switches compute, ranks send and receive no more than their own") {
  // M = 4000 B over 1 B/ns, α = 1 us, ℓ = 0.1 us: an allreduce needs M out of each rank; in software 2·3/4·M.
  const Fabric star = fabric_of("star:4,alu,multicast");
  const Placement placement = linear_placement(4, star.topology());
  const auto bound = [&](Collective collective, emu::Arithmetic arithmetic) {
    return emu::lower_bound(star, placement, emu::CallLayout(collective, 4, 1000, {}, Rank(0)), 4, arithmetic).seconds;
  };
  CHECK(bound(Collective::allreduce, emu::Arithmetic::ranks) == Approx(7.1e-6 + 0.3e-6).margin(0.31e-6));
  CHECK(bound(Collective::allreduce, emu::Arithmetic::switches) == Approx(5.1e-6 + 0.3e-6).margin(0.31e-6));
  CHECK(bound(Collective::reduce, emu::Arithmetic::switches) == Approx(5.4e-6).epsilon(1e-9));
}

}  // namespace heddle
