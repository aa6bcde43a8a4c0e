// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/results/decisions.hpp"

namespace heddle::decisions {

/// The CSV that NCCL's example tuner reads (NCCL_TUNER_CONFIG_FILE, docs/exports.md). The decisions are those of nccl_target().
std::string nccl_csv(const Decisions& decisions);

}  // namespace heddle::decisions
