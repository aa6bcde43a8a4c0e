// SPDX-License-Identifier: Apache-2.0
// Negabinary trees and butterflies.
#include "cli/claims/claim.hpp"

namespace heddle::claims {

Source bine() { return {.name = "bine", .title = "Bine trees (De Sensi et al., SC '25)", .setting = {}, .claims = {}}; }

}  // namespace heddle::claims
