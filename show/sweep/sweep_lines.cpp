// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_lines.hpp"

#include <algorithm>

#include "algorithms/registry/registry.hpp"

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

}  // namespace heddle
