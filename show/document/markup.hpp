// SPDX-License-Identifier: Apache-2.0
// Text marked up for other programs: a manual's page for roff, citations for Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::roff {

// A page of the manual in roff's man macros, in ASCII, so that it does not depend on the reader's encoding.

/// A text, valid UTF-8, as roff prints it unchanged.
std::string escaped(std::string_view text);

// Words within a line; empty for none.
std::string bold(std::string_view text);
std::string italic(std::string_view text);

std::string paragraph(std::string_view text);
/// A paragraph behind a tag, which is roff already.
std::string item(std::string_view tag, std::string_view text);
/// Lines as they are.
std::string lines(std::string_view text);

}  // namespace heddle::roff

namespace heddle {

// Citations, as the registry's rows and claims have them: "[swing] §3.1.1, App. A; [explainer-01] §6". What stands in brackets
// is the key of an entry of docs/sources.md, what follows it where in that source.

/// The keys, in order. Small letters, digits and hyphens in brackets are a key, anything else is text.
std::vector<std::string_view> cited_keys(std::string_view citations);

/// For a page: each key a link to its entry on `sources`, which is docs/sources.md as the page names it.
std::string linked_citations(std::string_view citations, std::string_view sources = "sources.md");

}  // namespace heddle
