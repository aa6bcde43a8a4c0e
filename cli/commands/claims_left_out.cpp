// SPDX-License-Identifier: Apache-2.0
// In claims_command.cpp's place where heddle is built without its claims.
#include "cli/commands/claims_command.hpp"
#include "heddle/errors.hpp"

namespace heddle {

int claims_command(const ClaimsOptions&, std::ostream&, std::ostream&) {
  throw InputError("claims: this heddle was built without them; tools/quickstart --claims builds them");
}

}  // namespace heddle
