// SPDX-License-Identifier: Apache-2.0
#include "fuzz/pasted_test.hpp"

#include <fmt/format.h>

namespace heddle {

std::string catch2_test(const FuzzFinding& finding, RowSource source) {
  const FuzzCase& what = finding.smallest;
  const bool is_plugin = source == RowSource::plugin;
  std::string text = "#include <catch2/catch.hpp>\n\n";
  if (is_plugin) text += "#include \"lab/plugin/plugin.hpp\"\n";
  text += "#include \"fuzz/run_case.hpp\"\n\n";
  text += fmt::format("TEST_CASE(\"{} {}: {}\") {{\n", to_string(what.collective), what.algorithm, finding.failure.kind);
  text += is_plugin ? "  std::vector<heddle::Algorithm> rows;\n  heddle_register(rows);\n"
                    : "  const std::vector<heddle::Algorithm> rows = heddle::registry_copy();\n";
  text += fmt::format("  const heddle::FuzzCase what = heddle::parse_fuzz_case(\n      \"{}\");\n", what.text());
  return text + "  CHECK_NOTHROW(heddle::run_fuzz_case(what, rows));\n}\n";
}

}  // namespace heddle
