// SPDX-License-Identifier: Apache-2.0
// Schedules of exchanges: whoever takes their steps, all is as if the rank had called sendrecv for each.
#include "heddle/communicator.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;
using Catch::Matchers::Contains;

/// In step k, `count` numbers go to the rank `distance` further on.
struct Shift {
  int distance;
  int count;
  int pieces;  ///< that they are cut into, where they come
};

/// Takes block k of `vector` for each step, or adds to it what comes.
class Shifts final : public ExchangePlan {
 public:
  Shifts(const Communicator& comm, const std::vector<Shift>& shifts, Numbers& out, Numbers& in, const Reduction& reduction = {})
      : ExchangePlan(static_cast<int>(shifts.size()), reduction),
        rank_(comm.rank().value()),
        ranks_(comm.size()),
        shifts_(shifts),
        out_(out),
        in_(in) {}

  /// Where a sender's rank and the step have nothing in common, there is nothing: some only send or only receive.
  static int count(const Shift& shift, int sender, int step) { return (sender + step) % 3 == 0 ? 0 : shift.count; }

  Exchange at(int step) override {
    const Shift& shift = shifts_[static_cast<std::size_t>(step)];
    const int dest = (rank_ + shift.distance) % ranks_;
    const int source = (rank_ + ranks_ - shift.distance % ranks_) % ranks_;
    sent_ = VectorView(out_).slice(0, count(shift, rank_, step));
    const VectorView whole = VectorView(in_).slice(0, count(shift, source, step));
    pieces_.clear();
    for (std::int64_t at = 0; at < whole.count();) {
      const std::int64_t most = (whole.count() + shift.pieces - 1) / shift.pieces;
      const std::int64_t size = std::min(most, whole.count() - at);
      pieces_.push_back(whole.slice(at, size));
      at += size;
    }
    return {.dest = Rank(dest), .data = std::span(&sent_, 1), .source = Rank(source), .into = pieces_};
  }

 private:
  int rank_;
  int ranks_;
  const std::vector<Shift>& shifts_;
  Numbers& out_;
  Numbers& in_;
  ConstVectorView sent_;
  std::vector<VectorView> pieces_;
};

enum class Steps { by_the_engine, by_the_rank };

struct Outcome {
  Report report;
  Timeline timeline;
  std::vector<Numbers> received;
};

Outcome run_shifts(const Fabric& fabric, const std::vector<Shift>& shifts, const ReduceOp* op, EmulationSettings settings,
                   Steps steps) {
  Outcome outcome;
  settings.sinks = {&outcome.timeline};
  outcome.received.resize(static_cast<std::size_t>(fabric.topology().endpoints()));
  int longest = 0;
  for (const Shift& shift : shifts) longest = std::max(longest, shift.count);
  const auto size = static_cast<std::size_t>(longest);
  outcome.report = run_on(
      fabric,
      [&](Communicator& comm) {
        Numbers out(size, 1 + comm.rank().value()), scratch(size);
        Numbers& in = outcome.received[static_cast<std::size_t>(comm.rank().value())];
        in.assign(size, 1000 * comm.rank().value());
        Shifts schedule(comm, shifts, out, in, {.op = op, .scratch = scratch});
        if (steps == Steps::by_the_engine)
          comm.exchange(schedule);
        else
          comm.Communicator::exchange(schedule);
        in[0] += swap_numbers(comm, right(comm), left(comm), 7);  // the rank goes on where its schedule ended
      },
      settings);
  return outcome;
}

std::vector<Time> completions(const Report& report) {
  std::vector<Time> times;
  for (const RankReport& rank : report.ranks) times.push_back(rank.completion);
  return times;
}

std::vector<std::pair<Time, Time>> blocked_times(const Timeline& timeline) {
  std::vector<std::pair<Time, Time>> times;
  for (const auto& span : timeline.spans) times.emplace_back(span.begin, span.end);
  return times;
}

/// Throws, or names a rank that is not there, in its third step.
class Stumbles final : public ExchangePlan {
 public:
  explicit Stumbles(bool throws) : ExchangePlan(5, {}), throws_(throws) {}

  Exchange at(int step) override {
    if (step == 2 && throws_) throw std::runtime_error("no third step");
    return {.dest = Rank(step == 2 ? 9 : 0), .data = std::span(&sent_, 1), .source = Rank(0), .into = std::span(&into_, 1)};
  }

