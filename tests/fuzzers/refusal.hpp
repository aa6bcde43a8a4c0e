// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace heddle::fuzzers
