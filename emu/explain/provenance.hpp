// SPDX-License-Identifier: Apache-2.0
// Where a wrong element comes from: which contributions are missing, doubled, out of place or out of order, which rank and
// which message made it so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "emu/explain/contributions.hpp"
#include "emu/explain/message_log.hpp"

namespace heddle::emu {

/// An element of an output that is wrong, in a run whose elements know what they are made of.
struct WrongElement {
  int call = 0;  ///< 0: the measured one
  int rank = 0;
  std::int64_t element = 0;  ///< as the contributions to it are numbered
  ValueId got = Contributions::kUnknown;
  const std::byte* address = nullptr;
  /// What it must be made of, in rank order; one term where nothing is combined.
  std::vector<Term> expected;
  /// What the other ranks have of the same element, by rank; no value where that is not known or there is no such element.
  std::vector<std::optional<ValueId>> results = {};
  std::string place = {};  ///< in words: "element 4 on rank 0"
  /// What lies there, of which `got` is the name; may be empty if it is one.
  std::vector<std::byte> bytes = {};
};

/// What an explanation is drawn from. All of it outlives this.
class Evidence {
 public:
  Evidence(const Contributions& contributions, const std::vector<LoggedMessage>& messages, const WrongElement& wrong)
      : contributions_(contributions), messages_(messages), wrong_(wrong) {}

 protected:
  bool is_in_second_call() const { return wrong_.call > 0; }
  /// Whether the rank received it in the call that went wrong, before an event.
  bool is_received(const LoggedMessage& message, int rank, std::uint64_t before = LoggedMessage::kNever) const {
    return message.dest == rank && message.received_event < before && message.received_in_second_call == is_in_second_call();
  }
  static bool carries(const LoggedMessage& message, const Contributions::Containing& contains) {
    return std::ranges::any_of(message.carried, std::cref(contains), &LoggedMessage::Carried::value);  // which is large
  }

  const Contributions& contributions_;
  const std::vector<LoggedMessage>& messages_;
  const WrongElement& wrong_;
};

/// What else matters to an explanation.
struct ProvenanceSetting {
  bool reduces = true;           ///< contributions are combined, not moved
  bool order_matters = false;    ///< the operation does not commute
  bool doubling_matters = true;  ///< it is not idempotent
  bool follows_all = true;       ///< each message is one of elements: what none of them brought, no message did
  /// Which element of a rank's output lies at an address, numbered as the contributions to it; nothing if none does or there is
  /// no such number. May be empty.
  std::function<std::optional<std::int64_t>(int rank, const std::byte* address)> element_at = {};
};

struct Provenance {
  struct Count {
    Term term;
    std::uint64_t times;
  };

  // What is wrong with the element, each in order of rank and element.
  std::vector<Term> missing;
  std::vector<Count> repeated;     ///< expected once, there more often
  std::vector<Term> foreign;       ///< not expected there
  std::vector<Term> out_of_order;  ///< all that was expected, once each, as it was combined; empty if in order

  /// One sentence: what happened, on which rank, with which message; and the message of it, by its number in the log.
  std::string cause;
  int cause_rank = 0;
  std::optional<std::size_t> cause_message;
  /// The first message that carried a value made wrong, if any did.
  std::optional<std::size_t> first_wrong_message;

  /// Several lines, each indented, without a final newline.
  std::string text;
};

/// Values that could have been in the place of a wrong element: of this element, and what messages carried.
std::vector<ValueId> possible_values(const Contributions& contributions, const std::vector<LoggedMessage>& messages,
                                     const WrongElement& wrong);

/// No value if the element is as it must be: what makes it wrong is not who contributes.
std::optional<Provenance> find_provenance(const Contributions& contributions, const std::vector<LoggedMessage>& messages,
                                          const WrongElement& wrong, const ProvenanceSetting& setting);

// Where a contribution went that is missing from a result.

class LostContribution : Evidence {
 public:
  /// `makers` outlives this. `term` is a contribution that the wrong element lacks.
  LostContribution(const Evidence& evidence, const SumMakers& makers, const Term& term)
      : Evidence(evidence), makers_(makers), contains_(contributions_, contributions_.name_of(term)) {}

  /// The first message with it whose value the receiver neither had in its result nor sent on, alone or in a sum: one to `rank`, if
  /// there is one. Others may have no use for the element. Needs `wrong.results`.
  struct Unused {
    std::size_t message;
    ValueId value;
  };
  std::optional<Unused> first_unused(int rank) const;

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
  std::optional<std::size_t> received_over(const MadeSum& made, int rank) const;
  bool is_sent_on(const MadeSum& made, int rank) const;
  std::unordered_set<ValueId> values_used_by(int rank) const;
  std::unordered_set<ValueId> parts_of(std::vector<ValueId> values) const;

  const SumMakers& makers_;
  Contributions::Containing contains_;
};

// Contributions, values and messages in words.

class ProvenanceText : Evidence {
 public:
  ProvenanceText(const Evidence& evidence, bool reduces) : Evidence(evidence), reduces_(reduces) {}

  /// "the contributions of ranks 0-3, 5 (twice)", "rank 2's contribution", "element 12 of rank 3".
  std::string value(ValueId value) const;
  std::string terms(std::span<const Term> terms) const;
  /// "the buffer of rank 2's receive from rank 1 (tag 3)".
  std::string open_receive(const Term& term) const;
  /// What belongs where the wrong value is, and that it does: "rank 2's contribution belongs".
  std::string expected_belongs() const {
    return terms(wrong_.expected) + (reduces_ && wrong_.expected.size() > 1 ? " belong" : " belongs");
  }
  /// "rank 2", "the switches".
  static std::string who(int rank);
  /// "from rank 2 to rank 0 (tag 0, round 1, posted at 1.2us)"
  std::string message(std::size_t number) const;
  /// Several lines, each indented.
  std::string whole(const Provenance& found) const;

  /// Whether it is made of contributions of one call to one element alone.
  bool is_plain(ValueId value) const;

 private:
  using Count = Provenance::Count;
  std::string counts(std::span<const Count> counts) const;
  std::string group(std::span<const Count> group) const;
  std::string call_suffix(int call) const;
  std::string carried(const LoggedMessage& message, const Provenance& found) const;

  bool reduces_;
};

// Bytes in the place of an element that are no name: what they look like, and no more than that.

struct UnknownBytes {
  enum class Kind : std::uint8_t {
    poison,    ///< nobody has written there
    zeros,     ///< all of them
    open,      ///< what a receive's buffer shows until its message is there
    near,      ///< a value, but for one bit or two
    reversed,  ///< a value, its bytes in the other order
    in_parts,  ///< the beginning of one value (or of what was there before) and the end of another
    other,     ///< nothing that can be told
  };
  /// A part: a value's bytes; no value: what was there before, poison or zeros.
  struct Part {
    std::optional<ValueId> value = {};
    bool is_poison = false;
  };

  Kind kind = Kind::other;
  ValueId value = Contributions::kUnknown;  ///< which it is near to, or reversed
  int bits = 0;                             ///< in which it is not
  std::size_t split = 0;                    ///< where the second part begins
  Part first = {};
  Part second = {};
};

/// `candidates`: values that could have been there.
UnknownBytes look_at(const Contributions& contributions, std::span<const std::byte> bytes, std::span<const ValueId> candidates);

}  // namespace heddle::emu
