// SPDX-License-Identifier: Apache-2.0
#include "process/message_socket.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace heddle {

namespace {

/// Beyond it somebody else has written.
constexpr std::uint32_t kLongestMessage = std::uint32_t{64} << 20;

}  // namespace

std::pair<OpenFile, OpenFile> connected_sockets() {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::pair<OpenFile, OpenFile>();
  return {OpenFile(ends[0]), OpenFile(ends[1])};
}

void MessageSocket::put(std::string_view bytes) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  out_.append(reinterpret_cast<const char*>(&length), sizeof length);
  out_ += bytes;
}

bool MessageSocket::flush() {
  std::size_t sent = 0;
  while (sent < out_.size()) {
    const ssize_t written = send(file_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    sent += static_cast<std::size_t>(written);
  }
  const bool all = sent == out_.size();
  out_.clear();
  return all;
}

std::optional<std::string> MessageSocket::take() {
  std::uint32_t length = 0;
  if (in_.size() - taken_ < sizeof length) return std::nullopt;
  std::memcpy(&length, in_.data() + taken_, sizeof length);
  if (in_.size() - taken_ - sizeof length < length) return std::nullopt;
  std::string bytes = in_.substr(taken_ + sizeof length, length);
  taken_ += sizeof length + length;
  if (taken_ == in_.size()) {
    in_.clear();
    taken_ = 0;
  }
  return bytes;
}

MessageSocket::Arrived MessageSocket::read(bool wait) {
  std::array<char, std::size_t{16} * 1024> some;  // not set: most messages are far shorter
  ssize_t got = 0;
  do got = recv(file_, some.data(), some.size(), wait ? 0 : MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Arrived::nothing;
  if (got <= 0) return Arrived::end;
  in_.erase(0, taken_);
  taken_ = 0;
  in_.append(some.data(), static_cast<std::size_t>(got));
  std::uint32_t length = 0;
  if (in_.size() >= sizeof length) std::memcpy(&length, in_.data(), sizeof length);
  return length > kLongestMessage ? Arrived::end : Arrived::something;
}

}  // namespace heddle
