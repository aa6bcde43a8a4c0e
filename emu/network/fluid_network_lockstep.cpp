// SPDX-License-Identifier: Apache-2.0
// Rounds of a collective in which all ranks send at one timestamp, over a fabric that carries nothing else: LockstepRates shares it out,
// and no message needs a list of its links. As soon as one ends before the others do, or another starts, all go on as messages that
// start one by one do. Everything is as if they always had.
#include "emu/network/fluid_network_lockstep.hpp"

#include <cmath>

#include "emu/network/network.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kFewest = 32;

}  // namespace

bool FluidNetwork::may_start_in_lockstep(std::span<const Sending> starts) const {
  return starts.size() >= kFewest && stream_starts_.empty() && max_min_.is_idle() && faulty_ == nullptr &&
         !recorder_.keeps_flows() &&
         std::ranges::all_of(starts, [&](const Sending& start) { return start.round == starts.front().round; });
}

/// Some work for each link of the fabric saves some for each link of each way: whether, by a sample of the messages, these are more.
bool FluidNetwork::ways_are_long(std::span<const Sending> starts) {
  constexpr std::size_t kSample = 8;
  std::size_t links = 0;
  for (std::size_t i = 0; i < kSample; ++i) {
    const Sending& start = starts[i * (starts.size() - 1) / (kSample - 1)];
    routes_.find_in_runs(start.from, start.to, lockstep_->route);
    for (const RunRoute::Path& path : lockstep_->route.paths()) links += static_cast<std::size_t>(path.links);
  }
  return links * starts.size() >= kSample * lockstep_->capacity.size();
}

std::unique_ptr<FluidNetwork::Lockstep> FluidNetwork::make_lockstep() const {
  const auto links = static_cast<std::size_t>(fabric_.topology().links() + fabric_.topology().trunks());
  auto all = std::make_unique<Lockstep>(links);
  for (std::size_t link = 0; link < links; ++link) all->capacity.push_back(max_min_.capacity(static_cast<LinkId>(link)));
  return all;
}

/// False: they start one by one.
bool FluidNetwork::start_in_lockstep(std::span<const Sending> starts) {
  if (!may_start_in_lockstep(starts)) return false;
  if (lockstep_ == nullptr) lockstep_ = make_lockstep();
  if (!ways_are_long(starts) || !find_lockstep_rates(starts, *lockstep_)) {
    lockstep_->clear();
    return false;
  }
  std::size_t flow = 0;
  for (std::size_t i = 0; i < starts.size() && !is_to_stop_before(i); ++i) {
    const MessageId message = starts[i].message;
    if (message >= passages_.size()) passages_.resize(message + std::size_t{1});
    passages_[message] = {.arrival = engine_.now(), .latency = {}, .transfers = 0};
    for (; flow < lockstep_->flows.size() && lockstep_->flows[flow].start == i; ++flow) start_lockstep_flow(starts[i], flow);
  }
  recorder_.enter_together(lockstep_->rates.loads(), engine_.now(), starts.front().round);
  in_lockstep_ = true;
  return true;
}

bool FluidNetwork::find_lockstep_rates(std::span<const Sending> starts, Lockstep& all) {
  constexpr std::size_t kMostKinds = 64;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (is_to_stop_before(i)) return false;
    const auto bytes = static_cast<double>(starts[i].bytes);
    routes_.find_in_runs(starts[i].from, starts[i].to, all.route);
    const std::span<const AlonePath> alone = alone_.start(starts[i].message, starts[i].bytes, all.route);
    for (std::size_t p = 0; p < alone.size(); ++p) {
      if (starts[i].bytes == 0 || std::isinf(alone[p].rate)) return false;
      const RunRoute::Path& path = all.route.paths()[p];
      const double share = path.share * bytes;
      all.rates.add(all.route.runs(path), path.share, share);
      all.flows.push_back(
          {static_cast<std::uint32_t>(i), all.number_of({path.share, share, alone[p].drained, alone[p].latency})});
    }
    if (all.kinds.size() > kMostKinds || !all.rates.is_simple()) return false;
  }
  return all.rates.solve(all.capacity, [this] { return engine_.asks_to_stop(); });
}

void FluidNetwork::start_lockstep_flow(const Sending& start, std::size_t flow) {
  const Lockstep::Kind& kind = lockstep_->kinds[lockstep_->flows[flow].kind];
  const FlowId id = max_min_.add_apart(kind.share, lockstep_->rates.rate(flow));
  lockstep_->ids.push_back(id);
  ++passages_[start.message].transfers;
  transfer_of_new(id) = {.remaining = kind.bytes,
                         .rate = 0,
                         .since = engine_.now(),
                         .latency = kind.latency,
                         .alone = kind.alone,
                         .announced = kNever,
                         .message = start.message,
                         .is_stream = false};
}

