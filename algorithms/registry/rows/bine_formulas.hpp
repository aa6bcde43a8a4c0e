// SPDX-License-Identifier: Apache-2.0
// Rounds and bytes of what runs on Bine butterflies. Where nothing folds they are closed forms; where something does, bytes are
// counted from the schedule. Pure.
#pragma once

#include <cstdint>

#include "algorithms/registry/registry.hpp"

namespace heddle::formulas {

/// One phase over all ranks.
Formula<int> bine_rounds();
/// One phase, blocks in the order of their ways.
Formula<int> bine_rounds_by_ways();
/// The same and the blocks' way to or from their owners.
Formula<int> bine_rounds_with_owners();

std::int64_t bine_send_reduce_scatter_bytes(const Shape& shape);
std::int64_t bine_block_by_block_allgather_bytes(const Shape& shape);
std::int64_t bine_two_transmissions_allgather_bytes(const Shape& shape);
std::int64_t bine_permute_allgather_bytes(const Shape& shape);
std::int64_t bine_send_allgather_bytes(const Shape& shape);

std::int64_t bine_large_bytes(const Shape& shape);
int bine_torus_rounds(const Shape& shape);
std::int64_t bine_torus_bytes(const Shape& shape);

int bine_scatter_allgather_rounds(const Shape& shape);
std::int64_t bine_scatter_allgather_bytes(const Shape& shape);
int bine_reduce_scatter_gather_rounds(const Shape& shape);
std::int64_t bine_reduce_scatter_gather_bytes(const Shape& shape);

std::int64_t bine_alltoall_bytes(const Shape& shape);

}  // namespace heddle::formulas
