// SPDX-License-Identifier: Apache-2.0
// The parts of Boost.Asio that are used.
#pragma once

#include <utility>  // before asio/awaitable.hpp, which lacks it

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace heddle::net::tcp {

using TcpSocket = boost::asio::ip::tcp::socket;
using TcpEndpoint = boost::asio::ip::tcp::endpoint;
using SystemError = boost::system::error_code;

}  // namespace heddle::net::tcp
