// SPDX-License-Identifier: Apache-2.0
#include "emu/check/checked_run.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace heddle::literals;

constexpr int kCheckedRanks = 5;
constexpr std::int64_t kCheckedCount = 20;

/// The right result, then `spoil(comm, call)` on each rank.
template <class Spoil>
CollectiveFunction then(Spoil spoil) {
  return [spoil](Communicator& comm, const CollectiveArguments& call) {
    central_allreduce(comm, call);
    spoil(comm, call);
  };
}

CollectiveCall call_of(CollectiveFunction function) {
  CollectiveCall call;
  call.function = std::move(function);
  call.name = "planted";
  call.count = kCheckedCount;
  call.sampled = kCheckedCount;
  return call;
}

Fabric star(int ranks = kCheckedRanks) { return Fabric(parse_topology("star:" + std::to_string(ranks)), FabricSettings{}); }

Report run(const CollectiveCall& call, const EmulationSettings& settings = {}) {
  const Fabric fabric = star();
  return run_checked(fabric, linear_placement(kCheckedRanks, fabric.topology()), call, settings);
}

/// How the run fails; the same on user-level and kernel threads.
Failure failure_of(const CollectiveCall& call) {
  const auto on = [&](Threads threads) -> Failure {
    EmulationSettings settings;
    settings.threads = threads;
    try {
      run(call, settings);
    } catch (const CheckError& error) {
      return {error.kind(), error.what()};
    }
    FAIL("the run passed");
    return {};
  };
  Failure kernel = on(Threads::kernel);
  if (default_threads() == Threads::user) {
    const Failure user = on(Threads::user);
    CHECK(user.kind == kernel.kind);
    CHECK(user.explanation == kernel.explanation);
  }
  return kernel;
}

}  // namespace

TEST_CASE("checked run: a right collective passes with every type and operation") {
  for (const Datatype type : builtin_datatypes()) {
    for (const ReduceOp* op : builtin_ops()) {
      if (!op->supports(type)) continue;
      CollectiveCall call = call_of(central_allreduce);
      call.type = type;
      call.op = op;
      INFO(op->name() << " of " << to_string(type));
      CHECK(run(call).completion > Time());
    }
  }
  CollectiveCall affine = call_of(central_allreduce);
  affine.type = affine_type();
  affine.op = &affine_op();
  CHECK(run(affine).completion > Time());
}

TEST_CASE("checked run: any number of ranks and elements") {
  for (const int ranks : {1, 2, 3, 8}) {
    for (const std::int64_t count : {0, 1, 7, 1000}) {
      CollectiveCall call = call_of(central_allreduce);
      call.count = call.sampled = count;
      const Fabric fabric = star(ranks);
      INFO(ranks << " ranks, " << count << " elements");
      CHECK((run_checked(fabric, linear_placement(ranks, fabric.topology()), call).completion > Time()) == (ranks > 1));
    }
  }
}

