// SPDX-License-Identifier: Apache-2.0
// `heddle manual`. That roff takes it without warnings is a CTest test of its own.
#include <algorithm>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

namespace {

/// As roff prints hyphens.
std::string in_roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
  return escaped;
}

}  // namespace

TEST_CASE("the man page has every command and every flag of each") {
  const test::CommandResult manual = test::run_heddle("manual");
  CHECK(manual.status == 0);
  CHECK(manual.err == "");
  int flags = 0;
  for (const std::string command : {"run", "sweep", "merge", "compare", "list", "topo", "traffic", "credits", "claims", "fuzz",
                                    "export openmpi", "export mpich", "export nccl", "launch", "fit", "help"}) {
    const std::size_t begin = manual.out.find("\n.SS " + command + "\n");
    REQUIRE(begin != std::string::npos);
    const std::string section = manual.out.substr(begin, manual.out.find("\n.S", begin + 1) - begin);
    for (const std::string& line : test::lines_of(test::run_heddle("complete " + command + " --").out)) {
      ++flags;
      CHECK_THAT(section, Catch::Contains("\\fB" + in_roff(line.substr(0, line.find('\t'))) + "\\fR"));
    }
  }
  CHECK(flags > 100);
}

TEST_CASE("the man page has its usual sections, in ASCII") {
  const std::string manual = test::run_heddle("manual").out;
  for (const std::string section : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"})
    CHECK_THAT(manual, Catch::Contains("\n.SH " + section + "\n"));
  CHECK(std::ranges::all_of(manual, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

}  // namespace heddle
