// SPDX-License-Identifier: Apache-2.0
#include "lab/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/errors.hpp"
#include "core/read_number.hpp"
#include "lab/sweep/sweep_axes.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

Texts values_of(const ResultFile& file, std::size_t name) {
  std::set<std::string> values;
  for (const ResultCell& cell : file.cells) values.insert(cell.values[name]);
  return {values.begin(), values.end()};
}

bool always_counts(const std::string& name) { return name == "collective" || name == "size" || name == "algorithm"; }

/// By what cells are matched.
class CellKeys {
 public:
  /// Notes what is context instead.
  CellKeys(const ResultFile& before, const ResultFile& now, std::vector<ContextDifference>& context) {
    for (std::size_t name = 0; name < cell_names().size(); ++name) {
      const Texts of_before = values_of(before, name);
      const Texts of_now = values_of(now, name);
      const bool is_context = of_before.size() == 1 && of_now.size() == 1 && of_before != of_now;
      if (is_context && !always_counts(cell_names()[name]))
        context.push_back({cell_names()[name], of_before.front(), of_now.front()});
      else
        names_.push_back(name);
    }
  }

  /// One of several that are called the same has its number in the key.
  std::vector<Texts> of(const ResultFile& file) const {
    std::map<Texts, int> known;
    std::vector<Texts> keys;
    for (const ResultCell& cell : file.cells) {
      Texts key;
      for (const std::size_t name : names_) key.push_back(cell.values[name]);
      const int number = known[key]++;
      key.push_back(std::to_string(number));
      keys.push_back(std::move(key));
    }
    return keys;
  }

 private:
  std::vector<std::size_t> names_;
};

/// Notes each member in which contexts of matched cells differ, once.
class ContextDifferences {
 public:
  explicit ContextDifferences(std::vector<ContextDifference>& context) : context_(context) {
    for (const ContextDifference& difference : context) known_.insert(difference.name);
    for (const std::string& name : cell_names()) known_.insert(name);
    // What is told by others: a label, "fault", runs' sizes, "speeds" and "tiers".
    for (const char* name : {"fabric", "faults", "bytes", "version", "speeds"}) known_.insert(name);
  }

  void note(const std::string& name, const std::string& before, const std::string& now) {
    if (before != now) context_.push_back({name, before, now});
  }
  void note_members(const Json& before, const Json& now) {
    for (const auto& [name, value] : before.items()) {
      const auto other = now.find(name);
      if (other == now.end() || *other == value || known_.contains(name)) continue;
      known_.insert(name);
      note(name, fabric_value(before, name), fabric_value(now, name));
    }
  }

 private:
  std::vector<ContextDifference>& context_;
  std::set<std::string> known_;
};

/// Of two that are matched; no value: within the tolerance.
std::optional<CellDifference> difference_of(const ResultCell& before, const ResultCell& now, double tolerance) {
  CellDifference difference{.values = now.values, .before = before.time, .now = now.time};
  if (!now.time) {
    difference.failure = now.failure;
    return difference;
  }
  if (!before.time) {
    difference.change = CellChange::right;
    difference.failure = before.failure;
    return difference;
  }
  const auto old_ps = static_cast<double>(before.time->ps());
  const auto new_ps = static_cast<double>(now.time->ps());
  if (new_ps > old_ps * (1 + tolerance))
    difference.change = CellChange::slower;
  else if (new_ps < old_ps * (1 - tolerance))
    difference.change = CellChange::faster;
  else
    return std::nullopt;
  return difference;
}

CellDifference lone_cell(const ResultCell& cell, CellChange change) {
  CellDifference difference{.change = change, .values = cell.values, .before = {}, .now = {}, .failure = cell.failure};
  (change == CellChange::missing ? difference.before : difference.now) = cell.time;
  if (change == CellChange::added && !cell.time) difference.change = CellChange::wrong;
  return difference;
}

std::string kind_of(const ResultFile& file) { return file.kind == ResultFile::Kind::sweep ? "heddle sweep" : "heddle run"; }

std::vector<bool> varying_names(const ResultFile& before, const ResultFile& now) {
  std::vector<bool> varies;
  for (std::size_t name = 0; name < cell_names().size(); ++name)
    varies.push_back(values_of(before, name).size() > 1 || values_of(now, name).size() > 1);
  return varies;
}

void sort(std::vector<CellDifference>& differences) {
  std::ranges::stable_sort(differences, [](const CellDifference& a, const CellDifference& b) {
    if (a.change != b.change) return a.change < b.change;
    if (a.change != CellChange::slower) return false;
    constexpr double kWithoutRatio = 1e300;  // it took no time before
    return a.slowdown().value_or(kWithoutRatio) > b.slowdown().value_or(kWithoutRatio);
  });
}

}  // namespace

std::string to_string(CellChange change) {
  constexpr std::array<const char*, 6> kTexts = {"wrong", "slower", "missing", "new", "right now", "faster"};
  return kTexts[static_cast<std::size_t>(change)];
}

std::optional<double> CellDifference::slowdown() const {
  if (!before || !now || *before == Time()) return std::nullopt;
  return static_cast<double>(now->ps()) / static_cast<double>(before->ps()) - 1;
}

bool Comparison::is_worse() const {
  return std::ranges::any_of(differences, [](const CellDifference& difference) {
    return difference.change == CellChange::wrong || difference.change == CellChange::slower;
  });
}

Comparison compare(const ResultFile& before, const ResultFile& now, double tolerance) {
  Comparison result;
  const CellKeys keys(before, now, result.context);
  ContextDifferences context(result.context);
  context.note("version", before.version, now.version);
  context.note("written by", kind_of(before), kind_of(now));
  const std::vector<Texts> old_keys = keys.of(before);
  const std::vector<Texts> new_keys = keys.of(now);
  std::map<Texts, std::size_t> old_cells;
  for (std::size_t i = 0; i < old_keys.size(); ++i) old_cells.emplace(old_keys[i], i);
  std::vector<bool> is_matched(before.cells.size());
  std::set<std::pair<std::size_t, std::size_t>> contexts;
  for (std::size_t i = 0; i < new_keys.size(); ++i) {
    const ResultCell& cell = now.cells[i];
    const auto old = old_cells.find(new_keys[i]);
    if (old == old_cells.end()) {
      result.differences.push_back(lone_cell(cell, CellChange::added));
      continue;
    }
    const ResultCell& old_cell = before.cells[old->second];
    is_matched[old->second] = true;
    ++result.matched;
    if (contexts.insert({old_cell.context, cell.context}).second)
      context.note_members(before.contexts[old_cell.context], now.contexts[cell.context]);
    if (auto difference = difference_of(old_cell, cell, tolerance))
      result.differences.push_back(*std::move(difference));
    else
      ++result.unchanged;
  }
  if (result.matched == 0)
    throw InputError(fmt::format("no result of '{}' is in '{}': nothing can be compared", before.path, now.path));
  for (std::size_t i = 0; i < before.cells.size(); ++i)
    if (!is_matched[i]) result.differences.push_back(lone_cell(before.cells[i], CellChange::missing));
  sort(result.differences);
  result.varies = varying_names(before, now);
  return result;
}

double parse_tolerance(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const auto number = read_number<double>(is_percent ? text.substr(0, text.size() - 1) : text);
  if (!number || !std::isfinite(*number) || *number < 0)
    throw InputError(fmt::format("'{}': not a part of a time; try 1%, or 0", text));
  return is_percent ? *number / 100 : *number;
}

}  // namespace heddle