TEST_CASE("checked run: only the first call is measured and counted") {
  // Star, α = 0, L = 2ℓ = 200 ns. Rank 0 receives four vectors one after the other through its port, then sends four in turn,
  // each after the one before has drained: 4·M/B + L + 4·M/B + L with M = 80 B, B = 50 GB/s: 2·(4·1.6 + 200) = 412.8 ns.
  const Report report = run(call_of(central_allreduce));
  CHECK(report.completion == 412'800_ps);
  CHECK(report.messages() == 8);
  CHECK(report.sent_total() == Bytes(8 * 80));
  CHECK(report.rounds_max() == 5);  // one in; the first out follows the last in, and each out the one before
  CHECK(report.host.messages == 16);
}

TEST_CASE("checked run: without its second call a run is as long, and says what it has not checked") {
  CollectiveCall call = call_of(central_allreduce);
  call.calls = 1;
  const Report report = run(call);
  CHECK(report.completion == 412'800_ps);
  CHECK(report.host.messages == 8);
  CHECK(checks_of(call) == std::vector<std::string>{"result", "hygiene", "too_fast", "deadlock"});
  std::vector<bool> called(kCheckedRanks);
  call.function = then([&called](Communicator& comm, const CollectiveArguments& arguments) {
    const auto rank = static_cast<std::size_t>(comm.rank().value());
    if (called[rank]) arguments.output.data()[0] ^= std::byte{1};
    called[rank] = true;
  });
  CHECK_NOTHROW(run(call));
}

TEST_CASE("checked run: the part that is held is charged as the whole") {
  // 20 of 2·10^6 elements: the time of 8 MB messages, 2·(4·160 µs + 200 ns) = 1280.4 µs.
  CollectiveCall call = call_of(central_allreduce);
  call.count = 2'000'000;
  const Report report = run(call);
  CHECK(report.byte_scale == 1e5);
  CHECK(report.completion == 1'280'400_ns);
  CHECK(report.sent_max() == Bytes(4 * 8'000'000));
}

TEST_CASE("checked run: an exchange of two ranks takes the least time there is") {
  // ring:2: α + ℓ + M/B = 100 ns + 4000 B / 50 GB/s = 180 ns
  CollectiveCall call = call_of([](Communicator& comm, const CollectiveArguments& args) {
    Buffer other(args.output.type(), args.output.count());
    const Rank peer(1 - comm.rank().value());
    comm.sendrecv(peer, args.output, peer, other.view());
    comm.reduce_into(args.output, other.view(), *args.op);
  });
  call.count = call.sampled = 1000;
  const Fabric ring(parse_topology("ring:2"), FabricSettings{});
  CHECK(run_checked(ring, {0, 1}, call).completion == 180_ns);
}

TEST_CASE("checked run: a block that is not reduced") {
  // Rank 0 forgets elements 4 … 7 of rank 2.
  const Failure failure = failure_of(call_of([](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == Rank(2)) {
      Buffer zeros(call.output.type(), call.output.count());
      comm.copy(zeros.view(), call.output);
      std::memset(zeros.view().slice(4, 4).data(), 0, 16);
      comm.send(Rank(0), zeros.view());
      comm.recv(Rank(0), call.output);
    } else {
      central_allreduce(comm, call);
    }
  }));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation,
             Catch::Contains("wrong result of the first call: allreduce 'planted' of sum 20 i32, 5 ranks, seed 1\n"));
  CHECK_THAT(failure.explanation, Catch::Contains("20 of 100 elements are wrong, on 5 of 5 ranks\n"));
  CHECK_THAT(failure.explanation, Catch::Contains("elements 4-7 on ranks 0-4\n"));
  CHECK_THAT(failure.explanation, Catch::Contains("first: rank 0, element 4: got ") && Catch::Contains(", expected "));
}

TEST_CASE("checked run: a block that is added twice") {
  const Failure failure = failure_of(call_of(then([](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() != Rank(3)) return;
    const VectorView block = call.output.slice(10, 2);
    comm.reduce_into(block, block, *call.op);
  })));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::Contains("elements 10-11 on rank 3\n"));
}

TEST_CASE("checked run: a rank that is left out") {
  // Rank 4's contribution arrives, but it never gets the result.
  const Failure failure = failure_of(call_of([](Communicator& comm, const CollectiveArguments& call) {
    Buffer own(call.output.type(), call.output.count());
    comm.copy(own.view(), call.output);
    central_allreduce(comm, call);
    if (comm.rank() == Rank(4)) comm.copy(call.output, own.view());
  }));
  CHECK_THAT(failure.explanation, Catch::Contains("elements 0-19 on rank 4: still each rank's own contribution"));
}

TEST_CASE("checked run: a collective that is right only once") {
  std::vector<std::vector<std::byte>> remembered(kCheckedRanks);
  const Failure failure = failure_of(call_of(then([&remembered](Communicator& comm, const CollectiveArguments& call) {
    auto& mine = remembered[static_cast<std::size_t>(comm.rank().value())];
    if (mine.empty()) {
      mine.assign(call.output.data(), call.output.data() + call.output.size_bytes());
    } else {
      std::memcpy(call.output.data(), mine.data(), mine.size());
      mine.clear();  // for the next run
    }
  })));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::Contains("wrong result of the second call"));
  CHECK_THAT(failure.explanation, Catch::Contains("elements 0-19 on ranks 0-4: the result of the call before"));
}

