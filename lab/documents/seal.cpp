// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/seal.hpp"

#include "core/checksum.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

constexpr auto kSeal = "check";

}  // namespace

std::string line_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json sealed(nlohmann::ordered_json object) {
  object.erase(kSeal);
  object[kSeal] = checksum_of(line_of(object));
  return object;
}

void require_seal(const nlohmann::ordered_json& object) {
  if (!object.is_object() || !object.contains(kSeal))
    throw InputError("no checksum: an older heddle wrote it, or it is damaged; run the sweep again");
  if (sealed(object).at(kSeal) != object.at(kSeal))
    throw InputError("damaged: its checksum is not that of what it says; run the sweep again");
}

}  // namespace heddle
