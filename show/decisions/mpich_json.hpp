// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lab/results/decisions.hpp"

namespace heddle::decisions {

/// A tuning file for MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE: `base`, MPICH's own (lab/results/target.hpp), with other rules
/// for calls within one communicator (docs/exports.md). The decisions are those of mpich_target(). Throws InputError that names
/// `base_path` if the base has no rules for one of their collectives.
std::string mpich_json(const Decisions& decisions, const nlohmann::ordered_json& base, const std::string& base_path);

}  // namespace heddle::decisions
