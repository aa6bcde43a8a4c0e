// SPDX-License-Identifier: Apache-2.0
#include "emu/packets/packet_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/pair_key.hpp"
#include "emu/packets/packet_room.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

constexpr int kNumberBits = 60;

}  // namespace

PacketNetwork::PacketNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                             const NetworkLoad& load)
    : fabric_(fabric),
      engine_(engine),
      client_(client),
      recorder_(recorder),
      alone_(load.alone),
      faulty_(load.faulty),
      settings_(load.packets),
      latency_only_(load.latency_only),
      channels_(static_cast<std::size_t>(channels_of(fabric, load.packets))),
      paths_(fabric, static_cast<int>(channels_)),
      by_itself_(fabric_, settings_, paces_),
      links_(static_cast<std::size_t>(fabric.topology().links())),
      statistics_(links_.size()) {
  lay_out();
  give_slots();
  if (faulty_ == nullptr) return;
  for (const Time at : faulty_->times()) {
    if (at == Time())
      links_change();
    else
      set(at, Due::faults, 0);
  }
  announce();
}

// ---- what there is ----

void PacketNetwork::lay_out() {
  const Topology& topology = fabric_.topology();
  std::vector<std::uint32_t> incoming(static_cast<std::size_t>(topology.endpoints() + topology.switches()));
  const bool names_trunks = fabric_.settings().routing.splits();
  place_among_incoming_.reserve(links_.size());
  output_of_link_.reserve(links_.size());
  outputs_.reserve(links_.size());  // what has queues is copied, not moved, where it grows
  for (LinkId link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(link);
    place_among_incoming_.push_back(incoming[static_cast<std::size_t>(ends.to)]++);
    const LinkId trunk = names_trunks ? topology.trunk_of(link) : link;
    OutputId output = static_cast<OutputId>(outputs_.size());
    if (trunk != link) output = output_of_trunk_.try_emplace(pair_key(trunk, ends.from), output).first->second;
    if (output == outputs_.size()) outputs_.emplace_back();
    outputs_[output].links.push_back(link);
    output_of_link_.push_back(output);
  }
}

void PacketNetwork::give_slots() {
  for (LinkId link = 0; link < fabric_.topology().links(); ++link) {
    slots_.push_back(slots_of(fabric_, settings_, link));
    paces_.emplace_back(fabric_.bandwidth(link));
    credits_.insert(credits_.end(), channels_, slots_.back());
  }
  if (settings_.queues == PacketSettings::Queues::fifo) {
    lanes_.resize(credits_.size());
    is_read_.resize(credits_.size());
  }
}

PacketNetwork::OutputId PacketNetwork::output_of(LinkId hop, VertexId vertex) const {
  if (hop < fabric_.topology().links()) return output_of_link_[static_cast<std::size_t>(hop)];
  return output_of_trunk_.at(pair_key(hop, vertex));
}

/// Of a link, or of any of a trunk.
const Pace& PacketNetwork::pace_of(LinkId hop) const {
  const LinkId link = hop < fabric_.topology().links() ? hop : fabric_.topology().trunk(hop).first;
  return paces_[static_cast<std::size_t>(link)];
}

/// Among those of all paths of its message.
std::size_t PacketNetwork::hop_of(const Packet& packet) const {
  return static_cast<std::size_t>(messages_[packet.message].paths->path(packet.path).first) + packet.hop;
}

PacketNetwork::OutputId PacketNetwork::output_of(const Packet& packet) const {
  return output_of(messages_[packet.message].paths->hop(hop_of(packet)), fabric_.topology().ends(packet.held).to);
}

namespace {

/// All of a list in turn, both with their memory kept. What comes meanwhile is for the next time.
template <class T, class Visit>
void take_all(std::vector<T>& list, std::vector<T>& aside, const Visit& visit) {
  aside.swap(list);
  for (const T& one : aside) visit(one);
  aside.clear();
}

}  // namespace

// ---- what is due ----

void PacketNetwork::set(Time time, Due what, std::uint64_t number) {
  if (time > kLatestTime)
    throw InputError("the run would take over 46 days of emulated time: raise the bandwidth or send less");
  events_.push({time, static_cast<std::uint64_t>(what) << kNumberBits | number});
}

