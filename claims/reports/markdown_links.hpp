// SPDX-License-Identifier: Apache-2.0
// What the pages of claims share: their places, links between them, tables of findings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim_outcome.hpp"

namespace heddle::claims {

/// A table's cell.
std::string cell(std::string_view text);

/// "claims/swing.md"
std::string source_page(const std::string& folder, const Source& source);
/// "[swing/figure-6](claims/swing.md#swingfigure-6)", as the first page has it.
std::string link_to(const std::string& folder, const Source& source, const Claim& claim);

std::string findings_in_markdown(std::span<const Finding> findings);

/// Outcomes that follow each other and are of one source.
std::vector<std::span<const Outcome>> parts_by_source(std::span<const Outcome> outcomes);

}  // namespace heddle::claims
