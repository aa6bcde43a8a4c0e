// SPDX-License-Identifier: Apache-2.0
// Rounds that all ranks make together: all is as if each message went by itself.
#include "emu/run/lockstep_rounds.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/effort.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle::lockstep_tests {

namespace {

using namespace literals;
using Catch::Matchers::Contains;

EmulationSettings by_themselves() {
  EmulationSettings settings;
  settings.lockstep = false;
  return settings;
}

// ---- any programs ----

/// What all ranks do, or some.
struct Phase {
  enum class Kind { shifts, pairs, doublings, fan_in, branches, plans, lone_ranks };
  Kind kind;
  int rounds;
  int distance;
  int count;    ///< numbers in a message
  bool uneven;  ///< one more at every third rank
  bool reduces;
};

using Program = std::vector<Phase>;

void showValue(const Phase& phase, std::ostream& out) {
  const char* const names[] = {"shifts", "pairs", "doublings", "fan_in", "branches", "plans", "lone_ranks"};
  out << names[static_cast<int>(phase.kind)] << " rounds " << phase.rounds << " distance " << phase.distance << " count "
      << phase.count << (phase.uneven ? " uneven" : "") << (phase.reduces ? " reduces" : "");
}

Phase any_phase() {
  using Kind = Phase::Kind;
  return drawn::whole([] {
    Phase phase;
    phase.kind = drawn::one_of({Kind::shifts, Kind::shifts, Kind::pairs, Kind::doublings, Kind::fan_in, Kind::branches,
                                Kind::plans, Kind::lone_ranks});
    phase.rounds = drawn::number(0, 6);
    phase.distance = drawn::number(1, 40);
    phase.count = drawn::number(1, 300);
    phase.uneven = drawn::number(0, 4) == 3;
    phase.reduces = drawn::any<bool>();
    return phase;
  });
}

/// A rank's numbers go round by `distance`, and are added to what is there, or put into its place.
void shift(Communicator& comm, const Phase& phase, Numbers& numbers) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const int distance = phase.distance % p;
  if (distance == 0) return;
  const auto size = [&](int sender) { return phase.count + (phase.uneven && sender % 3 == 0 ? 1 : 0); };
  const int source = (rank + p - distance) % p;
  Numbers scratch(301);
  const VectorView all(numbers);
  const ReduceOp sum = ReduceOp::sum();
  const Reduction reduction{.op = phase.reduces ? &sum : nullptr, .scratch = scratch};
  comm.exchange(phase.rounds, reduction, [=](int round) {
    const std::int64_t out = round % 2 == 0 ? 0 : 301;
    return Round{Rank((rank + distance) % p), all.slice(out, size(rank)), Rank(source), all.slice(301 - out, size(source))};
  });
}

/// In bytes: what stands left counts three times.
const ReduceOp& lopsided() {
  static const ReduceOp op("lopsided",
                           [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                             for (std::size_t i = 0; i < count * type.size(); ++i)
                               result[i] = static_cast<std::byte>(3 * std::to_integer<int>(a[i]) + std::to_integer<int>(b[i]));
                           },
                           {});
  return op;
}

template <class RoundOf>
std::unique_ptr<ExchangePlan> plan_of(int rounds, const Reduction& reduction, RoundOf round_of) {
  return std::make_unique<RoundPlan<RoundOf>>(rounds, reduction, std::move(round_of));
}

/// Numbers are sent while what comes is added to them: between partners, or, uneven, round by `distance`.
std::unique_ptr<ExchangePlan> doubling(const Communicator& comm, const Phase& phase, VectorView numbers) {
  const VectorView sums = numbers.slice(0, phase.count);
  return plan_of(phase.rounds, {.op = &lopsided(), .after_sending = true},
                 [=, p = comm.size(), rank = comm.rank().value(), distance = phase.distance % comm.size()](int round) {
                   const Side side = round % 2 == 0 ? Side::left : Side::right;
                   if (phase.uneven && distance != 0)
                     return Round{Rank((rank + distance) % p), sums, Rank((rank + p - distance) % p), sums, side};
                   const int partner = rank ^ (1 << round % 5);
                   if (partner >= p) return Round{Rank(0), sums.slice(0, 0), Rank(0), sums.slice(0, 0)};
                   return Round{Rank(partner), sums, Rank(partner), sums, side};
                 });
}

