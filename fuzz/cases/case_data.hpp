// SPDX-License-Identifier: Apache-2.0
// How much data a case's call has, in elements. A case is an Experiment (lab/describe/experiment.hpp), which says it as a user
// does: in bytes, or as a list of blocks.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/describe/experiment.hpp"
#include "lab/describe/uneven_data.hpp"

namespace heddle {

/// Of all groups together.
int ranks_of(const Experiment& what);

/// Elements of the whole vector; of drawn counts (--counts sparse:7) the most that it may have.
std::int64_t count_of(const Experiment& what);
/// So many, cut into blocks as evenly as it goes. Of another type or none, give the type first.
void set_count(Experiment& what, std::int64_t count);

/// The case with next to no elements, as a setup of which nothing is held.
Experiment in_small(const Experiment& what);

/// As many elements as before, of this type; no value: the usual one.
void set_type(Experiment& what, std::optional<Datatype> type);

/// Given sizes of blocks; empty: cut as evenly as it goes.
BlockSizes blocks_of(const Experiment& what);
/// Blocks of these sizes, not empty.
void set_blocks(Experiment& what, const BlockSizes& blocks);

/// What ranks of an alltoall send each other, on so many of them; empty: all as much to all.
CountMatrix counts_of(const Experiment& what, int ranks);
/// These, written out.
void set_counts(Experiment& what, const CountMatrix& counts);
/// Whether blocks or counts are given.
bool has_given_sizes(const Experiment& what);

}  // namespace heddle
