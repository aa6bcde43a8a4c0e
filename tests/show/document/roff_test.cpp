// SPDX-License-Identifier: Apache-2.0
#include "show/document/markup.hpp"

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("what roff would take for something else is escaped, and what is not ASCII named by its code point") {
  CHECK(roff::escaped("-b 'x' ~ \\") == "\\-b \\(aqx\\(aq \\(ti \\e");
  CHECK(roff::escaped(".PP\n.x") == "\\&.PP\n\\&.x");
  CHECK(roff::escaped("α … 𝄞") == "\\[u03B1] ... \\[u1D11E]");
  CHECK(roff::bold("") == "");
  CHECK(roff::bold("--json") == "\\fB\\-\\-json\\fR");
}

}  // namespace heddle
