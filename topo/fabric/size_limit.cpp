// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/size_limit.hpp"

#include <fmt/format.h>

#include <limits>

#include "heddle/errors.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

void require_numberable(const std::string& spec, double endpoints, double links) {
  if (endpoints > static_cast<double>(kMaxEndpoints)) {
    constexpr double kPagesOfOneRank = 4096.0 / (1024.0 * 1024 * 1024 * 1024);
    throw InputError(
        fmt::format("topology '{}': {:.10g} endpoints, at most {} are possible; one 4 KiB page of stack for each rank would "
                    "take {:.3g} TiB",
                    spec, endpoints, kMaxEndpoints, endpoints * kPagesOfOneRank));
  }
  constexpr LinkId kMaxLinks = std::numeric_limits<LinkId>::max();
  if (links > kMaxLinks) {
    throw InputError(fmt::format("topology '{}': {:.10g} endpoints have {:.10g} links, at most {} are possible", spec,
                                 endpoints, links, kMaxLinks));
  }
}

}  // namespace heddle
