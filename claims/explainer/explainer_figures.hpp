// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "claims/claim.hpp"

namespace heddle::claims::explainer_notes {

/// The ladders of notes 01, 02 and 04: steps and vectors by number of ranks, times by size.
void add_ladders(std::span<Claim> claims);

}  // namespace heddle::claims::explainer_notes
