// SPDX-License-Identifier: Apache-2.0
// What is said of a run's faults below its table.
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// A line for faults of links that adaptive routing has others beside (Report::faults_gone_round); empty: there are none.
std::string gone_round_text(const std::vector<std::string>& faults);

}  // namespace heddle
