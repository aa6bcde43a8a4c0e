// SPDX-License-Identifier: Apache-2.0
// Checked calls among processes: every row is right, and what is wrong is told.
#include "net/study/network_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/net/thread_transport.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using testing::run_threads;
using testing::SendEnds;

Setup plan_on(Collective collective, const std::string& topology, std::int64_t count, bool in_place) {
  Experiment what;
  what.collective = collective;
  what.fabric.topology = topology;
  if (collective != Collective::barrier) what.size = Bytes(4 * count);
  what.in_place = in_place;
  what.calls = 5;
  return set_up(what, "all", Fabric(parse_topology(topology), {}), Unfitting::left_out);
}

/// What goes wrong with a row, in words.
std::string fault_of(const Setup& setup, const Algorithm& row, SendEnds ends) {
  const CollectiveCall call = setup.call(row);
  return run_threads(
      setup.ranks(),
      [&](net::Transport& transport) {
        net::NetworkRanks ranks(transport, {.stall_seconds = 20});
        ranks.set_shape(setup);
        ranks.run(call);
      },
      ends);
}

void check_rows(Collective collective, const std::string& topology, std::int64_t count, bool in_place, SendEnds ends) {
  const Setup setup = plan_on(collective, topology, count, in_place);
  for (const Algorithm& row : setup.algorithms.chosen) {
    CAPTURE(topology, row.name, count, in_place, ends);
    CHECK(fault_of(setup, row, ends) == "");
  }
}

/// Of an allreduce on three ranks.
std::string fault_of(const CollectiveFunction& function) {
  CollectiveCall call;
  call.function = function;
  call.name = "planted";
  call.type = Datatype::f32();
  call.count = 40;
  call.sampled = 40;
  return run_threads(3, [&](net::Transport& transport) { net::NetworkRanks(transport, {.stall_seconds = 2}).run(call); });
}

void gather_to_all(Communicator& comm, const CollectiveArguments& arguments, bool from_oneself) {
  const int p = comm.size();
  std::vector<std::vector<float>> all(static_cast<std::size_t>(p),
                                      std::vector<float>(static_cast<std::size_t>(arguments.output.count())));
  for (int i = 0; i < p; ++i) {
    const Rank to((comm.rank().value() + i) % p);
    const Rank from((comm.rank().value() - i + p) % p);
    comm.sendrecv(to, arguments.input, from, VectorView(all[static_cast<std::size_t>(from.value())]));
  }
  const int first = from_oneself ? comm.rank().value() : 0;
  comm.copy(arguments.output, VectorView(all[static_cast<std::size_t>(first)]));
  for (int i = 1; i < p; ++i)
    comm.reduce_into(arguments.output, VectorView(all[static_cast<std::size_t>((first + i) % p)]), *arguments.op);
}

}  // namespace

TEST_CASE("every row is right among processes") {
  const std::vector<std::string> shapes = testing::sampled(
      testing::sample<std::vector<std::string>>(
          {"star:1", "star:2", "star:5", "torus:2x3"},
          {"star:1", "star:2", "star:3", "star:4", "star:5", "star:7", "star:8", "star:9", "torus:2x3", "torus:2x2x2"}),
      {"star:5", "torus:2x3"}, {"torus:2x2"});
  for (const Collective collective : all_collectives()) {
    for (const std::string& shape : shapes) {
      const int p = parse_topology(shape)->endpoints();
      check_rows(collective, shape, std::int64_t{40} * p, collective != Collective::alltoall, SendEnds::at_once);
      if (testing::kUnderThreadSanitizer) continue;
      check_rows(collective, shape, collective == Collective::alltoall ? p : 1, false, SendEnds::when_received);
      check_rows(collective, shape, 0, false, SendEnds::at_once);
    }
  }
}

TEST_CASE("a wrong result is told with its elements") {
  const std::string fault = fault_of([](Communicator& comm, const CollectiveArguments& arguments) {
    gather_to_all(comm, arguments, false);
    if (comm.rank() == Rank(1)) arguments.output.data()[0] ^= std::byte{0x40};
  });
  CHECK(fault.find("wrong result of the first call: allreduce 'planted'") != std::string::npos);
  CHECK(fault.find("rank 1") != std::string::npos);
}

TEST_CASE("ranks that add in orders of their own hold different bits") {
  CHECK(fault_of([](Communicator& comm, const CollectiveArguments& a) { gather_to_all(comm, a, false); }) == "");
  const std::string fault = fault_of([](Communicator& comm, const CollectiveArguments& a) { gather_to_all(comm, a, true); });
  CHECK(fault.find("ranks hold different bits after call") != std::string::npos);
}

