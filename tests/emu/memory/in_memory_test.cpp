// SPDX-License-Identifier: Apache-2.0
// Ranks that copy from each other's memory: right, without deadlock where eager sends have none, and as plain about
// what went wrong as an emulation.
#include "emu/check/checked_run.hpp"

#include <array>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "emu/memory/in_memory_runtime.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

FabricSettings free_of_limits() {
  FabricSettings settings;
  settings.tiers = {LinkSpeed{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
  return settings;
}

void run_in_memory(int ranks, const emu::MeasuredFunction& function, bool can_buffer = true) {
  const Fabric fabric = fabric_of("star:" + std::to_string(ranks), free_of_limits());
  const Placement placement = linear_placement(ranks, fabric.topology());
  emu::InMemoryRuntime(fabric, placement, can_buffer).run(function);
}

CheckError in_memory_error(int ranks, const RankFunction& function, bool can_buffer = true) {
  try {
    run_in_memory(ranks, function, can_buffer);
  } catch (const CheckError& error) {
    return error;
  }
  FAIL("the run passed");
  throw std::logic_error("unreachable: FAIL throws");
}

/// a ∘ b = 10a + b on i32: shows which operand stood where.
const ReduceOp& digits() {
  static const ReduceOp op("digits",
                           [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype) {
                             for (std::size_t i = 0; i < count * sizeof(std::int32_t); i += sizeof(std::int32_t)) {
                               std::int32_t x = 0, y = 0;
                               std::memcpy(&x, a + i, sizeof x);
                               std::memcpy(&y, b + i, sizeof y);
                               const std::int32_t z = 10 * x + y;
                               std::memcpy(result + i, &z, sizeof z);
                             }
                           },
                           {});
  return op;
}

/// Exchanges one vector of i32 with the other of two ranks and combines it with another.
void combine_with_peer(Communicator& comm, const std::vector<std::int32_t>& given, std::vector<std::int32_t>& sums,
                       const ReduceOp& op, Side side) {
  const Rank peer(1 - comm.rank().value());
  Buffer scratch(Datatype::i32(), static_cast<std::int64_t>(sums.size()));
  const ConstVectorView data(given);
  const VectorView whole(sums);
  const std::int64_t cut = whole.count() / 3;
  const std::vector<ConstVectorView> gathered = {data.slice(0, 1), data.slice(1, data.count() - 1)};
  const std::vector<VectorView> pieces = {whole.slice(cut, whole.count() - cut), whole.slice(0, cut)};
  comm.sendrecv_reduce(peer, gathered, peer, pieces, scratch.view(), op, side);
}

/// Both send before they receive.
void send_first(Communicator& comm) {
  const Rank peer(1 - comm.rank().value());
  std::vector<std::int32_t> own(100'000, comm.rank().value()), other(own.size());
  comm.send(peer, own);
  own.assign(own.size(), -1);  // it has been sent
  comm.recv(peer, other);
  if (other != std::vector<std::int32_t>(own.size(), peer.value())) throw std::logic_error("wrong data");
}

}  // namespace

TEST_CASE("in memory: every collective is right") {
  const int ranks = GENERATE(1, 2, 5);
  const Fabric fabric = fabric_of("ring:" + std::to_string(ranks), free_of_limits());
  REQUIRE(is_unlimited(fabric));
  for (const Collective collective : all_collectives()) {
    INFO(to_string(collective));
    CollectiveCall call;
    call.collective = collective;
    call.function = testing::direct(collective);
    call.count = call.sampled = collective == Collective::barrier ? 0 : 60;
    call.in_place = collective != Collective::alltoall;
    const std::vector<Time> times = run_checked_in_memory(fabric, linear_placement(ranks, fabric.topology()), call);
    CHECK(times.size() == static_cast<std::size_t>(ranks));
  }
}

TEST_CASE("in memory: a wrong result is one") {
  CollectiveCall call;
  call.count = call.sampled = 20;
  call.function = [](Communicator& comm, const CollectiveArguments& arguments) {
    testing::direct(Collective::allreduce)(comm, arguments);
    if (comm.rank() == Rank(1)) arguments.output.data()[0] ^= std::byte{1};
  };
  const Fabric fabric = fabric_of("star:3", free_of_limits());
  CHECK_THROWS_WITH(run_checked_in_memory(fabric, linear_placement(3, fabric.topology()), call),
                    Catch::Contains("wrong result of the first call"));
}

TEST_CASE("in memory: tasks, groups, gathered pieces and receives from any source") {
  struct Heard {
    int group_size = 0;
    int group_rank = -1;
    int world_rank = -1;                                 ///< as the group has it
    bool alone = true;                                   ///< it is in no group that it asked not to be in
    std::vector<std::vector<std::int32_t>> pieces = {};  ///< by the group's rank that sent them
  };
  std::array<Heard, 6> heard;
  run_in_memory(6, [&heard](Communicator& comm) {
    const int rank = comm.rank().value(), p = comm.size();
    Heard& mine = heard[static_cast<std::size_t>(rank)];
    comm.concurrently(3, [p](int i, Communicator& task) {
      const int own = task.rank().value();
      carry(task, {{own, (own + i + 1) % p, 1'000}, {(own + p - i - 1) % p, own, 1'000}});
    });
    const auto half = comm.split(rank % 2, -rank);
    mine.group_size = half->size();
    mine.group_rank = half->rank().value();
    mine.world_rank = half->world_rank().value();
    mine.alone = comm.split(-1, 0) == nullptr;
    std::vector<std::int32_t> data = {rank, rank + 1, rank + 2};
    if (half->rank() != Rank(0)) {
      const VectorView whole(data);
      const std::vector<ConstVectorView> pieces = {whole.slice(2, 1), whole.slice(0, 2)};
      return half->wait_all({half->isend(Rank(0), pieces)});
    }
    mine.pieces.resize(3);
    for (int i = 1; i < half->size(); ++i) {
      const Status status = half->recv(kAnySource, data);
      mine.pieces.at(static_cast<std::size_t>(status.peer.value())) = data;
    }
  });
  for (int rank = 0; rank < 6; ++rank) {
    INFO("rank " << rank);
    const Heard& what = heard[static_cast<std::size_t>(rank)];
    CHECK(what.group_size == 3);
    CHECK(what.group_rank == (5 - rank) / 2);
    CHECK(what.world_rank == rank);
    CHECK(what.alone);
  }
  // The last of each half gathers what the two before it sent, their ends first.
  CHECK(heard[4].pieces == std::vector<std::vector<std::int32_t>>{{}, {4, 2, 3}, {2, 0, 1}});
  CHECK(heard[5].pieces == std::vector<std::vector<std::int32_t>>{{}, {5, 3, 4}, {3, 1, 2}});
}

TEST_CASE("in memory: sends that nobody receives yet do not block, unless they must") {
  run_in_memory(2, send_first);
  const CheckError error = in_memory_error(2, send_first, false);
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("to send 100000 x i32 to rank 1"));
}

TEST_CASE("in memory: what comes is combined straight from the sender's memory, on the side asked for") {
  std::array<std::vector<std::int32_t>, 2> sums = {{{7, 8, 9}, {7, 8, 9}}};
  run_in_memory(2, [&sums](Communicator& comm) {
    const int rank = comm.rank().value();
    const std::vector<std::int32_t> given = {1 + rank, 3 + rank, 5 + rank};
    combine_with_peer(comm, given, sums[static_cast<std::size_t>(rank)], digits(), rank == 0 ? Side::right : Side::left);
  });
  // Elements 1, 2 and then 0 take what comes.
  CHECK(sums[0] == std::vector<std::int32_t>{76, 82, 94});
  CHECK(sums[1] == std::vector<std::int32_t>{57, 18, 39});
}

TEST_CASE("in memory: a message that had to be buffered is combined as others are") {
  std::array<std::vector<std::int32_t>, 2> sums = {{{7, 8, 9}, {7, 8, 9}}};
  run_in_memory(2, [&sums](emu::MeasuredCommunicator& comm) {
    std::vector<std::int32_t> given = {1, 3, 5};
    if (comm.rank() == Rank(1)) {
      comm.send(Rank(0), given);
      given.assign(3, -1);
      comm.recv(Rank(0), sums[1]);
      return;
    }
    comm.delay();
    combine_with_peer(comm, given, sums[0], digits(), Side::left);
  });
  CHECK(sums[0] == std::vector<std::int32_t>{57, 18, 39});
  CHECK(sums[1] == std::vector<std::int32_t>{1, 3, 5});
}

TEST_CASE("in memory: what cannot be combined is said, and holds nobody") {
  const ReduceOp fails("fails",
                       [](const auto*, const auto*, auto*, std::size_t, Datatype) { throw std::runtime_error("moths"); }, {});
  const CheckError thrown = in_memory_error(2, [&fails](Communicator& comm) {
    std::vector<std::int32_t> sums(4);
    combine_with_peer(comm, std::vector<std::int32_t>(4), sums, fails, Side::right);
  });
  CHECK(thrown.kind() == CheckError::Kind::rank_failed);
  CHECK_THAT(thrown.what(), Catch::EndsWith("moths"));
  const CheckError shorter = in_memory_error(2, [](Communicator& comm) {
    std::vector<std::int32_t> sums(4);
    combine_with_peer(comm, std::vector<std::int32_t>(comm.rank() == Rank(0) ? 3 : 4), sums, digits(), Side::right);
  });
  CHECK(shorter.kind() == CheckError::Kind::usage);
  CHECK_THAT(shorter.what(), Catch::Contains("is shorter than what it is to be combined with: rank 1 asked for 4 x i32"));
}

TEST_CASE("in memory: messages of one stream do not overtake each other") {
  std::vector<std::int32_t> received;
  run_in_memory(2, [&received](Communicator& comm) {
    std::vector<std::int32_t> values(50);
    std::vector<Request> requests;
    for (std::int32_t i = 0; i < 50; ++i) {
      auto& value = values[static_cast<std::size_t>(i)];
      if (comm.rank() == Rank(0)) value = i;
      const std::span<std::int32_t> one(&value, 1);
      requests.push_back(comm.rank() == Rank(0) ? comm.isend(Rank(1), ConstVectorView(VectorView(one)))
                                                : comm.irecv(Rank(0), VectorView(one)));
    }
    comm.wait_all(requests);
    if (comm.rank() == Rank(1)) received = values;
  });
  std::vector<std::int32_t> sent(50);
  std::iota(sent.begin(), sent.end(), 0);
  CHECK(received == sent);
}

TEST_CASE("in memory: a deadlock is reported") {
  const CheckError error = in_memory_error(3, [](Communicator& comm) {
    std::vector<std::byte> data(8);
    comm.recv(Rank((comm.rank().value() + 1) % 3), data);
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("rank 0") && Catch::Contains("rank 2"));
}

TEST_CASE("in memory: a message with another tag than its receive is named") {
  const CheckError error = in_memory_error(2, [](Communicator& comm) {
    std::vector<std::byte> data(8);
    const Rank other(1 - comm.rank().value());
    if (comm.rank() == Rank(0)) comm.send(other, data, Tag(1));
    if (comm.rank() == Rank(1)) comm.recv(other, data, Tag(0));
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Catch::Contains("\n  rank 1 waits for tag 0, rank 0 sent tag 1: "));
}

TEST_CASE("in memory: the first failure is named and everyone is released") {
  const CheckError thrown = in_memory_error(4, [](Communicator& comm) {
    std::vector<std::byte> data(8);
    if (comm.rank() == Rank(2)) throw std::runtime_error("out of yarn");
    comm.concurrently(2, [](int, Communicator& task) {
      std::vector<std::byte> own(8);
      task.recv(Rank(2), own);
    });
  });
  CHECK(thrown.kind() == CheckError::Kind::rank_failed);
  CHECK_THAT(thrown.what(), Catch::Contains("rank 2") && Catch::EndsWith("out of yarn"));
  CHECK(in_memory_error(2, [](Communicator& comm) {
          std::vector<std::byte> data(8);
          comm.send(Rank(7), data);
        }).kind() == CheckError::Kind::usage);
  CHECK(in_memory_error(2, [](Communicator& comm) {
          std::vector<std::byte> data(comm.rank() == Rank(0) ? 8 : 4);
          if (comm.rank() == Rank(0)) return comm.send(Rank(1), data);
          comm.recv(Rank(0), data);
        }).kind() == CheckError::Kind::truncation);
  CHECK(in_memory_error(2, [](Communicator& comm) {
          std::vector<std::byte> data(8);
          if (comm.rank() == Rank(0)) comm.send(Rank(1), data);
        }).kind() == CheckError::Kind::hygiene);
}

TEST_CASE("in memory: what cannot be run so is refused") {
  CHECK_FALSE(is_unlimited(fabric_of("ring:3")));
  CHECK_FALSE(is_unlimited(fabric_of("star:3,alu,multicast", free_of_limits())));
  const Fabric fabric = fabric_of("ring:3", free_of_limits());
  const Placement placement = linear_placement(3, fabric.topology());
  CollectiveCall call;
  call.function = testing::direct(Collective::allreduce);
  call.count = call.sampled = 30;
  CHECK_THROWS_AS(run_checked_in_memory(fabric, placement, call, Buffering::limited(2)), InputError);
  call.sampled = 15;
  CHECK_THROWS_AS(run_checked_in_memory(fabric, placement, call), InputError);
}

TEST_CASE("in memory: modes, labels, any tag, wait_any and is_complete") {
  // Checked by its own thread: what each rank found.
  std::vector<std::uint64_t> labels;
  std::vector<std::size_t> first;
  bool was_complete = true, is_complete = false;
  run_in_memory(2, [&](Communicator& comm) {
    const auto send = [&](const std::vector<std::int32_t>& values, Tag tag, const SendOptions& options) {
      const ConstVectorView view(values);
      return comm.isend(Rank(1), std::span(&view, 1), tag, options);
    };
    std::vector<std::int32_t> one = {1}, two = {2};
    if (comm.rank() == Rank(0)) {
      const Request buffered = send(one, Tag(1), {.mode = SendMode::buffered, .label = 5});
      comm.wait(buffered);
      one = {9};
      comm.wait(send(two, Tag(2), {.mode = SendMode::synchronous, .label = 6}));
      comm.send(Rank(1), one, Tag(4));
    } else {
      const VectorView of_one(one), of_two(two);
      const std::array requests = {comm.irecv(Rank(0), of_two, Tag(4)),
                                   comm.irecv(kAnySource, std::span(&of_one, 1), kAnyTag, ReceiveOptions{})};
      was_complete = comm.is_complete(requests[0]);
      Status status;
      first.push_back(comm.wait_any(requests, &status));
      labels.push_back(status.label);
      if (one != std::vector<std::int32_t>{1}) throw std::logic_error("a buffered send is sent from its copy");
      labels.push_back(comm.wait(comm.irecv(Rank(0), std::span(&of_one, 1), kAnyTag, ReceiveOptions{})).label);
      comm.wait(requests[0]);
      const Request gone = comm.irecv(Rank(1), of_one, Tag(7));
      const std::vector<std::int32_t> mine = {3};
      const Request to_self = comm.isend(Rank(1), mine, Tag(7));
      is_complete = comm.is_complete(gone);
      comm.wait_all({gone, to_self});
    }
  });
  CHECK(first == std::vector<std::size_t>{1});
  CHECK(labels == std::vector<std::uint64_t>{5, 6});
  CHECK_FALSE(was_complete);
  CHECK(is_complete);
}

TEST_CASE("in memory: a synchronous send that nobody receives is no buffered one, a ready one is refused") {
  const auto send = [](SendMode mode) {
    return [mode](Communicator& comm) {
      const std::vector<std::int32_t> values = {1};
      const ConstVectorView view(values);
      if (comm.rank() == Rank(0)) comm.wait(comm.isend(Rank(1), std::span(&view, 1), {}, SendOptions{.mode = mode}));
    };
  };
  CHECK(in_memory_error(2, send(SendMode::standard)).kind() == CheckError::Kind::hygiene);
  CHECK(in_memory_error(2, send(SendMode::synchronous)).kind() == CheckError::Kind::deadlock);
  const CheckError ready = in_memory_error(2, send(SendMode::ready));
  CHECK(ready.kind() == CheckError::Kind::usage);
  CHECK_THAT(ready.what(), Catch::Contains("in ready mode, and rank 1 has posted no receive for it"));
}

}  // namespace heddle
