// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/flag_value.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("blanks part words, quotes hold them together") {
  CHECK(shell_words(" a  'b c'\t\"d 'e\"f '' ") == Words{"a", "b c", "d 'ef", ""});
  CHECK(shell_words("").empty());
  CHECK_THROWS_WITH(shell_words("a 'b"), "a 'b: a quote has no end");
}

TEST_CASE("a word is read back as it was") {
  CHECK(shell_word("rank:0,stops") == "rank:0,stops");
  CHECK(shell_word("link:s0->1,down") == "'link:s0->1,down'");
  CHECK(shell_word("") == "''");
  for (const char* text : {"", "a b", "it's", "say \"this\"", "$HOME", "x#y", "8 along x"})
    CHECK(shell_words(shell_word(text)) == Words{text});
}

}  // namespace heddle
