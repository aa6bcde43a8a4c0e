// SPDX-License-Identifier: Apache-2.0
#include "emu/network/fluid_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "emu/network/fluid_network_lockstep.hpp"
#include "emu/network/make_network.hpp"

namespace heddle::emu {

namespace {

LinkId links_and_trunks(const Fabric& fabric) { return fabric.topology().links() + fabric.topology().trunks(); }

/// By link and trunk, then those that limit the background.
std::vector<double> capacities_per_picosecond(const Fabric& fabric, const BackgroundTraffic& background) {
  const LinkId links = links_and_trunks(fabric);
  std::vector<double> capacity;
  capacity.reserve(static_cast<std::size_t>(links));
  for (LinkId link = 0; link < links; ++link) {
    capacity.push_back(fabric.bandwidth(link).bytes_per_second() / kPicosecondsPerSecond);
  }
  capacity.insert(capacity.end(), background.caps().begin(), background.caps().end());
  return capacity;
}

}  // namespace

FluidNetwork::FluidNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                           const NetworkLoad& load)
    : fabric_(fabric),
      engine_(engine),
      client_(client),
      routes_(fabric),
      latency_only_(load.latency_only),
      faulty_(load.faulty),
      alone_(load.alone),
      background_(fabric, load.background, links_and_trunks(fabric)),
      max_min_(capacities_per_picosecond(fabric, background_), [&engine] { return engine.asks_to_stop(); }),
      first_bottleneck_(links_and_trunks(fabric) + static_cast<LinkId>(background_.caps().size())),
      recorder_(recorder) {
  if (faulty_ != nullptr) expect_faults();
  background_.start(max_min_);
  for (const FlowId flow : max_min_.solve()) background_.set_rate(flow, max_min_.rate(flow), Time());
}

FluidNetwork::~FluidNetwork() = default;

void FluidNetwork::stream(const Streaming& streaming) {
  stream_starts_.push_back({streaming, {streaming.links.begin(), streaming.links.end()}});
}

bool FluidNetwork::end_timestamp() {
  if (has_unsolved()) solve();
  return has_unsolved() || engine_.asks_to_stop();
}

bool FluidNetwork::is_to_stop_before(std::size_t i) { return i % kBetweenQuestions == 0 && engine_.asks_to_stop(); }

void FluidNetwork::solve() {
  // A message without bytes, or over unlimited links alone, drains at once, and its sender may go on: such calls into the
  // client can add starts, which are solved next time.
  std::vector<Sending> starts;
  starts.swap(starts_);
  std::vector<MessageId> drained_at_once;
  settle_lockstep(!starts.empty() || !stream_starts_.empty());
  const bool start_together = start_in_lockstep(starts);
  if (!start_together) {
    for (std::size_t i = 0; i < starts.size() && !is_to_stop_before(i); ++i) {
      start_message(starts[i]);
      if (passages_[starts[i].message].transfers == 0) drained_at_once.push_back(starts[i].message);
    }
  }
  std::vector<StreamId> streamed_at_once;
  for (const StreamStart& start : stream_starts_) {
    if (!start_stream(start)) streamed_at_once.push_back(start.streaming.stream);
  }
  stream_starts_.clear();
  removed_ = false;
  std::span<const FlowId> changed = max_min_.solve();
  if (start_together) changed = lockstep_flows();
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (is_to_stop_before(i)) return;
    if (background_.has(changed[i]))
      background_.set_rate(changed[i], max_min_.rate(changed[i]), engine_.now());
    else
      update_rate(changed[i]);
  }
  announce(changed);
  for (const MessageId message : drained_at_once) drained(message);
  for (const StreamId stream : streamed_at_once) client_.streamed(stream);
  starts.clear();
  if (starts_.empty()) starts_.swap(starts);  // keep the memory
}

