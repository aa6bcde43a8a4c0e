// SPDX-License-Identifier: Apache-2.0
#include "emu/checked_run.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "emu/checks/lower_bound.hpp"
#include "emu/checks/reference.hpp"
#include "emu/checks/result_check.hpp"
#include "emu/checks/test_data.hpp"
#include "emu/checks/vector_arena.hpp"
#include "emu/emulated_communicator.hpp"
#include "emu/memory_estimate.hpp"

namespace heddle {

namespace {

constexpr int kCalls = 2;
constexpr std::array<const char*, kCalls> kCallNames = {"first", "second"};

void check_input(const Fabric& fabric, const Placement& placement, const CollectiveCall& call) {
  const std::string name = to_string(call.collective);
  if (!call.function) throw InputError(fmt::format("{} '{}' has no function to run", name, call.name));
  if (call.op == nullptr) throw InputError(fmt::format("{} '{}' needs an operation to reduce with", name, call.name));
  if (!call.op->supports(call.type)) {
    throw InputError(fmt::format("op {} does not work on {}", call.op->name(), to_string(call.type)));
  }
  if (call.count < 0) throw InputError(fmt::format("a count of {}: it must not be negative", call.count));
  if (call.held < std::min<std::int64_t>(call.count, 1) || call.held > call.count) {
    throw InputError(fmt::format("{} of {} elements held per rank: hold at least one and at most all (choose_held picks)",
                                 call.held, call.count));
  }
  if (placement.empty()) throw InputError("a run needs at least one rank");
  const Bytes held(call.held * static_cast<std::int64_t>(call.type.size()));
  require_memory(estimate_memory(static_cast<std::int64_t>(placement.size()), fabric.topology().links(), held),
                 fabric.topology().spec());
}

std::string call_text(const CollectiveCall& call, int ranks) {
  return fmt::format("{} '{}' of {} {} {}, {} ranks, seed {}", to_string(call.collective), call.name, call.op->name(),
                     call.held, to_string(call.type), ranks, call.seed);
}

/// One run of a call and what it left behind.
class CheckedRun {
 public:
  CheckedRun(const Fabric& fabric, const Placement& placement, const CollectiveCall& call)
      : fabric_(fabric),
        placement_(placement),
        call_(call),
        ranks_(static_cast<int>(placement.size())),
        arena_(ranks_, call.type, call.held) {
    for (int c = 0; c < kCalls; ++c) {
      data_.emplace_back(call.type, *call.op, ranks_, call.seed, c);
      references_.emplace_back(data_.back(), *call.op, call.held);
      found_[static_cast<std::size_t>(c)].resize(placement.size());
    }
  }

  /// Throws what emulate() throws, with what is known of wrong results added.
  Report run(const EmulationSettings& settings) {
    try {
      return emulate(
          fabric_, placement_, [this](Communicator& communicator) { run_rank(communicator); }, settings);
    } catch (const CheckError& error) {
      const std::string wrong = explain_faults();
      if (wrong.empty()) throw;
      throw CheckError(error.kind(), fmt::format("{}\nbesides, {}", error.what(), wrong));
    }
  }

  /// Empty if every result was right.
  std::string explain_faults() const {
    for (std::size_t c = 0; c < kCalls; ++c) {
      std::vector<emu::VectorFault> faults;
      for (const auto& found : found_[c]) {
        if (found) faults.push_back(*found);
      }
      if (faults.empty()) continue;
      return fmt::format("wrong result of the {} call: {}\n{}", kCallNames[c], call_text(call_, ranks_),
                         emu::explain(faults, ranks_, call_.held));
    }
    return "";
  }

 private:
  /// On every rank's own strand. Each writes its own places only.
  void run_rank(Communicator& communicator) {
    for (std::size_t c = 0; c < kCalls; ++c) {
      if (c > 0) dynamic_cast<emu::EmulatedCommunicator&>(communicator).begin_rehearsal();
      const Rank rank = communicator.rank();
      const VectorView vector = arena_.vector(rank);
      data_[c].fill(vector, rank);
      call_.function(communicator, {.input = vector, .output = vector, .op = call_.op});
      const emu::ExpectedCall expected{data_[c], references_[c], c > 0 ? &references_[c - 1] : nullptr};
      found_[c][static_cast<std::size_t>(rank.value())] = emu::check_vector(arena_, rank, expected);
      arena_.restore_guards(rank);
    }
  }

  const Fabric& fabric_;
  const Placement& placement_;
  const CollectiveCall& call_;
  int ranks_;
  emu::VectorArena arena_;
  std::vector<emu::TestData> data_;                                         ///< by call
  std::vector<emu::Reference> references_;                                  ///< by call
  std::array<std::vector<std::optional<emu::VectorFault>>, kCalls> found_;  ///< by call and rank
};

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
  CheckedRun again(fabric, placement, call);
  try {
    again.run(settings);
  } catch (const CheckError&) {
    return false;
  }
  return again.explain_faults().empty();
}

/// Bytes that one rank's vector costs on the wire at least. A message of k elements is charged k·size·scale bytes rounded to
/// the nearest, hence at least k·(size·scale - 1/2).
double least_wire_bytes(const CollectiveCall& call, double scale) {
  const double bytes = static_cast<double>(call.held) * static_cast<double>(call.type.size()) * scale;
  return scale == std::floor(scale) ? bytes : bytes - static_cast<double>(call.held) / 2;
}

void check_not_too_fast(const Fabric& fabric, const Placement& placement, const CollectiveCall& call, const Report& report) {
  const emu::LowerBound bound = emu::allreduce_lower_bound(fabric, placement, least_wire_bytes(call, report.payload_scale));
  // Each message of a chain may be rounded to whole picoseconds as it drains and as it arrives.
  const double roundings = 2e-12 * (report.rounds_max() + 1);
  if (report.completion.seconds() >= bound.seconds * (1 - 1e-9) - roundings) return;
  throw CheckError(CheckError::Kind::too_fast,
                   fmt::format("too fast to be true: {} took {}, and {} cannot do it in less than {}: {}",
                               call_text(call, static_cast<int>(placement.size())), to_string(report.completion),
                               fabric.topology().spec(), to_string(Time::from_seconds(bound.seconds)), bound.reason));
}

}  // namespace

std::vector<std::string> checks_of(const CollectiveCall& call) {
  std::vector<std::string> checks = {"result"};
  if (!call.op->commutative()) checks.emplace_back("order");
  checks.insert(checks.end(), {"hygiene", "again", "too_fast", "deadlock"});
  return checks;
}

Report run_checked(const Fabric& fabric, const Placement& placement, const CollectiveCall& call, EmulationSettings settings) {
  check_input(fabric, placement, call);
  settings.payload_scale = call.held == 0 ? 1 : static_cast<double>(call.count) / static_cast<double>(call.held);
  CheckedRun run(fabric, placement, call);
  Report report = run.run(settings);
  if (const std::string wrong = run.explain_faults(); !wrong.empty()) {
    if (!call.op->commutative() && is_right_but_for_order(fabric, placement, call, settings)) {
      throw CheckError(CheckError::Kind::order,
                       wrong + "\n  every contribution is there once, but they were not combined in rank order");
    }
    throw CheckError(CheckError::Kind::wrong_result, wrong);
  }
  check_not_too_fast(fabric, placement, call, report);
  return report;
}

}  // namespace heddle
