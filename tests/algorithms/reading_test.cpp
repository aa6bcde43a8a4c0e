// SPDX-License-Identifier: Apache-2.0
// How many files one reads to understand a family: its own, its header, and what they include of algorithms/, without
// registry/, in which every algorithm has its entry.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace heddle {

namespace {

void add_included(const std::string& file, std::set<std::string>& read) {
  if (!file.starts_with("algorithms/") || file.starts_with("algorithms/registry/") || !read.insert(file).second) return;
  std::ifstream source(std::filesystem::path(HEDDLE_SOURCE_DIR) / file);
  REQUIRE(source);
  const std::string include = "#include \"";
  for (std::string line; std::getline(source, line);)
    if (line.starts_with(include)) add_included(line.substr(include.size(), line.rfind('"') - include.size()), read);
}

}  // namespace

TEST_CASE("a family is understood from few files") {
  const std::vector<std::pair<std::string, std::size_t>> families = {
      {"ring", 2},       {"rabenseifner", 3},     {"swing", 6},
      {"trivance", 6},   {"circulant", 6},        {"circulant_trees", 6},
      {"bine_trees", 7}, {"bine_butterflies", 7}, {"bine_composed", 7}};
  for (const auto& [family, most] : families) {
    INFO(family);
    std::set<std::string> read;
    add_included("algorithms/families/" + family + ".cpp", read);
    CHECK(read.size() <= most);
  }
}

}  // namespace heddle
