// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heddle::pages {

/// Pages of documents that heddle writes as JSON anyway; `command` makes them once more.
/// Of `heddle claims --json`.
std::string claims_page(std::string_view document, const std::string& command);
/// Of `heddle fuzz --json`.
std::string findings_page(std::string_view document, const std::string& command);

}  // namespace heddle::pages
