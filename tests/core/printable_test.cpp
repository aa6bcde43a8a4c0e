// SPDX-License-Identifier: Apache-2.0
#include "core/printable.hpp"

#include <string>

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("what is printable stays as it is") {
  for (const char* text : {"", "leaf0.0->spine0", "C:\\new", "Jürß, Träff", "⌈log₂ p⌉", "\xf0\x9f\xa7\xb5"})
    CHECK(printable(text) == text);
}

TEST_CASE("what ends a line or steers a terminal is an escape") {
  CHECK(printable("a\n# 1 result right") == "a\\n# 1 result right");
  CHECK(printable("a\tb\r") == "a\\tb\\r");
  CHECK(printable(std::string("s\0w", 3)) == "s\\x00w");
  CHECK(printable("\x1b[31m\x7f") == "\\x1b[31m\\x7f");
  CHECK(printable("\u0085\u2028\u202e\u2066\ufeff\uffff") == "\\u0085\\u2028\\u202e\\u2066\\ufeff\\uffff");
}

TEST_CASE("bytes that are no UTF-8 are escapes, each for itself") {
  CHECK(printable("caf\xe9") == "caf\\xe9");
  CHECK(printable("\xc0\xaf|\xed\xa0\x80|\xf5\x80|\xe2\x82") == "\\xc0\\xaf|\\xed\\xa0\\x80|\\xf5\\x80|\\xe2\\x82");
}

TEST_CASE("newlines stay where several lines are meant") { CHECK(printable_lines("a\nb\r\n\x01") == "a\nb\\r\n\\x01"); }

}  // namespace heddle