void FluidNetwork::start_message(const Sending& start) {
  if (start.message >= passages_.size()) passages_.resize(start.message + std::size_t{1});
  Passage& passage = passages_[start.message];
  passage.arrival = engine_.now();
  passage.transfers = 0;
  if (faulty_ != nullptr)
    find_way(start);
  else
    routes_.find(start.from, start.to, route_);
  const std::span<const AlonePath> alone = alone_.start(start.message, start.bytes, route_);
  for (std::size_t i = 0; i < alone.size(); ++i) start_transfer(start, route_.paths()[i], alone[i]);
}

void FluidNetwork::start_transfer(const Sending& start, const Route::Path& path, const AlonePath& alone) {
  const double share = path.share * static_cast<double>(start.bytes);
  const std::span<const LinkId> links(&route_.links()[static_cast<std::size_t>(path.first)],
                                      static_cast<std::size_t>(path.count));
  const Time now = engine_.now();
  const LinkId bottleneck = faulty_ == nullptr ? kNoBottleneck : bottleneck_of(path);
  for (const LinkId link : links) recorder_.carry(link, share);
  Passage& passage = passages_[start.message];
  if (start.bytes == 0 || std::isinf(alone.rate)) return passage.drain(now, alone.latency);
  const FlowId flow =
      bottleneck == kNoBottleneck ? max_min_.add(links, path.share) : add_through(links, bottleneck, path.share);
  Transfer& transfer = transfer_of_new(flow);
  transfer.remaining = share;
  transfer.rate = 0;
  transfer.since = now;
  transfer.latency = alone.latency;
  transfer.alone = alone.drained;
  transfer.announced = kNever;
  transfer.message = start.message;
  transfer.is_stream = false;
  ++passage.transfers;
  for (const LinkId link : links) recorder_.enter(link, now, messages_on(link), start.round);
  recorder_.begin(flow, {start.record, path.share, share, alone.drained}, links, now);
}

bool FluidNetwork::start_stream(const StreamStart& start) {
  const Streaming& streaming = start.streaming;
  std::vector<MaxMin::Use> uses;
  std::vector<LinkId> links;
  for (const StreamLink& link : start.links) {
    if (link.counts) recorder_.carry(link.link, link.use * streaming.bytes);
    if (latency_only_ || fabric_.bandwidth(link.link).is_unlimited()) continue;
    uses.push_back({link.link, link.use});
    links.push_back(link.link);
  }
  if (faulty_ != nullptr) faulty_->require_up(start.links);
  if (streaming.bytes == 0 || uses.empty()) return false;
  const Time now = engine_.now();
  const Time alone = alone_.of(start.links, streaming.bytes);
  const FlowId flow = max_min_.add(uses);
  transfer_of_new(flow) = {.remaining = streaming.bytes,
                           .rate = 0,
                           .since = now,
                           .latency = Time(),
                           .alone = alone,
                           .announced = kNever,
                           .message = streaming.stream,
                           .is_stream = true};
  for (const LinkId link : links) recorder_.enter(link, now, messages_on(link), streaming.round);
  recorder_.begin(flow, {streaming.record, 1, streaming.bytes, alone}, links, now);
  return true;
}

FluidNetwork::Transfer& FluidNetwork::transfer_of_new(FlowId flow) {
  if (flow >= transfers_.size()) transfers_.resize(flow + std::size_t{1});
  return transfers_[flow];
}

void FluidNetwork::update_rate(FlowId flow) {
  Transfer& transfer = transfers_[flow];
  const Time now = engine_.now();
  transfer.remaining = std::max(0.0, transfer.remaining - transfer.rate * static_cast<double>((now - transfer.since).ps()));
  transfer.since = now;
  transfer.rate = max_min_.rate(flow);
  recorder_.rate(flow, transfer.rate * kPicosecondsPerSecond, now);
  drain_times_.set(flow, drained_at(now, transfer.remaining, transfer.rate));
}

