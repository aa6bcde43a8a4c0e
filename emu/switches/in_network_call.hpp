// SPDX-License-Identifier: Apache-2.0
// One operation of the switches as its ranks ask for it: what they agree on, and the data that comes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/collective.hpp"
#include "emu/switches/in_network_plan.hpp"

namespace heddle::emu {

/// Of a rank that has what the others have, too: the type and the elements of the whole vector.
Datatype type_of(Collective collective, const CollectiveArguments& arguments);
std::int64_t whole_count(Collective collective, const CollectiveArguments& arguments);

/// "allreduce of sum 4 x i32", "broadcast of 7 x f32 from root 2".
std::string call_text(Collective collective, const CollectiveArguments& arguments);

/// Whether two ranks ask for the same thing.
bool is_same_call(Collective collective, const CollectiveArguments& a, const CollectiveArguments& b);

/// `calls` by rank.
InNetworkSizes sizes_of(Collective collective, std::span<const CollectiveArguments* const> calls);

/// Empty if what each rank gives and takes fits together; else what does not.
std::string mismatch(Collective collective, std::span<const CollectiveArguments* const> calls);

/// What a rank gives to the switches and gets from them; empty where it is nothing.
ConstVectorView given_by(Collective collective, const CollectiveArguments& call, int rank);
VectorView got_by(Collective collective, const CollectiveArguments& call, int rank);

/// Does what the switches do with the data: reads every rank's input, writes every rank's output. Sums are those of the tree:
/// each switch adds up its children's in the order of its ports, f16 and bf16 in 32 bits and rounded once as they leave it, and
/// f32 given and taken as `precision`, where there is one.
void move_data(Collective collective, const SwitchTree& tree, std::optional<Datatype> precision,
               std::span<const CollectiveArguments* const> calls);

}  // namespace heddle::emu
