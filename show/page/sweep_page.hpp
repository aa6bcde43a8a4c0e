// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/sweep/sweep_document.hpp"

namespace heddle::pages {

/// A sweep as a page: its table and its curves. Of each row the best of its variants.
std::string sweep_page(const SweepDocument& document);

}  // namespace heddle::pages
