// SPDX-License-Identifier: Apache-2.0
// The option that every Bruck row has.
#pragma once

#include <string>
#include <vector>

#include "algorithms/registry/options.hpp"
#include "algorithms/registry/registry.hpp"

namespace heddle {

inline constexpr int kMostBruckPorts = 1024;

/// Fewer than ranks: more find nobody to send to.
inline std::vector<std::string> bruck_port_candidates(const Shape& shape) {
  std::vector<std::string> values;
  for (const int ports : {3, 1, 4, 6, 8, 16})
    if (ports < shape.ranks) values.push_back(std::to_string(ports));
  return values;
}

inline std::vector<Parameter> bruck_parameters() {
  return {{.name = "ports",
           .default_value = "2",
           .meaning = "messages that a rank sends at once in each dimension, 1 … 1024",
           .examples = {"1", "3"},
           .candidates = bruck_port_candidates}};
}

inline int bruck_ports(const Options& options) { return static_cast<int>(options.number("ports", 1, kMostBruckPorts)); }

}  // namespace heddle
