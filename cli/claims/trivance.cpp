// SPDX-License-Identifier: Apache-2.0
// Three-way exchanges on tori.
#include "cli/claims/claim.hpp"

namespace heddle::claims {

Source trivance() { return {.name = "trivance", .title = "Trivance (Jürß, Addanki, Schmid)", .setting = {}, .claims = {}}; }

}  // namespace heddle::claims
