// SPDX-License-Identifier: Apache-2.0
// What the authors of a source would want to know: claims that runs contradict, with the reason, for the first page.
#pragma once

#include <span>
#include <string>

#include "claims/claim.hpp"

namespace heddle::claims {

struct FindingForAuthors {
  std::string claim;  ///< its name
  std::string title;  ///< the finding in one sentence, without its full stop
  std::string text;   ///< half a page at most; Markdown
};

/// Ten at most, in the order in which they are shown.
std::span<const FindingForAuthors> findings_for_authors();

/// Gives claims theirs. A finding whose claim is not among them is left out; a test looks for it.
void add_findings_for_authors(std::span<Source> sources);

}  // namespace heddle::claims
