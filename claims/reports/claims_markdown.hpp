// SPDX-License-Identifier: Apache-2.0
// docs/claims.md and the pages and pictures in docs/claims/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "claims/claim_outcome.hpp"

namespace heddle::claims {

struct PageFile {
  std::string path;  ///< beside the first page: "claims/swing.md"
  std::string content;
};

/// The first page: what the verdicts mean, how many rows have each, what authors would want to know, then each source's claims
/// with their verdicts, which link to the source's page in `folder`.
std::string first_page(std::span<const Outcome> outcomes, const std::string& folder);

/// A page for each source: its setting and its claims, each under a heading of its name with figure, findings, reasons and
/// commands. Claims that did not run are listed.
std::vector<PageFile> source_pages(std::span<const Outcome> outcomes, const std::string& folder);

/// Of those that were drawn.
std::vector<PageFile> pictures_of(std::span<const Outcome> outcomes, const std::string& folder);

}  // namespace heddle::claims
