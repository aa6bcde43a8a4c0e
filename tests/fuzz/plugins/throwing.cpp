// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "heddle/plugin.hpp"

HEDDLE_PLUGIN(rows) { throw std::runtime_error("no licence for " + std::to_string(rows.size()) + " rows"); }
