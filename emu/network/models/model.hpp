// SPDX-License-Identifier: Apache-2.0
// The names of the network models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

/// How messages share links (docs/model.md). fluid: max-min fair. alpha_beta: not at all, each is as fast as alone.
enum class Model : std::uint8_t { fluid, alpha_beta };

/// "fluid" or "alpha-beta". Throws InputError.
Model parse_model(std::string_view text);
std::string to_string(Model model);

}  // namespace heddle
