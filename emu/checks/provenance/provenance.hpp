// SPDX-License-Identifier: Apache-2.0
// Where a wrong element comes from: which contributions are missing, doubled, out of place or out of order, which rank and
// which message made it so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emu/checks/provenance/contributions.hpp"
#include "emu/checks/provenance/message_log.hpp"

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

}  // namespace heddle::emu
