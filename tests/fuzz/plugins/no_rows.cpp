// SPDX-License-Identifier: Apache-2.0
#include "fuzz/plugin.hpp"

HEDDLE_PLUGIN(rows) { rows.clear(); }
