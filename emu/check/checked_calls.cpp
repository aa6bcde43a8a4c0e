// SPDX-License-Identifier: Apache-2.0
#include "emu/check/checked_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <iterator>
#include <utility>

#include "core/argument_checks.hpp"
#include "core/once.hpp"
#include "emu/check/result_check.hpp"
#include "emu/data/call_bits.hpp"
#include "emu/data/call_vectors.hpp"
#include "emu/data/input_watch.hpp"

namespace heddle::emu {

namespace {

/// "first" for number 0, "12th" for 11.
std::string call_name(int number) {
  constexpr std::array<const char*, 5> kNames = {"first", "second", "third", "fourth", "fifth"};
  const auto index = static_cast<std::size_t>(number);
  if (index < kNames.size()) return kNames[index];
  const int n = number + 1;
  const bool is_teen = n / 10 % 10 == 1;
  const char* const ending = is_teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return fmt::format("{}{}", n, ending);
}

/// So many are expected before the run, where they cost it no time; others when the first rank makes them, and until the last
/// one has made the next: there may be thousands.
constexpr int kExpectedBefore = 5;

/// In which nothing is measured and the data fit: so many more where they are few, half where they are many.
constexpr std::int64_t kFew = 4096;

/// What goes into the calls and must come out. Safe from any thread.
class ExpectedCalls {
 public:
  /// `rounded_to`: what the switches have rounded to. `call` outlives it.
  /// `makers`: how many of the ranks make the calls on this object.
  ExpectedCalls(const CollectiveCall& call, int ranks, int makers, std::optional<Datatype> rounded_to = {},
                const StopQuestion& interrupted = {})
      : call_(call), ranks_(ranks), makers_(makers), rounded_to_(rounded_to), calls_(static_cast<std::size_t>(call.calls)) {
    for (int c = 0; c < std::min(call.calls, kExpectedBefore); ++c) of(c, interrupted);
  }

  const ExpectedCall& of(int number, const StopQuestion& interrupted = {}) {
    Slot& slot = calls_[static_cast<std::size_t>(number)];
    slot.once([&] {
      slot.expected =
          std::make_unique<ExpectedCall>(layout_of(call_, ranks_, number), call_.type, op_of(call_, number), call_.seed, number,
                                         call_.switch_precision, rounded_to_, call_.values, interrupted);
    });
    return *slot.expected;
  }

  /// A rank has made and checked this call: the one before is needed no more once all have.
  void note_made(int number) {
    if (calls_[static_cast<std::size_t>(number)].made.fetch_add(1) + 1 < makers_ || number <= kExpectedBefore) return;
    calls_[static_cast<std::size_t>(number) - 1].expected.reset();
  }

 private:
  struct Slot {
    Once once;
    std::unique_ptr<const ExpectedCall> expected;
    std::atomic<int> made = 0;
  };

  const CollectiveCall& call_;
  int ranks_;
  int makers_;
  std::optional<Datatype> rounded_to_;
  std::deque<Slot> calls_;
};

/// Of all calls, of which those from the sixth on are laid out as ones before.
std::vector<CallLayout> layouts_of(const CollectiveCall& call, int ranks) {
  std::vector<CallLayout> layouts;
  for (int c = 0; c < std::min(call.calls, kExpectedBefore); ++c) layouts.push_back(layout_of(call, ranks, c));
  return layouts;
}

/// While it lives, somebody looks on whenever the rank blocks, and its vectors have names.
class Watched {
 public:
  Watched(MeasuredCommunicator& communicator, BlockingWatch* watch, const CallVectors::Views& views)
      : communicator_(communicator), names_{views.input, views.output} {
    communicator_.let_watch(watch);
    communicator_.name_memory(&names_);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    communicator_.let_watch(nullptr);
    communicator_.name_memory(nullptr);
  }

 private:
  MeasuredCommunicator& communicator_;
  MemoryNames names_;
};

/// Of a collective that moves data.
class DataCalls final : public CheckedCalls {
 public:
  DataCalls(CollectiveCall of, std::vector<int> of_ranks, Placement endpoints, std::optional<int> makers,
            const StopQuestion& interrupted)
      : CheckedCalls(std::move(of), std::move(of_ranks), std::move(endpoints)),
        layouts_(layouts_of(call(), size())),
        makers_(makers.value_or(size())),
        interrupted_(interrupted),
        expected_(call(), size(), makers_, {}, interrupted),
        vectors_(layouts_, call().type, call().in_place),
        found_(static_cast<std::size_t>(calls())),
        begun_(ranks().size()) {
    for (auto& found : found_) found.resize(ranks().size());
    right_.resize(static_cast<std::size_t>(calls()), std::vector<char>(ranks().size()));
    for (int c = 0; c < calls(); ++c) bits_.emplace_back(layout(c), call().type, op_of(call(), c));
  }

