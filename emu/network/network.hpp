// SPDX-License-Identifier: Apache-2.0
// How messages cross the fabric. A model of contention stands behind this interface and knows nothing of ranks or tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/messages/message_id.hpp"
#include "emu/record/critical_path.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "emu/settings/packet_settings.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

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

class AloneTimes;
class FaultyLinks;

/// What a network is given besides its fabric, its client and the recorder that hears what it does.
struct NetworkLoad {
  AloneTimes& alone;                                ///< is told of each message that starts; outlives the network
  std::span<const BackgroundFlow> background = {};  ///< outlive the constructor alone
  bool latency_only = false;                        ///< every link as if unlimited
  FaultyLinks* faulty = nullptr;                    ///< nullptr: all are well; outlives the network
  PacketSettings packets = {};                      ///< of the packet model
};

/// Messages that cross the network with nothing else in it, each from when it enters.
struct Crossing {
  Time drained;  ///< its last byte has left the sender
  Time arrived;  ///< later than that
  Time latency;  ///< of the path by which that came
  Time alone_drained;
  Time alone_arrived;
};
struct Crossings {
  std::vector<Crossing> of;
  bool meet = false;        ///< two of them share a link: this holds where all enter at one time, and all drain at one time
  bool drain_alike = true;  ///< all in the same time
};

class NetworkClient {
 public:
  /// The last byte has left the sender. It reaches the receiver at `arrival`, now or later.
  virtual void drained(MessageId message, Time arrival) = 0;
  /// The same, of a network that does not know yet when the message arrives: it says so then.
  virtual void left(MessageId message) = 0;
  virtual void arrived(MessageId message) = 0;
  /// The last byte of a stream has left its source, or all of them.
  virtual void streamed(StreamId stream) = 0;

 protected:
  ~NetworkClient() = default;
};

class Network {
 public:
  virtual ~Network() = default;

  /// It leaves its sender now.
  virtual void send(const Sending& sending) = 0;

  /// What these messages of one round take. Valid until the next call; nullptr: they must be sent to know it. Nothing of a run has
  /// happened by that.
  virtual const Crossings* crossings_of(std::span<const Sending> /*all*/) { return nullptr; }
  /// They have crossed the network as that said, in this round, and are heard of no more.
  virtual void note_crossed(int /*round*/) {}

  /// It starts now on all of its links at once. The client learns when it has drained; the way from there is its own affair.
  virtual void stream(const Streaming& streaming) = 0;

  /// All starts and ends of this timestamp are known: what they change takes effect. Whether it must be called again before
  /// time goes on: a call into the client has asked for more meanwhile, say.
  virtual bool end_timestamp() = 0;

  /// Of a message that has arrived, until it is sent again: the latency of the path by which its last byte came, which need not
  /// have been the last path to drain.
  virtual Time latency(MessageId message) const = 0;
  /// What it alone knows of a run that is over, at its `completion`: the last message has long drained.
  virtual void add_to(Report& /*report*/) const {}
  /// Why nothing goes on, where messages under way wait for each other for ever; empty: they do not.
  virtual std::string standstill() const { return {}; }
};

/// So many messages or flows are started, or given rates, between two questions whether to stop.
inline constexpr std::size_t kBetweenQuestions = 1024;

/// When `bytes` have drained that drain at `rate` bytes per picosecond from `now` on. Throws InputError beyond kLatestTime.
Time drained_at(Time now, double bytes, double rate);

}  // namespace heddle::emu
