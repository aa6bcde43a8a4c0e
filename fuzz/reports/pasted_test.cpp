// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/fuzz_reports.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

namespace {

constexpr std::array<std::pair<std::string_view, TestStyle>, 4> kStyles = {{{"catch2-v2", TestStyle::catch2_v2},
                                                                            {"catch2-v3", TestStyle::catch2_v3},
                                                                            {"googletest", TestStyle::googletest},
                                                                            {"plain", TestStyle::plain}}};

std::string_view header_of(TestStyle style) {
  switch (style) {
    case TestStyle::catch2_v2:
      return "#include <catch2/catch.hpp>\n\n";
    case TestStyle::catch2_v3:
      return "#include <catch2/catch_test_macros.hpp>\n\n";
    case TestStyle::googletest:
      return "#include <gtest/gtest.h>\n\n";
    case TestStyle::plain:
      return "";
  }
  return "";
}

/// "AllreduceMyRingWrongResult": without the underscores that GoogleTest keeps for itself.
std::string camel_case(std::string_view words) {
  std::string name;
  bool begins = true;
  for (const char c : words) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) name += begins ? static_cast<char>(std::toupper(letter)) : c;
    begins = std::isalnum(letter) == 0;
  }
  return name;
}

std::string begin_of(const FuzzFinding& finding, TestStyle style) {
  const std::string words = fmt::format("{} {}: {}", to_string(finding.smallest.collective), finding.smallest.algorithm,
                                        to_string(finding.failure.kind));
  switch (style) {
    case TestStyle::googletest:
      return fmt::format("TEST(HeddleFuzz, {}) {{\n", camel_case(words));
    case TestStyle::plain:
      return fmt::format("// {}\nint main() {{\n", words);
    default:
      return fmt::format("TEST_CASE({}) {{\n", cpp_string(words));
  }
}

/// That the case `what` is right, where it runs in this process.
std::string_view check_here(TestStyle style) {
  switch (style) {
    case TestStyle::googletest:
      return "  EXPECT_NO_THROW(heddle::run_case(what));\n}\n";
    case TestStyle::plain:
      return "  try {\n    heddle::run_case(what);\n    return 0;\n  } catch (const std::exception& error) {\n"
             "    std::fprintf(stderr, \"%s\\n\", error.what());\n    return 1;\n  }\n}\n";
    default:
      return "  CHECK_NOTHROW(heddle::run_case(what));\n}\n";
  }
}

/// The same in a process of its own.
std::string check_apart(TestStyle style) {
  std::string text =
      "  std::string output;\n"
      "  const auto end = heddle::end_in_process(what, std::chrono::seconds(60), nullptr, output);\n"
      "  const std::string wrong = end && end->failure ? end->failure->explanation : \"\";\n";
  switch (style) {
    case TestStyle::googletest:
      return text + "  EXPECT_EQ(wrong, \"\");\n}\n";
    case TestStyle::plain:
      return text + "  std::fprintf(stderr, \"%s\\n\", wrong.c_str());\n  return wrong.empty() ? 0 : 1;\n}\n";
    default:
      return text + "  CHECK(wrong == \"\");\n}\n";
  }
}

}  // namespace

TestStyle parse_test_style(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& [known, style] : kStyles) {
    if (known == name) return style;
    names.push_back(known);
  }
  throw InputError(unknown_name_message("style of test", name, names));
}

std::string pasted_test(const FuzzFinding& finding, RowSource source, TestStyle style) {
  const bool is_plugin = source == RowSource::plugin;
  // What a process is left with shows from outside alone.
  const bool is_apart = is_seen_from_outside(finding.failure.kind) || finding.failure.kind == CheckError::Kind::hygiene;
  std::string text(header_of(style));
  if (is_apart) text += "#include <chrono>\n";
  if (style == TestStyle::plain) text += is_apart ? "#include <cstdio>\n" : "#include <cstdio>\n#include <exception>\n";
  if (is_apart) text += "#include <string>\n";
  if (is_apart || style == TestStyle::plain) text += '\n';
  text += is_apart ? "#include \"fuzz/fuzz.hpp\"\n" : "#include \"fuzz/cases/run_case.hpp\"\n";
  if (is_plugin) text += "#include \"lab/plugin/plugin.hpp\"\n";
  text += '\n' + begin_of(finding, style);
  text += fmt::format("  {}heddle::Experiment what = heddle::Experiment::parse(\n      {});\n", is_plugin ? "" : "const ",
                      cpp_string(finding.smallest.text()));
  if (is_plugin) {
    text += "  std::vector<heddle::Algorithm> rows;\n  heddle_register(rows);\n";
    text += "  what.own = std::make_shared<const std::vector<heddle::Algorithm>>(rows);\n";
  }
  if (is_apart) return text + check_apart(style);
  return text.append(check_here(style));
}

}  // namespace heddle
