// SPDX-License-Identifier: Apache-2.0
// Decisions as lines for people, as JSON, and as the files that libraries read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lab/results/decisions.hpp"

namespace heddle::decisions {

// Decisions and targets as lines for people.

/// What the target does not have though it is the fastest, one line each, what failed its checks, header_lines(), and how many
/// decisions there are. Without a line feed.
std::vector<std::string> summary_lines(const Decisions& decisions);

/// Each row of the registry that the target has, and why it does not have the others.
std::string mapping_list(const Target& target);

/// One object, with a newline: `context` (version, target, margin, where the speeds come from), `collectives`, each with its `ranks` and
/// these with their `decisions` by size: `bytes` (null: any size, of a barrier), `choice` (null: the target decides by itself), `next_best`,
/// `too_close` (what would be the choice, were it further ahead), `missed` (the fastest, where the target does not have it), `is_estimated`;
/// and `failed`, runs that do not count.
std::string decisions_json(const Decisions& decisions);

/// A rules file for Open MPI's coll_tuned_dynamic_rules_filename, in the classic text that 4.1 and 5 read (docs/exports.md). The
/// decisions are those of openmpi_target().
std::string openmpi_rules(const Decisions& decisions);

/// A tuning file for MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE: `base`, MPICH's own (lab/decisions/mpich_base.hpp), with other rules
/// for calls within one communicator (docs/exports.md). The decisions are those of mpich_target(). Throws InputError that names
/// `base_path` if the base has no rules for one of their collectives.
std::string mpich_json(const Decisions& decisions, const nlohmann::ordered_json& base, const std::string& base_path);

/// The CSV that NCCL's example tuner reads (NCCL_TUNER_CONFIG_FILE, docs/exports.md). The decisions are those of nccl_target().
std::string nccl_csv(const Decisions& decisions);

}  // namespace heddle::decisions
