// SPDX-License-Identifier: Apache-2.0
// Where a contribution went that is missing from a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "emu/checks/provenance/provenance.hpp"

namespace heddle::emu {

class LostContribution {
 public:
  /// All references outlive this. `term` is a contribution that `wrong` lacks.
  LostContribution(const Contributions& contributions, const std::vector<LoggedMessage>& messages, const SumMakers& makers,
                   const WrongElement& wrong, const Term& term);

  /// The first message with it whose value the receiver neither had in its result nor sent on, alone or in a sum.
  /// Needs `wrong.results`.
  struct Unused {
    std::size_t message;
    ValueId value;
  };
  std::optional<Unused> first_unused() const;

  /// What the receiver made of it all the same, last, and the message that was received over that, if one was.
  struct Combined {
    ValueId sum;
    std::optional<std::size_t> over;
  };
  std::optional<Combined> combined(const Unused& unused) const;

  /// A sum with it that a rank had made before an event, and the message that was received over that, though none had carried it away.
  struct Overwritten {
    ValueId sum;
    std::size_t by;
  };
  /// The first to be overwritten.
  std::optional<Overwritten> overwritten(int rank, std::uint64_t before) const;

  /// A rank that had received it, yet made a part of the wrong value without it.
  struct LeftBehind {
    std::size_t brought;              ///< the message that had brought it
    std::optional<std::size_t> sent;  ///< the one that carried the part without it; none: the rank kept it
    ValueId part;
  };
  /// The first on the way to `value`, which `rank` had made before an event.
  std::optional<LeftBehind> first_left_behind(ValueId value, int rank, std::uint64_t before) const;

  /// The last message that carried it before an event.
  std::optional<std::size_t> last_carrier(std::uint64_t before) const;

 private:
  bool is_in_verification() const { return wrong_.call > 0; }
  bool carries(const LoggedMessage& message) const;
  bool is_received(const LoggedMessage& message, int rank, std::uint64_t before) const;
  std::optional<std::size_t> received_over(const MadeSum& made, int rank) const;
  bool is_sent_on(const MadeSum& made, int rank) const;
  std::unordered_set<ValueId> values_used_by(int rank) const;
  std::unordered_set<ValueId> parts_of(std::vector<ValueId> values) const;

  const Contributions& contributions_;
  const std::vector<LoggedMessage>& messages_;
  const SumMakers& makers_;
  const WrongElement& wrong_;
  Contributions::Containing contains_;
};

}  // namespace heddle::emu
