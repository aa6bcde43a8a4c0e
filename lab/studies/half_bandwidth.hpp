// SPDX-License-Identifier: Apache-2.0
// What a fabric whose links differ in speed can carry from one half to the other.
#pragma once

#include "topo/fabric/fabric.hpp"

namespace heddle {

/// The bandwidth from the first ⌊N/2⌋ endpoints to the others, each switch on the side where it costs less: a maximum flow
/// over all links with their derated bandwidth. The narrowest even cut may be narrower. None: 0.
Bandwidth bandwidth_between_halves(const Fabric& fabric);

}  // namespace heddle
