// SPDX-License-Identifier: Apache-2.0
// Traffic of others on the fabric's links.
#pragma once

#include <optional>

#include "core/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// A load on some links from the beginning until the last measured rank returns. It shares them with the messages max-min
/// fairly, as a message without an end would, and is not counted among them (docs/model.md, "Background").
struct BackgroundFlow {
  VertexId from = 0;  ///< endpoints: over the fabric's route between them
  VertexId to = 0;
  std::optional<LinkId> link = {};          ///< if set: over this link alone, wherever from and to are
  Bandwidth rate = Bandwidth::unlimited();  ///< the most that it takes; unlimited: all that it can get
};

/// Throws InputError: a flow that this fabric cannot have. Of links that a split route takes all or none of, one alone cannot
/// be loaded.
void require_possible(const Fabric& fabric, const BackgroundFlow& flow);

}  // namespace heddle
