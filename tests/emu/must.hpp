// SPDX-License-Identifier: Apache-2.0
// What a rank's function finds: only the test's own thread asserts, so it throws.
#pragma once

#include <stdexcept>
#include <string>

#include "heddle/errors.hpp"

namespace heddle {

/// The run fails with `what` unless it holds.
inline void must(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// What the call is told in a UsageError; empty: it is not refused.
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace heddle
