// SPDX-License-Identifier: Apache-2.0
// What a run's and a sweep's documents say of tuning: `tune` ("options"), `budget`, and of all points together `points`, `rows`,
// `combinations`, `tried`, `unfit` and `left_out`, a number for each row of which the budget left some out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lab/describe/variants.hpp"

namespace heddle {

nlohmann::ordered_json json_of_tuning(const VariantCount& count, const Tuning& tuning);

/// tuning_text of what such a document says. Throws what nlohmann throws for what is none.
std::string tuning_text(const nlohmann::ordered_json& json);

}  // namespace heddle
