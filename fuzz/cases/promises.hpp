// SPDX-License-Identifier: Apache-2.0
// What a row promises of its runs.
#pragma once

#include "emu/record/report.hpp"
#include "heddle/registry.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// Throws CheckError if the run counted other rounds or bytes than the row's formulas say, where these are promised exactly: for
/// ranks in the fabric's order that call together, and blocks of which each has an element.
void check_promises(const Setup& setup, const Algorithm& row, const Report& report);

/// Throws CheckError if a row of one's own says that it is independent of size, and 16 times the elements of this call are sent by
/// other messages when all of them are held than when a part of them is. Makes two runs.
void check_independence_of_size(const Setup& setup, const Algorithm& row);

}  // namespace heddle