void run_phase(Communicator& comm, const Phase& phase, Numbers& numbers) {
  const int rank = comm.rank().value();
  switch (phase.kind) {
    case Phase::Kind::shifts:
      return shift(comm, phase, numbers);
    case Phase::Kind::pairs: {
      const VectorView all(numbers);
      Numbers scratch(300);
      for (int bit = 1; bit < phase.distance; bit *= 2) {
        const Rank partner(rank ^ bit);
        if (partner.value() >= comm.size()) continue;
        const VectorView out = all.slice(0, phase.count), in = all.slice(301, phase.count);
        if (phase.reduces)
          comm.sendrecv_reduce(partner, std::array{ConstVectorView(out)}, partner, std::array{in}, scratch, ReduceOp::sum());
        else
          numbers[0] ^= comm.sendrecv(partner, out, partner, in).peer.value();
      }
      return;
    }
    case Phase::Kind::doublings:
      return comm.exchange(*doubling(comm, phase, numbers));
    case Phase::Kind::plans:
      // The second has nothing left to do at times.
      return comm.exchange_concurrently(2, [&](int i, Communicator& branch) {
        ExchangePlans plans;
        if (i == 1 && phase.uneven) return plans;
        const VectorView half = VectorView(numbers).slice(i * 301, 301);
        plans.push_back(doubling(branch, phase, half));
        plans.push_back(plan_of(phase.rounds, {}, [=, p = branch.size(), rank = branch.rank().value()](int) {
          return Round{Rank((rank + 1) % p), half.slice(0, 100), Rank((rank + p - 1) % p), half.slice(150, 100)};
        }));
        return plans;
      });
    case Phase::Kind::fan_in: {
      const Rank root(phase.distance % comm.size());
      Numbers got(numbers.size());
      for (int r = 0; comm.rank() == root && r < comm.size(); ++r)
        if (Rank(r) != root) comm.recv(Rank(r), VectorView(got).slice(0, phase.count));
      if (comm.rank() != root) comm.send(root, VectorView(numbers).slice(0, phase.count));
      numbers[0] ^= got[0];
      return;
    }
    case Phase::Kind::branches: {
      std::array<Numbers, 2> parts = {numbers, numbers};
      comm.concurrently(2, [&](int i, Communicator& branch) {
        Phase own = phase;
        own.distance += i * phase.rounds;
        shift(branch, own, parts[static_cast<std::size_t>(i)]);
      });
      for (const Numbers& part : parts) numbers[1] ^= part[301];
      return;
    }
    case Phase::Kind::lone_ranks:
      // Some go on by themselves, and are late for what comes next.
      if (rank % (phase.rounds + 2) == 0 && rank + 1 < comm.size()) comm.send(Rank(rank + 1), VectorView(numbers).slice(0, 7));
      if (rank % (phase.rounds + 2) == 1) comm.recv(Rank(rank - 1), VectorView(numbers).slice(10, 7));
      return;
  }
}

struct Outcome {
  Report report;
  std::vector<std::vector<std::int64_t>> seen;  ///< by rank: the time after each phase, then its numbers
};

Outcome run_program(const Fabric& fabric, const Program& program, const EmulationSettings& settings) {
  Outcome outcome;
  outcome.seen.resize(static_cast<std::size_t>(fabric.topology().endpoints()));
  outcome.report = run_on(
      fabric,
      [&](Communicator& comm) {
        Numbers numbers(602, comm.rank().value());
        std::vector<std::int64_t>& seen = outcome.seen[static_cast<std::size_t>(comm.rank().value())];
        for (const Phase& phase : program) {
          run_phase(comm, phase, numbers);
          seen.push_back(comm.now().ps());
        }
        seen.insert(seen.end(), numbers.begin(), numbers.end());
      },
      settings);
  return outcome;
}

FabricSettings any_speeds() {
  FabricSettings speeds = nanosecond_speeds();
  speeds.alpha = drawn::one_of({0_ns, 1_us, 30_ns});
  speeds.hop = drawn::one_of({300_ns, 0_ns});
  speeds.routing = drawn::one_of({Routing::split(), Routing::deterministic()});
  return speeds;
}

}  // namespace

