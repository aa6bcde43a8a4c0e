// SPDX-License-Identifier: Apache-2.0
// The calls of a checked run on one communicator, and what they leave behind.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/data/call_layout.hpp"
#include "emu/explain/traced_run.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/record/report.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

// Whether a barrier holds everyone until everyone is there.

/// In the first call, which is measured, all enter at once unless a fault keeps one; nobody may leave at a time before the last
/// has entered. In each of the others one rank comes long after all others, which must not leave before: each rank in turn, or,
/// where there are more than sixteen, the first, the last and fourteen that the seed draws.
class BarrierCheck {
 public:
  /// With so many calls at the least: ranks come late in turns.
  BarrierCheck(int ranks, std::uint64_t seed, int least_calls = 1);

  int calls() const { return 1 + static_cast<int>(late_.size()); }

  /// Around a call, on the rank's own task; ranks may do so at the same time.
  void enter(MeasuredCommunicator& communicator, int call);
  void leave(Rank rank, int call);
  /// Of the first call: when the rank entered, once it could, and when it had left.
  void note_first(Rank rank, Time entered, Time left);

  /// "ranks 0-2 left before rank 3 had entered", or empty.
  std::string explain() const;

 private:
  /// Who comes late in this call, 1 …
  Rank late(int call) const { return late_[static_cast<std::size_t>(call) - 1]; }
  std::string explain_first() const;

  int ranks_;
  std::vector<Rank> late_;        ///< by call, from the second on
  std::vector<Time> entered_at_;  ///< in the first call, by rank
  std::vector<Time> left_at_;
  std::vector<std::atomic<bool>> entered_;         ///< by call: the late rank is there
  std::vector<std::vector<char>> left_too_early_;  ///< by call and rank
};

/// Which of the first five calls it is like (CollectiveCall::calls): from the sixth on they take turns as the second to the fifth.
constexpr int kind_of_call(int number) { return number < 1 ? 0 : (number - 1) % 4 + 1; }

/// Wrong calls, in words.
struct WrongCalls {
  CheckError::Kind kind = CheckError::Kind::wrong_result;
  std::string text;  ///< empty: there are none

  /// An element of a wrong output, if an output is wrong, and what it is called.
  struct Element {
    TracedRun::Place place;
    std::string name;
  };
  std::optional<Element> first = {};
  std::vector<bool> right = {};  ///< by rank: whether it returned from that call with the right output
  FailureFacts facts = {};
};

/// Each call is made by every rank, on its own task; each rank writes its own places only.
class CheckedCalls {
 public:
  CheckedCalls() = default;
  CheckedCalls(const CheckedCalls&) = delete;
  CheckedCalls& operator=(const CheckedCalls&) = delete;
  virtual ~CheckedCalls() = default;

  /// The first is the one that is measured.
  virtual int calls() const = 0;
  /// Whether call number 0, 1, … is made on a communicator of its own.
  static bool is_elsewhere(int number) { return kind_of_call(number) == 3; }
  /// When it had returned on this rank, before it was checked. Call 0 lies between the start and the finish line.
  virtual Time make_call(MeasuredCommunicator& communicator, int number) = 0;
  virtual WrongCalls explain_failures() const = 0;
  /// Of a run that has failed after all ranks had ended the first call: which call was next, in words, with a newline before them. Else empty.
  virtual std::string where() const { return ""; }
  /// Where ranks that share a result hold different bits, in words; empty: nowhere. No value: they share none that rounds.
  virtual std::optional<std::string> different_bits() const { return std::nullopt; }
  /// Of each call whose result rounds, by rank; as those of group 0.
  virtual std::vector<ResultBits> result_bits() const { return {}; }
};

/// `call` outlives it. `makers`: how many of the ranks make their calls on this object; no value: all.
std::unique_ptr<CheckedCalls> make_checked_calls(const CollectiveCall& call, int ranks, std::optional<int> makers = {});

/// What is called by call number 0, 1, … (CollectiveCall::calls).
CallLayout layout_of(const CollectiveCall& call, int ranks, int number = 0);

/// The operation of call number 0, 1, …. An idempotent one hides contributions that come twice, and may hide missing ones: all
/// calls but the first are sums in its place.
const ReduceOp& op_of(const CollectiveCall& call, int number);

/// "reduce 'binomial' of sum 20 i32 at root 3, 5 ranks, seed 1".
std::string call_text(const CollectiveCall& call, const CallLayout& layout, const ReduceOp& op);

/// What sets call number 1, 2, … apart from the first besides its data and root, as in "of another count"; empty: nothing.
std::string difference_text(const CollectiveCall& call, int number);

/// a ∘ b = a + b byte by byte, on elements of any type. It commutes, whatever it says of itself.
const ReduceOp& bytewise_sum(bool says_that_it_commutes);

}  // namespace heddle::emu
