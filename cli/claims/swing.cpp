// SPDX-License-Identifier: Apache-2.0
// Short cuts on tori.
#include "cli/claims/claim.hpp"

namespace heddle::claims {

Source swing() { return {.name = "swing", .title = "Swing (De Sensi et al., NSDI '24)", .setting = {}, .claims = {}}; }

}  // namespace heddle::claims