  void make_call(MeasuredCommunicator& communicator, int number) override {
    const ExpectedCall& asked = expected(expected_, communicator, number);
    const StopPoint stop_point = [&] { communicator.stop_if_asked(); };
    const Rank rank = communicator.rank();
    begun_[static_cast<std::size_t>(rank.value())] = number;
    const CallVectors::Views views = vectors_.prepare(rank, asked, stop_point);
    const std::unique_ptr<InputWatch> watch = watch_of(rank, asked, views);
    begin(communicator, number);
    {
      const Watched watched(communicator, watch.get(), views);
      call().function(communicator, arguments_of(rank, asked.layout(), views, &op_of(call(), number)));
      communicator.require_all_waited_for();
    }
    end(communicator, number);
    check_call(communicator, number, views, watch.get());
    vectors_.restore_guards(rank);
  }

  WrongCalls explain_failures() const override {
    for (int c = 0; c < calls(); ++c) {
      std::vector<VectorFailure> failures;
      for (const auto& found : found_[static_cast<std::size_t>(c)]) {
        if (found) failures.push_back(*found);
      }
      if (!failures.empty()) return explain(c, failures);
    }
    return call().same_bits ? explain_different_bits() : WrongCalls();
  }

  std::string where() const override {
    const int next = std::ranges::min(begun_);
    if (next == 0) return "";
    return fmt::format("\nall ranks had ended the first call; the next is the {}", named_call(next));
  }

  std::optional<std::string> different_bits() const override {
    if (std::ranges::none_of(bits_, &CallBits::are_shared)) return std::nullopt;
    const int number = first_with_different_bits();
    if (number < 0) return "";
    const CallBits& bits = bits_[static_cast<std::size_t>(number)];
    return fmt::format("{} of {} elements after the {} call", bits.difference()->count, bits.elements(), call_name(number));
  }

  std::vector<ResultBits> result_bits() const override {
    std::vector<ResultBits> all;
    for (int c = 0; c < calls(); ++c) {
      const std::vector<std::uint64_t>& hashes = bits_[static_cast<std::size_t>(c)].hashes();
      for (std::size_t r = 0; r < hashes.size(); ++r)
        all.push_back({.call = c, .rank = static_cast<int>(r), .hash = hashes[r]});
    }
    return all;
  }

 private:
  /// Once it has returned. Apart from make_call(), which is on each rank's stack while algorithms run.
  [[gnu::noinline]] void check_call(MeasuredCommunicator& communicator, int number, const CallVectors::Views& views,
                                    const InputWatch* watch) {
    const StopPoint stop_point = [&] { communicator.stop_if_asked(); };
    const Rank rank = communicator.rank();
    ExpectedCalls& right = communicator.switch_precision() ? rounded(communicator) : expected_;
    std::unique_ptr<VectorFailure> found =
        check_vectors(vectors_, rank, watch, expected(right, communicator, number), previous_of(right, number), stop_point);
    expected_.note_made(number);
    if (&right != &expected_) right.note_made(number);
    if (watch != nullptr && watch->change()) note_change(*watch->change(), rank, found);
    const auto c = static_cast<std::size_t>(number);
    right_[c][static_cast<std::size_t>(rank.value())] = found ? 0 : 1;
    if (found)
      found_[c][static_cast<std::size_t>(rank.value())] = std::move(found);
    else
      take_bits(number, rank, views);
  }

  /// "third call: reduce 'binomial' of … (of another count)".
  std::string named_call(int number) const {
    const std::string difference = difference_text(call(), number);
    return fmt::format("{} call: {}{}", call_name(number), call_text(call(), layout(number), op_of(call(), number)),
                       difference.empty() ? "" : fmt::format(" ({})", difference));
  }

  /// The number of the first call after which ranks that share a result hold different bits; -1: none.
  int first_with_different_bits() const {
    const auto found = std::ranges::find_if(bits_, [](const CallBits& bits) { return bits.difference().has_value(); });
    return found == bits_.end() ? -1 : static_cast<int>(found - bits_.begin());
  }

  WrongCalls explain_different_bits() const {
    const int number = first_with_different_bits();
    if (number < 0) return {};
    const CallBits& bits = bits_[static_cast<std::size_t>(number)];
    const DifferentBits difference = *bits.difference();
    return {
        .kind = CheckError::Kind::different_bits,
        .text = fmt::format("ranks hold different bits after the {}\n  {}\n  each is within what roundings allow, but "
                            "who shares a result relies on its being the same; an algorithm that does not promise it says so "
                            "(same_bits = false, or the option bits=may_differ)",
                            named_call(number), different_bits_text(difference, bits.elements())),
        .facts = {.rank = difference.values.at(1).ranks.front().value(),
                  .element = difference.element,
                  .got = difference.values.at(1).text,
                  .expected = difference.values.front().text}};
  }

