// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/studies/block_steps.hpp"

namespace heddle::pages {

/// Of 64 ranks at most all; of more, one of each class of ranks that send and receive as much in each step. {ranks, rows, classes,
/// blocks, whole, by_source, needed: [first, count, …], before: [row, block, terms, …], steps: [{moves: [[source, dest, [first, last,
/// …]], …], gains: [row, block, terms, …]}]}: rows are places in `rows`, which holds ranks; classes: how many ranks each stands for,
/// null where each is one.
nlohmann::ordered_json json_of_steps(const BlockSteps& steps);

}  // namespace heddle::pages
