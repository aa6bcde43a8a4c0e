// SPDX-License-Identifier: Apache-2.0
// What searches for the least credits came to, for people and for scripts.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "lab/studies/credits_study.hpp"

namespace heddle {

/// A row for each search; with `explain`, below it the deadlock just below the safe count.
/// A table of at most so many columns, if what it needs is not wider.
void print_credits(const CreditsStudy& study, bool explain, std::size_t columns, std::ostream& out);

/// One object: `context` (as heddle run's, with the topology and the ranks as asked for), `runs` (each with what was found, or
/// with `error`), `left_out`. Nothing of the host.
std::string json_of_credits(const CreditsStudy& study);

}  // namespace heddle
