// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/pasted_test.hpp"

#include <fmt/format.h>

namespace heddle {

std::string catch2_test(const FuzzFinding& finding, RowSource source) {
  const Experiment& what = finding.smallest;
  const bool is_plugin = source == RowSource::plugin;
  std::string text = "#include <catch2/catch.hpp>\n\n";
  text += "#include \"fuzz/cases/run_case.hpp\"\n";
  if (is_plugin) text += "#include \"lab/plugin/plugin.hpp\"\n";
  text += '\n';
  text +=
      fmt::format("TEST_CASE(\"{} {}: {}\") {{\n", to_string(what.collective), what.algorithm, to_string(finding.failure.kind));
  text += fmt::format("  {}heddle::Experiment what = heddle::Experiment::parse(\n      \"{}\");\n", is_plugin ? "" : "const ",
                      what.text());
  if (is_plugin) {
    text += "  std::vector<heddle::Algorithm> rows;\n  heddle_register(rows);\n";
    text += "  what.own = std::make_shared<const std::vector<heddle::Algorithm>>(rows);\n";
  }
  return text + "  CHECK_NOTHROW(heddle::run_case(what));\n}\n";
}

}  // namespace heddle
