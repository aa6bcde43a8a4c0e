// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "heddle/grid.hpp"
#include "heddle/units.hpp"

namespace heddle::net {

struct RankSettings {
  Bytes stack = Bytes(1 << 20);  ///< of each task: a network's own calls lie on it, too
  /// That all ranks fill, if they fill one; every rank gives the same.
  std::optional<Grid> grid = {};
  /// Of the fabric under the ranks; no value: ranks of one machine are one group. Every rank gives the same.
  std::optional<Tiers> tiers = {};
  /// For so long nothing may come while every task of the rank waits; no value: any time.
  std::optional<double> stall_seconds = {};
};

}  // namespace heddle::net
