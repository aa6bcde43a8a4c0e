// SPDX-License-Identifier: Apache-2.0
#include "lab/plugin/plugin.hpp"

HEDDLE_PLUGIN(rows) { rows.clear(); }
