// SPDX-License-Identifier: Apache-2.0
// Data that is not the same for all ranks: sizes of blocks, counts by sender and receiver, skews.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/count_matrix.hpp"

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

// --counts: what each rank of an alltoall sends to each other one, as MPI_Alltoallv has it.

/// Kinds of drawn matrices, by name: "random" (any counts), "sparse" (most are 0, often on one side of a pair alone), "rows" (some
/// ranks send nothing), "columns" (some receive nothing), "giant" (one rank sends another nearly all), "symmetric" (each two
/// send each other as much).
std::span<const std::string_view> kinds_of_counts();

/// Whether a text is one of these kinds, with a seed or without: "sparse:7". The size is then said apart.
bool are_drawn_counts(std::string_view text);

/// "sparse:7": drawn by seed so that the rank that sends most sends at most `count` elements; the same on every machine. "0,2:1,0":
/// the matrix itself, rows behind colons. Else the path of a file with a row of counts on each line. Throws InputError: no such
/// thing, not `ranks` rows and columns, a file's error with its line and column.
CountMatrix parse_counts(std::string_view text, std::int64_t count, int ranks);

/// As parse_counts reads it without a file: "0,2:1,0".
std::string to_string(const CountMatrix& counts);

/// What the rank that sends most sends, by a matrix that is written out: of any number of ranks. Throws InputError.
CountMatrix parse_written_counts(std::string_view text);
/// Whether a text is a matrix that is written out.
bool are_written_counts(std::string_view text);

// --skew: an alltoall in which some ranks receive more than the others, as experts do that many tokens are routed to
// (Collectives Explainer 05, §3.3).

/// "hotspot=2,factor=5" or "hotspot=2,factor=5,seed=7": by destination of `ranks`, how much it is sent in proportion to the others. The
/// hot ones are the first, or drawn by seed. Throws InputError.
std::vector<std::int64_t> parse_skew(std::string_view text, int ranks);

}  // namespace heddle