/// One alarm of the engine is enough: for the next event. None is ever taken back, so that each rings for something.
void PacketNetwork::announce() {
  if (events_.empty()) return;
  const Time next = events_.top().time;
  if (announced_ >= engine_.now() && announced_ <= next) return;
  announced_ = next;
  engine_.at(next, *this, 0);
}

void PacketNetwork::take_due() {
  const Time now = engine_.now();
  if (announced_ == now) announced_ = Time::ps(-1);
  while (!events_.empty() && events_.top().time <= now) {
    const Event event = events_.top();
    events_.pop();
    const std::uint64_t number = event.what & ((std::uint64_t{1} << kNumberBits) - 1);
    switch (static_cast<Due>(event.what >> kNumberBits)) {
      case Due::faults:
        links_change();
        break;
      case Due::free:
        become_free(static_cast<LinkId>(number));
        break;
      case Due::crossed:
        cross(static_cast<LinkId>(number));
        break;
      case Due::credit:
        give_credit(number);
        break;
      case Due::acknowledgement:
        hear(acknowledgements_.take(number));
        break;
      case Due::arrival:
        arrived_.push_back(arriving_.take(number));
        break;
    }
  }
  announce();
  take_all(drained_, told_, [this](MessageId message) { client_.left(message); });
  take_all(arrived_, told_, [this](MessageId message) { client_.arrived(message); });
}

/// For packets that start from now on.
void PacketNetwork::links_change() {
  for (const LinkId link : faulty_->advance(engine_.now())) {
    if (link >= fabric_.topology().links()) continue;
    const Bandwidth left = fabric_.bandwidth(link) * faulty_->share(link);
    if (!Pace::fits(left)) {
      throw InputError(fmt::format("a fault leaves link {} less than 1 kB/s, which packets cannot be timed on; --model fluid",
                                   fabric_.topology().link_name(link)));
    }
    paces_[static_cast<std::size_t>(link)] = Pace(left);
  }
}

void PacketNetwork::become_free(LinkId id) {
  Link& link = links_[static_cast<std::size_t>(id)];
  link.is_sending = false;
  if (std::exchange(link.is_recorded, false)) recorder_.end(static_cast<FlowId>(id), engine_.now());
  touch(id);
  if (link.held >= 0) {
    if (settings_.queues == PacketSettings::Queues::fifo) {
      const std::size_t lane = buffer(link.held, link.held_channel);
      is_read_[lane] = false;
      if (const PacketId first = lanes_[lane].first; first != kNone) {
        offer(output_of(packets_[first]), lane_of(link.held, link.held_channel), first);
      }
    }
    free_slot(link.held, link.held_channel, engine_.now());
  }
  Message& message = messages_[link.message];
  if (--message.at_hop[link.hop] == 0) --outputs_[output_of_link_[static_cast<std::size_t>(id)]].flows;
  if (std::exchange(link.drains, false)) drained_.push_back(link.message);
}

/// The first packet that crosses it is where it goes: in a lane, or at its destination.
void PacketNetwork::cross(LinkId id) {
  Link& link = links_[static_cast<std::size_t>(id)];
  const PacketId first = link.crossing.first;
  Packet& packet = packets_[first];
  link.crossing.first = packet.next;
  if (packet.next == kNone)
    link.crossing.last = kNone;
  else
    set(packets_[packet.next].at, Due::crossed, static_cast<std::uint64_t>(id));
  packet.next = kNone;
  if (packet.hop + 1 == messages_[packet.message].paths->path(packet.path).count) return reach(first, id);
  ++packet.hop;
  join(first);
}

void PacketNetwork::join(PacketId id) {
  Packet& packet = packets_[id];
  const OutputId output = output_of(packet);
  if (settings_.mark && outputs_[output].waiting > static_cast<std::uint32_t>(*settings_.mark)) {
    packet.is_marked = true;
    statistics_.marked(outputs_[output].links.front());
  }
  ++outputs_[output].waiting;
  add_to_part(messages_[packet.message], hop_of(packet), output, 1);
  const std::uint32_t lane = lane_of(packet.held, packet.held_channel);
  if (settings_.queues == PacketSettings::Queues::voq) return offer(output, lane, id);
  const std::size_t queue = buffer(packet.held, packet.held_channel);
  PacketList& all = lanes_[queue];
  if (all.empty())
    all.first = id;
  else
    packets_[all.last].next = id;
  all.last = id;
  if (all.first == id && !is_read_[queue]) return offer(output, lane, id);
  touch(output);  // its queue is longer
}