TEST_CASE("a rank that waits for what nobody sends says for what") {
  const std::string fault = fault_of([](Communicator& comm, const CollectiveArguments& arguments) {
    if (comm.rank() == Rank(2)) comm.recv(Rank(0), arguments.output, Tag(7));
  });
  CHECK(fault.find("rank 2 has waited for 2 s: for a message from rank 0 with tag 7") != std::string::npos);
}

TEST_CASE("a barrier that lets ranks through before the last is told") {
  CollectiveCall call;
  call.collective = Collective::barrier;
  call.name = "planted";
  call.function = [](Communicator&, const CollectiveArguments&) {};
  const std::string fault = run_threads(2, [&](net::Transport& transport) { net::NetworkRanks(transport, {}).run(call); });
  CHECK(fault.find("the barrier does not hold: rank") != std::string::npos);
}

namespace {

/// Notes the streams of what is sent.
class NotingTransport final : public net::Transport {
 public:
  explicit NotingTransport(net::Transport& inner) : inner_(inner) {}

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  std::string name() const override { return inner_.name(); }
  std::vector<int> machines() const override { return inner_.machines(); }
  std::string why_not(net::Stream stream) const override { return stream.context > 1 ? "one communicator alone" : ""; }
  net::OperationId send(int peer, net::Stream stream, net::SendPieces pieces) override {
    most.context = std::max(most.context, stream.context);
    most.tag = std::max(most.tag, stream.tag);
    return inner_.send(peer, stream, pieces);
  }
  net::OperationId receive(int peer, net::Stream stream, net::ReceivePieces pieces) override {
    return inner_.receive(peer, stream, pieces);
  }
  void progress(net::Patience patience, std::vector<net::Completion>& ended) override { inner_.progress(patience, ended); }
  std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) override { return inner_.gather_all(mine); }
  void barrier() override { inner_.barrier(); }
  [[noreturn]] void abort(const std::string& text) override {
    inner_.abort(text);
    std::abort();  // GCC 12 does not see that it cannot come here
  }

  net::Stream most;

 private:
  net::Transport& inner_;
};

/// A network that carries the first communicator alone.
class NarrowRanks final : public ProcessRanks {
 public:
  int size() const override { return 8; }
  int rank() const override { return 0; }
  std::string description() const override { return "a narrow network"; }
  std::string why_not(int, std::optional<std::uint64_t> context) const override {
    return context != std::optional<std::uint64_t>(1) ? "one communicator alone" : "";
  }
  std::vector<Time> run(const CollectiveCall&) override { return std::vector<Time>(8, Time::ps(1'000'000)); }
};

}  // namespace

TEST_CASE("the tags and contexts that a run reports are those that a network is asked to carry") {
  const Setup setup = plan_on(Collective::allreduce, "torus:2x4", 64, true);
  int nested = 0;
  for (const Algorithm& row : setup.algorithms.chosen) {
    const Outcome outcome = run_algorithm(setup, row);
    REQUIRE(outcome.report() != nullptr);
    const CollectiveCall call = setup.call(row);
    std::mutex mutex;
    net::Stream most;
    const std::string fault = run_threads(
        setup.ranks(),
        [&](net::Transport& transport) {
          NotingTransport noting(transport);
          net::NetworkRanks ranks(noting, {.stall_seconds = 20});
          ranks.set_shape(setup);
          ranks.run(call);
          const std::lock_guard lock(mutex);
          most.context = std::max(most.context, noting.most.context);
          most.tag = std::max(most.tag, noting.most.tag);
        },
        SendEnds::at_once);
    CAPTURE(row.name);
    CHECK(fault == "");
    const StreamsReport& said = outcome.report()->streams;
    CHECK(said.most_tag == most.tag);
    CHECK(said.most_context == std::optional(most.context));
    nested += most.context > 1 ? 1 : 0;
  }
  CHECK(nested > 0);
}

TEST_CASE("an algorithm whose communicators a network cannot tell apart is refused before it runs") {
  Experiment what = Experiment::parse("allreduce --algo hierarchical --topo superpod:pods=2,gpus=4,trays=1 --size 1KiB");
  what.over = std::make_shared<NarrowRanks>();
  what.iterations = 1;
  what.warmup = 0;
  CHECK_THROWS_WITH(what.run(), "--transport: hierarchical cannot run over a narrow network: one communicator alone");
  what.algorithm = "ring";
  CHECK_NOTHROW(what.run());
}

}  // namespace heddle