TEST_CASE("checked run: writing outside of the vector") {
  const Failure failure = failure_of(call_of(then([](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == Rank(3)) call.output.data()[call.output.size_bytes()] = std::byte{1};
    if (comm.rank() == Rank(1)) call.output.data()[-1] = std::byte{1};
  })));
  CHECK(failure.kind == CheckError::Kind::wrong_result);
  CHECK_THAT(failure.explanation, Catch::Contains("written before the beginning of the vector of rank 1"));
  CHECK_THAT(failure.explanation, Catch::Contains("written beyond the end of the vector of rank 3"));
}

TEST_CASE("checked run: contributions combined out of order") {
  const auto in_reverse = [](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() != Rank(0)) return central_allreduce(comm, call);
    Buffer contribution(call.output.type(), call.output.count());
    for (int r = comm.size() - 1; r > 0; --r) {
      comm.recv(Rank(r), contribution.view());
      comm.reduce_into(call.output, contribution.view(), *call.op);
    }
    for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), call.output);
  };
  CollectiveCall call = call_of(in_reverse);
  CHECK(run(call).completion > Time());  // a sum does not mind
  call.type = affine_type();
  call.op = &affine_op();
  const Failure failure = failure_of(call);
  CHECK(failure.kind == CheckError::Kind::order);
  CHECK_THAT(failure.explanation, Catch::Contains("not combined in rank order"));
}

TEST_CASE("checked run: what is missing under a non-commutative operation is not called a matter of order") {
  CollectiveCall call = call_of(then([](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() == Rank(2)) std::memset(args.output.data(), 0, 16);
  }));
  call.type = affine_type();
  call.op = &affine_op();
  CHECK(failure_of(call).kind == CheckError::Kind::wrong_result);
}

TEST_CASE("checked run: another failure does not hide a wrong result") {
  const Failure failure = failure_of(call_of(then([](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() != Rank(1)) return;
    std::memset(call.output.data(), 0, 4);
    comm.send(Rank(2), call.output.slice(0, 1), Tag(99));
  })));
  CHECK(failure.kind == CheckError::Kind::hygiene);
  CHECK_THAT(failure.explanation, Catch::Contains("tag 99"));
  CHECK_THAT(failure.explanation, Catch::Contains("besides, wrong result of the first call"));
  CHECK_THAT(failure.explanation, Catch::Contains("element 0 on rank 1"));
}

TEST_CASE("checked run: what a fault does to a run does not hide a wrong result") {
  const CollectiveCall call = call_of(then([](Communicator& comm, const CollectiveArguments& args) {
    if (comm.rank() != Rank(1)) return;
    std::memset(args.output.data(), 0, 4);
  }));
  const std::vector<std::string> faults = {"rank:4,stops,call=4"};  // it has sent what it has
  EmulationSettings settings;
  settings.faults = parse_faults(faults, star().topology(), kCheckedRanks);
  try {
    run(call, settings);
    FAIL("the run passed");
  } catch (const CheckError& error) {
    CHECK(error.kind() == CheckError::Kind::wrong_result);
    CHECK_THAT(error.what(), Catch::StartsWith("wrong result of the first call") && Catch::Contains("\nbesides, ") &&
                                 Catch::Contains("fault rank:4,stops,call=4"));
  }
}

