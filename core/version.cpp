// SPDX-License-Identifier: Apache-2.0
#include "core/version.hpp"

namespace heddle {

std::string_view version() { return HEDDLE_VERSION; }

}  // namespace heddle
