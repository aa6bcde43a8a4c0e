// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace heddle::decisions {

/// How many channels a ring or tree needs to enter each node by all of its network cards, on a fabric as a sweep's JSON describes it:
/// the ranks of the largest node, where one message between nodes is slower than one within and two or more such messages fit
/// out of a node at once; elsewhere 1. Throws InputError if its topology is a file that cannot be read.
int channels_needed(const nlohmann::ordered_json& fabric);

}  // namespace heddle::decisions