/// All of it is at its destination.
void PacketNetwork::reach(PacketId id, LinkId link) {
  const Packet& packet = packets_[id];
  Message& message = messages_[packet.message];
  free_slot(link, packet.held_channel, engine_.now());
  if (settings_.window) acknowledge(id);
  if (--message.to_arrive == 0) {
    message.latency = fabric_.path_latency(message.paths->route, message.paths->path(packet.path));
    // Its sender is done: from now on it has drained so long before it arrived.
    const Time arrived = alone_.of(packet.message).arrived;
    alone_.set(packet.message, {.drained = arrived - message.latency, .arrived = arrived});
    const Time host = fabric_.host_links();
    if (host == Time())
      arrived_.push_back(packet.message);
    else
      set(engine_.now() + host, Due::arrival, arriving_.put(packet.message));
    paths_.give_back(*message.paths);
    message.paths = nullptr;
  }
  free_packets_.push_back(id);
}

void PacketNetwork::free_slot(LinkId link, int channel, Time at) {
  const Time back = fabric_.latency(link) - fabric_.crossing(link);
  if (back == Time()) return give_credit(buffer(link, channel));
  set(at + back, Due::credit, buffer(link, channel));
}

void PacketNetwork::give_credit(std::size_t buffer) {
  ++credits_[buffer];
  touch(static_cast<LinkId>(buffer / channels_));
}

// ---- what ranks send ----

void PacketNetwork::stream(const Streaming&) { throw InputError("switches that compute have no packets yet; --model fluid"); }

void PacketNetwork::take_sends() {
  take_all(sends_, entering_, [this](const Sending& sending) { enter(sending); });
}

void PacketNetwork::enter(const Sending& sending) {
  if (sending.message >= messages_.size()) messages_.resize(sending.message + std::size_t{1});
  Message& message = messages_[sending.message];
  message.paths = &paths_.take(sending.from, sending.to);
  message.count = count_packets(sending.bytes, settings_);
  message.to_start = message.to_arrive = message.count.packets;
  message.round = sending.round;
  message.record = sending.record;
  count_by_path(*message.paths, message.count.packets, by_path_);
  if (latency_only_) return enter_without_bytes(sending.message, by_path_);
  alone_.set(sending.message, by_itself_.of(*message.paths, message.count, by_path_));
  enqueue(sending.message, by_path_);
}

/// No packets: it has drained at once, and is there after the latency of its longest path.
void PacketNetwork::enter_without_bytes(MessageId id, std::span<const std::int64_t> by_path) {
  Message& message = messages_[id];
  message.latency = Time();
  for (std::size_t i = 0; i < by_path.size(); ++i) {
    if (by_path[i] > 0)
      message.latency = std::max(message.latency, fabric_.path_latency(message.paths->route, message.paths->path(i)));
  }
  alone_.set(id, {.drained = Time(), .arrived = message.latency});
  drained_.push_back(id);
  set(engine_.now() + message.latency, Due::arrival, arriving_.put(id));
  paths_.give_back(*message.paths);
  message.paths = nullptr;
}

/// Its packets wait in the host, for each first hop in the queue pair of its destination.
void PacketNetwork::enqueue(MessageId id, std::span<const std::int64_t> by_path) {
  Message& message = messages_[id];
  const PacketPaths& paths = *message.paths;
  const std::size_t all = paths.route.paths().size();
  message.at_hop.assign(paths.route.links().size(), 0);
  const auto output_of_path = [&](std::size_t path) { return output_of(paths.first_hop(path), paths.from); };
  for (std::size_t path = 0; path < all; ++path) {
    const OutputId output = output_of_path(path);
    bool is_known = false;
    for (std::size_t other = 0; other < path; ++other) is_known = is_known || output_of_path(other) == output;
    if (is_known) continue;
    Cursor cursor{.message = id, .packet = -1, .turns = PathTurns(paths)};
    if (!advance(cursor, output)) continue;
    if (settings_.window && !controls_.contains(pair_key(paths.from, paths.to)))
      controls_[pair_key(paths.from, paths.to)].injection = make_injection(settings_);
    Output& out = outputs_[output];
    QueuePair& pair = out.pairs[paths.to];
    if (pair.messages.empty()) out.ring.push_back(paths.to);
    pair.messages.push_back(std::move(cursor));
    touch(output);
  }
  for (std::size_t path = 0; path < all; ++path) {
    if (by_path[path] == 0) continue;
    add_to_part(message, static_cast<std::size_t>(paths.path(path).first), output_of_path(path),
                static_cast<std::uint32_t>(by_path[path]));
  }
}

