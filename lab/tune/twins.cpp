// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/twins.hpp"

#include <fmt/format.h>

namespace heddle {

std::string all_names(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " = ")); }

std::string shared_name(const std::vector<std::string>& names, std::size_t letters) {
  constexpr std::size_t kAtLeast = 2;
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string longer = text + " = " + names[i];
    if (i >= kAtLeast && longer.size() > letters) return fmt::format("{} = {} more", text, names.size() - i);
    text = longer;
  }
  return text;
}

}  // namespace heddle
