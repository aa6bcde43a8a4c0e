// SPDX-License-Identifier: Apache-2.0
// Messages as packets: links with buffers, credits and virtual channels, arbiters where several packets want one link
// (docs/model.md, "Packets").
//
// A timestamp has three parts, again and again until nothing of it is left: what is due changes state (take_due); what ranks send
// joins its host's queue; each idle link that any of this touched decides once, in the order of numbers (decide). So results depend
// on no order but that of the ranks.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/faulty_links.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/packets/injection.hpp"
#include "emu/packets/packet_alone.hpp"
#include "emu/packets/packet_pace.hpp"
#include "emu/packets/packet_paths.hpp"
#include "emu/packets/packet_statistics.hpp"
#include "emu/settings/packet_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

class PacketNetwork final : public Network, private Alarm {
 public:
  /// All references outlive the network. The model serves the fabric.
  PacketNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                const NetworkLoad& load);

  void send(const Sending& sending) override { sends_.push_back(sending); }
  void stream(const Streaming& streaming) override;
  bool end_timestamp() override;
  Time latency(MessageId message) const override { return messages_[message].latency; }
  void add_to(Report& report) const override;
  std::string standstill() const override;

 private:
  using PacketId = std::uint32_t;
  using OutputId = std::uint32_t;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::uint32_t kHostLane = 0xFFFFFFFE;

  /// Under way: its host has started it. Its time, its place in a queue, and the slot that it holds.
  struct Packet {
    Time at;  ///< when its head may go on, or its tail is at its destination
    MessageId message;
    PacketId next = kNone;  ///< behind it: on its link, later in its lane
    LinkId held = -1;       ///< the link whose far buffer it is in
    std::uint16_t path;
    std::uint16_t hop;  ///< that it is on, or waits for
    std::uint8_t held_channel = 0;
    bool is_short = false;  ///< the last of its message
    bool is_marked = false;
  };
  static_assert(sizeof(Packet) <= 32);

  struct PacketList {
    PacketId first = kNone;
    PacketId last = kNone;
    bool empty() const { return first == kNone; }
  };

  struct Link {
    Time free_at = Time::ps(-1);
    std::uint32_t owed = 0;
    std::uint32_t pointer = kNone;  ///< the lane that won last; kNone: none has
    bool is_sending = false;
    bool is_touched = false;
    std::uint8_t held_channel = 0;  ///< the slot that what is being sent leaves
    LinkId held = -1;
    MessageId message = 0;     ///< whose packet is being sent
    std::uint32_t hop = 0;     ///< of it, among all of the message's
    bool drains = false;       ///< it is the last that its host starts
    bool is_recorded = false;  ///< what is being sent has a flow, of the link's number
    PacketList crossing;       ///< in the order of their times
  };

  /// What a lane offers an output.
  struct Offer {
    std::uint32_t lane;  ///< number at its vertex: incoming links by number, their channels by number
    PacketList packets;  ///< with queues of their own: all that wait for this output
  };

  /// One message of a queue pair, as far as its packets go out here.
  struct Cursor {
    MessageId message;
    std::int64_t packet = 0;
    std::size_t path = 0;  ///< of that packet
    PathTurns turns;
  };
  /// From one host to another, over one first hop.
  struct QueuePair {
    std::list<Cursor> messages;  ///< mostly one
  };
  /// What two hosts have under way, where somebody asks.
  struct Control {
    std::unique_ptr<Injection> injection;
    std::vector<OutputId> held_back;  ///< where its queue pairs wait for an acknowledgement
  };
  struct Acknowledgement {
    std::uint64_t pair;  ///< of hosts
    std::int64_t bytes;
    Time waited;
    bool is_marked;
  };

  /// A link, or those links of a trunk that leave one vertex.
  struct Output {
    std::vector<LinkId> links;
    std::vector<Offer> offers;  ///< by lane
    std::deque<VertexId> ring;  ///< destinations of the queue pairs that have something to send
    std::unordered_map<VertexId, QueuePair> pairs;
    std::uint32_t waiting = 0;  ///< packets in lanes that may go on
    std::int32_t flows = 0;     ///< parts of messages that wait here or are being sent
    bool is_noted = false;
  };

  struct Message {
    PacketPaths* paths = nullptr;
    PacketCount count;
    std::int64_t to_start = 0;
    std::int64_t to_arrive = 0;
    Time latency;
    int round = 1;
    std::uint32_t record = CriticalPath::kNoRecord;  ///< in the run's timeline
    std::vector<std::uint32_t> at_hop;               ///< packets that wait for a hop or are on it, by hop of all paths
  };

  enum class Due : std::uint64_t { faults, free, crossed, credit, acknowledgement, arrival };
  struct Event {
    Time time;
    std::uint64_t what;  ///< Due and the number of a link, a buffer or a message
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : what > other.what; }
  };

  void lay_out();
  void give_slots();
  OutputId output_of(LinkId hop, VertexId vertex) const;
  std::size_t buffer(LinkId link, int channel) const {
    return static_cast<std::size_t>(link) * channels_ + static_cast<std::size_t>(channel);
  }
  std::uint32_t lane_of(LinkId link, int channel) const {
    return place_among_incoming_[static_cast<std::size_t>(link)] * static_cast<std::uint32_t>(channels_) +
           static_cast<std::uint32_t>(channel);
  }
  const Pace& pace_of(LinkId hop) const;
  void links_change();

  void on_timer(std::uint64_t) override { take_due(); }
  void set(Time time, Due what, std::uint64_t number);
  void announce();
  void take_due();
  void become_free(LinkId link);
  void cross(LinkId link);
  void join(PacketId packet);
  void reach(PacketId packet, LinkId link);
  void free_slot(LinkId link, int channel, Time at);
  void give_credit(std::size_t buffer);
  void enter(const Sending& sending);
  void take_sends();
  void enqueue(MessageId id, std::span<const std::int64_t> by_path);
  bool advance(Cursor& cursor, OutputId output);
  void touch(LinkId link);
  void touch(OutputId output);
  void offer(OutputId output, std::uint32_t lane, PacketId packet);
  std::int64_t payload(const Message& message, bool is_short) const;
  void acknowledge(PacketId packet);
  void hear(const Acknowledgement& acknowledgement);
  bool hosts_offer(OutputId output);
  void decide(LinkId link);
  void note_state(LinkId link, const Output& output);
  bool has_credit(LinkId link, PacketId packet) const;
  std::size_t hop_of(const Packet& packet) const;
  OutputId output_of(const Packet& packet) const;
  PacketId take_from_host(OutputId output);
  PacketId take_from_lane(Output& output, std::size_t offer);
  void start(LinkId link, PacketId packet);
  void begin_flow(LinkId link, const Message& message, std::int64_t payload, Time takes);
  void enter_without_bytes(MessageId id, std::span<const std::int64_t> by_path);
  void add_to_part(Message& message, std::size_t hop, OutputId output, std::uint32_t packets);

  const Fabric& fabric_;
  Engine& engine_;
  NetworkClient& client_;
  NetworkRecorder& recorder_;
  AloneTimes& alone_;
  FaultyLinks* faulty_;
  PacketSettings settings_;
  bool latency_only_;
  std::size_t channels_;
  KnownPaths paths_;

  std::vector<Pace> paces_;  ///< by link, now
  PacketAlone by_itself_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> slots_;                 ///< by link, for each of its channels
  std::vector<std::uint32_t> credits_;               ///< by buffer
  std::vector<PacketList> lanes_;                    ///< by buffer; of fifo queues
  std::vector<bool> is_read_;                        ///< by buffer; a packet of it is being sent
  std::vector<std::uint32_t> place_among_incoming_;  ///< by link
  std::vector<Output> outputs_;
  std::vector<OutputId> output_of_link_;                         ///< the one that it serves
  std::unordered_map<std::uint64_t, OutputId> output_of_trunk_;  ///< by trunk and vertex

  std::vector<Packet> packets_;
  std::vector<Time> left_;  ///< by packet: when it left its host; where the arbiter or injection asks
  std::vector<PacketId> free_packets_;
  std::vector<Message> messages_;
  std::vector<Sending> sends_;
  std::vector<LinkId> touched_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Time announced_ = Time::ps(-1);
  std::unordered_map<std::uint64_t, Control> controls_;  ///< by pair of hosts; none without injection
  /// What is due, by a number that depends on nothing but the order in which it was put there.
  template <class T>
  class Numbered {
   public:
    std::uint32_t put(const T& value) {
      if (free_.empty()) {
        values_.push_back(value);
        return static_cast<std::uint32_t>(values_.size() - 1);
      }
      const std::uint32_t number = free_.back();
      free_.pop_back();
      values_[number] = value;
      return number;
    }
    T take(std::uint64_t number) {
      free_.push_back(static_cast<std::uint32_t>(number));
      return values_[number];
    }

   private:
    std::vector<T> values_;
    std::vector<std::uint32_t> free_;
  };
  Numbered<Acknowledgement> acknowledgements_;
  Numbered<MessageId> arriving_;  ///< numbers of messages depend on the kind of threads
  std::vector<MessageId> drained_;
  std::vector<MessageId> arrived_;
  // Of what is at hand, for their memory.
  std::vector<MessageId> told_;
  std::vector<Sending> entering_;
  std::vector<std::int64_t> by_path_;
  PacketStatistics statistics_;
  std::int64_t packets_started_ = 0;
};

}  // namespace heddle::emu
