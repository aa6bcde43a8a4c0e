// SPDX-License-Identifier: Apache-2.0
// Right within what roundings allow, and not the same everywhere or every time.
#include "tests/fuzz/folding_rows.hpp"
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

void plant_bits(Rows& rows) {
  rows.push_back(folds_from_itself_row());
  rows.push_back(folds_as_it_comes_row());
}

}  // namespace heddle::testing::bugs
