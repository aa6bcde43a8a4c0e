// SPDX-License-Identifier: Apache-2.0
#include "cli/table.hpp"

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("a table aligns its cells under their titles and leaves no trailing blanks") {
  Table table(
      {{"size", "(B)", Table::Align::right, 6}, {"name", "", Table::Align::left}, {"time", "(us)", Table::Align::right}});
  CHECK(table.titles() == "  size  name  time");
  CHECK(table.units() == "   (B)        (us)");
  CHECK(table.row(std::vector<std::string>{"8", "ring", "1.5"}) == "     8  ring   1.5");
  CHECK(table.row(std::vector<std::string>{"8", "x"}) == "     8  x");
}

TEST_CASE("a column fits the widest cell, counted in letters") {
  Table table({{"f", "", Table::Align::left}, {"g", "", Table::Align::left}});
  table.fit(0, "⌈log₂ p⌉");  // 8 letters, 14 bytes
  CHECK(table.row(std::vector<std::string>{"⌈log₂ p⌉", "x"}) == "⌈log₂ p⌉  x");
  CHECK(table.row(std::vector<std::string>{"2(p-1)", "x"}) == "2(p-1)    x");
}

TEST_CASE("a cell that is too long shifts its row and loses nothing") {
  const Table table({{"a", ""}, {"b", ""}});
  CHECK(table.row(std::vector<std::string>{"12345", "6"}) == "12345  6");
}

}  // namespace heddle
