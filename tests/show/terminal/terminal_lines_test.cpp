// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/terminal.hpp"

#include <sstream>
#include <string>

#include "show/document/document.hpp"
#include "show/terminal/progress.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

TEST_CASE("a line that fits stays as it is") { CHECK(fit_line(" ring   1.00", 20) == " ring   1.00"); }

TEST_CASE("a comment goes on as a comment") {
  CHECK(fit_line("# one two three four five", 20) == "# one two three four\n#   five");
}

TEST_CASE("a text goes on below its own column") {
  CHECK(fit_line("  source  [key] with so many more words", 24) ==
        "  source  [key] with so\n          many more\n          words");
  CHECK(fit_line("    sentence of a few words", 20) == "    sentence of a\n    few words");
}

TEST_CASE("a command goes on behind a backslash, and not within quotes") {
  CHECK(fit_line("  heddle run ring --size 4KiB", 22) == "  heddle run ring \\\n      --size 4KiB");
  CHECK(fit_line("  heddle run --groups 'a + b' --wide", 27) == "  heddle run --groups \\\n      'a + b' --wide");
}

TEST_CASE("letters are counted, not bytes") { CHECK(fit_line("⌈log2 p⌉ · M, ⌈log2 p⌉", 22) == "⌈log2 p⌉ · M, ⌈log2 p⌉"); }

TEST_CASE("no line is longer than the terminal is wide, whatever is in it, and no letter is lost") {
  testing::property("fit_line", [] {
    const auto columns = drawn::number<std::size_t>(20, 100);
    const std::string line = drawn::letters("ab #,;+'  ");
    const std::string fitted = fit_line(line, columns);
    std::istringstream lines(fitted);
    for (std::string part; std::getline(lines, part);) RC_ASSERT(letters(part) <= columns);
    const auto count = [](const std::string& text) { return std::count(text.begin(), text.end(), 'a'); };
    RC_ASSERT(count(fitted) == count(line));
  });
}

TEST_CASE("paragraphs are broken anew, what is apart stays apart") {
  const std::string long_line(99, 'x');
  CHECK(reflow(long_line + "\nyy zz\n", 110) == long_line + " yy zz\n");
  CHECK(reflow("Short.\nAnother\n\n  indented\n", 80) == "Short.\nAnother\n\n  indented\n");
}

TEST_CASE("the best is bold, and what failed is red") {
  CHECK(colored(" ring  3.8us   441ns*") == " ring  3.8us   \033[1m441ns*\033[0m");
  CHECK(colored(" ring  FAILED") == " ring  \033[1;31mFAILED\033[0m");
  CHECK(colored(" ring   0*   3*") == " ring   0*   3*");
  CHECK(colored("7s* 1.5ms*") == "\033[1m7s*\033[0m \033[1m1.5ms*\033[0m");
  CHECK(colored("us* a3us* 3us") == "us* a3us* 3us");
}

TEST_CASE("a terminal's output fits it; a document stays as it is; others know no columns") {
  std::ostringstream out;
  {
    TerminalStream terminal(*out.rdbuf(), {.columns = 20, .has_colors = false});
    CHECK(columns_of(terminal) == 20);
    terminal << "# one two three four five\n" << std::flush << "no line feed";
  }
  CHECK(out.str() == "# one two three four\n#   five\nno line feed");
  std::ostringstream json;
  TerminalStream(*json.rdbuf(), {.columns = 20, .has_colors = true}) << "{\"name\": \"a long long long FAILED name\"}\n";
  CHECK(json.str() == "{\"name\": \"a long long long FAILED name\"}\n");
  CHECK_FALSE(columns_of(out));
}

TEST_CASE("a text is broken between words, and a word that is too long stands alone") {
  CHECK(wrapped("one  two\nthree", 7) == "one two\nthree");
  CHECK(wrapped("a-very-long-word b", 5) == "a-very-long-word\nb");
  CHECK(wrapped("", 5) == "");
}

TEST_CASE("progress is a bar, a count, and what is gone and left") {
  CHECK(progress_text(5, 10, "runs", 40.2, 65) == "[############.............]  5 of 10 runs, 0:41 gone, about 1:05 left");
  CHECK(progress_text(0, 10, "cases", 3600, std::nullopt) == "[.........................]  0 of 10 cases, 1:00:00 gone");
  CHECK(seconds_left(0.25, 10) == 30);
  CHECK_FALSE(seconds_left(0, 10));
}

TEST_CASE("where standard error is no terminal nobody says how far it is") {
  std::ostringstream err;
  {
    WorkProgress progress(err, "runs", 3);
    progress.finish_one();
    progress.pause();
    progress.resume();
  }
  CHECK(err.str().empty());
}

}  // namespace heddle
