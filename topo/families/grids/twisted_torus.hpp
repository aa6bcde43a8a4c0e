// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "topo/spec/families.hpp"

namespace heddle {

/// "torus:8x4,twist=4". Throws InputError for other than two dimensions.
std::unique_ptr<Topology> build_twisted_torus(SpecFields& fields, const std::vector<std::int64_t>& sizes, std::int64_t twist);

}  // namespace heddle
