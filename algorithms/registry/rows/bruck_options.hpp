// SPDX-License-Identifier: Apache-2.0
// The option that every Bruck row has.
#pragma once

#include <vector>

#include "algorithms/registry/options.hpp"

namespace heddle {

inline constexpr int kMostBruckPorts = 1024;

inline std::vector<Parameter> bruck_parameters() {
  return {{.name = "ports",
           .default_value = "2",
           .meaning = "messages that a rank sends at once in each dimension, 1 … 1024",
           .examples = {"1", "3"}}};
}

inline int bruck_ports(const Options& options) { return static_cast<int>(options.number("ports", 1, kMostBruckPorts)); }

}  // namespace heddle
