// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/results/decisions.hpp"

namespace heddle::decisions {

/// A rules file for Open MPI's coll_tuned_dynamic_rules_filename, in the classic text that 4.1 and 5 read (docs/exports.md). The
/// decisions are those of openmpi_target().
std::string openmpi_rules(const Decisions& decisions);

}  // namespace heddle::decisions
