// SPDX-License-Identifier: Apache-2.0
#include "net/study/open_network.hpp"

#include <fmt/format.h>

#include <string>

#include "core/errors.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/tcp/tcp_settings.hpp"
#include "net/tcp/tcp_transport.hpp"

namespace heddle::net {

std::unique_ptr<Transport> open_network(std::string_view name) {
  if (name == "mpi") return open_mpi();
  if (name == "tcp") return std::make_unique<TcpTransport>(settings_from_environment());
  if (name.starts_with("mpi:")) return open_mpi(std::string(name.substr(4)));
  throw InputError(fmt::format("'{}': no network that heddle knows; try mpi or tcp", name));
}

}  // namespace heddle::net
