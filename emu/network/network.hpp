// SPDX-License-Identifier: Apache-2.0
// How messages cross the fabric. A model of contention stands behind this interface and knows nothing of ranks or tags.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/messages/message_id.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// An operation that the switches do.
using StreamId = std::uint32_t;

/// What a stream takes of a link (or trunk): `use` bytes there per byte of its own.
struct StreamLink {
  LinkId link;
  double use;
  bool counts;  ///< as bytes of that link; else the link takes part in sharing alone
};

/// A message on its way.
struct Sending {
  MessageId message;
  VertexId from;  ///< two different endpoints
  VertexId to;
  std::int64_t bytes;                              ///< ≥ 0
  int round;                                       ///< ≥ 1, for the statistics
  std::uint32_t record = CriticalPath::kNoRecord;  ///< in the run's timeline
};

struct Streaming {
  StreamId stream;
  std::span<const StreamLink> links;  ///< each named once; used during the call alone
  double bytes;                       ///< ≥ 0
  int round;
  std::uint32_t record = CriticalPath::kNoRecord;
};

/// How a message crossed the network, and how it would have alone. A message over several paths has arrived with the last of
/// them, which need not have been the last to drain.
struct Crossing {
  Time drained;        ///< when the path that arrives last had drained
  Time full_rate;      ///< what that path takes to drain alone
  Time alone_drained;  ///< from its start until the last byte leaves the sender, alone
  Time alone_arrived;  ///< from its start until the last byte is there, alone
};

/// What a network is given besides its fabric and the recorder that hears what it does.
struct NetworkLoad {
  std::span<const BackgroundFlow> background = {};  ///< outlive the constructor alone
  bool latency_only = false;                        ///< every link as if unlimited
  std::span<const LinkFault> faults = {};           ///< outlive the network, as the placement does that names their ranks
  const Placement* placement = nullptr;             ///< where there are faults
};

class NetworkClient {
 public:
  /// The last byte has left the sender.
  virtual void drained(MessageId message) = 0;
  /// The last byte has reached the receiver. Always after drained().
  virtual void arrived(MessageId message) = 0;
  /// One of the two comes soon, as Alarm::expect.
  virtual void expect_drained(MessageId message, int stage) = 0;
  virtual void expect_arrived(MessageId message, int stage) = 0;
  /// The last byte of a stream has left its source, or all of them; alone it takes `full_rate`.
  virtual void streamed(StreamId stream, Time full_rate) = 0;

 protected:
  ~NetworkClient() = default;
};

class Network {
 public:
  virtual ~Network() = default;

  /// It leaves its sender now.
  virtual void send(const Sending& sending) = 0;

  /// It starts now on all of its links at once. The client learns when it has drained; the way from there is its own affair.
  virtual void stream(const Streaming& streaming) = 0;

  /// All starts and ends of this instant are known: what they change takes effect. Whether it must be called again before time
  /// goes on: a call into the client has asked for more meanwhile, say.
  virtual bool end_instant() = 0;

  /// Of a message that has drained, until it is sent again.
  virtual const Crossing& crossing(MessageId message) const = 0;

  /// Whether a message, or an operation of the switches, took this link while it had a fault, or would have; of a link that
  /// adaptive routing takes with others, one of them.
  virtual bool has_met_fault(LinkId /*link*/) const { return true; }
  /// Whether one of them had other links or ways beside it, and took these for what it lacks.
  virtual bool has_gone_round(LinkId /*link*/) const { return false; }
  /// What the background flows have carried by `end`, at which the last message has long drained.
  virtual std::vector<BackgroundReport> background(Time end) const = 0;
};

/// Calls a network's client when a message has arrived.
class Arrivals final : public Alarm {
 public:
  /// The client outlives this.
  explicit Arrivals(NetworkClient& client) : client_(client) {}

  void ring(std::uint64_t message) override { client_.arrived(static_cast<MessageId>(message)); }
  void expect(std::uint64_t message, int stage) override { client_.expect_arrived(static_cast<MessageId>(message), stage); }

 private:
  NetworkClient& client_;
};

/// When `bytes` have drained that drain at `rate` bytes per picosecond from `now` on. Throws InputError beyond kLatestTime.
Time drained_at(Time now, double bytes, double rate);

}  // namespace heddle::emu
