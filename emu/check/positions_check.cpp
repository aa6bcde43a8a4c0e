// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "emu/check/checked_calls.hpp"
#include "emu/check/checked_run.hpp"
#include "emu/check/position_communicator.hpp"
#include "emu/data/call_vectors.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

using emu::CallLayout;
using emu::CallVectors;
using emu::Extent;
using emu::Positions;
using emu::Stretch;
using emu::TermsId;

constexpr std::int64_t kSmaller = 16;
constexpr std::size_t kFewBytes = std::size_t{1} << 18;
constexpr std::size_t kSomeBytes = std::size_t{1} << 22;
/// What a run holds at most that fills no memory of its own.
constexpr std::int64_t kUsualMemory = std::int64_t{16} << 20;

/// Where one call's vectors lie, and what they hold before and must hold after.
class PositionsRun {
 public:
  PositionsRun(const CollectiveCall& call, CallLayout layout, std::int64_t most_actions)
      : call_(call), layout_(std::move(layout)) {
    positions_.most_actions = most_actions;
    for (int r = 0; r < layout_.ranks(); ++r) {
      views_.push_back(reserve(Rank(r)));
      put_input(Rank(r));
    }
  }

  void run(const Fabric& fabric, const Placement& placement, const EmulationSettings& settings) {
    emu::emulate_measured(
        fabric, placement,
        [this](emu::MeasuredCommunicator& inner) {
          emu::PositionCommunicator communicator(positions_, inner);
          const Rank rank = communicator.rank();
          call_.function(communicator, arguments_of(rank, layout_, views_[static_cast<std::size_t>(rank.value())], call_.op));
        },
        settings);
  }

  /// The first place that is wrong, in words; empty: none.
  std::string first_wrong() {
    for (int r = 0; r < layout_.ranks(); ++r) {
      if (std::string text = wrong_on(Rank(r)); !text.empty()) return text;
    }
    return "";
  }

  bool is_exhausted() const { return positions_.is_exhausted(); }
  std::int64_t actions() const { return positions_.actions; }
  /// Bytes of its vectors that somebody has read or written.
  std::int64_t touched() const { return static_cast<std::int64_t>(positions_.memory.touched()); }
  const CallLayout& layout() const { return layout_; }

 private:
  std::int64_t element_bytes() const { return static_cast<std::int64_t>(call_.type.size()); }

  VectorView vector_of(std::int64_t count) {
    return {positions_.memory.reserve(static_cast<std::size_t>(count * element_bytes())), count, call_.type};
  }

  CallVectors::Views reserve(Rank rank) {
    const std::int64_t input = layout_.input(rank).count;
    const std::int64_t output = layout_.output(rank).count;
    const VectorView none(nullptr, 0, call_.type);
    if (call_.in_place && input > 0 && output > 0) {
      const VectorView one = vector_of(std::max(input, output));
      return {one, one, true};
    }
    return {input > 0 ? vector_of(input) : none, output > 0 ? vector_of(output) : none, false};
  }

  void put_input(Rank rank) {
    const Extent input = layout_.input(rank);
    if (input.count == 0) return;
    const CallVectors::Views& views = views_.back();
    const VectorView place = views.shared ? views.output.slice(input.first, input.count) : views.input;
    const Stretch own{input.count * element_bytes(), positions_.contents.term(rank.value()), input.first * element_bytes()};
    positions_.contents.write(place.data(), std::span(&own, 1));
  }

  /// What a rank's output must hold, from its first element on.
  std::vector<Stretch> expected_on(Rank rank) {
    const Extent output = layout_.output(rank);
    const auto stretch = [&](std::int64_t first, std::int64_t count, TermsId terms) {
      return Stretch{count * element_bytes(), terms, first * element_bytes()};
    };
    std::vector<Stretch> expected;
    switch (layout_.collective()) {
      case Collective::broadcast:
      case Collective::scatter:
        return {stretch(output.first, output.count, positions_.contents.term(layout_.root().value()))};
      case Collective::allgather:
      case Collective::gather:
        for (int b = 0; output.count > 0 && b < layout_.ranks(); ++b)
          expected.push_back(stretch(layout_.offset(rank, b), layout_.size(rank, b), positions_.contents.term(b)));
        return expected;
      case Collective::alltoall:
        for (int source = 0; source < layout_.ranks(); ++source)
          expected.push_back(stretch(layout_.offset(Rank(source), rank.value()), layout_.received_size(rank, source),
                                     positions_.contents.term(source)));
        return expected;
      default:
        return {stretch(output.first, output.count, positions_.contents.all_of(layout_.ranks()))};
    }
  }

  std::string wrong_on(Rank rank) {
    const Extent output = layout_.output(rank);
    if (output.count == 0) return "";
    const VectorView place = CallVectors::output_of(rank, layout_, views_[static_cast<std::size_t>(rank.value())]);
    const std::byte* at = place.data();
    for (const Stretch& expected : expected_on(rank)) {
      std::int64_t done = 0;
      for (const Stretch& held : positions_.contents.read(at, expected.bytes)) {
        if (held.terms != expected.terms || held.position != expected.position + done)
          return fmt::format("element {} on rank {} {}",
                             (at + done - place.data()) / element_bytes() + shown_from(rank, output), rank.value(),
                             difference(held, {held.bytes, expected.terms, expected.position + done}));
        done += held.bytes;
      }
      at += expected.bytes;
    }
    return "";
  }

