// SPDX-License-Identifier: Apache-2.0
// What the emulation keeps for each strand, its requests, and what it has asked for since it last ran.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "core/collective.hpp"
#include "core/communicator.hpp"
#include "core/units.hpp"
#include "emu/critical_path.hpp"
#include "emu/faults.hpp"
#include "emu/in_network.hpp"
#include "emu/mailbox.hpp"
#include "emu/payload.hpp"

namespace heddle::emu {

/// The ranks of a communicator. Shared by the communicators over it; immutable.
struct Group {
  std::uint32_t id = 0;
  std::vector<int> members;  ///< world rank of each rank
  std::optional<Grid> grid;  ///< the part of the fabric's that they fill
  MessageCost message_cost;  ///< from its first rank to its second, per real byte
  Tiers tiers;
  std::shared_ptr<const InNetworkDomain> in_network;  ///< none where no switch computes
};

/// What becomes of a message on its way, where the fabric is unreliable.
enum class Fate : std::uint8_t { arrives, is_lost, is_damaged };

/// A message from when it takes effect until it has been received. Thousands are under way: none takes a cache line more than
/// it must.
struct alignas(64) Message {
  std::uint64_t number = 0;  ///< in the order of the run
  ChannelKey key;            ///< ranks of its group
  int source = 0;            ///< world rank
  int dest = 0;              ///< world rank
  StrandId sender = 0;
  std::uint32_t sender_slot = 0;
  std::int64_t count = 0;
  std::int64_t wire_bytes = 0;
  int round = 1;
  bool rehearsal = false;
  bool drained = false;
  Fate fate = Fate::arrives;
  CriticalPath path;     ///< of its entry into the network; once it has drained, of that
  Time entered;          ///< the network: when its start-up is over
  Time contention_free;  ///< had no message shared a link: when it would have been posted, then entered, then arrived
  std::uint32_t record = CriticalPath::kNoRecord;
  ChannelId channel = 0;
  ReceiveId receive;  ///< set when it was paired before it arrived
  Payload payload;
  Pieces<ConstVectorView> from;  ///< the sender's memory, to see whether it changed

  Datatype type() const { return from.type(); }
};
static_assert(sizeof(Message) <= 256);

struct SendPost {
  MessageId message;
};
struct ReceivePost {
  std::uint32_t slot;
};
struct ConcurrentlyPost {
  int strands;
  const std::function<void(int, Communicator&)>* body;
  std::shared_ptr<const Group> group;
  int rank;                      ///< in the group
  std::uint32_t parent_context;  ///< of the communicator that was asked
  std::uint32_t call;            ///< how many times it had been asked that before
};
struct SplitPost {
  std::shared_ptr<const Group> group;
  int rank;
  std::uint32_t parent_context;
  std::uint32_t call;
  int color;
  int key;
};
struct InNetworkPost {
  std::shared_ptr<const Group> group;
  int rank;
  std::uint32_t context;
  std::uint32_t call;  ///< how many times this communicator's switches had been asked before
  Collective collective;
  const CollectiveArguments* arguments;  ///< on the stack of the strand, which is blocked
};
struct WorkPost {
  enum class Kind : std::uint8_t { local_work, overhead, idle };
  Time duration;
  Kind kind;
};
/// Sends and receives are many, and kept small for it.
using Post = std::variant<SendPost, ReceivePost, WorkPost, std::unique_ptr<ConcurrentlyPost>, std::unique_ptr<SplitPost>,
                          std::unique_ptr<InNetworkPost>>;

/// A send or a receive that the strand has posted and not yet waited for.
struct RequestSlot {
  enum class State : std::uint8_t { free, pending, complete };

  /// The first bytes of a receive buffer are poisoned until the message is there; where it is shorter, they come back.
  static constexpr std::size_t kPoisoned = 64;

  State state = State::free;
  bool is_send = false;
  bool awaited = false;
  std::uint32_t generation = 0;  ///< of this slot: an old handle does not fit a new request
  std::uint32_t next_free = 0;   ///< the slot to be taken after this one, if both are free
  ChannelKey key{};
  int peer = -1;  ///< world rank of the other side; -1: any source
  int round = 0;
  Time contention_free;  ///< when it was posted, then when it is complete, had no message shared a link
  Status status;
  std::int64_t count = 0;  ///< elements posted
  Datatype type = Datatype::user(1);
  Pieces<VectorView> into;
  std::array<std::byte, kPoisoned> hidden;  ///< what the poison covers
};

class ScheduleSteps;

struct alignas(64) StrandState {
  enum class Blocked : std::uint8_t { no, requests, children, split, in_network, work, stopped };

  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  // What every message needs, in as few cache lines as it fits: first what leads to the rest.
  int rank = 0;                ///< world
  std::uint32_t pending = 0;   ///< requests that it waits for
  int round = 0;               ///< of the messages that it has waited for
  ChannelId send_channel = 0;  ///< the last ones used: a neighbour's, often
  ChannelId receive_channel = 0;
  std::uint32_t free_slot = kNoSlot;  ///< the first of the free ones
  Blocked blocked = Blocked::no;
  bool rehearsal = false;              ///< as its rank
  bool has_failed = false;             ///< with what `failure` holds
  ScheduleSteps* steps = nullptr;      ///< that the engine takes in its place; nullptr: none
  const std::byte* reduced = nullptr;  ///< where it last added something up: the next time close by, often
  Time contention_free;                ///< when it last woke, had no message shared a link
  CriticalPath path;                   ///< of the instant at which it last woke
  boost::container::small_vector<Post, 2> posts;
  std::int64_t messages_sent = 0;  ///< by the strand alone; added to its rank's report when it ends
  Bytes sent;
  Bytes received;
  const Communicator* communicator = nullptr;  ///< that its function was given, far up its stack; nullptr: another kind
  boost::container::small_vector<RequestSlot, 2> slots;

  /// Of all this, what two requests use: a receive, and a send behind it.
  static constexpr std::size_t kHotBytes = 512;

  int number = 0;  ///< among the rank's strands, in the order of their making; 0 is the rank itself
  /// The number of the first strand of the call that this one comes of, one way or another, which the rank itself made; 0 for
  /// the rank itself. While a call goes on, no strands run but those of its family.
  int family = 0;
  std::shared_ptr<const Group> group;
  int group_rank = 0;
  std::uint32_t context = 0;

  Time blocked_since;
  StrandId parent = 0;
  std::uint32_t children_left = 0;
  int children_round = 0;
  Time children_contention_free;
  std::shared_ptr<const Group> split_group;  ///< what split() has made
  std::uint32_t split_context = 0;
  int split_rank = 0;
  std::uint32_t in_network_call = 0;  ///< that it takes part in

  // Of a rank that is to throw or to stop.
  bool counts_calls = false;
  std::int64_t calls = 0;  ///< made on communicators since then, in the longest chain of strands
  const RankFault* stopped_by = nullptr;
  const char* stopped_in = "";  ///< the call that it was about to make
  Time stopped_at = {};

  std::exception_ptr failure;
};

}  // namespace heddle::emu
