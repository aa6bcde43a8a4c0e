// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/reserved_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "heddle/errors.hpp"

namespace heddle::net {

ReservedPort::ReservedPort() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const int on = 1;
  if (socket_ < 0 || setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 || bind(socket_, any, length) != 0 ||
      getsockname(socket_, any, &length) != 0) {
    const std::string why = std::strerror(errno);
    if (socket_ >= 0) close(socket_);
    throw ResourceError("no port is free at 127.0.0.1: " + why);
  }
  port_ = ntohs(address.sin_port);
}

ReservedPort::~ReservedPort() { close(socket_); }

}  // namespace heddle::net