/// Only of the next to drain: before the others do, their rates will have changed.
void FluidNetwork::announce(std::span<const FlowId> changed) {
  if (drain_times_.empty()) return;
  const Time next = drain_times_.next();
  if (next != announced_) {
    announced_ = next;
    drain_times_.due(due_);
    changed = due_;
  }
  for (const FlowId flow : changed) {
    if (!drain_times_.is(flow, next) || transfers_[flow].announced == next) continue;
    transfers_[flow].announced = next;
    engine_.at(next, *this, flow);
  }
}

void FluidNetwork::on_timer(std::uint64_t payload) {
  const auto flow = static_cast<FlowId>(payload);
  if (drain_times_.is(flow, engine_.now())) return finish(flow);
  // It has become slower. If it becomes faster again within this timestamp, it must be announced anew.
  transfers_[flow].announced = kNever;
}

void FluidNetwork::finish(FlowId flow) {
  const Time now = engine_.now();
  const Transfer& transfer = transfers_[flow];
  drain_times_.remove(flow);
  if (in_lockstep_) note_lockstep_end(flow);
  for (const MaxMin::Hop& hop : max_min_.hops(flow))
    if (hop.link < first_bottleneck_) recorder_.leave(hop.link, now, messages_on(hop.link) - 1);
  max_min_.remove(flow);
  removed_ = true;
  recorder_.end(flow, now);
  if (transfer.is_stream) return client_.streamed(transfer.message);
  const MessageId message = transfer.message;
  Passage& passage = passages_[message];
  passage.drain(now, transfer.latency);
  if (--passage.transfers == 0) drained(message);
}

NetworkModel fluid_model() {
  return {.model = Model::fluid,
          .summary = "max-min fair",
          .why_not = [](ModelNeed) -> std::string_view { return ""; },
          .why_not_on = nullptr,
          .make = &make_one<FluidNetwork>};
}

bool DrainTimes::empty() {
  play();
  return tree_[1] == kNever;
}

Time DrainTimes::next() {
  play();
  return Time::ps(tree_[1]);
}

void DrainTimes::due(std::vector<FlowId>& flows) {
  play();
  flows.clear();
  const std::int64_t earliest = tree_[1];
  if (earliest == kNever) return;
  path_.assign(1, 1);
  while (!path_.empty()) {
    const std::size_t node = path_.back();
    path_.pop_back();
    if (node >= leaves_) {
      flows.push_back(static_cast<FlowId>(node - leaves_));
      continue;
    }
    if (tree_[2 * node + 1] == earliest) path_.push_back(2 * node + 1);
    if (tree_[2 * node] == earliest) path_.push_back(2 * node);
  }
}

void DrainTimes::write(FlowId flow, std::int64_t time) {
  if (flow >= leaves_) grow(std::bit_ceil(flow + std::size_t{1}));
  if (tree_[leaves_ + flow] == time) return;
  tree_[leaves_ + flow] = time;
  written_.push_back(flow);
}

void DrainTimes::grow(std::size_t leaves) {
  std::vector<std::int64_t> tree(2 * leaves, kNever);
  std::copy_n(tree_.begin() + static_cast<std::ptrdiff_t>(leaves_), leaves_,
              tree.begin() + static_cast<std::ptrdiff_t>(leaves));
  tree_ = std::move(tree);
  leaves_ = leaves;
  for (std::size_t node = leaves_ - 1; node > 0; --node) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  written_.clear();
}

/// Few writes go up one by one, as far as they change anything; many have all nodes computed again, in one sweep.
void DrainTimes::play() {
  const auto levels = static_cast<std::size_t>(std::bit_width(leaves_));
  if (written_.size() * levels > leaves_) {
    for (std::size_t node = leaves_ - 1; node > 0; --node) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  } else {
    for (const FlowId flow : written_) {
      for (std::size_t node = (leaves_ + flow) / 2; node > 0; node /= 2) {
        const std::int64_t lesser = std::min(tree_[2 * node], tree_[2 * node + 1]);
        if (tree_[node] == lesser) break;
        tree_[node] = lesser;
      }
    }
  }
  written_.clear();
}

}  // namespace heddle::emu
