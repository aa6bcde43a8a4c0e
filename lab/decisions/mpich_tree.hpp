// SPDX-License-Identifier: Apache-2.0
// MPICH's tree of conditions, however it came.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/decisions/decision_file.hpp"

namespace heddle::decisions {

/// `path` names it in complaints, which come when a call is looked up.
std::shared_ptr<const DecisionFile> mpich_tree(std::string path, nlohmann::ordered_json tree, bool is_builtin);

}  // namespace heddle::decisions
