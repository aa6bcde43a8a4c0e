// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "heddle/errors.hpp"

namespace heddle::fuzzers {

/// read(), which may refuse what it is given.
template <class Read>
void may_refuse(const Read& read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace heddle::fuzzers
