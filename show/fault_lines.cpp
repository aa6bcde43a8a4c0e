// SPDX-License-Identifier: Apache-2.0
#include "show/fault_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace heddle {

std::string gone_round_text(const std::vector<std::string>& faults) {
  if (faults.empty()) return "";
  constexpr std::size_t kShown = 4;
  const std::vector<std::string> shown(faults.begin(),
                                       faults.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, faults.size())));
  const std::string more = faults.size() > kShown ? fmt::format(" and {} more", faults.size() - kShown) : "";
  return fmt::format(
      "# adaptive routing goes round {}{}: links and ways beside take what it cannot carry; --routing ecmp:SEED does not go "
      "round\n",
      fmt::join(shown, " "), more);
}

}  // namespace heddle
