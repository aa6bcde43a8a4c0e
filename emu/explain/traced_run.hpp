// SPDX-License-Identifier: Apache-2.0
// Calls of a collective on elements that know what they are made of, every message noted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/data/call_layout.hpp"
#include "emu/data/call_vectors.hpp"
#include "emu/explain/contributions.hpp"
#include "emu/explain/message_log.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/collective.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

/// Calls back to back. What it refers to outlives it.
struct TracedCalls {
  const CollectiveFunction& function;
  Datatype type;
  const ReduceOp* op;               ///< nullptr where nothing is reduced
  std::vector<CallLayout> layouts;  ///< one per call
  bool in_place = true;
  bool (*is_elsewhere)(int call) = nullptr;  ///< which calls are made on another communicator of the same ranks; null: none
  std::vector<bool> right = {};  ///< by rank: whether all of its output is right in the call that goes wrong; empty: not known
  bool ignores_values =
      false;  ///< the function neither looks at elements nor computes with them by itself: known, not to be tried
  std::int64_t together =
      1;  ///< elements in a row that have the same done with them, from multiples of it on; divides all counts

  Contributions::Extent extent() const;
};

class TracedRun {
 public:
  /// Element i of a rank's output in a call.
  struct Place {
    int call = 0;
    Rank rank;
    std::int64_t i = 0;
  };

  /// Throws UsageError if not each contribution can have a name.
  TracedRun(const TracedCalls& calls, Contributions::Traced traced, Contributions::Form form = {});

  /// Which element's value is to be kept, of all ranks that have it.
  void watch(const Place& place);
  /// Once. All calls but the first are made as second calls. Throws what emulate() throws; the messages until then are noted.
  void run(const Fabric& fabric, const Placement& placement, EmulationSettings settings);

  const Contributions& contributions() const { return contributions_; }
  const std::vector<LoggedMessage>& messages() const { return log_.messages(); }
  const MessageLog& log() const { return log_; }
  /// What was in the watched element when the call returned, by rank; no value where it did not, or where the output has no
  /// such element (of the whole vector; an alltoall's have nothing in common).
  const std::vector<std::optional<ValueId>>& watched_values() const { return watched_values_; }
  /// What lay in the watched element of the rank that is watched, where it has a value.
  const std::vector<std::byte>& watched_bytes() const { return watched_bytes_; }
  /// A rank's output in a call; empty if the call has not begun. Only where it is, not what is in it, lasts.
  ConstVectorView output(int call, Rank rank) const;

 private:
  void run_rank(MeasuredCommunicator& communicator);
  void note_watched(int call, Rank rank);

  const TracedCalls& calls_;
  Contributions contributions_;
  MessageLog log_;
  CallVectors vectors_;
  std::vector<std::vector<VectorView>> outputs_;  ///< by call and rank
  std::optional<Place> watched_;
  std::vector<std::optional<ValueId>> watched_values_;
  std::vector<std::byte> watched_bytes_;
};

/// What a rank's output must be made of at element i.
std::vector<Term> expected_terms(const CallLayout& layout, int call, Rank rank, std::int64_t i);

/// What repeats have shown.
struct Trace {
  /// Several lines, each indented, without a final newline; empty: there can be no repeat.
  std::string text;
  /// Besides, what happened in the repeat that such an element may come from: lines, each after a newline.
  std::string notes = {};
  /// All that belongs into the element is there once, but was not combined in rank order.
  bool is_out_of_order = false;
  /// The element is, or is made of, what a receive's buffer shows until its message is there: only the first bytes of one do, and the
  /// others are as they were before, otherwise each time.
  bool is_of_open_receive = false;
  /// The repeat is right where the run is wrong, and goes one way whatever its elements look like.
  bool is_right = false;
  bool has_other_type = false;  ///< of elements, than the run
  FailureFacts facts = {};      ///< what is missing, doubled and foreign
};

/// Repeats calls and says where a wrong element comes from, `place` being its name.
Trace trace(const Fabric& fabric, const Placement& placement, const TracedCalls& calls, const EmulationSettings& settings,
            const TracedRun::Place& wrong, const std::string& place);

}  // namespace heddle::emu