/// So many packets more of a message wait for a hop.
void PacketNetwork::add_to_part(Message& message, std::size_t hop, OutputId number, std::uint32_t packets) {
  std::uint32_t& there = message.at_hop[hop];
  Output& output = outputs_[number];
  if (there == 0) {
    ++output.flows;
    for (const LinkId link : output.links) recorder_.meet(link, output.flows, message.round);
  }
  there += packets;
}

/// To the message's next packet that goes out there. False: there is none.
bool PacketNetwork::advance(Cursor& cursor, OutputId output) {
  const Message& message = messages_[cursor.message];
  while (++cursor.packet < message.count.packets) {
    cursor.path = cursor.turns.next(*message.paths, cursor.packet);
    if (output_of(message.paths->first_hop(cursor.path), message.paths->from) == output) return true;
  }
  return false;
}

// ---- decisions ----

void PacketNetwork::touch(LinkId id) {
  Link& link = links_[static_cast<std::size_t>(id)];
  if (std::exchange(link.is_touched, true)) return;
  touched_.push_back(id);
}

void PacketNetwork::touch(OutputId output) {
  for (const LinkId link : outputs_[output].links) touch(link);
}

void PacketNetwork::offer(OutputId output, std::uint32_t lane, PacketId packet) {
  std::vector<Offer>& offers = outputs_[output].offers;
  const auto at = std::ranges::lower_bound(offers, lane, {}, &Offer::lane);
  if (at == offers.end() || at->lane != lane) {
    offers.insert(at, {lane, {packet, packet}});
  } else {
    packets_[at->packets.last].next = packet;
    at->packets.last = packet;
  }
  touch(output);
}

bool PacketNetwork::has_credit(LinkId link, PacketId packet) const {
  return credits_[buffer(link, messages_[packets_[packet].message].paths->channels[hop_of(packets_[packet])])] > 0;
}

bool PacketNetwork::end_timestamp() {
  take_sends();
  std::ranges::sort(touched_);
  for (const LinkId link : touched_) decide(link);
  // What one link of a trunk has taken, the others have no more.
  for (const LinkId link : touched_) {
    Output& output = outputs_[output_of_link_[static_cast<std::size_t>(link)]];
    if (std::exchange(output.is_noted, true)) continue;
    for (const LinkId member : output.links) note_state(member, output);
  }
  for (const LinkId link : touched_) {
    links_[static_cast<std::size_t>(link)].is_touched = false;
    outputs_[output_of_link_[static_cast<std::size_t>(link)]].is_noted = false;
  }
  touched_.clear();
  announce();
  take_all(drained_, told_, [this](MessageId message) { client_.left(message); });
  return !sends_.empty() || !touched_.empty() || engine_.asks_to_stop();
}

std::int64_t PacketNetwork::payload(const Message& message, bool is_short) const {
  return (is_short ? message.count.last : message.count.full) - settings_.header.count();
}

/// The queue pair whose turn it is has a packet that may leave; those that may not are held back until they hear of another one.
bool PacketNetwork::hosts_offer(OutputId number) {
  Output& output = outputs_[number];
  while (settings_.window && !output.ring.empty()) {
    const VertexId to = output.ring.front();
    const Cursor& cursor = output.pairs.at(to).messages.front();
    const Message& message = messages_[cursor.message];
    Control& control = controls_.at(pair_key(message.paths->from, to));
    if (control.injection->may_leave(engine_.now(), payload(message, cursor.packet + 1 == message.count.packets))) return true;
    output.ring.pop_front();
    control.held_back.push_back(number);
  }
  return !output.ring.empty();
}

