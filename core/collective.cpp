// SPDX-License-Identifier: Apache-2.0
#include "core/collective.hpp"

#include <array>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

std::string to_string(Collective collective) {
  switch (collective) {
    case Collective::allreduce:
      return "allreduce";
  }
  return "unknown";
}

Collective parse_collective(std::string_view text) {
  static constexpr std::array<std::string_view, 1> kNames = {"allreduce"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (text == kNames[i]) return static_cast<Collective>(i);
  throw InputError(unknown_name_message("collective", text, kNames));
}

double bus_bandwidth_factor(Collective collective, int ranks) {
  const double p = ranks;
  switch (collective) {
    case Collective::allreduce:
      return 2 * (p - 1) / p;
  }
  return 1;
}

}  // namespace heddle
