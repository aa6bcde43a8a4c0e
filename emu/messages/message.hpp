// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/communicator.hpp"
#include "core/units.hpp"
#include "emu/messages/mailbox.hpp"
#include "emu/messages/payload.hpp"
#include "emu/report/critical_path.hpp"

namespace heddle::emu {

/// What becomes of a message on its way, where the fabric is unreliable.
enum class Fate : std::uint8_t { arrives, is_lost, is_damaged };

/// A message from when it takes effect until it has been received. Thousands are under way: none takes a cache line more than
/// it must.
struct alignas(64) Message {
  std::uint64_t number = 0;  ///< in the order of the run
  ChannelKey key;            ///< ranks of its group
  int source = 0;            ///< world rank
  int dest = 0;              ///< world rank
  TaskId sender = 0;
  std::uint32_t sender_slot = 0;
  std::int64_t count = 0;
  std::int64_t wire_bytes = 0;
  int round = 1;
  bool verification = false;
  bool drained = false;
  bool credits_by_tag = false;  ///< its tag has credits of its own, apart from the pair's others
  Fate fate = Fate::arrives;
  CriticalPath path;     ///< of its entry into the network; once it has drained, of that
  Time entered;          ///< the network: when its start-up is over
  Time contention_free;  ///< had no message shared a link: when it would have been sent, then entered, then arrived
  std::uint32_t record = CriticalPath::kNoRecord;
  ChannelId channel = 0;
  ReceiveId receive;  ///< set when it was paired before it arrived
  Payload payload;
  Pieces<ConstVectorView> from;  ///< the sender's memory, to see whether it changed

  Datatype type() const { return from.type(); }
  /// Those of verification calls, and from a rank to itself, take no time.
  bool crosses_network() const { return !verification && source != dest; }
};
static_assert(sizeof(Message) <= 256);

}  // namespace heddle::emu