/// Its sender hears of it after the latency of the way back, which is that of the way there.
void PacketNetwork::acknowledge(PacketId id) {
  const Packet& packet = packets_[id];
  const Message& message = messages_[packet.message];
  const PacketPaths& paths = *message.paths;
  const Time latency = fabric_.path_latency(paths.route, paths.path(packet.path));
  const Acknowledgement told{.pair = pair_key(paths.from, paths.to),
                             .bytes = payload(message, packet.is_short),
                             .waited = engine_.now() - left_[id] - latency,
                             .is_marked = packet.is_marked};
  set(engine_.now() + latency, Due::acknowledgement, acknowledgements_.put(told));
}

void PacketNetwork::hear(const Acknowledgement& told) {
  Control& control = controls_.at(told.pair);
  control.injection->acknowledged(told.bytes, told.is_marked, told.waited);
  const VertexId to = static_cast<VertexId>(told.pair & 0xFFFFFFFF);
  for (const OutputId number : std::exchange(control.held_back, {})) {
    outputs_[number].ring.push_back(to);
    touch(number);
  }
}

void PacketNetwork::decide(LinkId id) {
  Link& link = links_[static_cast<std::size_t>(id)];
  if (link.is_sending) return;
  const OutputId number = output_of_link_[static_cast<std::size_t>(id)];
  Output& output = outputs_[number];
  using Arbiter = PacketSettings::Arbiter;
  constexpr std::size_t kHost = ~std::size_t{0};
  constexpr std::size_t kNobody = kHost - 1;

  const bool host_may = hosts_offer(number) && credits_[buffer(id, 0)] > 0;
  std::size_t best = kNobody;
  Time best_left;
  // The lanes behind the pointer, then those up to it. The host's own lane is behind all others.
  const std::vector<Offer>& offers = output.offers;
  const auto behind =
      link.pointer == kNone || link.pointer == kHostLane
          ? std::size_t{0}
          : static_cast<std::size_t>(std::ranges::upper_bound(offers, link.pointer, {}, &Offer::lane) - offers.begin());
  const auto consider = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (!has_credit(id, offers[i].packets.first)) continue;
      if (settings_.arbiter != Arbiter::oldest) {
        best = i;
        return true;
      }
      const Time left = left_[offers[i].packets.first];
      if (best == kNobody || left < best_left) best = i, best_left = left;
    }
    return false;
  };
  bool is_found = consider(behind, offers.size());
  if (!is_found && settings_.arbiter == Arbiter::round_robin && host_may) best = kHost, is_found = true;
  // Its packet would leave it now: nobody's is younger.
  if (best == kNobody && settings_.arbiter == Arbiter::oldest && host_may) best = kHost, best_left = engine_.now();
  if (!is_found) is_found = consider(0, behind);
  if (best == kNobody && host_may) best = kHost;
  if (best == kNobody) return;
  if (best == kHost) {
    link.pointer = kHostLane;
    start(id, take_from_host(number));
  } else {
    link.pointer = offers[best].lane;
    start(id, take_from_lane(output, best));
  }
}

PacketNetwork::PacketId PacketNetwork::take_from_host(OutputId number) {
  Output& output = outputs_[number];
  const VertexId to = output.ring.front();
  output.ring.pop_front();
  const auto found = output.pairs.find(to);
  QueuePair& pair = found->second;
  Cursor& cursor = pair.messages.front();
  PacketId id = 0;
  if (free_packets_.empty()) {
    id = static_cast<PacketId>(packets_.size());
    packets_.emplace_back();
    if (settings_.arbiter == PacketSettings::Arbiter::oldest || settings_.window) left_.emplace_back();
  } else {
    id = free_packets_.back();
    free_packets_.pop_back();
  }
  Message& message = messages_[cursor.message];
  packets_[id] = {.at = Time(),
                  .message = cursor.message,
                  .path = static_cast<std::uint16_t>(cursor.path),
                  .hop = 0,
                  .is_short = cursor.packet + 1 == message.count.packets};
  if (!left_.empty()) left_[id] = engine_.now();
  if (settings_.window)
    controls_.at(pair_key(message.paths->from, to)).injection->left(engine_.now(), payload(message, packets_[id].is_short));
  --message.to_start;
  ++packets_started_;
  if (!advance(cursor, number)) pair.messages.pop_front();
  if (pair.messages.empty())
    output.pairs.erase(found);
  else
    output.ring.push_back(to);
  return id;
}

