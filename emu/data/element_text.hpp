// SPDX-License-Identifier: Apache-2.0
// One element of a vector, for messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// "-7", "0.25", "0x00ff…" (bytes in memory order, the first sixteen) for a user's type.
std::string element_text(ConstVectorView vector, std::int64_t element);

/// What could be in an element instead of what belongs there.
struct OtherElement {
  const char* name;  ///< "the rank's own contribution"
  ConstVectorView bytes;
};

/// Where an element differs from what it must be, if that is in a bit or two, or in a part whose bytes are those of one of
/// `others`: "bit 10 (0x00000400) alone differs", "of its 4 bytes, 2-3 are those of the rank's own contribution". Else empty.
std::string difference_text(ConstVectorView got, ConstVectorView expected, std::span<const OtherElement> others);

}  // namespace heddle::emu
