// SPDX-License-Identifier: Apache-2.0
#include "heddle/version.hpp"

namespace heddle {

std::string_view version() { return HEDDLE_VERSION; }

}  // namespace heddle
