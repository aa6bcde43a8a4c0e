// SPDX-License-Identifier: Apache-2.0
// What a program says of one message beyond what collectives need, and what it is told of messages that it has not received. The calls
// that take these values are in <heddle/communicator.hpp>.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heddle/units.hpp"
#include "heddle/vector_view.hpp"

namespace heddle {

/// An operation under way. A plain handle: copying it does not copy the operation. Each one must be waited for once.
class Request {
 public:
  constexpr Request() = default;
  constexpr explicit Request(std::uint64_t id) : id_(id) {}
  constexpr std::uint64_t id() const { return id_; }

 private:
  std::uint64_t id_ = 0;
};

/// What a completed receive received; for a send, its own destination, tag and count. Of a probe: the message that it has found.
struct Status {
  Rank peer;
  Tag tag;
  std::int64_t count = 0;   ///< elements: of the receive's datatype; of the sender's, where a probe found it
  std::uint64_t label = 0;  ///< the sender's SendOptions::label; 0: none, or none is known
};

/// When a send completes.
enum class SendMode : std::uint8_t {
  standard,     ///< when its data has left the sender; where the run has no buffers, once a receive has taken it, too
  synchronous,  ///< when a receive has taken it and its data has left
  ready,        ///< as standard; that no receive is posted for it yet is an error of the run
  buffered,     ///< at once: its data has been copied, and its buffer may change
};

struct SendOptions {
  SendMode mode = SendMode::standard;
  std::uint64_t label = 0;  ///< goes with the message and comes back in the Status of its receive; heddle does not read it
  bool waits = false;       ///< its caller waits for it before anybody uses its memory
};

struct ReceiveOptions {
  std::uint64_t label = 0;  ///< for a PlaceDescriber; heddle does not read it
  /// What is too long is left out, and Status::count is the sender's; else it is an error of the run.
  bool takes_longer = false;
  bool waits = false;  ///< as SendOptions has it
};

/// A message that Communicator::improbe or mprobe has taken out of matching. To be received once, by the task that took it.
struct TakenMessage {
  std::uint64_t id = 0;
  Status status;
};

/// What a probe looks for.
struct MessagePattern {
  Rank source;  ///< or kAnySource
  Tag tag;      ///< or kAnyTag
};

/// What a rank has asked for in vain before it dozes (Communicator::doze). It is named if nothing can come of it any more.
struct Polling {
  std::span<const Request> requests = {};       ///< of this task, that were not complete
  std::span<const MessagePattern> probes = {};  ///< that found nothing on this communicator
  bool reads_clock = false;                     ///< it may stop polling at some time: it is not taken for blocked
  bool sleeps = false;                          ///< as reads_clock; its program sleeps for so long, whatever happens meanwhile
};

/// What a task was doing at a place in its program (Communicator::call_from).
struct PlacedCall {
  enum class Kind : std::uint8_t { send, receive, probe, task, wait };

  Kind kind = Kind::wait;
  const void* place = nullptr;  ///< as it was given, never nullptr
  Rank rank = {};               ///< who: of the run
  // Of a message; of a probe but for its data. Ranks are those of its communicator.
  Rank peer = {};          ///< or kAnySource
  Tag tag = {};            ///< or kAnyTag
  std::int64_t count = 0;  ///< elements of `type`
  Datatype type = Datatype::user(1);
  std::uint64_t label = 0;
};

/// Says of places in a program what was called there, in the words of its language. It makes the texts of failures better, and
/// nothing else depends on it.
class PlaceDescriber {
 public:
  virtual ~PlaceDescriber() = default;

  /// "fetch(4 numbers, rank 2) at ring.c:41"; empty: heddle's own words are used. From any thread, several at once too, and only when a
  /// run has failed. Must not use a communicator.
  virtual std::string describe(const PlacedCall& call) const = 0;
  /// Whether all ranks of a communicator make that call together. Its messages are then for the same call of other ranks alone.
  virtual bool is_collective(const PlacedCall& /*call*/) const { return false; }
};

}  // namespace heddle
