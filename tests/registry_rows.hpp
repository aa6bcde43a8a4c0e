// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry.hpp"

namespace heddle::testing {

/// Every row of the registry with its default options and with each of its examples.
inline std::vector<Algorithm> registry_rows() {
  std::vector<Algorithm> all;
  for (const Algorithm& row : registry()) {
    all.push_back(row);
    for (const Parameter& parameter : row.parameters) {
      for (const std::string_view value : parameter.examples)
        all.push_back(find_algorithm(row.collective, row.name + ':' + std::string(parameter.name) + '=' + std::string(value)));
    }
  }
  return all;
}

}  // namespace heddle::testing
