// SPDX-License-Identifier: Apache-2.0
#include "net/study/open_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "net/mpi/open_mpi.hpp"
#include "net/study/gather_text.hpp"
#include "net/tcp/tcp_settings.hpp"
#include "net/tcp/tcp_transport.hpp"

namespace heddle::net {

namespace {

std::unique_ptr<Transport> open_by_name(std::string_view name) {
  if (name == "mpi") return open_mpi();
  if (name == "tcp") return std::make_unique<TcpTransport>(settings_from_environment());
  if (name.starts_with("mpi:")) return open_mpi(std::string(name.substr(4)));
  throw InputError(fmt::format("'{}': no network that heddle knows; try mpi or tcp", name));
}

}  // namespace

std::unique_ptr<Transport> open_network(std::string_view name, const std::string& purpose) {
  std::unique_ptr<Transport> network = open_by_name(name);
  // Otherwise each would wait for what the others never say.
  const std::vector<std::string> all = gather_text(*network, purpose);
  const auto other = std::ranges::find_if(all, [&](const std::string& text) { return text != all.front(); });
  if (other != all.end())
    throw InputError(fmt::format("'{}': rank 0 was started for '{}', rank {} for '{}'; start the same command on all", name,
                                 all.front(), other - all.begin(), *other));
  return network;
}

}  // namespace heddle::net
