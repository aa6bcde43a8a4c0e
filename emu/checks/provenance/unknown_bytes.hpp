// SPDX-License-Identifier: Apache-2.0
// Bytes in the place of an element that are no name: what they look like, and no more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emu/checks/provenance/contributions.hpp"

namespace heddle::emu {

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
