// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle::testing {

/// A row with its default options and with each of its examples.
inline void add_with_examples(const Algorithm& row, std::vector<Algorithm>& rows) {
  rows.push_back(row);
  for (const Parameter& parameter : row.parameters) {
    for (const std::string_view value : parameter.examples)
      rows.push_back(find_algorithm(row.collective, row.name + ':' + std::string(parameter.name) + '=' + std::string(value)));
  }
}

/// Every row of the registry, so.
inline std::vector<Algorithm> registry_entries() {
  std::vector<Algorithm> rows;
  for (const Algorithm& row : registry()) add_with_examples(row, rows);
  return rows;
}

/// Every row of a collective, so.
inline std::vector<Algorithm> registry_entries(Collective collective) {
  std::vector<Algorithm> rows;
  for (const Algorithm* row : algorithms_of(collective)) add_with_examples(*row, rows);
  return rows;
}

}  // namespace heddle::testing
