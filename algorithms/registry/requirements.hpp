// SPDX-License-Identifier: Apache-2.0
// What an algorithm cannot do without, checked where it is called directly; the registry's why_not says the same beforehand.
#pragma once

#include <string>
#include <string_view>

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle {

/// The half sentences, without the algorithm's name.
std::string needs_commutative(const ReduceOp& op);
std::string needs_grid();
std::string needs_equal_blocks();
std::string needs_in_network();

/// Throw UsageError ("swing_bandwidth: it needs …").
void require_commutative(std::string_view algorithm, const ReduceOp& op);
void require_grid(std::string_view algorithm, const Communicator& comm);
void require_equal_blocks(std::string_view algorithm, const BlockPartition& blocks);

}  // namespace heddle
