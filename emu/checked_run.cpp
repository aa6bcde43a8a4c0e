// SPDX-License-Identifier: Apache-2.0
#include "emu/checked_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "emu/checks/barrier_check.hpp"
#include "emu/checks/call_vectors.hpp"
#include "emu/checks/expected_call.hpp"
#include "emu/checks/lower_bound.hpp"
#include "emu/checks/result_check.hpp"
#include "emu/emulated_communicator.hpp"
#include "emu/memory_estimate.hpp"

namespace heddle {

namespace {

constexpr int kCalls = 2;
constexpr std::array<const char*, kCalls> kCallNames = {"first", "second"};

void check_blocks(const CollectiveCall& call, std::int64_t ranks) {
  const std::string name = to_string(call.collective);
  if (call.blocks.empty()) {
    if (call.collective == Collective::alltoall && (call.count % ranks != 0 || call.held % ranks != 0))
      throw InputError(
          fmt::format("{} of {} elements ({} held): {} ranks must divide them", name, call.count, call.held, ranks));
    return;
  }
  if (!has_blocks(call.collective)) throw InputError(fmt::format("{} has no blocks to give sizes of", name));
  if (static_cast<std::int64_t>(call.blocks.size()) != ranks)
    throw InputError(fmt::format("{} sizes of blocks for {} ranks: one for each is needed", call.blocks.size(), ranks));
  if (std::any_of(call.blocks.begin(), call.blocks.end(), [](std::int64_t size) { return size < 0; }))
    throw InputError("a block's size must not be negative");
  const std::int64_t sum = std::accumulate(call.blocks.begin(), call.blocks.end(), std::int64_t{0});
  if (sum != call.count || call.held != call.count)
    throw InputError(fmt::format("blocks of {} elements in all, {} of {} held: all must be, and the vector is that long", sum,
                                 call.held, call.count));
}

void check_input(const Fabric& fabric, const Placement& placement, const CollectiveCall& call) {
  const std::string name = to_string(call.collective);
  if (!call.function) throw InputError(fmt::format("{} '{}' has no function to run", name, call.name));
  if (call.op == nullptr) throw InputError(fmt::format("{} '{}' needs an operation to reduce with", name, call.name));
  if (reduces(call.collective) && !call.op->supports(call.type)) {
    throw InputError(fmt::format("op {} does not work on {}", call.op->name(), to_string(call.type)));
  }
  if (call.count < 0) throw InputError(fmt::format("a count of {}: it must not be negative", call.count));
  if (call.held < std::min<std::int64_t>(call.count, 1) || call.held > call.count) {
    throw InputError(fmt::format("{} of {} elements held per rank: hold at least one and at most all (choose_held picks)",
                                 call.held, call.count));
  }
  if (placement.empty()) throw InputError("a run needs at least one rank");
  const auto ranks = static_cast<std::int64_t>(placement.size());
  if (has_root(call.collective) && (call.root.value() < 0 || call.root.value() >= ranks))
    throw InputError(fmt::format("root {}: ranks are 0 to {}", call.root.value(), ranks - 1));
  check_blocks(call, ranks);
  const double bytes = vectors_held(call.collective, static_cast<int>(ranks), call.in_place) / static_cast<double>(ranks) *
                       static_cast<double>(call.held) * static_cast<double>(call.type.size());
  require_memory(estimate_memory(ranks, fabric.topology().links(), Bytes(static_cast<std::int64_t>(std::min(bytes, 9e18)))),
                 fabric.topology().spec());
}

/// The call and the one after it, whose root is the next rank.
emu::CallLayout layout_of(const CollectiveCall& call, int ranks, int number = 0) {
  const Rank root(has_root(call.collective) ? (call.root.value() + number) % ranks : 0);
  return emu::CallLayout(call.collective, ranks, call.held, call.blocks, root);
}

/// "reduce 'binomial' of sum 20 i32 at root 3, 5 ranks, seed 1".
std::string call_text(const CollectiveCall& call, const emu::CallLayout& layout) {
  std::string text = fmt::format("{} '{}'", to_string(call.collective), call.name);
  if (call.collective != Collective::barrier)
    text += fmt::format(" of {}{} {}", reduces(call.collective) ? call.op->name() + " " : "", call.held, to_string(call.type));
  if (has_root(call.collective)) text += fmt::format(" at root {}", layout.root().value());
  if (!call.blocks.empty()) text += " in blocks of given sizes";
  if (!call.in_place && call.collective != Collective::barrier) text += ", out of place";
  return text + fmt::format(", {} ranks, seed {}", layout.ranks(), call.seed);
}

std::vector<emu::ExpectedCall> expected_calls(const CollectiveCall& call, int ranks) {
  std::vector<emu::ExpectedCall> calls;
  calls.reserve(kCalls);
  for (int c = 0; c < kCalls; ++c) calls.emplace_back(layout_of(call, ranks, c), call.type, *call.op, call.seed, c);
  return calls;
}

/// A wrong call, in words.
struct Wrong {
  CheckError::Kind kind = CheckError::Kind::wrong_result;
  std::string text;  ///< empty: there is none
};

/// One run of a call and what it left behind. The function runs on every rank, several times; each rank writes its own places
/// only.
class CheckedRun {
 public:
  CheckedRun() = default;
  CheckedRun(const CheckedRun&) = delete;
  CheckedRun& operator=(const CheckedRun&) = delete;
  virtual ~CheckedRun() = default;

