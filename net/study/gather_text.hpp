// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "net/transport/transport.hpp"

namespace heddle::net {

/// Collective, blocks: what every process has to say, of any length, by rank.
std::vector<std::string> gather_text(Transport& transport, const std::string& mine);

}  // namespace heddle::net
