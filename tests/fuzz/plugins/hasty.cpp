// SPDX-License-Identifier: Apache-2.0
// Right in the usual order of messages where the root is rank 0, and wrong in another.
#include "heddle/plugin.hpp"
#include "tests/fuzz/hasty_row.hpp"

HEDDLE_PLUGIN(rows) { rows.push_back(heddle::testing::hasty_row()); }
