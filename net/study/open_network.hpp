// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/transport/transport.hpp"

namespace heddle::net {

/// By its name: "mpi", "mpi:FILE" (heddle's library for one), "tcp". Blocks until all processes are there. `purpose`: what this
/// process goes on to do there ("run"), which must be the same in all of them. Throws InputError for a name that there is not, on
/// all processes if their purposes differ, and as open_mpi() and settings_from_environment(); NetworkError.
std::unique_ptr<Transport> open_network(std::string_view name, const std::string& purpose);

}  // namespace heddle::net
