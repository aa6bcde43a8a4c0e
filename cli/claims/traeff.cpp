// SPDX-License-Identifier: Apache-2.0
// Circulant reduce-scatter and allreduce.
#include "cli/claims/claim.hpp"

namespace heddle::claims {

Source traeff() {
  return {.name = "traeff",
          .title = "Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
          .setting = {},
          .claims = {}};
}

}  // namespace heddle::claims
