// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/link.hpp"

#include <fmt/format.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace heddle::net::tcp {

namespace {

/// Of the system's calls at once, so that no link keeps the others waiting.
constexpr int kRounds = 16;
constexpr std::size_t kMostPieces = 64;

void set_option(int socket, int level, int option, int value) { setsockopt(socket, level, option, &value, sizeof value); }

/// Small frames at once, and a machine that has vanished is found in four seconds where nothing is under way.
void prepare_socket(TcpSocket& socket) {
  SystemError ignored;
  socket.non_blocking(true, ignored);
  const int handle = socket.native_handle();
  set_option(handle, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(handle, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(handle, IPPROTO_TCP, TCP_KEEPIDLE, 1);
  set_option(handle, IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set_option(handle, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

bool must_wait(const SystemError& error) {
  return error == boost::asio::error::would_block || error == boost::asio::error::try_again ||
         error == boost::asio::error::interrupted;
}

/// What one call takes.
template <class Buffer>
struct BufferList {
  using value_type = Buffer;
  using const_iterator = const Buffer*;
  std::array<Buffer, kMostPieces> buffers = {};
  std::size_t count = 0;

  const Buffer* begin() const { return buffers.data(); }
  const Buffer* end() const { return buffers.data() + count; }
  bool is_full() const { return count == buffers.size(); }
  template <class Byte>
  void add(std::span<Byte> bytes) {
    if (!bytes.empty()) buffers[count++] = Buffer(bytes.data(), bytes.size());
  }
};

}  // namespace

Link::Link(TcpSocket socket, User& user, int peer) : socket_(std::move(socket)), user_(&user), peer_(peer), in_(kInBytes) {
  prepare_socket(socket_);
}

void Link::start() { wait_to_read(); }

void Link::wait_to_read() {
  if (!is_open_) return;
  socket_.async_wait(TcpSocket::wait_read, [self = shared_from_this()](const SystemError& error) {
    if (!error && self->is_open_) self->read();
  });
}

void Link::read() {
  for (int round = 0; round < kRounds && is_open_; ++round) {
    BufferList<boost::asio::mutable_buffer> buffers;
    // Straight into the receive's memory, and what follows it into in_.
    std::size_t direct = 0;
    std::size_t next = piece_;
    for (; next < destination_.pieces.size() && buffers.count + 1 < kMostPieces; ++next) {
      const auto rest = destination_.pieces[next].subspan(next == piece_ ? offset_ : 0);
      buffers.add(rest);
      direct += rest.size();
    }
    if (next >= destination_.pieces.size()) buffers.add(std::span(in_));
    SystemError error;
    const std::size_t bytes = socket_.read_some(buffers, error);
    if (must_wait(error)) break;
    if (error) return lose(error == boost::asio::error::eof ? "its connection was closed" : error.message());
    try {
      const std::size_t there = std::min(bytes, direct);
      reader_.skip(there);
      advance(there);
      if (there > 0 && reader_.payload_left() == 0) end_frame();
      receive(bytes - there);
    } catch (const FrameError& damage) {
      return lose(fmt::format("it sent {}", damage.what()));
    }
  }
  wait_to_read();
}

/// The first bytes of in_.
void Link::receive(std::size_t bytes) {
  std::span<const std::byte> rest = std::span(in_).first(bytes);
  while (is_open_) {
    const auto item = reader_.take(rest);
    if (!item) return;
    if (const auto* frame = std::get_if<Frame>(&*item)) {
      begin_frame(*frame);
    } else {
      into_destination(std::get<std::span<const std::byte>>(*item));
    }
    if (reader_.payload_left() == 0) end_frame();
  }
}

void Link::begin_frame(const Frame& frame) {
  frame_ = frame;
  destination_ = user_->destination(*this, frame);
  piece_ = 0;
  offset_ = 0;
  kept_.clear();
}

void Link::into_destination(std::span<const std::byte> bytes) {
  if (destination_.is_kept) kept_.insert(kept_.end(), bytes.begin(), bytes.end());
  while (!bytes.empty() && piece_ < destination_.pieces.size()) {
    const auto into = destination_.pieces[piece_].subspan(offset_);
    const std::size_t part = std::min(into.size(), bytes.size());
    if (part > 0) std::memcpy(into.data(), bytes.data(), part);
    bytes = bytes.subspan(part);
    advance(part);
  }
}

/// So many bytes of the destination are there. Empty pieces are passed over.
void Link::advance(std::size_t bytes) {
  offset_ += bytes;
  while (piece_ < destination_.pieces.size() && offset_ >= destination_.pieces[piece_].size()) {
    offset_ -= destination_.pieces[piece_].size();
    ++piece_;
  }
}

void Link::end_frame() {
  destination_ = {};
  piece_ = 0;
  offset_ = 0;
  user_->take(*this, frame_, std::exchange(kept_, {}));
}

void Link::lose(const std::string& why) {
  if (!is_open_) return;
  const auto self = shared_from_this();
  close();
  user_->lost(*this, why);
}

void Link::post(Frame frame, std::span<const std::byte> payload) {
  frame.payload = static_cast<std::uint32_t>(payload.size());
  const EncodedFrame header = encode(frame);
  posted_.insert(posted_.end(), header.begin(), header.end());
  posted_.insert(posted_.end(), payload.begin(), payload.end());
}

/// False: there is nothing to be written.
bool Link::next_batch() {
  if (!is_batch_done()) return true;
  const bool had_sends = !batch_.ending().empty();
  if (had_sends) user_->written(*this, batch_);
  if (batch_.bytes() > 0) pace(batch_.bytes());
  batch_.clear();
  next_ = 0;
  written_ = 0;
  own_.swap(posted_);
  batch_began_ = std::chrono::steady_clock::now();
  user_->fill(*this, batch_);
  return !is_batch_done();
}

/// What one posts waits for the batch that is being written, and the other end may wait for it before it sends anything: so no batch
/// is to take long. The first ones go into the system's buffer at once, whatever the network takes: the next is at most twice as long.
void Link::pace(std::size_t bytes) {
  constexpr double kSeconds = 1e-3;
  constexpr std::size_t kLeast = std::size_t{16} << 10;
  constexpr std::size_t kMost = std::size_t{1} << 20;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - batch_began_;
  const double in_time = static_cast<double>(bytes) / std::max(took.count(), 1e-9) * kSeconds;
  most_at_once_ = in_time >= static_cast<double>(2 * most_at_once_) ? 2 * most_at_once_ : static_cast<std::size_t>(in_time);
  most_at_once_ = std::clamp(most_at_once_, kLeast, kMost);
}

void Link::wrote(std::size_t bytes) {
  written_ += bytes;
  if (!own_.empty()) {
    if (written_ < own_.size()) return;
    written_ -= own_.size();
    own_.clear();
  }
  while (next_ < batch_.pieces().size() && written_ >= batch_.pieces()[next_].size())
    written_ -= batch_.pieces()[next_++].size();
}

void Link::wake() {
  if (is_writing_ || waits_to_write_ || is_broken_) return;
  const auto self = shared_from_this();
  is_writing_ = true;
  for (int round = 0; round < kRounds && is_open_ && next_batch(); ++round) {
    BufferList<boost::asio::const_buffer> buffers;
    std::size_t begin = written_;
    if (!own_.empty()) {
      buffers.add(std::span<const std::byte>(own_).subspan(begin));
      begin = 0;
    }
    for (std::size_t i = next_; i < batch_.pieces().size() && !buffers.is_full(); ++i) {
      buffers.add(batch_.pieces()[i].subspan(begin));
      begin = 0;
    }
    SystemError error;
    const std::size_t bytes = socket_.write_some(buffers, error);
    if (must_wait(error)) break;
    if (error) {
      is_broken_ = true;
      break;
    }
    wrote(bytes);
  }
  is_writing_ = false;
  if (is_open_ && !is_broken_ && (!is_batch_done() || next_batch())) wait_to_write();
}

void Link::wait_to_write() {
  waits_to_write_ = true;
  socket_.async_wait(TcpSocket::wait_write, [self = shared_from_this()](const SystemError& error) {
    self->waits_to_write_ = false;
    if (!error && self->is_open_) self->wake();
  });
}

bool Link::is_acknowledged() {
  if (!is_open_ || is_broken_) return true;
  int left = 0;
  if (ioctl(socket_.native_handle(), SIOCOUTQ, &left) != 0 || left == 0) return true;
  // Reset by the other side, it never will be.
  tcp_info info = {};
  socklen_t length = sizeof info;
  return getsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || info.tcpi_state == TCP_CLOSE;
}

void Link::finish_writing() {
  SystemError ignored;
  if (is_open_) socket_.shutdown(TcpSocket::shutdown_send, ignored);
}

void Link::close() {
  if (!is_open_) return;
  is_open_ = false;
  SystemError ignored;
  socket_.close(ignored);
}

}  // namespace heddle::net::tcp
