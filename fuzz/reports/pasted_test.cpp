// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/fuzz_reports.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

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

/// That this call throws nothing.
std::string check_of(const std::string& call, TestStyle style) {
  switch (style) {
    case TestStyle::googletest:
      return fmt::format("  EXPECT_NO_THROW({});\n}}\n", call);
    case TestStyle::plain:
      return fmt::format(
          "  try {{\n    {};\n    return 0;\n  }} catch (const std::exception& error) {{\n"
          "    std::fprintf(stderr, \"%s\\n\", error.what());\n    return 1;\n  }}\n}}\n",
          call);
    default:
      return fmt::format("  CHECK_NOTHROW({});\n}}\n", call);
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
  if (style == TestStyle::plain) text += "#include <cstdio>\n#include <exception>\n";
  text += "#include <heddle/fuzz.hpp>\n";
  if (is_plugin) text += "#include <heddle/plugin.hpp>\n";
  text += '\n' + begin_of(finding, style);
  if (is_plugin) text += "  std::vector<heddle::Algorithm> rows;\n  heddle_register(rows);\n";
  const std::string call = fmt::format("heddle::check_case{}(\n      {}{})", is_apart ? "_apart" : "",
                                       cpp_string(finding.smallest.text()), is_plugin ? ", rows" : "");
  return text + check_of(call, style);
}

}  // namespace heddle
