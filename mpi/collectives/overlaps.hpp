// SPDX-License-Identifier: Apache-2.0
// Buffers of one call that lie on one another, which MPI forbids: what is received is written once, and is not what is sent. Types with
// holes are left out: they may lie in each other's.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/collectives/typed.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

std::vector<TypedBuffer> each_block(const TypedBlocks& blocks);

/// Two of the blocks that have bytes in common, by their places in the list.
std::optional<std::pair<std::size_t, std::size_t>> overlapping_blocks(std::span<const TypedBuffer> blocks);

/// Whether a block of one list has bytes in common with a block of the other.
bool overlap(std::span<const TypedBuffer> some, std::span<const TypedBuffer> others);

/// Of a call.
struct UsedMemory {
  std::vector<TypedBuffer> sent = {};
  std::vector<TypedBuffer> received = {};
  std::vector<std::string_view> lists = {};  ///< of counts, displacements and types: their bytes
};
/// Of a collective, until the program has waited for it.
struct OpenMemory {
  CallSite site;
  std::shared_ptr<const UsedMemory> used;
};
/// No collective that the program has begun and not waited for receives what the call under way uses, or uses what it receives. Throws
/// MpiError.
void require_free(Process& process, const UsedMemory& used);
/// The same of receives that it has begun.
void require_free_of_receives(Process& process, const UsedMemory& used);

}  // namespace heddle::mpi
