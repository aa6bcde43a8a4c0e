// SPDX-License-Identifier: Apache-2.0
#include "claims/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "claims/claim.hpp"
#include "core/errors.hpp"

namespace heddle::claims {

std::string figure_file(const Claim& claim) {
  std::string name = claim.name;
  std::ranges::replace(name, '/', '-');
  return name + ".svg";
}

void set_figure(std::span<Claim> claims, std::string_view name, Figure figure) {
  const auto claim = std::ranges::find(claims, name, &Claim::name);
  if (claim == claims.end()) throw UsageError(fmt::format("a figure for '{}': no claim is called so", name));
  claim->figure = std::move(figure);
}

}  // namespace heddle::claims
