// SPDX-License-Identifier: Apache-2.0
// Same input, same bytes out; and what holds of every run: nothing is lost, nothing is faster than alone on its route.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;

/// A pattern that cannot lock up: in each phase all receives are posted before the sends, and all are waited for together.
struct Program {
  std::string topology;
  Routing routing;
  std::optional<int> credits;
  std::vector<std::vector<Transfer>> phases;
};

void showValue(const Program& program, std::ostream& out) {
  out << program.topology << ' ' << to_string(program.routing) << " buffering " << to_string(Buffering{program.credits});
  for (const auto& phase : program.phases) {
    out << "\n  phase:";
    for (const Transfer& t : phase) out << ' ' << t.source << "->" << t.dest << ':' << t.bytes;
  }
}

Program any_program() {
  return drawn::whole([] {
    Program program;
    program.topology = drawn::one_of<std::string>(
        {"ring:1", "ring:2", "ring:5", "ring:6", "torus:2x3", "torus:4x2", "mesh:3x2", "fullmesh:4", "star:5"});
    program.routing = drawn::one_of({Routing::split(), Routing::deterministic()});
    program.credits = drawn::one_of<std::optional<int>>({std::nullopt, std::nullopt, 0, 1, 2});
    const int ranks = parse_topology(program.topology)->endpoints();
    const auto transfer = [ranks] {
      return Transfer{drawn::number(0, ranks), drawn::number(0, ranks),
                      drawn::number<std::int64_t>(0, drawn::any<bool>() ? 20'000 : 100)};
    };
    program.phases = drawn::list([transfer] { return drawn::list(transfer); }, 6);
    return program;
  });
}

std::byte byte_at(std::size_t phase, std::size_t message, std::size_t i) {
  return static_cast<std::byte>(31 * phase + 7 * message + i);
}

/// One phase, by one task: checks what it has received.
void run_phase(Communicator& comm, const std::vector<Transfer>& transfers, std::size_t phase) {
  std::vector<std::vector<std::byte>> buffers(transfers.size());
  std::vector<std::vector<std::byte>> to_self(transfers.size());
  std::vector<Request> requests;
  const int rank = comm.rank().value();
  for (std::size_t m = 0; m < transfers.size(); ++m) {
    if (transfers[m].dest != rank) continue;
    buffers[m].resize(static_cast<std::size_t>(transfers[m].bytes));
    requests.push_back(comm.irecv(Rank(transfers[m].source), buffers[m], Tag(static_cast<int>(m) % 2)));
  }
  for (std::size_t m = 0; m < transfers.size(); ++m) {
    if (transfers[m].source != rank) continue;
    to_self[m].resize(static_cast<std::size_t>(transfers[m].bytes));
    for (std::size_t i = 0; i < to_self[m].size(); ++i) to_self[m][i] = byte_at(phase, m, i);
    requests.push_back(comm.isend(Rank(transfers[m].dest), to_self[m], Tag(static_cast<int>(m) % 2)));
  }
  comm.wait_all(requests);
  for (std::size_t m = 0; m < transfers.size(); ++m) {
    for (std::size_t i = 0; i < buffers[m].size(); ++i) {
      if (buffers[m][i] != byte_at(phase, m, i)) throw std::runtime_error("a byte that was not sent");
    }
  }
}

Fabric fabric_for(const Program& program) {
  FabricSettings settings = nanosecond_speeds();
  settings.routing = program.routing;
  return fabric_of(program.topology, settings);
}

Report run(const Program& program, Threads threads, std::optional<std::uint64_t> order_seed = {}) {
  EmulationSettings settings = on(threads);
  settings.buffering.credits = program.credits;
  settings.order_seed = order_seed;
  return run_on(
      fabric_for(program),
      [&program](Communicator& comm) {
        for (std::size_t phase = 0; phase < program.phases.size(); ++phase) run_phase(comm, program.phases[phase], phase);
      },
      settings);
}

struct Traffic {
  std::int64_t messages = 0;
  std::vector<Bytes> sent;
  std::vector<Bytes> received;
  std::vector<double> links;
};

/// Counted from the program and the routes alone.
Traffic traffic_of(const Program& program) {
  const Fabric fabric = fabric_for(program);
  const auto ranks = static_cast<std::size_t>(fabric.topology().endpoints());
  Traffic traffic{0, std::vector<Bytes>(ranks), std::vector<Bytes>(ranks),
                  std::vector<double>(static_cast<std::size_t>(fabric.topology().links()))};
  Route route;
  for (const auto& phase : program.phases) {
    for (const Transfer& transfer : phase) {
      if (transfer.source == transfer.dest) continue;
      ++traffic.messages;
      traffic.sent[static_cast<std::size_t>(transfer.source)] += Bytes(transfer.bytes);
      traffic.received[static_cast<std::size_t>(transfer.dest)] += Bytes(transfer.bytes);
      fabric.topology().route(transfer.source, transfer.dest, program.routing, route);
      for (const Route::Path& path : route.paths()) {
        for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
          traffic.links[static_cast<std::size_t>(route.links()[static_cast<std::size_t>(i)])] +=
              path.share * static_cast<double>(transfer.bytes);
        }
      }
    }
  }
  return traffic;
}

void assert_conserved(const Program& program, const Report& report) {
  const Traffic traffic = traffic_of(program);
  RC_ASSERT(report.messages() == traffic.messages);
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank) {
    RC_ASSERT(report.ranks[rank].sent == traffic.sent[rank]);
    RC_ASSERT(report.ranks[rank].received == traffic.received[rank]);
  }
  for (std::size_t link = 0; link < report.links.size(); ++link)
    RC_ASSERT(report.links[link].bytes == Bytes(std::llround(traffic.links[link])));
  std::int64_t messages = 0;
  Bytes bytes;
  for (const RoundReport& round : report.rounds) messages += round.messages, bytes += round.bytes;
  RC_ASSERT(messages == traffic.messages);
  RC_ASSERT(bytes == report.sent_total());
}

