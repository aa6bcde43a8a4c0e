// SPDX-License-Identifier: Apache-2.0
#include "show/page/document_page.hpp"

#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "show/page/page_writer.hpp"

namespace heddle::pages {

namespace {

std::string page_of(std::string_view document, std::string_view kind, std::string_view title, const std::string& command) {
  return page_text({{"kind", kind},
                    {"title", title},
                    {"version", version()},
                    {"command", command},
                    {"document", nlohmann::ordered_json::parse(document)}});
}

}  // namespace

std::string claims_page(std::string_view document, const std::string& command) {
  return page_of(document, "claims", "What the sources claim", command);
}

std::string findings_page(std::string_view document, const std::string& command) {
  return page_of(document, "findings", "What heddle fuzz found", command);
}

}  // namespace heddle::pages
