// SPDX-License-Identifier: Apache-2.0
// For error messages: which known name was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// The shortest candidate that begins with `text`, else the one with the least edit distance to it (Damerau-Levenshtein:
/// letters inserted, deleted, replaced or swapped). Upper case is lower case, and of equals the first counts. Empty when none is
/// near: more than a third of the letters differ, and more than one of two.
std::string_view nearest_name(std::string_view text, std::span<const std::string_view> candidates);

/// "unknown topology 'tours': did you mean 'torus'? Known: ring, torus, …" with the parts that apply.
std::string unknown_name_message(std::string_view what, std::string_view text, std::span<const std::string_view> candidates);

}  // namespace heddle
