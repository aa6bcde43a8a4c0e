// SPDX-License-Identifier: Apache-2.0
#include "lab/results/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/context.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_journal.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

/// A run's document has no values on these axes of a sweep, or under other names.
std::string run_value(const Json& context, const Json& run, const std::string& name) {
  if (name == "size") return to_string(Bytes(run.at("bytes").get<std::int64_t>()));
  if (name == "algorithm") return run.at("algorithm").get<std::string>();
  if (name != "fault") return fabric_value(context, name);
  if (!context.contains("faults")) return "";
  return fmt::format("{}", fmt::join(context.at("faults").get<std::vector<std::string>>(), "+"));
}

/// A sweep says "none" where a run says nothing.
std::string sweep_value(const Json& fabric, const SweepResult& run, const std::string& name) {
  std::string value = axis_value(fabric, run, name);
  return name == "fault" && value == "none" ? "" : value;
}

void append_runs(ResultFile& file, const Json& document) {
  const Json& context = document.at("context");
  file.version = context.at("version").get<std::string>();
  file.is_complete = file.is_complete && document.value("complete", true);
  file.contexts.push_back(context);
  for (const Json& run : document.at("runs")) {
    if (run.contains("stopped")) continue;  // before it had a result
    ResultCell cell;
    cell.context = file.contexts.size() - 1;
    for (const std::string& name : cell_names()) cell.values.push_back(printable(run_value(context, run, name)));
    if (run.contains("error"))
      cell.failure = printable(run.at("error").at("kind").get<std::string>());
    else
      cell.time = time_from_json(run.at("time_s").get<double>());
    file.cells.push_back(std::move(cell));
  }
}

ResultFile file_of_runs(const std::string& path, const Json& root) {
  ResultFile file;
  file.path = path;
  try {
    if (root.is_array())
      for (const Json& document : root) append_runs(file, document);
    else
      append_runs(file, root);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()));
  } catch (const Json::exception&) {
    throw InputError(fmt::format("'{}': not what 'heddle run --json' or 'heddle sweep --json' writes", path));
  }
  return file;
}

ResultFile file_of_sweep(const std::string& path, const std::string& text) {
  const SweepFile sweep = read_sweep_text(path, text);
  if (!sweep.has_header) throw InputError(fmt::format("'{}': holds nothing yet", path));
  return results_of(sweep.document, path);
}

bool is_of_runs(const Json& root) {
  const Json* first = root.is_array() && !root.empty() ? &root.front() : &root;
  return first->is_object() && first->contains("context") && first->contains("runs") && !first->contains("planned");
}

}  // namespace

const std::vector<std::string>& cell_names() {
  static const std::vector<std::string> kNames = {"collective", "topology", "preset",    "bandwidth", "latency",
                                                  "routing",    "fault",    "placement", "ranks",     "groups",
                                                  "datatype",   "op",       "root",      "size",      "algorithm"};
  return kNames;
}

ResultFile results_of(const SweepDocument& document, std::string path) {
  ResultFile file;
  file.path = std::move(path);
  file.kind = ResultFile::Kind::sweep;
  file.version = document.context.at("version").get<std::string>();
  file.is_complete = document.shard.is_whole() && is_complete(document);
  for (const Json& fabric : document.context.at("fabrics")) file.contexts.push_back(fabric);
  for (const SweepResult& run : document.runs) {
    if (!is_finished(run)) continue;
    const Json& fabric = fabric_of(document, run);
    ResultCell cell;
    cell.context = static_cast<std::size_t>(&fabric - &document.context.at("fabrics").at(0));
    for (const std::string& name : cell_names()) cell.values.push_back(printable(sweep_value(fabric, run, name)));
    if (run.failure)
      cell.failure = to_string(run.failure->kind);
    else
      cell.time = run.measured->time;
    file.cells.push_back(std::move(cell));
  }
  return file;
}

ResultFile read_result_file(const std::string& path) { return read_results(path, read_named_file(path)); }

ResultFile read_results(const std::string& path, const std::string& text) {
  const Json root = Json::parse(text, nullptr, false);
  return !root.is_discarded() && is_of_runs(root) ? file_of_runs(path, root) : file_of_sweep(path, text);
}

namespace {

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
