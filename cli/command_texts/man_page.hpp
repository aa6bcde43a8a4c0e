// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace heddle {

/// heddle(1) in roff's man macros, from the commands and flags of `app`.
std::string man_page(const CLI::App& app);

}  // namespace heddle
