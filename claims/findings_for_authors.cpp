// SPDX-License-Identifier: Apache-2.0
#include "claims/findings_for_authors.hpp"

#include <algorithm>
#include <vector>

namespace heddle::claims {

std::span<const FindingForAuthors> findings_for_authors() {
  static const std::vector<FindingForAuthors> findings = {};
  return findings;
}

void add_findings_for_authors(std::span<Source> sources) {
  for (const FindingForAuthors& finding : findings_for_authors())
    for (Source& source : sources)
      if (const auto claim = std::ranges::find(source.claims, finding.claim, &Claim::name); claim != source.claims.end())
        claim->for_authors = finding.title + '\n' + finding.text;
}

}  // namespace heddle::claims