  /// Elements are numbered as they stand in the vector.
  std::int64_t shown_from(Rank rank, Extent output) const {
    return views_[static_cast<std::size_t>(rank.value())].shared ? output.first : 0;
  }

  std::string difference(const Stretch& held, const Stretch& expected) const {
    if (held.terms == Stretch::kUnknown) return "is none of any rank's, or was never written";
    const std::span<const emu::RankRange> got = positions_.contents.ranks_of(held.terms);
    const std::span<const emu::RankRange> wanted = positions_.contents.ranks_of(expected.terms);
    if (held.position != expected.position || !reduces(layout_.collective()))
      return fmt::format("is element {} of rank {} where element {} of rank {} belongs", held.position / element_bytes(),
                         got.front().first, expected.position / element_bytes(), wanted.front().first);
    for (int rank = wanted.front().first; rank <= wanted.back().last; ++rank) {
      const auto times = std::ranges::count_if(got, [rank](emu::RankRange r) { return r.first <= rank && rank <= r.last; });
      if (times == 0) return fmt::format("lacks rank {}'s contribution", rank);
      if (times > 1) return fmt::format("has rank {}'s contribution {} times", rank, times);
    }
    return "has other contributions than all ranks'";
  }

  const CollectiveCall& call_;
  CallLayout layout_;
  Positions positions_;
  std::vector<CallVectors::Views> views_;
};

/// The call's with a part of the elements: all of them for 1.
CallLayout layout_with(const CollectiveCall& call, int ranks, std::int64_t divisor) {
  const Rank root(has_root(call.collective) ? call.root.value() : 0);
  if (!call.sends.empty()) {
    if (divisor == 1) return CallLayout::alltoall(call.sends);
    std::vector<std::int64_t> counts;
    for (int i = 0; i < ranks; ++i) {
      for (int j = 0; j < ranks; ++j) counts.push_back(call.sends.at(i, j) / divisor);
    }
    return CallLayout::alltoall(CountMatrix::of(ranks, std::move(counts)));
  }
  std::vector<std::int64_t> blocks = call.blocks;
  std::int64_t count = call.count / divisor;
  // Equal blocks stay equal: some functions serve no others.
  if (has_blocks(call.collective) && call.count % ranks == 0) count -= count % ranks;
  if (!blocks.empty()) {
    count = 0;
    for (std::int64_t& size : blocks) count += size /= divisor;
  }
  return {call.collective, ranks, count, blocks, root};
}

/// From now on, that is what the process holds now.
void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

/// The most memory that the process has held since that was forgotten, in bytes; no value where the system does not say.
std::optional<std::int64_t> peak_memory() {
  std::ifstream status("/proc/self/status");
  std::optional<std::int64_t> peak;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) peak = std::strtoll(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return peak;
}

/// Pages that the process has touched first, of 4 KiB at least.
std::int64_t page_faults() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt + used.ru_majflt;
}

struct Cost {
  double seconds = 0;
  std::int64_t bytes = 0;
  std::int64_t faults = 0;
};

/// From here on, until it is asked.
class CostMeter {
 public:
  CostMeter() : begin_(std::chrono::steady_clock::now()) {
    // Memory that the heap has kept would hide what is filled. What a small run leaves stays: its pages would have to be made anew.
    if (mallinfo2().fordblks > static_cast<std::size_t>(kUsualMemory)) malloc_trim(0);
    forget_peak_memory();
    before_ = peak_memory();
    faults_before_ = page_faults();
  }

  Cost cost() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    const std::int64_t faults = page_faults() - faults_before_;
    const std::optional<std::int64_t> after = peak_memory();
    return {spent.count(), before_ && after ? std::max<std::int64_t>(0, *after - *before_) : 0, faults};
  }

 private:
  std::chrono::steady_clock::time_point begin_;
  std::optional<std::int64_t> before_;
  std::int64_t faults_before_ = 0;
};

std::int64_t bytes_of(const CallLayout& layout, Datatype type) {
  return layout.count() * static_cast<std::int64_t>(type.size());
}

/// Whether it reads or writes vectors by itself, or fills memory of its own.
bool works_by_itself(const PositionsRun& run, const Cost& cost, Datatype type) {
  const std::int64_t bytes = bytes_of(run.layout(), type);
  // Looking through gigabytes of addresses takes longer than the run: only where faults allow for what is sought.
  const bool may_be_touched = cost.faults * sysconf(_SC_PAGESIZE) > bytes / kSmaller;
  return (may_be_touched && run.touched() > bytes / kSmaller) || cost.bytes > bytes / 2 + kUsualMemory;
}

std::string size_text(const CallLayout& layout, Datatype type) { return fmt::format("{} {}", layout.count(), to_string(type)); }

