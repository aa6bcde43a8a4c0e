// SPDX-License-Identifier: Apache-2.0
#include "algorithms/registry/requirements.hpp"

#include <fmt/core.h>

#include "core/errors.hpp"

namespace heddle {

std::string needs_commutative(const ReduceOp& op) {
  return fmt::format("it needs a commutative operation, and '{}' is not one", op.name());
}

std::string needs_grid() { return "it needs a grid"; }

std::string needs_equal_blocks() { return "it needs blocks of equal size"; }

std::string needs_in_network() { return "it needs switches that compute"; }

void require_commutative(std::string_view algorithm, const ReduceOp& op) {
  if (!op.commutative()) throw UsageError(fmt::format("{}: {}", algorithm, needs_commutative(op)));
}

void require_grid(std::string_view algorithm, const Communicator& comm) {
  if (!comm.grid()) throw UsageError(fmt::format("{}: {}", algorithm, needs_grid()));
}

void require_equal_blocks(std::string_view algorithm, const BlockPartition& blocks) {
  if (!blocks.all_equal()) throw UsageError(fmt::format("{}: {}", algorithm, needs_equal_blocks()));
}

}  // namespace heddle
