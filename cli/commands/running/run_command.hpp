// SPDX-License-Identifier: Apache-2.0
// `heddle run`: a collective's algorithms one after the other, each reported.
#pragma once

#include <iosfwd>
#include <span>

#include "lab/experiment/setup.hpp"
#include "show/reporter.hpp"

namespace heddle {

/// Runs all of the plan's algorithms, whatever becomes of one, then explains on `err` what failed. Returns the exit status.
/// Throws what is no failed check (after all reporters have ended): InputError, or an error of heddle itself.
int execute(const Setup& plan, std::span<Reporter* const> reporters, std::ostream& err);

}  // namespace heddle