struct Alone {
  Time drained;
  Time arrived;
};

/// Alone on its route a message drains in α + (the most that one link of its paths carries) / B, and arrives L later.
Alone time_alone(const Fabric& fabric, const Transfer& transfer) {
  if (transfer.source == transfer.dest) return {};
  Route route;
  fabric.topology().route(transfer.source, transfer.dest, fabric.settings().routing, route);
  std::vector<double> links(static_cast<std::size_t>(fabric.topology().links()));
  double most = 0;
  for (const Route::Path& path : route.paths()) {
    for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
      double& load = links[static_cast<std::size_t>(route.links()[static_cast<std::size_t>(i)])];
      most = std::max(most, load += path.share * static_cast<double>(transfer.bytes));
    }
  }
  const Time drained = fabric.settings().alpha + Time::ps(std::llround(most * 1000));  // 1 byte per ns
  return {drained, drained + fabric.path_latency(route, route.paths().front())};
}

/// When each rank can be done at the earliest: a phase begins where the rank has ended the one before.
std::vector<Time> least_times(const Program& program) {
  const Fabric fabric = fabric_for(program);
  std::vector<Time> begin(static_cast<std::size_t>(fabric.topology().endpoints()));
  for (const auto& phase : program.phases) {
    std::vector<Time> end = begin;
    for (const Transfer& transfer : phase) {
      const Alone alone = time_alone(fabric, transfer);
      const auto source = static_cast<std::size_t>(transfer.source), dest = static_cast<std::size_t>(transfer.dest);
      end[source] = std::max(end[source], begin[source] + alone.drained);
      end[dest] = std::max(end[dest], begin[source] + alone.arrived);
    }
    begin = end;
  }
  return begin;
}

}  // namespace

TEST_CASE("of any program: bytes are conserved, and no message is faster than alone") {
  const Threads threads = default_threads();
  testing::property("conservation and lower bounds", [threads] {
    const Program program = any_program();
    const Report report = run(program, threads);
    assert_conserved(program, report);
    const std::vector<Time> least = least_times(program);
    for (std::size_t rank = 0; rank < least.size(); ++rank) RC_ASSERT(report.ranks[rank].completion >= least[rank]);
  });
}

