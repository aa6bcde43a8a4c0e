// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>  // before asio/awaitable.hpp, which lacks it
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/tcp/frame.hpp"

namespace heddle::net::tcp {

using TcpSocket = boost::asio::ip::tcp::socket;
using TcpEndpoint = boost::asio::ip::tcp::endpoint;
using SystemError = boost::system::error_code;

/// One connection: frames in and out. The socket is only waited for asynchronously; memory of others is read and written only while
/// the io_context runs, or within wake(). Always held by a shared_ptr; of one thread.
class Link : public std::enable_shared_from_this<Link> {
 public:
  class User {
   public:
    virtual ~User() = default;
    // For each frame these two, in order. A FrameError from them, or from what comes, loses the link.
    virtual Destination destination(Link& link, const Frame& frame) = 0;
    virtual void take(Link& link, const Frame& frame, std::vector<std::byte> kept) = 0;
    /// Nothing comes any more; `why` in words. The link is closed. Once.
    virtual void lost(Link& link, const std::string& why) = 0;
    /// What is to be written after all that was posted.
    virtual void fill(Link&, Batch&) {}
    virtual void written(Link&, const Batch&) {}
  };

  /// Takes over a socket that is connected.
  Link(TcpSocket socket, User& user, int peer);

  /// Begins to read.
  void start();
  /// Before anything that fill() gives. Written at the next wake().
  void post(Frame frame, std::span<const std::byte> payload = {});
  void post(Frame frame, std::string_view text) { post(frame, std::as_bytes(std::span(text))); }
  /// Writes what there is, as far as the socket takes it, and goes on when it takes more. Does not block.
  void wake();
  /// From within the user's calls too; no call comes after it.
  void close();

  void set_user(User& user) { user_ = &user; }
  void set_peer(int rank) { peer_ = rank; }
  int peer() const { return peer_; }  ///< its rank; -1: not known yet
  bool is_open() const { return is_open_; }
  /// How many bytes fill() is to give about.
  std::size_t most_at_once() const { return most_at_once_; }
  /// All that was posted is with the system, or cannot get there.
  bool is_flushed() const { return is_broken_ || (posted_.empty() && is_batch_done()); }
  /// Memory of others is to be written yet.
  bool holds_memory() const { return next_ < batch_.pieces().size(); }
  /// What still comes of the frame under way goes nowhere.
  void forget_destination() { destination_ = {}; }
  /// The other side has acknowledged all that was written, or never will.
  bool is_acknowledged();
  void finish_writing();
  TcpSocket& socket() { return socket_; }

 private:
  static constexpr std::size_t kInBytes = std::size_t{64} << 10;

  bool is_batch_done() const { return next_ == batch_.pieces().size() && own_.empty(); }
  void wait_to_read();
  void wait_to_write();
  void read();
  void receive(std::size_t bytes);
  void into_destination(std::span<const std::byte> bytes);
  void advance(std::size_t bytes);
  void begin_frame(const Frame& frame);
  void end_frame();
  void lose(const std::string& why);
  bool next_batch();
  void wrote(std::size_t bytes);
  void pace(std::size_t bytes);

  TcpSocket socket_;
  User* user_;
  int peer_;
  bool is_open_ = true;
  bool is_broken_ = false;  ///< nothing can be written any more; what comes says why
  bool is_writing_ = false;
  bool waits_to_write_ = false;

  FrameReader reader_;
  Frame frame_;
  Destination destination_;
  std::size_t piece_ = 0;   ///< of the destination
  std::size_t offset_ = 0;  ///< within it
  std::vector<std::byte> kept_;
  std::vector<std::byte> in_;

  std::vector<std::byte> posted_;
  std::vector<std::byte> own_;  ///< posted, and being written before the batch
  Batch batch_;
  std::chrono::steady_clock::time_point batch_began_;
  std::size_t most_at_once_ = std::size_t{16} << 10;
  std::size_t next_ = 0;     ///< piece of the batch
  std::size_t written_ = 0;  ///< bytes of own_, or of that piece
};

}  // namespace heddle::net::tcp
