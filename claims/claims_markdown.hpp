// SPDX-License-Identifier: Apache-2.0
// docs/claims.md.
#pragma once

#include <span>
#include <string>

#include "claims/claim_outcome.hpp"

namespace heddle::claims {

/// A page of its own: what it is, then each source with its setting and its claims, each under a heading of its name with
/// findings, reasons and commands. Claims that did not run are listed.
std::string markdown_page(std::span<const Outcome> outcomes);

}  // namespace heddle::claims
