// SPDX-License-Identifier: Apache-2.0
#include "show/document/document.hpp"

#include <algorithm>

#include "show/document/markup.hpp"
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

TEST_CASE("a cell that is too long takes the blanks of the cells behind it first") {
  const Table table({{"a", ""}, {"b", "", Table::Align::right, 4}, {"c", "", Table::Align::right, 2}});
  CHECK(table.row(std::vector<std::string>{"1", "2", "3"}) == "1     2   3");
  CHECK(table.row(std::vector<std::string>{"1234", "2", "3"}) == "1234  2   3");
  CHECK(table.row(std::vector<std::string>{"12345", "2", "3"}) == "12345  2  3");
  CHECK(table.row(std::vector<std::string>{"123456", "2", "3"}) == "123456  2  3");
}

TEST_CASE(
    "a table fits into so many columns: names are narrowed, then what can be spared is left out, the least needed first") {
  const auto table = [] {
    return Table({{"n", "", Table::Align::left, 8, Table::Column::kNeeded, 3},
                  {"b", "", Table::Align::right, 4, 1},
                  {"c", "", Table::Align::right, 4, 2}});
  };
  const std::vector<std::string> cells = {"name", "1", "2"};
  const auto fitted = [&](std::size_t columns, const std::vector<std::string>& left_out) {
    Table narrow = table();
    CHECK(narrow.fit_into(columns) == left_out);
    CHECK(narrow.width() <= std::max<std::size_t>(columns, 3));
    return narrow.row(cells);
  };
  CHECK(table().width() == 20);
  CHECK(fitted(100, {}) == "name         1     2");
  CHECK(fitted(20, {}) == "name         1     2");
  CHECK(fitted(17, {}) == "name      1     2");
  CHECK(fitted(15, {}) == "name    1     2");
  CHECK(fitted(14, {"c"}) == "name         1");
  CHECK(fitted(9, {"c"}) == "name    1");
  CHECK(fitted(8, {"b", "c"}) == "name");
  CHECK(fitted(2, {"b", "c"}) == "name");

  Table without = table();
  without.leave_out(1);
  CHECK(without.titles() == "n            c");
}

TEST_CASE("what roff would take for something else is escaped, and what is not ASCII named by its code point") {
  CHECK(roff::escaped("-b 'x' ~ \\") == "\\-b \\(aqx\\(aq \\(ti \\e");
  CHECK(roff::escaped(".PP\n.x") == "\\&.PP\n\\&.x");
  CHECK(roff::escaped("α … 𝄞") == "\\[u03B1] ... \\[u1D11E]");
  CHECK(roff::bold("") == "");
  CHECK(roff::bold("--json") == "\\fB\\-\\-json\\fR");
}

}  // namespace heddle
