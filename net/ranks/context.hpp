// SPDX-License-Identifier: Apache-2.0
// Numbers that tell the messages of communicators apart. All ranks make the same ones without asking each other: a number is the path
// to its communicator, as bits.
#pragma once

#include <cstdint>

namespace heddle::net {

/// Of all processes together.
inline constexpr std::uint64_t kWorldContext = 1;

/// Of task i of n, of the communicator's concurrently() number `call`. Calls of one communicator come one after another on each rank,
/// and messages of one stream do not overtake, so that a number may come again; to receives from any rank four calls in a row differ.
/// Throws UsageError where communicators are nested too deeply for 64 bits.
std::uint64_t branch_context(std::uint64_t parent, std::uint32_t call, int n, int i);

/// Of the communicator that split() number `split` made. Eight in a row differ. Throws as branch_context.
std::uint64_t part_context(std::uint64_t parent, std::uint32_t split);

}  // namespace heddle::net
