// SPDX-License-Identifier: Apache-2.0
// --blocks: how the whole vector is cut into one block per rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle {

/// Sizes of blocks in elements, one per rank; empty: as evenly as it goes.
using BlockSizes = std::vector<std::int64_t>;

/// The elements of the whole vector that a list of sizes implies; no value for "even" and "random". Throws InputError.
std::optional<std::int64_t> listed_count(std::string_view text);

/// Whether a text is a list of sizes, and so says the whole vector's: neither "even" nor "random".
bool is_list_of_blocks(std::string_view text);

/// A list with commas, for any number of ranks. Throws InputError.
BlockSizes parse_block_list(std::string_view text);

/// "even", "random[:SEED]" or a list with commas. Throws InputError: no such thing, not `ranks` sizes, not `count` in all.
BlockSizes parse_blocks(std::string_view text, std::int64_t count, int ranks);

/// Sizes drawn by seed, `count` in all, a few of them zero; the same on every machine.
BlockSizes random_blocks(std::int64_t count, int ranks, std::uint64_t seed);

}  // namespace heddle