  /// Of a rank that has just returned, with the right result.
  void take_bits(int number, Rank rank, const CallVectors::Views& views) {
    const ConstVectorView output = CallVectors::output_of(rank, layout(number), views);
    bits_[static_cast<std::size_t>(number)].note(output, rank);
    if (call().keep == nullptr || call().keep->call != number || call().keep->rank != rank.value()) return;
    Buffer& kept = call().keep->output.emplace(output.type(), output.count());
    std::copy_n(output.data(), output.size_bytes(), kept.view().data());
    call().keep->first = views.shared ? layout(number).output(rank).first : 0;
  }

  /// nullptr: there is nothing to look at.
  std::unique_ptr<InputWatch> watch_of(Rank rank, const ExpectedCall& asked, const CallVectors::Views& views) const {
    if (views.input.empty() || !input_stays(asked.layout(), views)) return nullptr;
    return std::make_unique<InputWatch>(asked, rank, views.input, call().watch_whole_inputs);
  }

  /// What is still so in the end is told as that.
  static void note_change(const InputWatch::Change& change, Rank rank, std::unique_ptr<VectorFailure>& found) {
    if (!found) {
      found = std::make_unique<VectorFailure>();
      found->rank = rank;
    }
    if (found->input.count == 0) found->input_meanwhile = change;
  }

  /// Made by the first rank that needs it. Where it is stopped under the wall clock, which stops ranks in its own time, it goes on.
  template <class Make>
  static decltype(auto) made(MeasuredCommunicator& communicator, const StopQuestion& interrupted, const Make& make) {
    try {
      return make(interrupted);
    } catch (const RunStopped&) {
      communicator.stop_if_asked();
    }
    return make(StopQuestion());
  }
  const ExpectedCall& expected(ExpectedCalls& calls, MeasuredCommunicator& communicator, int number) const {
    return made(communicator, interrupted_,
                [&](const StopQuestion& question) -> const ExpectedCall& { return calls.of(number, question); });
  }

  /// The call before, if it had vectors as long.
  const ExpectedCall* previous_of(ExpectedCalls& calls, int number) const {
    if (number == 0 || layout(number - 1).count() != layout(number).count()) return nullptr;
    return &calls.of(number - 1);
  }

  const CallLayout& layout(int number) const { return layouts_[static_cast<std::size_t>(kind_of_call(number))]; }

  WrongCalls explain(int number, const std::vector<VectorFailure>& failures) const {
    const bool is_of_result =
        std::any_of(failures.begin(), failures.end(), [](const VectorFailure& failure) { return failure.is_of_result(); });
    WrongCalls wrong{.kind = is_of_result ? CheckError::Kind::wrong_result : CheckError::Kind::input_changed,
                     .text = fmt::format("{} the {}\n{}", is_of_result ? "wrong result of" : "input changed by",
                                         named_call(number), emu::explain(failures, layout(number), call().in_place))};
    const auto first =
        std::find_if(failures.begin(), failures.end(), [](const auto& failure) { return failure.output.count > 0; });
    if (first == failures.end()) return wrong;
    wrong.right.assign(right_[static_cast<std::size_t>(number)].begin(), right_[static_cast<std::size_t>(number)].end());
    const std::int64_t shown = first->output.runs.front().first;
    const CallLayout& shape = layout(number);
    const std::int64_t shown_from = vectors_.views(first->rank, shape).shared ? shape.output(first->rank).first : 0;
    wrong.first = {{number, first->rank, shown - shown_from}, fmt::format("element {} on rank {}", shown, first->rank.value())};
    wrong.facts = {.rank = first->rank.value(), .element = shown, .got = first->output.got, .expected = first->output.expected};
    return wrong;
  }

  /// What is right once switches have rounded: made when they have.
  ExpectedCalls& rounded(MeasuredCommunicator& communicator) {
    return made(communicator, interrupted_, [this](const StopQuestion& question) -> ExpectedCalls& {
      rounded_once_(
          [&] { rounded_ = std::make_unique<ExpectedCalls>(call(), size(), makers_, call().switch_precision, question); });
      return *rounded_;
    });
  }

