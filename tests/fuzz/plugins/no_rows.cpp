// SPDX-License-Identifier: Apache-2.0
#include "heddle/plugin.hpp"

HEDDLE_PLUGIN(rows) { rows.clear(); }
