// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// For people: by fabric the times of all algorithms at all sizes, the best of each size with its bandwidths and how far the
/// next is behind, and where the best changes; then what was left out, failed or was not run. No line is longer than 128
/// columns unless a name is. The same values as in CSV and JSON.
std::string table_text_of(const SweepDocument& document);

}  // namespace heddle
