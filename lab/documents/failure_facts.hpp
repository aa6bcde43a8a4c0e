// SPDX-License-Identifier: Apache-2.0
// A failure as JSON, which goes into documents and from process to process.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heddle/errors.hpp"

namespace heddle {

/// {"kind", "explanation", "facts"}. The facts have what is known alone: rank, time_s, element, got, expected, missing, doubled,
/// foreign, blocked, cycle, left, exception. Where nothing is known they are an empty object.
void to_json(nlohmann::ordered_json& json, const Failure& failure);
/// Without "facts" there are none. Throws nlohmann's exceptions for what is no such object, and InputError for an unknown kind.
void from_json(const nlohmann::ordered_json& json, Failure& failure);

}  // namespace heddle
