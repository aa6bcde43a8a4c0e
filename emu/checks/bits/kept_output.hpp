// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/vector_view.hpp"

namespace heddle::emu {

/// Which rank's result a checked run is to keep, and what it was.
struct KeptOutput {
  int group = 0;
  int call = 0;
  int rank = 0;  ///< of the group
  std::optional<Buffer> output = {};
  std::int64_t first = 0;  ///< what its element 0 is called in explanations
};

}  // namespace heddle::emu
