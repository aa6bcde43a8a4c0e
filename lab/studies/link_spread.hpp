// SPDX-License-Identifier: Apache-2.0
// How evenly a run used links that lie side by side: the NICs of a pod, the uplinks of a leaf. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emu/record/report.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

/// What the links of one tier carried that leave one part of the fabric, which lower tiers join. A link out of an endpoint without a
/// rank counts only if it carried something.
struct LinkSpread {
  int tier = 0;                ///< of the links
  std::size_t endpoints = 0;   ///< of the part
  std::size_t links = 0;       ///< that could have carried something
  std::size_t used = 0;        ///< that did
  bool from_endpoints = true;  ///< all of them leave endpoints, so each is a NIC or the like
  std::int64_t bytes = 0;      ///< together
  LinkReport most = {};        ///< the link that carried most; of equals the one that was busy for longer

  /// What the busiest carried, in even parts.
  double times_even() const {
    return static_cast<double>(most.bytes.count()) * static_cast<double>(links) / static_cast<double>(bytes);
  }
  /// Whether those that carried anything carried about as much.
  bool used_alike() const {
    constexpr double kAlike = 1.1;
    return static_cast<double>(most.bytes.count()) * static_cast<double>(used) <= kAlike * static_cast<double>(bytes);
  }
};

/// Of all parts of which one link carried half as much again as an even part, or more, the one whose busiest link was busy for
/// longest. No value: there is none.
std::optional<LinkSpread> most_uneven_links(const Setup& plan, const Report& report);

}  // namespace heddle
