// SPDX-License-Identifier: Apache-2.0
// A failure as JSON, which goes into documents and from process to process.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heddle/errors.hpp"

namespace heddle {

/// {"kind", "explanation", "facts"}. The facts have what is known alone: rank, time_s, element, got, expected, missing, doubled,
/// foreign, blocked, cycle, left, exception. Where nothing is known they are an empty object.
nlohmann::ordered_json json_of(const Failure& failure);
/// Reads it back; without "facts" there are none. Throws nlohmann's exceptions for what is no such object, and InputError for an unknown kind.
Failure failure_from_json(const nlohmann::ordered_json& json);

}  // namespace heddle
