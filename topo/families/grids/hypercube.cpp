// SPDX-License-Identifier: Apache-2.0
// A hypercube is a torus of two coordinates in each dimension, with a text of its own.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "topo/families/grids/torus.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

std::unique_ptr<Topology> build_hypercube(SpecFields& fields) {
  constexpr std::int64_t kMostDimensions = 28;  // of two coordinates each; more are more endpoints than can be numbered
  const std::int64_t dimensions = read_one_size(fields);
  if (dimensions > kMostDimensions) fields.refuse(fmt::format("{} dimensions are more than {}", dimensions, kMostDimensions));
  return std::make_unique<Torus>(Torus::Family::hypercube, std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), 2));
}

}  // namespace

std::vector<FamilyRow> hypercube_families() {
  return {{{"hypercube", "hypercube:6", "2^d endpoints, a cable wherever one bit of their numbers differs"}, build_hypercube}};
}

}  // namespace heddle