[[noreturn]] void fail(const CollectiveCall& call, const PositionsRun& run, const CallLayout& smaller, CheckError::Kind kind,
                       std::string_view what) {
  constexpr std::int64_t kBeyond = std::int64_t{1} << 31;
  throw CheckError(
      kind, fmt::format("wrong {}: {}\n  followed without data: {}\n  with {} all is where it belongs; perhaps a count, a "
                        "displacement or a number of bytes is kept in too few bits",
                        bytes_of(run.layout(), call.type) >= kBeyond ? "beyond 31 bits" : "places",
                        emu::call_text(call, run.layout(), *call.op), what, size_text(smaller, call.type)));
}

/// Whether so much can be had, without writing to it.
bool can_allocate(std::size_t bytes) {
  void* volatile memory = std::malloc(bytes);
  const bool is_there = memory != nullptr;
  std::free(memory);
  return is_there;
}

}  // namespace

PositionsCheck check_positions(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                               const EmulationSettings& settings, const PositionsBound& bound) {
  if (call.collective == Collective::barrier) return {"a barrier has no elements"};
  const auto ranks = static_cast<int>(placement.size());
  EmulationSettings plain;
  plain.threads = settings.threads;
  plain.buffering = settings.buffering;
  plain.order_seed = settings.order_seed;
  plain.stack_bytes = settings.stack_bytes;
  plain.interrupted = settings.interrupted;
  plain.most_slices_at_once = std::max(settings.most_slices_at_once, 2 * bound.actions);
  const std::string too_many = fmt::format("it makes more than {} messages and pieces of local work", bound.actions);
  // What cannot be followed shows with a few elements, which cost nothing; what these do otherwise, with many.
  const auto whole = static_cast<std::size_t>(call.count) * call.type.size();
  const std::int64_t few = std::max<std::int64_t>(kSmaller, static_cast<std::int64_t>(whole / kFewBytes));
  const std::int64_t some = std::max<std::int64_t>(kSmaller, static_cast<std::int64_t>(whole / kSomeBytes));
  try {
    std::optional<CallLayout> followed;
    std::int64_t actions = 0;
    for (const std::int64_t divisor : {few, some, kSmaller}) {
      PositionsRun smaller(call, layout_with(call, ranks, divisor), bound.actions);
      const CostMeter meter;
      try {
        smaller.run(fabric, placement, plain);
      } catch (const RunStopped&) {
        throw;
      } catch (const Error& error) {
        return {smaller.is_exhausted() ? too_many : fmt::format("it cannot be followed: {}", error.what())};
      }
      const Cost cost = meter.cost();
      const std::string text = size_text(smaller.layout(), call.type);
      if (const std::string wrong = smaller.first_wrong(); !wrong.empty())
        return {fmt::format("it moves or combines elements by itself: with {}, {}", text, wrong)};
      if (divisor == kSmaller && works_by_itself(smaller, cost, call.type)) return {"it reads or writes memory by itself"};
      // A sixteenth of the elements would take gigabytes.
      if (divisor == some && cost.bytes > bytes_of(smaller.layout(), call.type) + kUsualMemory)
        return {"it fills memory of its own"};
      if (cost.seconds * static_cast<double>(divisor) > bound.seconds && divisor == kSmaller)
        return {fmt::format("with {} it took {:.1f} s", text, cost.seconds)};
      // What cuts by bytes makes so many more for each part more. Some stop at a number of parts: what is near the bound is tried.
      const std::int64_t more = std::max<std::int64_t>(0, smaller.actions() - actions);
      if (divisor == kSmaller && some > kSmaller && smaller.actions() + more * (kSmaller - 1) > 2 * bound.actions)
        return {fmt::format("it would make some {} messages and pieces of local work, and {} are followed",
                            smaller.actions() + more * (kSmaller - 1), bound.actions)};
      actions = smaller.actions();
      followed = smaller.layout();
    }

    PositionsRun run(call, layout_with(call, ranks, 1), bound.actions);
    std::string failure;
    CheckError::Kind kind = CheckError::Kind::wrong_result;
    const CostMeter meter;
    try {
      run.run(fabric, placement, plain);
    } catch (const CheckError& error) {
      failure = error.what();
      kind = error.kind();
    } catch (const std::bad_alloc&) {
      // The machine's poverty is no mistake, nor is room for every rank's vector, or for two; a request of many times that is.
      if (!can_allocate(2 * static_cast<std::size_t>(ranks) * whole)) return {"memory is refused to it"};
      failure = "memory is refused to a rank (std::bad_alloc), and twice that of all ranks' vectors can be had";
      kind = CheckError::Kind::rank_failed;
    }
    if (run.is_exhausted()) return {too_many};
    if (works_by_itself(run, meter.cost(), call.type)) return {"it reads or writes memory by itself"};
    if (failure.empty()) failure = run.first_wrong();
    if (!failure.empty()) fail(call, run, *followed, kind, failure);
    return {};
  } catch (const ResourceError& error) {
    return {error.what()};
  } catch (const std::bad_alloc&) {
    return {"memory is refused to it"};
  }
}

}  // namespace heddle
