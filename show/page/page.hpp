// SPDX-License-Identifier: Apache-2.0
// A page: one HTML file with all that it shows in it, which needs no network. Its scripts (show/page/web) draw what the data says.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lab/sweep/sweep_document.hpp"

namespace heddle::pages {

/// `data` has `kind` ("run", "sweep", "claims" or "findings"), which says what the rest of it is, and `title`. Text in it may be
/// anything: it is escaped, and bytes that are not UTF-8 are replaced. A stream that fails is left failed.
void write_page(const nlohmann::ordered_json& data, std::ostream& out);
std::string page_text(const nlohmann::ordered_json& data);

/// Pages of documents that heddle writes as JSON anyway; `command` makes them once more.
/// Of `heddle claims --json`.
std::string claims_page(std::string_view document, const std::string& command);
/// Of `heddle fuzz --json`.
std::string findings_page(std::string_view document, const std::string& command);

/// A sweep as a page: its table and its curves. Of each row the best of its variants.
std::string sweep_page(const SweepDocument& document);

}  // namespace heddle::pages