bool FluidNetwork::find_crossings(std::span<const Sending> starts, Lockstep& all) {
  all.clear();
  all.crossings = {};
  // Some work for each link is little beside what it saves, which is more where the next rounds are alike.
  constexpr std::size_t kMostLinksOfEach = 16;
  if (all.capacity.size() > kMostLinksOfEach * starts.size() || !find_lockstep_rates(starts, all)) return false;
  const std::span<const LockstepRates::Load> loads = all.rates.loads();
  all.crossings.meet = std::ranges::any_of(loads, [](const LockstepRates::Load& load) { return load.flows > 1; });
  all.busy.resize(loads.size());
  all.used.clear();
  for (std::size_t link = 0; link < loads.size(); ++link) {
    if (loads[link].flows > 0) all.used.push_back(static_cast<LinkId>(link));
  }
  const auto drained_of = [&all](std::size_t flow) {
    return drained_at(Time(), all.kinds[all.flows[flow].kind].bytes, all.rates.rate(flow));
  };
  const Time first_drained = drained_of(0);
  std::size_t flow = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const AloneTimes::Times& alone = alone_.of(starts[i].message);
    Crossing crossing{
        .drained = {}, .arrived = {}, .latency = {}, .alone_drained = alone.drained, .alone_arrived = alone.arrived};
    for (; flow < all.flows.size() && all.flows[flow].start == i; ++flow) {
      const Time drained = drained_of(flow);
      const Time latency = all.kinds[all.flows[flow].kind].latency;
      if (drained != first_drained) all.crossings.drain_alike = false;
      // Which of two paths came last is a matter of the order of events.
      if (drained + latency == crossing.arrived && latency != crossing.latency) return false;
      crossing.drained = std::max(crossing.drained, drained);
      if (drained + latency > crossing.arrived) {
        crossing.arrived = drained + latency;
        crossing.latency = latency;
      }
    }
    if (crossing.drained == Time() || crossing.arrived <= crossing.drained) return false;
    all.crossings.of.push_back(crossing);
  }
  if (all.crossings.drain_alike) {
    for (const LinkId link : all.used) all.busy[static_cast<std::size_t>(link)] = first_drained;
    return true;
  }
  for (flow = 0; flow < all.flows.size() && !all.crossings.meet; ++flow) {
    all.for_each_link(static_cast<std::uint32_t>(flow),
                      [&, drained = drained_of(flow)](LinkId link) { all.busy[static_cast<std::size_t>(link)] = drained; });
  }
  return !all.crossings.meet;
}

/// Nearly always those of the round before, with other data.
const Crossings* FluidNetwork::crossings_of(std::span<const Sending> starts) {
  if (in_lockstep_ || !may_start_in_lockstep(starts)) return nullptr;
  if (crossed_ == nullptr) crossed_ = make_lockstep();
  const auto takes_the_same = [](const Sending& a, const Sending& b) {
    return a.from == b.from && a.to == b.to && a.bytes == b.bytes;
  };
  if (!std::ranges::equal(starts, crossed_->crossing, takes_the_same)) {
    crossed_->crossing.assign(starts.begin(), starts.end());
    crossed_->is_known = find_crossings(starts, *crossed_);
  }
  return crossed_->is_known ? &crossed_->crossings : nullptr;
}

void FluidNetwork::note_crossed(int round) { recorder_.cross(crossed_->used, crossed_->rates.loads(), crossed_->busy, round); }

std::span<const FlowId> FluidNetwork::lockstep_flows() const { return lockstep_->ids; }

void FluidNetwork::note_lockstep_end(FlowId flow) { lockstep_->ended.push_back(flow); }

/// At the end of a timestamp, before what starts at it.
void FluidNetwork::settle_lockstep(bool others_start) {
  if (!in_lockstep_) return;
  if (lockstep_->ended.size() == lockstep_->flows.size())
    recorder_.leave_together(lockstep_->rates.loads(), engine_.now());
  else if (!lockstep_->ended.empty() || others_start)
    hand_lockstep_over();
  else
    return;
  lockstep_->clear();
  in_lockstep_ = false;
}

/// Those that have not ended go on as others do.
void FluidNetwork::hand_lockstep_over() {
  Lockstep& all = *lockstep_;
  std::vector<std::uint32_t> number(transfers_.size());  // by id
  for (std::uint32_t flow = 0; flow < all.ids.size(); ++flow) number[all.ids[flow]] = flow;
  const std::span<const LockstepRates::Load> loads = all.rates.loads();
  std::vector<std::int32_t> on_link(loads.size());
  std::ranges::transform(loads, on_link.begin(), &LockstepRates::Load::flows);
  std::vector<bool> has_ended(all.ids.size());
  for (const FlowId id : all.ended) {
    has_ended[number[id]] = true;
    all.for_each_link(number[id],
                      [&](LinkId link) { recorder_.leave(link, engine_.now(), --on_link[static_cast<std::size_t>(link)]); });
  }
  std::vector<LinkId> links;
  for (std::uint32_t flow = 0; flow < all.ids.size(); ++flow) {
    if (has_ended[flow]) continue;
    links.clear();
    all.for_each_link(flow, [&](LinkId link) { links.push_back(link); });
    max_min_.join(all.ids[flow], links);
  }
  for (const FlowId id : all.ended) all.for_each_link(number[id], [&](LinkId link) { max_min_.disturb(link); });
}

}  // namespace heddle::emu
