// SPDX-License-Identifier: Apache-2.0
// The whole of a sweep from its shards.
#pragma once

#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// From the JSON file of each shard, at least one: the document that the whole sweep would have on one machine. Throws InputError that names
/// the files where they do not belong together, one is there twice, missing or not complete.
SweepDocument merge_shards(const std::vector<std::string>& paths);

}  // namespace heddle