TEST_CASE("rounds of all ranks are as messages by themselves") {
  std::int64_t rounds = 0;
  const bool holds = testing::holds("together and by themselves", testing::sampled(60, 60, 12), 5000, [&rounds] {
    const auto topology = drawn::one_of<std::string>({"ring:32", "torus:6x6", "torus:3x4x3", "mesh:5x7", "star:33",
                                                      "fullmesh:34", "hypercube:5", "clos:hosts=8,leaves=4,spines=2"});
    const Fabric fabric = fabric_of(topology, any_speeds());
    const Program program = drawn::some([] { return any_phase(); });
    EmulationSettings settings;
    settings.ranks_are_quiet = drawn::any<bool>();
    const Outcome together = run_program(fabric, program, settings);
    const Outcome alone = run_program(fabric, program, by_themselves());
    RC_ASSERT(together.seen == alone.seen);
    RC_ASSERT(reported(together.report) == reported(alone.report));
    RC_ASSERT(alone.report.host.lockstep_rounds == 0);
    rounds += together.report.host.lockstep_rounds;
  });
  CHECK(holds);
  CHECK(rounds > 10);
}

// ---- what is made together ----

namespace {

/// `rounds` of a ring, of `count` numbers each.
void ring(Communicator& comm, int rounds, int count) {
  Numbers numbers(2 * static_cast<std::size_t>(count));
  const VectorView all(numbers);
  comm.exchange(rounds, [=, to = Rank(right(comm)), from = Rank(left(comm))](int) {
    return Round{to, all.slice(0, count), from, all.slice(count, count)};
  });
}

}  // namespace

TEST_CASE("a ring on a ring takes R(alpha + m beta + L)") {
  // 10 * (1 us + 400 B * 1 ns + 400 ns) = 18 us
  const Report report = run_on(fabric_of("ring:40"), [](Communicator& comm) { ring(comm, 10, 100); });
  CHECK(report.completion == 18_us);
  CHECK(report.host.lockstep_rounds == 10);
  CHECK(report.critical_path.messages == 10);
  CHECK(report.critical_path.parts.propagation == 4_us);
  CHECK(report.rounds_max() == 10);
}

TEST_CASE("ranks in rows of a mesh make the rounds of a ring together, though some messages go farther") {
  // No link carries two: rank 7 of 8 x 8 sends to rank 8 over the whole row.
  FabricSettings speeds = nanosecond_speeds();
  speeds.routing = Routing::deterministic();
  const Fabric fabric = fabric_of("torus:8x8", speeds);
  const auto both_phases = [](Communicator& comm) {
    ring(comm, 9, 50);
    ring(comm, 9, 50);
  };
  EmulationSettings settings;
  CHECK(run_on(fabric, both_phases, settings).host.lockstep_rounds < 18);  // they are apart after the first
  settings.ranks_are_quiet = true;
  CHECK(run_on(fabric, both_phases, settings).host.lockstep_rounds == 18);
}

TEST_CASE("fewer than 32 ranks, overheads, credits, sinks and seeds have each message go by itself") {
  const auto rounds = [](const Fabric& fabric, const EmulationSettings& settings) {
    return run_on(
               fabric, [](Communicator& comm) { ring(comm, 3, 5); }, settings)
        .host.lockstep_rounds;
  };
  CHECK(rounds(fabric_of("ring:31"), {}) == 0);
  CHECK(rounds(fabric_of("ring:32"), {}) == 3);
  FabricSettings overhead = nanosecond_speeds();
  overhead.send_overhead = 1_ns;
  CHECK(rounds(fabric_of("ring:32", overhead), {}) == 0);
  EmulationSettings settings;
  settings.buffering = Buffering::limited(4);
  CHECK(rounds(fabric_of("ring:32"), settings) == 0);
  settings = {};
  settings.order_seed = 3;
  CHECK(rounds(fabric_of("ring:32"), settings) == 0);
}

// ---- mistakes ----

TEST_CASE("ranks that share memory are told so where all exchange at once") {
  static Numbers shared(100);
  const CheckError error = check_error_of(fabric_of("ring:40"), [](Communicator& comm) {
    const VectorView all(shared);
    const int half = comm.rank().value() % 2 * 50;
    comm.sendrecv(Rank(right(comm)), all.slice(half, 50), Rank(left(comm)), all.slice(50 - half, 50));
  });
  CHECK_THAT(error.what(), Contains("share memory"));
}

