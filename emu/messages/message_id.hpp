// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle::emu {

/// Of a message under way. A number is given again once its message has been received.
using MessageId = std::uint32_t;

}  // namespace heddle::emu
