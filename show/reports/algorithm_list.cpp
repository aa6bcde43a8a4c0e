// SPDX-License-Identifier: Apache-2.0
#include "show/reports/algorithm_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "show/document/document.hpp"
#include "show/document/markup.hpp"

namespace heddle {

namespace {

std::string needs_of(const Algorithm& algorithm) {
  std::vector<std::string_view> needs;
  if (algorithm.needs.commutative) needs.emplace_back("commutative op");
  if (algorithm.needs.grid) needs.emplace_back("grid");
  if (!algorithm.needs.more.empty()) needs.push_back(algorithm.needs.more);
  if (algorithm.needs.equal_blocks) needs.emplace_back("equal blocks");
  if (algorithm.needs.in_network) needs.emplace_back("switches that compute");
  return needs.empty() ? "nothing" : fmt::format("{}", fmt::join(needs, ", "));
}

/// Of floats that round; empty: there is nothing to say.
std::string bits_of(const Algorithm& algorithm) {
  std::vector<std::string_view> bits;
  if (const std::optional<bool> same = promises_same_bits(algorithm))
    bits.emplace_back(*same ? "the same on all ranks" : "may differ between ranks");
  if (reduces(algorithm.collective) && !algorithm.same_bits_in_any_order)
    bits.emplace_back("may change with the order of events");
  return fmt::format("{}", fmt::join(bits, ", "));
}

/// "segments=optimal: what it sets", with the default, for each.
std::vector<std::string> options_of(const Algorithm& algorithm) {
  std::vector<std::string> options;
  for (const Parameter& parameter : algorithm.parameters)
    options.push_back(fmt::format("{}={}: {}", parameter.name, parameter.default_value, parameter.meaning));
  return options;
}

/// "one-shot with ports=p-1, …": what others call it; empty: nothing.
std::string other_names_of(const Algorithm& algorithm) {
  std::string names;
  for (const OtherName& other : algorithm.other_names) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", other.name);
    if (!other.options.empty()) names += fmt::format(" with {}", other.options);
  }
  return names;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool is_part_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// Whether a word of the text begins with it; both are in lower case.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; ++at)
    if (at == 0 || !is_part_of_word(text[at - 1]) || !is_part_of_word(word.front())) return true;
  return false;
}

/// Calls visit(rows) for each collective's rows, which stand together in the registry.
template <class Visit>
void for_each_collective(std::span<const Algorithm* const> algorithms, Visit visit) {
  while (!algorithms.empty()) {
    std::size_t rows = 1;
    while (rows < algorithms.size() && algorithms[rows]->collective == algorithms[0]->collective) ++rows;
    visit(algorithms.first(rows));
    algorithms = algorithms.subspan(rows);
  }
}

std::string group_as_text(std::span<const Algorithm* const> rows) {
  std::string text = to_string(rows[0]->collective) + "\n";
  // A row of one's own need not say all of it.
  const auto add = [&text](std::string_view what, std::string_view says) {
    if (!says.empty()) text += fmt::format("    {}{}\n", what, says);
  };
  for (const Algorithm* row : rows) {
    text += fmt::format("\n  {}\n", row->name);
    add("", row->summary);
    add("rounds  ", row->rounds.text);
    add("bytes   ", row->bytes.text);
    add("bits    ", bits_of(*row));
    add("needs   ", needs_of(*row));
    for (const std::string& option : options_of(*row)) add("option  ", option);
    add("called  ", other_names_of(*row));
    add("source  ", row->source);
  }
  return text;
}

std::string group_as_markdown(std::span<const Algorithm* const> rows) {
  const bool is_shared = promises_same_bits(*rows[0]).has_value();
  Document document;
  for (const char* title : {"algorithm", "rounds", "bytes", "bits", "needs", "how", "source"})
    if (is_shared || title != std::string_view("bits")) document.columns.push_back(for_people({title, ""}));
  for (const Algorithm* row : rows) {
    std::string how(row->summary);
    for (const std::string& option : options_of(*row)) how += " Option " + option;
    if (const std::string names = other_names_of(*row); !names.empty()) how += " Others call it " + names + ".";
    std::vector<Document::Cell>& cells = document.rows.emplace_back();
    cells = {fmt::format("`{}`", row->name), std::string(row->rounds.text), std::string(row->bytes.text)};
    if (is_shared) cells.emplace_back(bits_of(*row));
    cells.insert(cells.end(), {needs_of(*row), std::move(how), linked_citations(row->source)});
  }
  return fmt::format("\n## {}\n\n{}", to_string(rows[0]->collective), markdown_text(document));
}

nlohmann::ordered_json json_of_needs(const Needs& needs) {
  return {{"commutative", needs.commutative},
          {"grid", needs.grid},
          {"equal_blocks", needs.equal_blocks},
          {"in_network", needs.in_network},
          {"more", needs.more.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(needs.more)}};
}

}  // namespace

