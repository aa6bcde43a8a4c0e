// SPDX-License-Identifier: Apache-2.0
// Algorithms as the registry describes them: rounds, bytes, needs, options and source of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle {

// The same rows three ways, each with a line feed at its end. Those of one collective stand together.

/// A paragraph for each row.
std::string list_as_text(std::span<const Algorithm* const> algorithms);
/// One object: `context` (version), `algorithms` (an object each).
std::string list_as_json(std::span<const Algorithm* const> algorithms);
/// Of these rows those that every word finds: a collective's own name, or what begins a word of what list_as_text says of the row,
/// whatever its capitals. Throws InputError, with the nearest name, for a word that finds no row.
std::vector<const Algorithm*> rows_with_words(std::span<const Algorithm* const> algorithms, std::span<const std::string> words);
/// A table for each collective: of the registry's rows it is docs/algorithms.md.
std::string list_as_markdown(std::span<const Algorithm* const> algorithms);

}  // namespace heddle