TEST_CASE("of any program: the same report each time, on user-level and on kernel threads") {
  testing::property("identical fields", [] {
    const Program program = any_program();
    const std::vector<std::int64_t> first = reported(run(program, default_threads()));
    for (const Threads threads : threads_under_test()) RC_ASSERT(reported(run(program, threads)) == first);
  });
}

TEST_CASE("of any program: an order seed loses nothing, and repeats itself") {
  const Threads threads = default_threads();
  testing::property("conservation, and identical fields", [threads] {
    const auto seed = drawn::any<std::uint64_t>();
    const Program program = any_program();
    const Report report = run(program, threads, seed);
    assert_conserved(program, report);
    RC_ASSERT(reported(run(program, threads, seed)) == reported(report));
  });
}

TEST_CASE("a message alone takes longer over slower links, longer ones, and with more bytes") {
  const Threads threads = default_threads();
  testing::property("monotone", [threads] {
    const auto topology = drawn::one_of<std::string>({"ring:6", "torus:4x3", "mesh:2x3", "star:6", "fullmesh:6"});
    const int dest = drawn::number(1, 6);
    const auto bytes = drawn::number<std::int64_t>(0, 100'000);
    const double gigabytes = drawn::number(1, 100);
    const Time latency = Time::ps(drawn::number(0, 1'000'000));
    const auto time = [&](double bandwidth, Time of_link, std::int64_t size) {
      FabricSettings settings;
      settings.tiers = {LinkSpeed{.bandwidth = Bandwidth(bandwidth * 1e9), .latency = of_link}};
      return run_on(fabric_of(topology, settings), at_once({{0, dest, size}}), on(threads)).completion;
    };
    const Time base = time(gigabytes, latency, bytes);
    RC_ASSERT(time(gigabytes * 1.5, latency, bytes) <= base);
    RC_ASSERT(time(gigabytes, latency + 1_ns, bytes) > base);
    RC_ASSERT(time(gigabytes, latency, bytes + 1'000) > base);
  });
}

TEST_CASE("tasks, groups, any-source receives and local work: the same report each time") {
  FabricSettings speeds = nanosecond_speeds();
  speeds.gamma = 1e-9;
  speeds.send_overhead = 50_ns;
  speeds.recv_overhead = 30_ns;
  const Fabric fabric = fabric_of("torus:3x4", speeds);
  const RankFunction program = [](Communicator& comm) {
    const int rank = comm.rank().value(), p = comm.size();
    comm.concurrently(4, [p](int i, Communicator& task) {
      const int own = task.rank().value();
      compute(task, 100 * (own + i));
      const int offset = 2 * i + 1;
      carry(task, {{own, (own + offset) % p, 1'000 * (i + 1)}, {(own + p - offset) % p, own, 1'000 * (i + 1)}});
      task.concurrently(2, [p](int j, Communicator& inner) {
        const int at = inner.rank().value();
        carry(inner, {{at, (at + j + 1) % p, 500}, {(at + p - j - 1) % p, at, 500}});
      });
    });
    const auto column = comm.split(rank % 4, -rank);
    if (column->rank() != Rank(0)) return carry(*column, {{column->rank().value(), 0, 300}});
    std::vector<std::byte> data(300);
    for (int i = 1; i < column->size(); ++i) column->recv(kAnySource, data);
  };
  EmulationSettings settings;
  settings.byte_scale = 3;
  if (GENERATE(false, true)) settings.order_seed = 11;
  std::optional<std::vector<std::int64_t>> first;
  for (const Threads threads : threads_under_test()) {
    settings.threads = threads;
    for (int repetition = 0; repetition < 2; ++repetition) {
      const std::vector<std::int64_t> here = reported(run_on(fabric, program, settings));
      if (!first) first = here;
      CHECK(here == *first);
    }
  }
}

}  // namespace heddle
