// SPDX-License-Identifier: Apache-2.0
#include "core/errors.hpp"

namespace heddle {

std::string to_string(CheckError::Kind kind) {
  switch (kind) {
    case CheckError::Kind::wrong_result:
      return "wrong_result";
    case CheckError::Kind::input_changed:
      return "input_changed";
    case CheckError::Kind::order:
      return "order";
    case CheckError::Kind::deadlock:
      return "deadlock";
    case CheckError::Kind::hygiene:
      return "hygiene";
    case CheckError::Kind::truncation:
      return "truncation";
    case CheckError::Kind::usage:
      return "usage";
    case CheckError::Kind::rank_failed:
      return "rank_failed";
    case CheckError::Kind::too_fast:
      return "too_fast";
    case CheckError::Kind::formula:
      return "formula";
    case CheckError::Kind::damaged:
      return "damaged";
    case CheckError::Kind::cut:
      return "cut";
  }
  return "unknown";
}

}  // namespace heddle