  /// Throws what emulate() throws, with what is known of wrong results added.
  Report run(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings) {
    try {
      return emulate(
          fabric, placement,
          [this](Communicator& communicator) { run_rank(dynamic_cast<emu::EmulatedCommunicator&>(communicator)); }, settings);
    } catch (const CheckError& error) {
      const std::string wrong = explain_faults().text;
      if (wrong.empty()) throw;
      throw CheckError(error.kind(), fmt::format("{}\nbesides, {}", error.what(), wrong));
    }
  }

  virtual Wrong explain_faults() const = 0;

 private:
  virtual void run_rank(emu::EmulatedCommunicator& communicator) = 0;
};

/// Of a collective that moves data.
class DataRun final : public CheckedRun {
 public:
  DataRun(const CollectiveCall& call, int ranks)
      : call_(call), expected_(expected_calls(call, ranks)), vectors_(expected_, call.in_place) {
    for (auto& found : found_) found.resize(static_cast<std::size_t>(ranks));
  }

  Wrong explain_faults() const override {
    for (std::size_t c = 0; c < kCalls; ++c) {
      std::vector<emu::VectorFault> faults;
      for (const auto& found : found_[c]) {
        if (found) faults.push_back(*found);
      }
      if (faults.empty()) continue;
      const bool is_of_result =
          std::any_of(faults.begin(), faults.end(), [](const emu::VectorFault& fault) { return fault.is_of_result(); });
      const emu::CallLayout& layout = expected_[c].layout();
      return {is_of_result ? CheckError::Kind::wrong_result : CheckError::Kind::input_changed,
              fmt::format("{} the {} call: {}\n{}", is_of_result ? "wrong result of" : "input changed by", kCallNames[c],
                          call_text(call_, layout), emu::explain(faults, layout, call_.in_place))};
    }
    return {};
  }

 private:
  void run_rank(emu::EmulatedCommunicator& communicator) override {
    for (std::size_t c = 0; c < kCalls; ++c) {
      if (c > 0) communicator.begin_rehearsal();
      const emu::ExpectedCall& expected = expected_[c];
      const Rank rank = communicator.rank();
      call_function(communicator, vectors_.prepare(rank, expected), expected.layout());
      found_[c][static_cast<std::size_t>(rank.value())] =
          emu::check_vectors(vectors_, rank, expected, c > 0 ? &expected_[c - 1] : nullptr);
      vectors_.restore_guards(rank);
    }
  }

  void call_function(Communicator& communicator, const emu::CallVectors::Views& views, const emu::CallLayout& layout) const {
    CollectiveArguments arguments{.input = views.input, .output = views.output, .op = call_.op, .root = layout.root()};
    if (has_blocks(layout.collective())) arguments.blocks = layout.blocks(communicator.rank());
    if (layout.collective() == Collective::alltoall) arguments.received = arguments.blocks;
    call_.function(communicator, arguments);
  }

  const CollectiveCall& call_;
  std::vector<emu::ExpectedCall> expected_;  ///< by call
  emu::CallVectors vectors_;
  std::array<std::vector<std::optional<emu::VectorFault>>, kCalls> found_;  ///< by call and rank
};

/// Of a barrier.
class BarrierRun final : public CheckedRun {
 public:
  BarrierRun(const CollectiveCall& call, int ranks) : call_(call), ranks_(ranks), check_(ranks) {}

  Wrong explain_faults() const override {
    const std::string early = check_.explain();
    if (early.empty()) return {};
    return {.text = fmt::format("{} does not hold: {}", call_text(call_, layout_of(call_, ranks_)), early)};
  }

