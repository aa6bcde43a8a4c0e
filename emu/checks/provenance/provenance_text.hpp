// SPDX-License-Identifier: Apache-2.0
// Contributions, values and messages in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emu/checks/provenance/provenance.hpp"

namespace heddle::emu {

class ProvenanceText {
 public:
  /// All references outlive this.
  ProvenanceText(const Contributions& contributions, const std::vector<LoggedMessage>& messages, const WrongElement& wrong,
                 bool reduces)
      : contributions_(contributions), messages_(messages), wrong_(wrong), reduces_(reduces) {}

  /// "the contributions of ranks 0-3, 5 (twice)", "rank 2's contribution", "element 12 of rank 3".
  std::string value(ValueId value) const;
  std::string terms(std::span<const Term> terms) const;
  /// "the buffer of rank 2's receive from rank 1 (tag 3)".
  std::string open_receive(const Term& term) const;
  /// What belongs where the wrong value is.
  std::string expected() const { return terms(wrong_.expected); }
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

  const Contributions& contributions_;
  const std::vector<LoggedMessage>& messages_;
  const WrongElement& wrong_;
  bool reduces_;
};

}  // namespace heddle::emu
