// SPDX-License-Identifier: Apache-2.0
// docs/sources.md has an entry for each key that an algorithm, a claim or a page names, and each entry says what it is for.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "heddle/registry.hpp"
#include "show/document/markup.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

namespace {

const std::string kDocs = HEDDLE_SOURCE_DIR "/docs/";

/// What stands below each heading of the third level: an entry's lines, by its key.
std::map<std::string, std::vector<std::string>> source_entries() {
  std::map<std::string, std::vector<std::string>> entries;
  std::vector<std::string>* entry = nullptr;
  for (const std::string& line : test::lines_of(test::file_content(kDocs + "sources.md"))) {
    if (line.starts_with("### ")) {
      const auto [added, is_new] = entries.try_emplace(line.substr(4));
      INFO(added->first);
      CHECK(is_new);
      entry = &added->second;
    } else if (line.starts_with("#")) {
      entry = nullptr;
    } else if (entry != nullptr && !line.empty()) {
      entry->push_back(line);
    }
  }
  return entries;
}

/// What follows `prefix` wherever a page has it, up to the bracket that ends the link.
std::set<std::string> linked(const std::string& page, const std::string& prefix) {
  std::set<std::string> targets;
  for (std::size_t at = page.find(prefix); at != std::string::npos; at = page.find(prefix, at + 1)) {
    const std::size_t begin = at + prefix.size();
    targets.insert(page.substr(begin, page.find(')', begin) - begin));
  }
  return targets;
}

}  // namespace

TEST_CASE("keys stand in brackets, in small letters, digits and hyphens") {
  using Keys = std::vector<std::string_view>;
  CHECK(cited_keys("[swing] §3.1.1, App. A; [explainer-01] §6") == Keys{"swing", "explainer-01"});
  CHECK(cited_keys("[pat]") == Keys{"pat"});
  CHECK(cited_keys("folklore [1, 2), A[I], [], [Swing], [no key] and [unfinished").empty());
  CHECK(cited_keys("").empty());
}

TEST_CASE("keys link to their entries, all else stays") {
  CHECK(linked_citations("[swing] §3.1.1; [pat]") == "[swing](sources.md#swing) §3.1.1; [pat](sources.md#pat)");
  CHECK(linked_citations("A. Author, [Title], §3 [") == "A. Author, [Title], §3 [");
}

TEST_CASE("each source has a key, authors and a title, and says what it is used for") {
  const auto entries = source_entries();
  CHECK(entries.size() > 40);
  for (const auto& [key, lines] : entries) {
    INFO(key);
    CHECK(std::regex_match(key, std::regex("[a-z0-9-]+")));
    REQUIRE(lines.size() >= 2);
    CHECK_THAT(lines.front(), Catch::Contains(": *") || Catch::Contains(". *"));  // names that end a sentence of their own
    const auto use = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("Used for: "); });
    REQUIRE(use != lines.end());
    CHECK(use->size() > std::string("Used for: ").size());
  }
}

TEST_CASE("each algorithm names its sources by key, and where to look there") {
  // "[key] where; [key] where", the place being left out of a source that is about nothing else.
  const std::regex form(R"(\[[a-z0-9-]+\]( [^\[\];]+)?(; \[[a-z0-9-]+\]( [^\[\];]+)?)*)");
  const auto entries = source_entries();
  for (const Algorithm& row : registry()) {
    const std::string source(row.source);
    INFO(to_string(row.collective) << ' ' << row.name << ": " << source);
    CHECK(std::regex_match(source, form));
    for (const std::string_view key : cited_keys(source)) CHECK(entries.contains(std::string(key)));
  }
}

TEST_CASE("each claim names its source by key, and where to look there") {
  const auto entries = source_entries();
  for (const claims::Source& source : claims::all_sources()) {
    CHECK(entries.contains(source.name));
    for (const claims::Claim& claim : source.claims) {
      const std::string citation = claims::citation(source, claim);
      INFO(claim.name << ": " << citation);
      const std::vector<std::string_view> keys = cited_keys(citation);
      REQUIRE_FALSE(keys.empty());
      CHECK(citation.starts_with('[' + std::string(keys.front()) + "] "));
      for (const std::string_view key : keys) CHECK(entries.contains(std::string(key)));
      // A claim's name says which of the explainer's notes it is from.
      const std::string note = claim.name.substr(source.name.size() + 1, 2);
      CHECK(keys.front() == (source.name == "explainer" ? "explainer-" + note : source.name));
    }
  }
}

TEST_CASE("links to a source lead to its entry, those of its entry to a claim") {
  const auto entries = source_entries();
  std::set<std::string> anchors;  ///< "swing.md", "swing.md#swingfigure-6"
  for (const claims::Source& source : claims::all_sources()) {
    anchors.insert(source.name + ".md");
    for (const claims::Claim& claim : source.claims) {
      std::string anchor = claim.name;
      std::erase_if(anchor, [](char c) { return c == '/' || c == '.'; });
      anchors.insert(source.name + ".md#" + anchor);
    }
  }
  for (const auto& file : std::filesystem::directory_iterator(kDocs)) {
    if (file.path().extension() != ".md") continue;
    const std::string page = test::file_content(file.path().string());
    INFO(file.path().filename());
    for (const std::string& key : linked(page, "](sources.md#")) {
      INFO(key);
      CHECK(entries.contains(key));
    }
    for (const std::string& claim : linked(page, "](claims/")) {
      INFO(claim);
      CHECK(anchors.contains(claim));
    }
  }
}

}  // namespace heddle