std::string list_as_text(std::span<const Algorithm* const> algorithms) {
  std::string text;
  for_each_collective(algorithms, [&](std::span<const Algorithm* const> rows) {
    if (!text.empty()) text += '\n';
    text += group_as_text(rows);
  });
  return text + "\n# [key]: an entry of docs/sources.md\n";
}

std::string list_as_json(std::span<const Algorithm* const> algorithms) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Algorithm* algorithm : algorithms) {
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const Parameter& parameter : algorithm->parameters)
      options.push_back({{"name", parameter.name}, {"default", parameter.default_value}, {"meaning", parameter.meaning}});
    nlohmann::ordered_json other_names = nlohmann::ordered_json::array();
    for (const OtherName& other : algorithm->other_names)
      other_names.push_back({{"name", other.name}, {"options", other.options}});
    const std::optional<bool> same_bits = promises_same_bits(*algorithm);
    rows.push_back({{"collective", to_string(algorithm->collective)},
                    {"name", algorithm->name},
                    {"summary", algorithm->summary},
                    {"source", algorithm->source},
                    {"needs", json_of_needs(algorithm->needs)},
                    {"same_bits", same_bits ? nlohmann::ordered_json(*same_bits) : nlohmann::ordered_json(nullptr)},
                    {"same_bits_in_any_order", algorithm->same_bits_in_any_order},
                    {"options", std::move(options)},
                    {"other_names", std::move(other_names)},
                    {"rounds", algorithm->rounds.text},
                    {"bytes", algorithm->bytes.text}});
  }
  return json_text(json_of(Document{.facts = {{"algorithms", std::move(rows)}}, .rows_name = ""}));
}

std::string list_as_markdown(std::span<const Algorithm* const> algorithms) {
  std::string text =
      "<!-- Generated: heddle list --markdown > docs/algorithms.md. A test compares. -->\n"
      "# Algorithms\n\n"
      "One row per algorithm of the registry (`heddle/registry.hpp`), as `heddle list` has it. p is the number of "
      "ranks, M "
      "the bytes of\n"
      "the whole vector, dᵢ are the sizes of the grid's dimensions. Where there is no grid, there is one dimension of p. "
      "Rounds are "
      "the longest\n"
      "chain of messages, each posted after the one before it was waited for; bytes are the most that one rank sends. Tests "
      "assert both\n"
      "against what runs count. Bits are those of a result that ranks share, where floats round. Tests hold rows that promise "
      "the\n"
      "same on all ranks to it ([the model](model.md#the-same-bits)). A source is a key of [sources.md](sources.md) and where "
      "to "
      "look\n"
      "in it.\n";
  for_each_collective(algorithms, [&](std::span<const Algorithm* const> rows) { text += group_as_markdown(rows); });
  return text;
}

std::vector<const Algorithm*> rows_with_words(std::span<const Algorithm* const> algorithms,
                                              std::span<const std::string> words) {
  std::vector<const Algorithm*> rows(algorithms.begin(), algorithms.end());
  for (const std::string& word : words) {
    if (word.empty()) continue;
    const std::vector<const Algorithm*> before = std::move(rows);
    rows.clear();
    const bool is_collective =
        std::ranges::any_of(all_collectives(), [&](Collective collective) { return to_string(collective) == word; });
    const std::string lower = in_lower_case(word);
    for (const Algorithm* row : before) {
      const bool is_found =
          is_collective ? to_string(row->collective) == word : has_word(in_lower_case(list_as_text(std::span(&row, 1))), lower);
      if (is_found) rows.push_back(row);
    }
    if (!rows.empty()) continue;
    std::vector<std::string> names;
    for (const Collective collective : all_collectives()) names.push_back(to_string(collective));
    for (const Algorithm* row : before) names.push_back(row->name);
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view nearest = nearest_name(word, views);
    throw InputError(fmt::format("'{}': no algorithm here has this word in what 'heddle list' says of it{}", word,
                                 nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest)));
  }
  return rows;
}

}  // namespace heddle
