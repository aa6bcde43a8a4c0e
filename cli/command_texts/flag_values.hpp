// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/command_texts/completion.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle {

/// What the value of a command's flag or argument, of which `written` is there, can become. `collective` is the one that the
/// line names, or empty.
Completion values_of(const CLI::App& command, const CLI::Option& option, std::string_view collective, std::string_view written);

}  // namespace heddle
