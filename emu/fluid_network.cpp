// SPDX-License-Identifier: Apache-2.0
#include "emu/fluid_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/errors.hpp"

namespace heddle::emu {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;
// Times are 63 bits of picoseconds, 106 days: the latencies and the work that follow must still fit.
constexpr double kLatest = 4e18;

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

FluidNetwork::FluidNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, const NetworkLoad& load)
    : fabric_(fabric),
      engine_(engine),
      client_(client),
      arrivals_(client),
      latency_only_(load.latency_only),
      background_(fabric, load.background, links_and_trunks(fabric)),
      max_min_(capacities_per_picosecond(fabric, background_)),
      recorder_(fabric.topology()) {
  background_.start(max_min_);
  for (const FlowId flow : max_min_.solve()) background_.set_rate(flow, max_min_.rate(flow), Time());
}

void FluidNetwork::send(MessageId message, VertexId from, VertexId to, std::int64_t bytes, int round) {
  starts_.push_back({message, from, to, bytes, round});
}

void FluidNetwork::stream(StreamId stream, std::span<const StreamLink> links, double bytes, int round) {
  stream_starts_.push_back({stream, {links.begin(), links.end()}, bytes, round});
}

void FluidNetwork::settle() {
  if (starts_.empty() && stream_starts_.empty() && !removed_) return;
  // A message without bytes, or over unlimited links alone, drains at once, and its sender may go on: such calls into the
  // client can add starts, which settle next time.
  std::vector<Start> starts;
  starts.swap(starts_);
  std::vector<MessageId> drained_at_once;
  for (const Start& start : starts) {
    if (start.message >= passages_.size()) passages_.resize(start.message + std::size_t{1});
    passages_[start.message] = {engine_.now(), 0};
    fabric_.topology().route(start.from, start.to, fabric_.settings().routing, route_);
    for (const Route::Path& path : route_.paths()) start_transfer(start.message, path, start.bytes, start.round);
    if (passages_[start.message].transfers == 0) drained_at_once.push_back(start.message);
  }
  std::vector<StreamId> streamed_at_once;
  for (const StreamStart& start : stream_starts_) {
    if (!start_stream(start)) streamed_at_once.push_back(start.stream);
  }
  stream_starts_.clear();
  removed_ = false;
  const std::span<const FlowId> changed = max_min_.solve();
  for (const FlowId flow : changed) {
    if (background_.has(flow))
      background_.set_rate(flow, max_min_.rate(flow), engine_.now());
    else
      update_rate(flow);
  }
  tell_engine(changed);
  for (const MessageId message : drained_at_once) drained(message);
  for (const StreamId stream : streamed_at_once) client_.streamed(stream);
  starts.clear();
  if (starts_.empty()) starts_.swap(starts);  // keep the memory
}

void FluidNetwork::start_transfer(MessageId message, const Route::Path& path, std::int64_t bytes, int round) {
  const double share = path.share * static_cast<double>(bytes);
  const std::span<const LinkId> links(&route_.links()[static_cast<std::size_t>(path.first)],
                                      static_cast<std::size_t>(path.count));
  const Time latency = fabric_.path_latency(route_, path);
  bool unlimited = true;
  for (const LinkId link : links) {
    recorder_.carry(link, share);
    unlimited = unlimited && (latency_only_ || fabric_.bandwidth(link).is_unlimited());
  }
  if (bytes == 0 || unlimited) {
    passages_[message].arrival = std::max(passages_[message].arrival, engine_.now() + latency);
    return;
  }
  const FlowId flow = max_min_.add(links, path.share);
  if (flow >= transfers_.size()) transfers_.resize(flow + std::size_t{1});
  transfers_[flow] = {share, 0, engine_.now(), latency, kNever, message, false};
  ++passages_[message].transfers;
  for (const LinkId link : links) recorder_.enter(link, engine_.now(), messages_on(link), round);
}

bool FluidNetwork::start_stream(const StreamStart& start) {
  std::vector<MaxMin::Use> uses;
  for (const StreamLink& link : start.links) {
    if (link.counts) recorder_.carry(link.link, link.use * start.bytes);
    if (!latency_only_ && !fabric_.bandwidth(link.link).is_unlimited()) uses.push_back({link.link, link.use});
  }
  if (start.bytes == 0 || uses.empty()) return false;
  const FlowId flow = max_min_.add(uses);
  if (flow >= transfers_.size()) transfers_.resize(flow + std::size_t{1});
  transfers_[flow] = {start.bytes, 0, engine_.now(), Time(), kNever, start.stream, true};
  for (const MaxMin::Use& use : uses) recorder_.enter(use.link, engine_.now(), messages_on(use.link), start.round);
  return true;
}

void FluidNetwork::update_rate(FlowId flow) {
  Transfer& transfer = transfers_[flow];
  const Time now = engine_.now();
  transfer.remaining = std::max(0.0, transfer.remaining - transfer.rate * static_cast<double>((now - transfer.since).ps()));
  transfer.since = now;
  transfer.rate = max_min_.rate(flow);
  const double drain = transfer.remaining / transfer.rate;
  if (static_cast<double>(now.ps()) + drain > kLatest)
    throw InputError("the run would take over 46 days of emulated time: raise the bandwidth or send less");
  drain_times_.set(flow, now + Time::ps(std::llround(drain)));
}

/// Only of the next to drain: before the others do, their rates will have changed.
void FluidNetwork::tell_engine(std::span<const FlowId> changed) {
  if (drain_times_.empty()) return;
  const Time next = drain_times_.next();
  if (next != told_) {
    told_ = next;
    drain_times_.due(due_);
    changed = due_;
  }
  for (const FlowId flow : changed) {
    if (!drain_times_.is(flow, next) || transfers_[flow].told == next) continue;
    transfers_[flow].told = next;
    engine_.at(next, *this, flow);
  }
}

void FluidNetwork::ring(std::uint64_t flow) {
  if (drain_times_.is(static_cast<FlowId>(flow), engine_.now())) finish(static_cast<FlowId>(flow));
}

void FluidNetwork::expect(std::uint64_t flow, int stage) {
  const Transfer& transfer = transfers_[static_cast<FlowId>(flow)];
  if (!transfer.is_stream) client_.expect_drained(transfer.message, stage);
}

void FluidNetwork::finish(FlowId flow) {
  const Time now = engine_.now();
  const Transfer& transfer = transfers_[flow];
  drain_times_.remove(flow);
  const auto hops = max_min_.hops(flow);
  for (const MaxMin::Hop& hop : hops) recorder_.leave(hop.link, now, messages_on(hop.link) - 1);
  max_min_.remove(flow);
  removed_ = true;
  if (transfer.is_stream) return client_.streamed(transfer.message);
  const MessageId message = transfer.message;
  Passage& passage = passages_[message];
  passage.arrival = std::max(passage.arrival, now + transfer.latency);
  if (--passage.transfers == 0) drained(message);
}

void FluidNetwork::drained(MessageId message) {
  const Time arrival = passages_[message].arrival;
  client_.drained(message);
  if (arrival == engine_.now()) {
    client_.arrived(message);
  } else {
    engine_.at(arrival, arrivals_, message);
  }
}

}  // namespace heddle::emu
