// SPDX-License-Identifier: Apache-2.0
// The calls of a checked run, by one group of ranks or several at once, and what they leave behind.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/data/expected_call.hpp"
#include "emu/explain/traced_run.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// 0 … count-1.
std::vector<int> all_ranks(std::size_t count);

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

/// What ranks call together, one call after the other. Each rank makes each call on its own task, and writes its own places only.
class CheckedCalls {
 public:
  CheckedCalls(const CheckedCalls&) = delete;
  CheckedCalls& operator=(const CheckedCalls&) = delete;
  virtual ~CheckedCalls() = default;

  int size() const { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& ranks() const { return ranks_; }
  const CollectiveCall& call() const { return call_; }
  /// Of these ranks alone.
  const Placement& placement() const { return placement_; }

  /// The first is the one that is measured.
  virtual int calls() const { return call_.calls; }
  /// Whether call number 0, 1, … is made on a communicator of its own.
  static bool is_elsewhere(int number) { return kind_of_call(number) == 3; }
  /// Call 0 lies between the start and the finish line.
  virtual void make_call(MeasuredCommunicator& communicator, int number) = 0;
  /// All but the first.
  void make_other_calls(MeasuredCommunicator& communicator);

  /// By rank: when it had returned from the first call, before that was checked; Time::max(): it has not.
  const std::vector<Time>& completions() const { return completions_; }
  virtual WrongCalls explain_failures() const = 0;
  /// Of a run that has failed after all ranks had ended the first call: which call was next, in words, with a newline before them. Else empty.
  virtual std::string where() const { return ""; }
  /// Where ranks that share a result hold different bits, in words; empty: nowhere. No value: they share none that rounds.
  virtual std::optional<std::string> different_bits() const { return std::nullopt; }
  /// Of each call whose result rounds, by rank; as those of group 0.
  virtual std::vector<ResultBits> result_bits() const { return {}; }

 protected:
  CheckedCalls(CollectiveCall call, std::vector<int> ranks, Placement placement);

  // What the function of a call stands between.
  static void begin(MeasuredCommunicator& communicator, int number) {
    if (number == 0) communicator.start_line();
  }
  void end(MeasuredCommunicator& communicator, int number) {
    if (number == 0) completions_[static_cast<std::size_t>(communicator.rank().value())] = communicator.finish_line();
  }

 private:
  CollectiveCall call_;
  std::vector<int> ranks_;
  Placement placement_;
  std::vector<Time> completions_;
};

/// `ranks` are those of the run, `placement` is where these sit. `makers`: how many of them make their calls on this object; no
/// value: all. `interrupted` is asked while the data is made (RunStopped).
std::unique_ptr<CheckedCalls> make_checked_calls(CollectiveCall call, std::vector<int> ranks, Placement placement = {},
                                                 std::optional<int> makers = {}, const StopQuestion& interrupted = {});
/// The same of a barrier: whether it holds everyone until everyone is there.
std::unique_ptr<CheckedCalls> make_barrier_calls(CollectiveCall call, std::vector<int> ranks, Placement placement);

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

/// Groups that share no rank call at once; those that do, as tasks of the ranks that they share.
class GroupsRun {
 public:
  /// `calls`: by group, each its own.
  GroupsRun(const std::vector<CollectiveCall>& calls, const std::vector<std::vector<int>>& groups, const Placement& placement,
            const StopQuestion& interrupted = {});

  /// On every rank of the run.
  void operator()(MeasuredCommunicator& world);

  /// One group of all ranks, in their order.
  bool is_world() const { return is_world_; }
  const std::vector<std::unique_ptr<CheckedCalls>>& groups() const { return groups_; }

  // Once it is over; as Report has them.
  std::optional<std::string> different_bits() const;
  std::vector<ResultBits> result_bits() const;

 private:
  /// Where a rank belongs in a layer: groups of which no two have a rank in common.
  struct Position {
    int group = -1;  ///< none
    int rank = 0;    ///< there
  };
  const Position& position_of(const Communicator& world, int layer) const;
  CheckedCalls& group_of(const Communicator& world, int layer);
  std::unique_ptr<MeasuredCommunicator> enter(MeasuredCommunicator& world, int layer) const;
  int layers() const { return static_cast<int>(positions_.size()); }

  bool is_world_;
  std::vector<std::unique_ptr<CheckedCalls>> groups_;
  std::vector<std::vector<Position>> positions_;  ///< by layer and rank
};

// What a wrong result depends on besides what was asked for: found out by running the call again, as it was and in other orders.

/// What is wrong with a call that is made once more, by all ranks of a run of their own; empty: nothing.
std::string wrong_when_repeated(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                EmulationSettings settings);

struct Dependence {
  bool comes_again = true;  ///< the same call, made again, is wrong in the same way
  std::string text = {};    ///< a line, indented, without a newline; empty: nothing was found
};

/// `wrong` is what explain_failures() says of the group, whose ranks are all of the run. It is made again a few times.
Dependence find_dependence(const Fabric& fabric, const CheckedCalls& group, const EmulationSettings& settings,
                           const std::string& wrong);

}  // namespace heddle::emu
