// SPDX-License-Identifier: Apache-2.0
// One element of a vector, for messages.
#pragma once

#include <cstdint>
#include <string>

#include "core/vector_view.hpp"

namespace heddle::emu {

/// "-7", "0.25", "0x00ff…" (bytes in memory order, the first sixteen) for a user's type.
std::string element_text(ConstVectorView vector, std::int64_t element);

}  // namespace heddle::emu
