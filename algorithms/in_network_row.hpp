// SPDX-License-Identifier: Apache-2.0
// The registry's row of a collective that the switches compute.
#pragma once

#include "algorithms/registry.hpp"

namespace heddle {

Algorithm in_network_row(Collective collective);

}  // namespace heddle