 private:
  bool throws_;
  std::int32_t number_ = 1;
  std::int32_t place_ = 0;
  ConstVectorView sent_ = std::span(&number_, 1);
  VectorView into_ = std::span(&place_, 1);
};

}  // namespace

TEST_CASE("a schedule of exchanges takes the times and has the results of as many calls") {
  const Threads threads = each_kind_of_threads();
  testing::property("by the engine as by the rank", [threads] {
    const bool reduces = drawn::any<bool>(), has_gamma = drawn::any<bool>(), has_overheads = drawn::any<bool>();
    FabricSettings speeds = nanosecond_speeds();
    if (has_gamma) speeds.gamma = 1e-9;
    if (has_overheads) speeds.send_overhead = speeds.recv_overhead = 70_ns;
    const auto topology = drawn::one_of<std::string>({"ring:1", "ring:5", "torus:3x3", "star:6", "mesh:2x2"});
    const Fabric fabric = fabric_of(topology, speeds);
    const auto shifts = drawn::some([] { return Shift{drawn::number(0, 7), drawn::number(1, 200), drawn::number(1, 4)}; });
    EmulationSettings settings = on(threads);
    if (drawn::any<bool>()) settings.order_seed = drawn::any<std::uint64_t>();
    settings.buffering = drawn::one_of({Buffering::eager(), Buffering::limited(1)});
    const ReduceOp sum = ReduceOp::sum();
    const ReduceOp* op = reduces ? &sum : nullptr;
    const Outcome engine = run_shifts(fabric, shifts, op, settings, Steps::by_the_engine);
    const Outcome rank = run_shifts(fabric, shifts, op, settings, Steps::by_the_rank);
    RC_ASSERT(engine.received == rank.received);
    RC_ASSERT(completions(engine.report) == completions(rank.report));
    RC_ASSERT(engine.report.contention_free == rank.report.contention_free);
    RC_ASSERT(engine.report.critical_path.parts == rank.report.critical_path.parts);
    RC_ASSERT(engine.report.rounds_max() == rank.report.rounds_max());
    RC_ASSERT(engine.report.messages() == rank.report.messages());
    RC_ASSERT(blocked_times(engine.timeline) == blocked_times(rank.timeline));
  });
}

TEST_CASE("a schedule without elements takes no time") {
  const Report report = run_on(fabric_of("ring:3"), [](Communicator& comm) {
    Numbers nothing;
    const std::vector<Shift> shifts = {{1, 0, 1}, {2, 0, 1}};
    Shifts schedule(comm, shifts, nothing, nothing);
    comm.exchange(schedule);
  });
  CHECK(report.completion == Time());
  CHECK(report.messages() == 0);
}

TEST_CASE("what a schedule throws in the middle is its rank's failure") {
  const Threads threads = each_kind_of_threads();
  const bool throws = GENERATE(true, false);
  const auto stumble = [throws](Communicator& comm) {
    Stumbles schedule(throws);
    comm.exchange(schedule);
  };
  const CheckError error = check_error_of(fabric_of("ring:1"), stumble, on(threads));
  CHECK_THAT(error.what(), Contains("rank 0"));
  CHECK_THAT(error.what(), Contains(throws ? "no third step" : "isend to rank 9: ranks of this communicator are 0 to 0"));
}

TEST_CASE("a rank may catch what its schedule throws, and go on") {
  std::int32_t heard = 0;
  run_on(
      fabric_of("ring:1"),
      [&heard](Communicator& comm) {
        try {
          Stumbles schedule(true);
          comm.exchange(schedule);
        } catch (const std::runtime_error&) {
          heard = swap_numbers(comm, 0, 0, 3);
        }
      },
      on(each_kind_of_threads()));
  CHECK(heard == 3);
}

TEST_CASE("a schedule whose partner does not come is a deadlock, and explained as one") {
  // Rank 1 makes one step less: rank 0 waits for it in its second.
  const CheckError error = check_error_of(fabric_of("ring:2"), [](Communicator& comm) {
    Numbers out(4, 1), in(4);
    std::vector<Shift> shifts = {{1, 4, 1}, {1, 4, 1}};
    shifts.resize(comm.rank() == Rank(0) ? 2 : 1);
    Shifts schedule(comm, shifts, out, in);
    comm.exchange(schedule);
  });
  CHECK(error.kind() == CheckError::Kind::deadlock);
  CHECK_THAT(error.what(), Contains("rank 0") && Contains("receive"));
}

}  // namespace heddle