 private:
  void run_rank(emu::EmulatedCommunicator& communicator) override {
    for (int c = 0; c < check_.calls(); ++c) {
      if (c == 1) communicator.begin_rehearsal();
      check_.enter(communicator, c);
      call_.function(communicator, {.op = call_.op});
      check_.leave(communicator.rank(), c);
    }
  }

  const CollectiveCall& call_;
  int ranks_;
  emu::BarrierCheck check_;
};

std::unique_ptr<CheckedRun> make_run(const CollectiveCall& call, int ranks) {
  if (call.collective == Collective::barrier) return std::make_unique<BarrierRun>(call, ranks);
  return std::make_unique<DataRun>(call, ranks);
}

/// a ∘ b = a + b byte by byte, on elements of any type. It commutes, but says that it does not, so that an algorithm treats it
/// as it treats an operation that does not.
const ReduceOp& order_blind_op() {
  static const ReduceOp op("bytewise sum",
                           [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                             for (std::size_t i = 0; i < count * type.size(); ++i)
                               result[i] =
                                   static_cast<std::byte>(std::to_integer<unsigned>(a[i]) + std::to_integer<unsigned>(b[i]));
                           },
                           {.commutative = false});
  return op;
}

/// Whether a wrong result is one of order alone: the same call is right with an operation that cannot tell orders apart.
bool is_right_but_for_order(const Fabric& fabric, const Placement& placement, CollectiveCall call,
                            const EmulationSettings& settings) {
  call.op = &order_blind_op();
  DataRun again(call, static_cast<int>(placement.size()));
  try {
    again.run(fabric, placement, settings);
  } catch (const CheckError&) {
    return false;
  }
  return again.explain_faults().text.empty();
}

/// Bytes that an element costs on the wire at least. A message of k elements is charged k·size·scale bytes rounded to the
/// nearest, hence at least k·(size·scale - 1/2).
double least_wire_bytes(const CollectiveCall& call, double scale) {
  const double bytes = static_cast<double>(call.type.size()) * scale;
  return scale == std::floor(scale) ? bytes : bytes - 0.5;
}

void check_not_too_fast(const Fabric& fabric, const Placement& placement, const CollectiveCall& call, const Report& report) {
  const emu::CallLayout layout = layout_of(call, static_cast<int>(placement.size()));
  const emu::LowerBound bound = emu::lower_bound(fabric, placement, layout, least_wire_bytes(call, report.payload_scale));
  // Each message of a chain may be rounded to whole picoseconds as it drains and as it arrives.
  const double roundings = 2e-12 * (report.rounds_max() + 1);
  if (report.completion.seconds() >= bound.seconds * (1 - 1e-9) - roundings) return;
  throw CheckError(CheckError::Kind::too_fast,
                   fmt::format("too fast to be true: {} took {}, and {} cannot do it in less than {}: {}",
                               call_text(call, layout), to_string(report.completion), fabric.topology().spec(),
                               to_string(Time::from_seconds(bound.seconds)), bound.reason));
}

}  // namespace

std::vector<std::string> checks_of(const CollectiveCall& call) {
  std::vector<std::string> checks = {"result"};
  if (!call.in_place && call.collective != Collective::barrier) checks.emplace_back("input");
  if (reduces(call.collective) && !call.op->commutative()) checks.emplace_back("order");
  checks.insert(checks.end(), {"hygiene", "again", "too_fast", "deadlock"});
  return checks;
}

Report run_checked(const Fabric& fabric, const Placement& placement, const CollectiveCall& call, EmulationSettings settings) {
  check_input(fabric, placement, call);
  settings.payload_scale = call.held == 0 ? 1 : static_cast<double>(call.count) / static_cast<double>(call.held);
  const std::unique_ptr<CheckedRun> run = make_run(call, static_cast<int>(placement.size()));
  Report report = run->run(fabric, placement, settings);
  if (const Wrong wrong = run->explain_faults(); !wrong.text.empty()) {
    if (wrong.kind == CheckError::Kind::wrong_result && reduces(call.collective) && !call.op->commutative() &&
        is_right_but_for_order(fabric, placement, call, settings)) {
      throw CheckError(CheckError::Kind::order,
                       wrong.text + "\n  every contribution is there once, but they were not combined in rank order");
    }
    throw CheckError(wrong.kind, wrong.text);
  }
  check_not_too_fast(fabric, placement, call, report);
  return report;
}

}  // namespace heddle