PacketNetwork::PacketId PacketNetwork::take_from_lane(Output& output, std::size_t offer) {
  Offer& from = output.offers[offer];
  const PacketId id = from.packets.first;
  Packet& packet = packets_[id];
  --output.waiting;
  if (settings_.queues == PacketSettings::Queues::fifo) {
    const std::size_t queue = buffer(packet.held, packet.held_channel);
    lanes_[queue].first = packet.next;
    if (packet.next == kNone) lanes_[queue].last = kNone;
    is_read_[queue] = true;
    output.offers.erase(output.offers.begin() + static_cast<std::ptrdiff_t>(offer));
  } else if (packet.next == kNone) {
    output.offers.erase(output.offers.begin() + static_cast<std::ptrdiff_t>(offer));
  } else {
    from.packets.first = packet.next;
  }
  packet.next = kNone;
  return id;
}

void PacketNetwork::start(LinkId id, PacketId packet_id) {
  Link& link = links_[static_cast<std::size_t>(id)];
  Packet& packet = packets_[packet_id];
  Message& message = messages_[packet.message];
  const Time now = engine_.now();
  const PacketPaths& paths = *message.paths;
  const std::size_t hop = hop_of(packet);
  const int channel = paths.channels[hop];
  const std::int64_t bytes = packet.is_short ? message.count.last : message.count.full;
  const Pace& pace = paces_[static_cast<std::size_t>(id)];

  if (now != link.free_at) link.owed = Pace::kFresh;
  const Time takes = pace.next(bytes, link.owed);
  link.free_at = now + takes;
  link.is_sending = true;
  const std::uint32_t credits = --credits_[buffer(id, channel)];
  statistics_.holds(id, slots_[static_cast<std::size_t>(id)] - credits);
  link.held = packet.held;
  link.held_channel = packet.held_channel;
  link.message = packet.message;
  link.hop = static_cast<std::uint32_t>(hop);
  link.drains = packet.hop == 0 && message.to_start == 0;
  if (faulty_ != nullptr && faulty_->share(id) < 1) faulty_->note_met(id);
  if (packet.hop > 0) statistics_.waited(id, now - packet.at);
  statistics_.sent(id, bytes);
  const std::int64_t payload = bytes - settings_.header.count();
  recorder_.send(id, static_cast<double>(payload), takes);
  if (recorder_.keeps_flows()) begin_flow(id, message, payload, takes);
  set(link.free_at, Due::free, static_cast<std::uint64_t>(id));

  const Time tail = link.free_at + fabric_.latency(id);
  packet.at = tail;
  if (packet.hop + 1 < paths.path(packet.path).count) {
    // A faster link must not run dry.
    const Time ahead =
        std::max(head_start(settings_.forward, pace, bytes, takes), takes - pace_of(paths.hop(hop + 1)).nominal(bytes));
    packet.at = now + fabric_.latency(id) + ahead;
  }
  packet.held = id;
  packet.held_channel = static_cast<std::uint8_t>(channel);
  if (link.crossing.empty()) {
    link.crossing.first = packet_id;
    set(packet.at, Due::crossed, static_cast<std::uint64_t>(id));
  } else {
    packets_[link.crossing.last].next = packet_id;
  }
  link.crossing.last = packet_id;
}

/// Each packet on each link is a flow of the link's number, at the link's rate. One that takes no time is none.
void PacketNetwork::begin_flow(LinkId id, const Message& message, std::int64_t payload, Time takes) {
  if (payload == 0 || takes == Time()) return;
  links_[static_cast<std::size_t>(id)].is_recorded = true;
  const std::int64_t all = (message.count.packets - 1) * settings_.mtu.count() + message.count.last - settings_.header.count();
  const auto bytes = static_cast<double>(payload);
  const auto flow = static_cast<FlowId>(id);
  recorder_.begin(flow, {message.record, bytes / static_cast<double>(all), bytes, takes}, {&id, 1}, engine_.now());
  recorder_.rate(flow, bytes / takes.seconds(), engine_.now());
}

}  // namespace heddle::emu
