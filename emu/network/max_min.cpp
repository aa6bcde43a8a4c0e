// SPDX-License-Identifier: Apache-2.0
#include "emu/network/max_min.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

namespace heddle::emu {

namespace {

constexpr std::uint32_t kMostHops = 0x7fffffff;  // 31 bits

std::uint32_t size_class(std::uint32_t hops) { return static_cast<std::uint32_t>(std::bit_width(hops - 1)); }

}  // namespace

MaxMin::MaxMin(std::vector<double> capacity, std::function<bool()> is_to_stop) : is_to_stop_(std::move(is_to_stop)) {
  links_.reserve(capacity.size());
  for (const double c : capacity) links_.push_back({c, {}});
}

LinkId MaxMin::add_link(double capacity) {
  links_.push_back({capacity, {}});
  return static_cast<LinkId>(links_.size()) - 1;
}

FlowId MaxMin::add(std::span<const LinkId> links, double weight) {
  assert(!links.empty() && weight > 0);
  const auto count = static_cast<std::uint32_t>(links.size());
  const std::uint32_t first = take_hops(count);
  const FlowId id = new_flow();
  flows_[id] = {weight, 0, first, count & kMostHops, 0, 0, 0};
  for (std::uint32_t i = 0; i < count; ++i) enter(links[i], id, first + i);
  added_.push_back(id);
  return id;
}

FlowId MaxMin::add(std::span<const Use> uses) {
  assert(!uses.empty());
  const auto count = static_cast<std::uint32_t>(uses.size());
  const std::uint32_t first = take_hops(count);
  const FlowId id = new_flow();
  flows_[id] = {1, 0, first, count & kMostHops, 1, 0, 0};
  if (uses_.size() < hops_.size()) uses_.resize(hops_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    uses_[first + i] = uses[i].use;
    enter(uses[i].link, id, first + i);
  }
  added_.push_back(id);
  return id;
}

FlowId MaxMin::add_apart(double weight, double rate) {
  const FlowId id = new_flow();
  flows_[id] = {weight, rate, 0, 0, 0, 0, 0};
  return id;
}

void MaxMin::join(FlowId id, std::span<const LinkId> links) {
  const auto count = static_cast<std::uint32_t>(links.size());
  Flow& flow = flows_[id];
  flow.first_hop = take_hops(count);
  flow.hop_count = count & kMostHops;
  const std::size_t disturbed = disturbed_.size();
  for (std::uint32_t i = 0; i < count; ++i) enter(links[i], id, flow.first_hop + i);
  disturbed_.resize(disturbed);
}

void MaxMin::disturb(LinkId link) {
  if (!links_[link].entries.empty()) disturbed_.push_back(link);
}

void MaxMin::enter(LinkId link, FlowId flow, std::uint32_t hop) {
  Entries& entries = links_[link].entries;
  hops_[hop] = {link, static_cast<std::uint32_t>(entries.size())};
  entries.push_back({flow, hop});
  if (entries.size() > 1) disturbed_.push_back(link);
}

void MaxMin::remove(FlowId id) {
  const Flow& flow = flows_[id];
  for (std::uint32_t h = flow.first_hop; h < flow.first_hop + flow.hop_count; ++h) {
    const Hop hop = hops_[h];
    Entries& entries = links_[hop.link].entries;
    entries[hop.position] = entries.back();
    hops_[entries[hop.position].hop].position = hop.position;
    entries.pop_back();
    if (!entries.empty()) disturbed_.push_back(hop.link);
  }
  if (flow.hop_count > 0) give_hops_back(flow.first_hop, flow.hop_count);
  flows_[id].hop_count = 0;
  free_flows_.push_back(id);
}

void MaxMin::set_capacity(LinkId id, double capacity) {
  Link& link = links_[id];
  link.capacity = capacity;
  disturb(id);
}

std::vector<FlowId> MaxMin::flows_over(LinkId link) const {
  std::vector<FlowId> flows;
  for (const Entry& entry : links_[link].entries) flows.push_back(entry.flow);
  std::sort(flows.begin(), flows.end());
  return flows;
}

std::span<const FlowId> MaxMin::solve() {
  ++epoch_;
  changed_.clear();
  reach_everything_coupled();
  if (!is_to_stop_after(0)) fill();
  // Flows that share no link with another take all that their narrowest link has.
  for (const FlowId id : added_) {
    if (flows_[id].epoch == epoch_ || flows_[id].hop_count == 0) continue;
    double narrowest = std::numeric_limits<double>::infinity();
    const Flow& flow = flows_[id];
    for (std::uint32_t h = flow.first_hop; h < flow.first_hop + flow.hop_count; ++h)
      narrowest = std::min(narrowest, links_[hops_[h].link].capacity / use(flow, h));
    set_rate(id, narrowest);
  }
  added_.clear();
  return changed_;
}

void MaxMin::reach(LinkId id) {
  Link& link = links_[id];
  if (link.epoch == epoch_) return;
  link.epoch = epoch_;
  reached_links_.push_back(id);
}

/// Follows flows from link to link. Each link's entries are read once: for what they lead to and for what they add up to.
void MaxMin::reach_everything_coupled() {
  reached_links_.clear();
  reached_flows_.clear();
  constraints_.clear();
  for (const LinkId link : disturbed_) {
    if (!links_[link].entries.empty()) reach(link);
  }
  disturbed_.clear();
  for (std::size_t next = 0; next < reached_links_.size(); ++next) {
    const LinkId id = reached_links_[next];
    if (is_to_stop_after(links_[id].entries.size())) return;
    double weight = 0;
    for (const Entry& entry : links_[id].entries) {
      Flow& flow = flows_[entry.flow];
      weight += flow.has_uses ? uses_[entry.hop] * flow.weight : flow.weight;
      if (flow.epoch == epoch_) continue;
      flow.epoch = epoch_;
      reach_through(entry.flow);
    }
    Link& link = links_[id];
    link.left = link.capacity;
    link.weight = weight;
    link.undecided = static_cast<std::uint32_t>(link.entries.size());
    constraints_.push_back({link.left / weight, static_cast<std::uint32_t>(id), false});
  }
}

void MaxMin::reach_through(FlowId id) {
  reached_flows_.push_back(id);
  double shared = std::numeric_limits<double>::infinity();
  double unshared = shared;
  const Flow& flow = flows_[id];
  for (std::uint32_t h = flow.first_hop; h < flow.first_hop + flow.hop_count; ++h) {
    const Link& link = links_[hops_[h].link];
    if (link.entries.size() > 1) reach(hops_[h].link);
    double& narrowest = link.epoch == epoch_ ? shared : unshared;
    narrowest = std::min(narrowest, flow.has_uses ? link.capacity / uses_[h] : link.capacity);
  }
  // A wider link of its own never stops a flow that a shared one stops first.
  if (unshared < shared) constraints_.push_back({unshared / flow.weight, id, true});
}

/// Progressive filling: raise all rates together, per weight; where a constraint is full, its flows stop there.
void MaxMin::fill() {
  const auto later = [](const Constraint& a, const Constraint& b) {
    if (a.level != b.level) return a.level > b.level;
    if (a.is_flow != b.is_flow) return b.is_flow;
    return a.index > b.index;
  };
  undecided_flows_ = reached_flows_.size();
  std::make_heap(constraints_.begin(), constraints_.end(), later);
  double level = 0;
  while (undecided_flows_ > 0 && !is_to_stop_after(1)) {
    std::pop_heap(constraints_.begin(), constraints_.end(), later);
    Constraint constraint = constraints_.back();
    constraints_.pop_back();
    if (constraint.is_flow) {
      if (flows_[constraint.index].decided == epoch_) continue;
      level = std::max(level, constraint.level);
      decide(constraint.index, level);
      continue;
    }
    const Link& link = links_[constraint.index];
    if (link.undecided == 0) continue;
    // Flows that stopped earlier have left more for the rest: the level can only have risen since it was noted.
    const double current = link.left / link.weight;
    if (current > constraint.level * (1 + kSameLevel)) {
      constraint.level = current;
      constraints_.push_back(constraint);
      std::push_heap(constraints_.begin(), constraints_.end(), later);
      continue;
    }
    if (constraint.level > level * (1 + kSameLevel)) level = constraint.level;
    unasked_ += link.undecided;
    for (const Entry& entry : link.entries) {
      if (flows_[entry.flow].decided != epoch_) decide(entry.flow, level);
    }
  }
}

bool MaxMin::is_to_stop_after(std::size_t work) {
  constexpr std::size_t kWork = 4096;  // some tens of microseconds
  unasked_ += work;
  if (unasked_ < kWork) return false;
  if (is_to_stop_ && is_to_stop_()) return true;
  unasked_ = 0;
  return false;
}

void MaxMin::decide(FlowId id, double level) {
  Flow& flow = flows_[id];
  flow.decided = epoch_;
  --undecided_flows_;
  const double rate = flow.weight * level;
  for (std::uint32_t h = flow.first_hop; h < flow.first_hop + flow.hop_count; ++h) {
    Link& link = links_[hops_[h].link];
    if (link.epoch != epoch_) continue;
    link.left -= flow.has_uses ? rate * uses_[h] : rate;
    link.weight -= flow.has_uses ? flow.weight * uses_[h] : flow.weight;
    --link.undecided;
  }
  set_rate(id, rate);
}

void MaxMin::set_rate(FlowId id, double rate) {
  if (flows_[id].rate == rate) return;
  flows_[id].rate = rate;
  changed_.push_back(id);
}

FlowId MaxMin::new_flow() {
  if (!free_flows_.empty()) {
    const FlowId id = free_flows_.back();
    free_flows_.pop_back();
    return id;
  }
  flows_.emplace_back();
  return static_cast<FlowId>(flows_.size() - 1);
}

std::uint32_t MaxMin::take_hops(std::uint32_t count) {
  const std::uint32_t c = size_class(count);
  if (c < free_hops_.size() && !free_hops_[c].empty()) {
    const std::uint32_t first = free_hops_[c].back();
    free_hops_[c].pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(hops_.size());
  hops_.resize(hops_.size() + (std::size_t{1} << c));
  return first;
}

void MaxMin::give_hops_back(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t c = size_class(count);
  if (c >= free_hops_.size()) free_hops_.resize(c + 1);
  free_hops_[c].push_back(first);
}

}  // namespace heddle::emu
