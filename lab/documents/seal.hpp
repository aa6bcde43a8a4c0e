// SPDX-License-Identifier: Apache-2.0
// Sealed objects: what a disk or a network did to a sweep's file is found when it is read. The seal is the last member, "check":
// a checksum of the object without it, as line_of writes it; so blanks and line breaks between its parts have no say.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

/// On one line. Bytes that are not UTF-8 (names come from the user) are replaced.
std::string line_of(const nlohmann::ordered_json& json);

/// With its seal; one that it has already counts for nothing.
nlohmann::ordered_json sealed(nlohmann::ordered_json object);

/// Throws InputError, without the object's place, if there is no seal or another one.
void require_seal(const nlohmann::ordered_json& object);

}  // namespace heddle
