// SPDX-License-Identifier: Apache-2.0
// One stream of what happens in a run, for whoever wants it (EmulationSettings::sinks): timelines and samples, what traces a wrong
// result, draws schedules, and counts what channels hold. A run without sinks pays one comparison per event.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "heddle/collective.hpp"
#include "heddle/units.hpp"
#include "heddle/vector_view.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {
struct MessageRecord;
struct NamedPhase;
struct PhaseRecord;
struct SpanRecord;
}  // namespace heddle

namespace heddle::emu {

/// A message as it is posted. Views are valid during the call; `from` says where the sender's memory is, not what is in it.
struct PostedMessage {
  /// In place of a rank: the switches, which ranks give to and get from in an operation in the network.
  static constexpr int kSwitches = -1;

  std::uint64_t number = 0;  ///< in the order in which messages of the run take effect
  int source = 0;            ///< ranks of the run, whatever communicator it is sent on
  int dest = 0;
  Tag tag = {};
  int round = 1;             ///< its place in the chain of messages that leads to it; counts anew in the second call
  bool second_call = false;  ///< of a call that is not measured
  Time time = {};
  ConstVectorView data = {};
  std::span<const ConstVectorView> from = {};
  std::int64_t bytes = 0;       ///< on the wire
  int task = 0;                 ///< of the sender; 0: the rank itself, else a branch of concurrently()
  int task_family = 0;          ///< tasks of a rank that can run at once have the same one, which is not 0
  bool credits_by_tag = false;  ///< its tag is a channel of its own, as where tasks share their rank's messages
  std::uint32_t phase = CriticalPath::kNoRecord;  ///< that its sender was in
};

/// A flow as it begins: what one path carries of a message, or a stream.
struct FlowStart {
  std::uint32_t message = CriticalPath::kNoRecord;  ///< its record
  double share = 1;                                 ///< of its bytes
  double bytes = 0;                                 ///< as many
  Time full_rate = {};                              ///< what they take to drain alone
};

/// By which call a rank sees what has come first.
enum class OrderSeen : std::uint8_t {
  any_source,   ///< a receive or a probe from any source
  any_request,  ///< a wait for any of several requests
  question,     ///< whether a request is complete, or a message there
};

/// Called on the engine's thread alone (but for poison), in the order of the run, which is the same with any threads until all
/// ranks make the second call. Outlives the run, and hears of one run alone.
class RecordSink {
 public:
  /// A sink either keeps times, or looks at data: it hears posted(), and besides what stands below its kind.
  virtual bool keeps_times() const { return false; }

  /// To those that keep times: of messages that cross the network. The first is record 0, and operations of switches count.
  virtual void posted(const PostedMessage& /*message*/) {}

  // ---- to those that keep times: messages, by their records; second calls are no part of it ----

  /// An operation of the switches, in place of posted() and injected().
  virtual void switches_started(const MessageRecord& /*operation*/, Collective, const std::vector<int>& /*ranks*/) {}
  /// `previous`: the record of the message before it on its path.
  virtual void injected(std::uint32_t /*record*/, Time /*started*/, Time /*entered*/, std::uint32_t /*previous*/) {}
  /// `entered`: as injected() was told.
  virtual void drained(std::uint32_t /*record*/, Time /*entered*/, Time /*at*/, Time /*full_rate*/) {}
  virtual void arrived(std::uint32_t /*record*/, Time /*entered*/, Time /*at*/) {}

  virtual void begin_flow(std::uint32_t /*flow*/, const FlowStart&, std::span<const LinkId>, Time /*now*/) {}
  virtual void rate_of_flow(std::uint32_t /*flow*/, double /*bytes_per_second*/, Time /*now*/) {}
  virtual void end_flow(std::uint32_t /*flow*/, Time /*now*/) {}

  virtual void waited(const SpanRecord& /*span*/) {}
  /// It gets the next number, from 0.
  virtual void named(const NamedPhase& /*phase*/) {}
  virtual void was_in_phase(const PhaseRecord& /*stretch*/) {}

  // ---- to those that look at data: all messages ----

  /// It has been written to `into`, which may be longer than it; the receiver was in the second call or not.
  virtual void received(std::uint64_t /*number*/, bool /*in_second_call*/, Time, std::span<const VectorView> /*into*/) {}
  /// Whether called_by() is of use to it: to find a place takes time.
  virtual bool wants_places() const { return false; }
  /// Who sent a message that has just been posted, and who receives it, just before received(), where somebody knows:
  /// "sent by MPI_Send(4 x MPI_INT, …) at ring.c:41".
  virtual void called_by(std::uint64_t /*number*/, const std::string& /*call*/) {}
  /// A rank's receive takes effect.
  virtual void posted_receive(int /*rank*/, std::span<const VectorView> /*into*/) {}
  /// A rank has made a call whose result tells what has come first.
  virtual void saw_order(int /*rank*/, OrderSeen /*by*/) {}
  /// It was cancelled: nothing is written to `into`.
  virtual void withdrew_receive(int /*rank*/, std::span<const VectorView> /*into*/) {}
  /// Whether it wants to see what happens in the order in which it happens: else ranks may run ahead in the second call.
  virtual bool keeps_order() const { return false; }
  /// Whether asked_room() is of use to it, where messages have no bound.
  virtual bool minds_room() const { return false; }
  /// Room for one more message, which a rank asks for before it takes the one that it is to pass on.
  virtual void asked_room(int /*source*/, int /*dest*/, Tag, bool /*credits_by_tag*/) {}
  /// Whether it says itself what the buffers of receives show until their messages are there.
  virtual bool poisons() const { return false; }
  /// On the thread of the rank's task, unlike the others: the first bytes of a buffer that was filled with poison, to be filled with
  /// something else. `source` is of the receive's communicator.
  virtual void poison(std::span<std::byte> /*first_bytes*/, int /*rank*/, Rank /*source*/, Tag /*tag*/) {}

 protected:
  ~RecordSink() = default;
};

/// Those that keep times, or the others.
inline std::vector<RecordSink*> sinks_among(std::span<RecordSink* const> sinks, bool keep_times) {
  std::vector<RecordSink*> some;
  for (RecordSink* sink : sinks)
    if (sink->keeps_times() == keep_times) some.push_back(sink);
  return some;
}

/// Which rank has first seen an order.
class OrderObserver final : public RecordSink {
 public:
  void saw_order(int rank, OrderSeen by) override {
    if (!first_) first_ = {rank, by};
  }
  /// "rank 3 receives from any source"; empty: no rank has.
  std::string text() const;

 private:
  std::optional<std::pair<int, OrderSeen>> first_;
};

}  // namespace heddle::emu