TEST_CASE("checked run: a result faster than its bytes can travel") {
  // Ranks read each other's vectors through shared memory and exchange only empty messages.
  struct Shared {
    std::vector<VectorView> vectors{kCheckedRanks};
  };
  const auto shared = std::make_shared<Shared>();
  const auto everyone_is_here = [](Communicator& comm) {
    CollectiveArguments nothing{.op = &ReduceOp::sum()};
    Buffer empty(Datatype::i32(), 0);
    nothing.output = empty.view();
    central_allreduce(comm, nothing);
  };
  CollectiveCall call = call_of([shared, everyone_is_here](Communicator& comm, const CollectiveArguments& args) {
    shared->vectors[static_cast<std::size_t>(comm.rank().value())] = args.output;
    everyone_is_here(comm);
    Buffer result(args.output.type(), args.output.count());
    std::memcpy(result.view().data(), shared->vectors[0].data(), args.output.size_bytes());
    for (std::size_t r = 1; r < kCheckedRanks; ++r) args.op->apply(result.view(), shared->vectors[r]);
    everyone_is_here(comm);
    std::memcpy(args.output.data(), result.view().data(), args.output.size_bytes());
  });
  call.count = call.sampled = 100'000;
  // At least L₁ + 2·4·M / (5·B) = 100 ns + 8·400 kB / 250 GB/s = 12.9 µs; the empty messages take 0.8 µs.
  const Failure failure = failure_of(call);
  CHECK(failure.kind == CheckError::Kind::too_fast);
  CHECK_THAT(failure.explanation,
             Catch::Contains("took 800ns") && Catch::Contains("12.9us") && Catch::Contains("8 times the vector"));
}

TEST_CASE("checked run refuses calls that cannot be made") {
  const auto refusal = [](const std::function<void(CollectiveCall&)>& change) {
    CollectiveCall call = call_of(central_allreduce);
    change(call);
    try {
      run(call);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refusal([](CollectiveCall& call) { call.function = nullptr; }), Catch::Contains("no function"));
  CHECK_THAT(refusal([](CollectiveCall& call) { call.op = nullptr; }), Catch::Contains("needs an operation"));
  CHECK_THAT(refusal([](CollectiveCall& call) { call.count = -1; }), Catch::Contains("-1"));
  CHECK_THAT(refusal([](CollectiveCall& call) { call.sampled = 0; }), Catch::Contains("0 of 20 elements held"));
  CHECK_THAT(refusal([](CollectiveCall& call) { call.sampled = 21; }), Catch::Contains("21 of 20 elements held"));
  CHECK_THAT(refusal([](CollectiveCall& call) {
               call.type = Datatype::f32();
               call.op = &ReduceOp::bit_xor();
             }),
             Catch::Contains("bxor") && Catch::Contains("f32"));
  CHECK_THAT(refusal([](CollectiveCall& call) { call.count = call.sampled = std::int64_t{1} << 45; }),
             Catch::Contains("memory"));
  const Fabric fabric = star();
  CHECK_THROWS_WITH(run_checked(fabric, {}, call_of(central_allreduce)), Catch::Contains("at least one rank"));
}

namespace {

/// How often the ranks took turns while rank 0 or 1 sent 12 messages to the other one, by call.
std::vector<int> turns_taken(const EmulationSettings& settings, Rank source_asked_for) {
  std::vector<std::vector<int>> acted(2);
  std::vector<int> called(2);
  CollectiveCall call = call_of([&](Communicator& comm, const CollectiveArguments& arguments) {
    const Rank other(1 - comm.rank().value());
    const auto number = static_cast<std::size_t>(called[static_cast<std::size_t>(comm.rank().value())]++);
    for (int i = 0; i < 12; ++i) {
      if (comm.rank() == arguments.root)
        comm.send(other, arguments.input);
      else
        comm.recv(source_asked_for == kAnySource ? kAnySource : other, arguments.output);
      acted[number].push_back(comm.rank().value());
    }
  });
  call.collective = Collective::broadcast;
  const Fabric fabric = star(2);
  run_checked(fabric, linear_placement(2, fabric.topology()), call, settings);
  std::vector<int> turns;
  for (const std::vector<int>& ranks : acted) {
    int changes = 0;
    for (std::size_t i = 1; i < ranks.size(); ++i) changes += ranks[i] != ranks[i - 1] ? 1 : 0;
    turns.push_back(changes);
  }
  return turns;
}

}  // namespace

TEST_CASE("in the second call a rank goes on as far as it can, unless that could change what happens") {
  if (default_threads() == Threads::kernel) return;  // those run side by side
  const Rank peer(0);
  CHECK(turns_taken({}, peer)[1] <= 3);
  CHECK(turns_taken({}, kAnySource)[1] > 10);
  EmulationSettings bounded;
  bounded.buffering = Buffering::limited(1);
  CHECK(turns_taken(bounded, peer)[1] > 10);
}

}  // namespace heddle
