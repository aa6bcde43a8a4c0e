// SPDX-License-Identifier: Apache-2.0
// Citations, as the registry's rows and claims have them: "[swing] §3.1.1, App. A; [explainer-01] §6". What stands in brackets
// is the key of an entry of docs/sources.md, what follows it where in that source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The keys, in order. Small letters, digits and hyphens in brackets are a key, anything else is text.
std::vector<std::string_view> cited_keys(std::string_view citations);

/// For a page: each key a link to its entry on `sources`, which is docs/sources.md as the page names it.
std::string linked_citations(std::string_view citations, std::string_view sources = "sources.md");

}  // namespace heddle
