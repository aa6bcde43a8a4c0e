// SPDX-License-Identifier: Apache-2.0
// Closed forms, fabrics, switches that compute.
#include "cli/claims/claim.hpp"

namespace heddle::claims {

Source explainer() {
  return {.name = "explainer", .title = "Collectives Explainer Series (Lu), notes 00–05", .setting = {}, .claims = {}};
}

}  // namespace heddle::claims
