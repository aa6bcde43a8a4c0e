// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heddle {

/// "0.1.0": the project's version, as reports and `heddle --version` give it.
std::string_view version();

}  // namespace heddle
