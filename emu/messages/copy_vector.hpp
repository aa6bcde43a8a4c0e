// SPDX-License-Identifier: Apache-2.0
// Communicator::copy, as every Communicator here has it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

#include "core/communicator.hpp"
#include "core/errors.hpp"

namespace heddle::emu {

/// How many bytes were copied: none into the same memory. Throws UsageError unless both have one type and length.
inline std::size_t copy_vector(VectorView into, ConstVectorView from) {
  if (into.type() != from.type() || into.count() != from.count())
    throw UsageError(fmt::format("copy of {} x {} into {} x {}", from.count(), to_string(from.type()), into.count(),
                                 to_string(into.type())));
  if (into.empty() || into.data() == from.data()) return 0;
  std::memcpy(into.data(), from.data(), into.size_bytes());
  return into.size_bytes();
}

}  // namespace heddle::emu
