// SPDX-License-Identifier: Apache-2.0
// --counts: what each rank of an alltoall sends to each other one, as MPI_Alltoallv has it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/count_matrix.hpp"

namespace heddle {

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

}  // namespace heddle
