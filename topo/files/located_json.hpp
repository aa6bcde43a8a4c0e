// SPDX-License-Identifier: Apache-2.0
// JSON text as a tree whose values know their lines, so that what is wrong with them can be said where they stand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct LocatedJson {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  int line = 1;      ///< where it begins; 1 is the first
  std::string key;   ///< of an object's member
  std::string text;  ///< of a string
  double number = 0;
  bool truth = false;
  std::vector<LocatedJson> parts;  ///< of an array or object, in the order of the text

  /// The member of an object; nullptr if there is none.
  const LocatedJson* find(std::string_view name) const;
};

/// "a number", "an object": for messages.
std::string_view describe(LocatedJson::Kind kind);

/// Throws InputError "FILE:LINE: REASON" for what is not JSON and for a key that an object has twice.
LocatedJson read_located_json(std::string_view text, const std::string& file);

}  // namespace heddle
