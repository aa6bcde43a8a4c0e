// SPDX-License-Identifier: Apache-2.0
// `heddle claims`: what the sources of the algorithms claim, beside what runs show.
#pragma once

#include <iosfwd>
#include <span>

#include "claims/claim.hpp"
#include "cli/flags/claims_options.hpp"

namespace heddle {

/// claims_command() of claims_options.hpp with other sources.
int claims_command(const ClaimsOptions& options, std::span<const claims::Source> sources, std::ostream& out, std::ostream& err);

}  // namespace heddle