TEST_CASE("what branches of a rank do to each other's memory is the same whether all exchange at once or not") {
  const auto received = [](const EmulationSettings& settings) {
    std::vector<Numbers> all(40);
    run_on(
        fabric_of("ring:40"),
        [&all](Communicator& comm) {
          Numbers& numbers = all[static_cast<std::size_t>(comm.rank().value())];
          numbers.assign(300, comm.rank().value());
          // The first receives into 100 … 199, which the second sends.
          comm.concurrently(2, [&](int i, Communicator& branch) {
            const VectorView view(numbers);
            branch.sendrecv(Rank(right(branch)), view.slice(i * 100, 100), Rank(left(branch)), view.slice(100 + i * 100, 100));
          });
        },
        settings);
    return all;
  };
  CHECK(received({}) == received(by_themselves()));
}

TEST_CASE("what an operation throws in a round of all is its rank's failure") {
  const ReduceOp fails("fails",
                       [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype) {
                         for (std::size_t i = 0; i < count * sizeof(std::int32_t); ++i) result[i] = a[i] | b[i];
                         if (result[0] == std::byte{7}) throw std::runtime_error("no sevens");
                       },
                       {.commutative = true});
  const CheckError error = check_error_of(fabric_of("ring:40"), [&fails](Communicator& comm) {
    const Numbers own(1, comm.rank() == Rank(5) ? 7 : 0);
    Numbers sum(1), scratch(1);
    comm.sendrecv_reduce(Rank(right(comm)), std::array{ConstVectorView(own)}, Rank(left(comm)), std::array{VectorView(sum)},
                         scratch, fails);
  });
  CHECK_THAT(error.what(), Contains("rank 6") && Contains("no sevens"));
}

TEST_CASE("what an operation throws in a task that has ended but for its plans is its rank's failure") {
  const ReduceOp fails("fails",
                       [](const std::byte*, const std::byte*, std::byte* result, std::size_t, Datatype) {
                         if (result[0] == std::byte{7}) throw std::runtime_error("no sevens");
                       },
                       {.commutative = true});
  const auto run = [&fails](const EmulationSettings& settings) {
    return std::string(check_error_of(
                           fabric_of("ring:40"),
                           [&fails](Communicator& comm) {
                             Numbers own(2, comm.rank() == Rank(5) ? 7 : 0);
                             comm.exchange_concurrently(2, [&](int i, Communicator& branch) {
                               ExchangePlans plans;
                               const VectorView sum = VectorView(own).slice(i, 1);
                               plans.push_back(plan_of(2, {.op = &fails, .after_sending = true},
                                                       [=, to = Rank(right(branch)), from = Rank(left(branch))](int) {
                                                         return Round{to, sum, from, sum};
                                                       }));
                               return plans;
                             });
                           },
                           settings)
                           .what());
  };
  CHECK_THAT(run({}), Contains("rank 5") && Contains("no sevens"));
  CHECK(run({}) == run(by_themselves()));
}

TEST_CASE("tasks that have ended but for their plans are told of in a deadlock") {
  const auto run = [](int ranks) {
    return std::string(check_error_of(fabric_of("ring:" + std::to_string(ranks)), [](Communicator& comm) {
                         Numbers own(2);
                         comm.exchange_concurrently(2, [&](int i, Communicator& branch) {
                           ExchangePlans plans;
                           const VectorView number = VectorView(own).slice(i, 1);
                           plans.push_back(plan_of(1, {}, [=, from = Rank(left(branch))](int) {
                             return Round{Rank(0), number.slice(0, 0), from, number};
                           }));
                           return plans;
                         });
                       }).what());
  };
  CHECK_THAT(run(3), Contains("3 of 3 ranks are blocked") && Contains("to receive 1 x i32 from rank 0"));
  CHECK_THAT(run(40), Contains("40 of 40 ranks are blocked"));
}

TEST_CASE("a message that is too long is explained as if it went by itself") {
  const auto wrong = [](Communicator& comm) {
    Numbers numbers(20);
    const VectorView all(numbers);
    comm.exchange(3, [=, to = Rank(right(comm)), from = Rank(left(comm)), rank = comm.rank()](int round) {
      const int more = round == 1 && rank == Rank(9) ? 1 : 0;
      return Round{to, all.slice(0, 5 + more), from, all.slice(10, 5)};
    });
  };
  const std::string together = check_error_of(fabric_of("ring:40"), wrong).what();
  CHECK(together == check_error_of(fabric_of("ring:40"), wrong, by_themselves()).what());
  CHECK_THAT(together, Contains("is longer than its receive"));
}

}  // namespace heddle::lockstep_tests
