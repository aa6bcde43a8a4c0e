// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "claims/claim_outcome.hpp"

namespace heddle::claims {

/// One object: `context` (version), and `claims` in order, each with `name`, `source`, `section`, `citation`, `statement`, `full`, `ran`,
/// `verdict` and `error` (null where there is none), and `findings`: `subject`, `printed`, `measured`, `difference` and
/// `tolerance` (relative, or null), `verdict`, `within` (the tolerance in words where it is no number), `why`, `command`.
/// Verdicts are "holds", "holds within", "does not hold".
std::string as_json(std::span<const Outcome> outcomes);

}  // namespace heddle::claims