  std::vector<CallLayout> layouts_;  ///< by kind of call
  int makers_;
  StopQuestion interrupted_;
  Once rounded_once_;
  std::unique_ptr<ExpectedCalls> rounded_;
  ExpectedCalls expected_;
  CallVectors vectors_;
  /// By call and rank: what is wrong. A pointer, as there are many ranks and few failures.
  std::vector<std::vector<std::unique_ptr<VectorFailure>>> found_;
  std::vector<std::vector<char>> right_;  ///< by call and rank: it returned with the right output and an input as it was
  std::deque<CallBits> bits_;             ///< by call
  std::vector<int> begun_;                ///< by rank: the number of its last call
};

}  // namespace

std::unique_ptr<CheckedCalls> make_checked_calls(CollectiveCall call, std::vector<int> ranks, Placement placement,
                                                 std::optional<int> makers, const StopQuestion& interrupted) {
  if (call.collective == Collective::barrier)
    return make_barrier_calls(std::move(call), std::move(ranks), std::move(placement));
  return std::make_unique<DataCalls>(std::move(call), std::move(ranks), std::move(placement), makers, interrupted);
}

namespace {

bool serves(const CollectiveCall& call, std::int64_t count, Rank root) {
  return call.serves == nullptr || call.serves(count, root);
}

/// The third call's: another count, and other blocks where they have given sizes.
CallLayout other_layout(const CollectiveCall& call, int ranks, Rank root) {
  std::vector<std::int64_t> blocks = call.blocks;
  if (!blocks.empty()) {
    std::rotate(blocks.begin(), blocks.begin() + 1, blocks.end());
    for (std::int64_t& size : blocks) ++size;
    return {call.collective, ranks, call.sampled + std::ssize(blocks), blocks, root};
  }
  const std::int64_t step = call.collective == Collective::alltoall ? ranks : 1;
  const std::int64_t other = call.sampled > kFew ? call.sampled / 2 : call.sampled + call.sampled / 2 + step;
  if (serves(call, other - other % step, root)) return {call.collective, ranks, other - other % step, {}, root};
  const std::int64_t more = (other / ranks + 1) * ranks;
  return {call.collective, ranks, serves(call, more, root) ? more : call.sampled, {}, root};
}

}  // namespace

CallLayout layout_of(const CollectiveCall& call, int ranks, int number) {
  Rank root(has_root(call.collective) ? (call.root.value() + number % 2) % ranks : 0);
  if (has_root(call.collective) && root != call.root && !serves(call, call.sampled, root)) root = call.root;
  const bool is_other = kind_of_call(number) == 2;
  if (!call.sends.empty()) {
    const CountMatrix held = call.sends.scaled(call.sampled, call.count);
    return CallLayout::alltoall(is_other ? held.another() : held);
  }
  return is_other ? other_layout(call, ranks, root) : CallLayout(call.collective, ranks, call.sampled, call.blocks, root);
}

const ReduceOp& op_of(const CollectiveCall& call, int number) {
  if (number == 0 || !call.op->idempotent()) return *call.op;
  const bool is_plain = call.op->commutative() && call.type.kind() != Datatype::Kind::user;
  return is_plain ? ReduceOp::sum() : bytewise_sum(call.op->commutative());
}

std::string call_text(const CollectiveCall& call, const CallLayout& layout, const ReduceOp& op) {
  std::string text = fmt::format("{} '{}'", to_string(call.collective), call.name);
  if (call.collective != Collective::barrier)
    text += fmt::format(" of {}{} {}", reduces(call.collective) ? op.name() + " " : "", layout.count(), to_string(call.type));
  if (has_root(call.collective)) text += fmt::format(" at root {}", layout.root().value());
  if (!call.blocks.empty()) text += " in blocks of given sizes";
  if (!call.sends.empty()) text += fmt::format(" {}", call.sends.description());
  if (!call.in_place && call.collective != Collective::barrier) text += ", out of place";
  return text + fmt::format(", {} ranks, seed {}", layout.ranks(), call.seed);
}

std::string difference_text(const CollectiveCall& call, int number) {
  std::string text;
  if (kind_of_call(number) == 2) text = call.sends.empty() ? "of another count" : "of other counts";
  if (CheckedCalls::is_elsewhere(number)) text = "on another communicator";
  const ReduceOp& op = op_of(call, number);
  if (reduces(call.collective) && &op != call.op)
    text += fmt::format("{}{} in place of {}, which would hide what comes twice", text.empty() ? "" : ", ", op.name(),
                        call.op->name());
  return text;
}

const ReduceOp& bytewise_sum(bool says_that_it_commutes) {
  const auto make = [](bool commutative) {
    return ReduceOp("bytewise sum",
                    [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                      for (std::size_t i = 0; i < count * type.size(); ++i)
                        result[i] = static_cast<std::byte>(std::to_integer<unsigned>(a[i]) + std::to_integer<unsigned>(b[i]));
                    },
                    {.commutative = commutative});
  };
  static const ReduceOp commutes = make(true);
  static const ReduceOp does_not = make(false);
  return says_that_it_commutes ? commutes : does_not;
}

}  // namespace heddle::emu
