// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

/// One character at the start of a text in UTF-8 (RFC 3629).
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< that it takes; 0: these bytes are no UTF-8
};
/// Of a text that is not empty.
Character first_character(std::string_view text);

/// A text of others (a name in a file, what an exception says) as it may stand within a line of output. What is no printable
/// character of valid UTF-8 becomes an escape (\n, \t, \x1b, \u202e, \xff). So it can neither end a line nor steer a terminal,
/// and it is valid in JSON and XML. A backslash of the text's own stays as it is.
std::string printable(std::string_view text);

/// The same for a text of several lines: its newlines stay.
std::string printable_lines(std::string_view text);

/// "1 rank", "3 ranks", "2 switches".
std::string counted(std::int64_t count, std::string_view noun, std::string_view ending = "s");

}  // namespace heddle
