// SPDX-License-Identifier: Apache-2.0
#include "show/reports/sweep_sections.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "algorithms/registry/registry.hpp"
#include "lab/sweep/sweep_axes.hpp"

namespace heddle {

namespace {

/// Both were left out at the same sizes, and at all others they did the same.
bool are_one_line(const SweepLine& a, const SweepLine& b) {
  bool has_twins = false;
  for (std::size_t size = 0; size < a.results.size(); ++size) {
    const SweepResult* of_a = a.results[size];
    const SweepResult* of_b = b.results[size];
    if (of_a == nullptr && of_b == nullptr) continue;
    if (of_a == nullptr || of_b == nullptr || !are_twins(*of_a, *of_b)) return false;
    has_twins = true;
  }
  return has_twins;
}

}  // namespace

std::vector<SweepLine> sweep_lines(std::span<const SweepResult> results, std::span<const std::int64_t> sizes, bool by_row) {
  std::vector<SweepLine> of_one;
  for (const SweepResult& result : results) {
    const std::string name(by_row ? bare_name(result.algorithm) : result.algorithm);
    auto line = std::ranges::find(of_one, name, [](const SweepLine& known) { return known.names.front(); });
    if (line == of_one.end())
      line = of_one.insert(line, {.names = {name}, .results = std::vector<const SweepResult*>(sizes.size())});
    const auto size = std::ranges::find(sizes, result.bytes);
    if (size != sizes.end()) line->results[static_cast<std::size_t>(size - sizes.begin())] = &result;
  }
  std::vector<SweepLine> lines;
  for (SweepLine& line : of_one) {
    const auto twin = std::ranges::find_if(lines, [&](const SweepLine& other) { return are_one_line(other, line); });
    if (twin == lines.end())
      lines.push_back(std::move(line));
    else
      twin->names.push_back(std::move(line.names.front()));
  }
  return lines;
}

namespace {

std::vector<std::int64_t> sizes_of(const std::vector<SweepSection>& sections) {
  std::set<std::int64_t> sizes;
  for (const SweepSection& section : sections)
    for (const SweepResult& result : section.results) sizes.insert(result.bytes);
  return {sizes.begin(), sizes.end()};
}

std::set<std::int64_t> open_sizes(const std::vector<SweepResult>& results, bool is_part) {
  std::set<std::int64_t> sizes;
  for (const SweepResult& result : results)
    if (is_part || !is_finished(result)) sizes.insert(result.bytes);
  return sizes;
}

}  // namespace

const SweepResult* best_at(const SweepSection& section, std::int64_t bytes) {
  if (section.open.contains(bytes)) return nullptr;
  std::vector<const SweepResult*> point;
  for (const SweepResult& result : section.shown)
    if (result.bytes == bytes) point.push_back(&result);
  return best_of(point);
}

SweepTable sweep_table_of(const SweepDocument& document) {
  const bool is_tuned = document.context.contains("tuning");
  SweepTable table;
  for (const SweepAxis& axis : varying_fabric_axes(document)) table.axes.push_back(axis.name);
  for (const auto& fabric : document.context.at("fabrics")) {
    SweepSection section{.fabric = &fabric};
    std::ranges::copy_if(document.runs, std::back_inserter(section.results),
                         [&](const SweepResult& run) { return fabric.at("fabric") == run.fabric; });
    if (section.results.empty()) continue;
    for (const std::string& axis : table.axes) section.values.push_back(fabric_value(fabric, axis));
    section.open = open_sizes(section.results, !document.shard.is_whole());
    section.shown = is_tuned ? best_of_rows(section.results) : section.results;
    table.sections.push_back(std::move(section));
  }
  table.sizes = sizes_of(table.sections);
  for (SweepSection& section : table.sections) section.lines = sweep_lines(section.shown, table.sizes, is_tuned);
  const std::vector<std::optional<double>> ratios = ratios_to_base(document);
  table.has_base = !ratios.empty();
  for (std::size_t i = 0; i < ratios.size(); ++i)
    if (ratios[i]) table.ratio_to_base.emplace(document.runs[i].run, *ratios[i]);
  return table;
}

}  // namespace heddle
