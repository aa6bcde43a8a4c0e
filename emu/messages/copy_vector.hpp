// SPDX-License-Identifier: Apache-2.0
// Communicator::copy, as every Communicator here has it.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/argument_checks.hpp"

namespace heddle::emu {

/// How many bytes were copied: none into the same memory. Throws UsageError as require_copyable().
inline std::size_t copy_vector(VectorView into, ConstVectorView from, const MemoryNames* names) {
  const std::size_t bytes = require_copyable(into, from, names);
  if (bytes > 0) std::memcpy(into.data(), from.data(), bytes);
  return bytes;
}

}  // namespace heddle::emu
