// SPDX-License-Identifier: Apache-2.0
// Links that slow down or go down while messages are on them.
#include <span>
#include <vector>

#include "emu/network/fluid_network.hpp"

namespace heddle::emu {

void FluidNetwork::expect_faults() {
  for (const Time at : faulty_->times()) {
    if (at == Time())
      links_change();
    else
      engine_.at(at, link_alarm_, 0);
  }
}

void FluidNetwork::find_way(const Sending& start) {
  if (start.message >= sendings_.size()) sendings_.resize(start.message + std::size_t{1});
  sendings_[start.message] = start;
  faulty_->route(start.from, start.to, route_);
}

/// Those of FaultyLinks are links of max_min_, in the same order.
LinkId FluidNetwork::bottleneck_of(const Route::Path& path) {
  const int number = faulty_->bottleneck_of(route_, path);
  if (number < 0) return kNoBottleneck;
  const LinkId link = first_bottleneck_ + number;
  for (LinkId known = max_min_.links(); known <= link; ++known)
    max_min_.add_link(faulty_->bottleneck(known - first_bottleneck_) / kPicosecondsPerSecond);
  return link;
}

FlowId FluidNetwork::add_through(std::span<const LinkId> links, LinkId bottleneck, double weight) {
  std::vector<LinkId> all(links.begin(), links.end());
  all.push_back(bottleneck);
  return max_min_.add(all, weight);
}

void FluidNetwork::links_change() {
  for (const LinkId link : faulty_->advance(engine_.now())) {
    const double healthy = fabric_.bandwidth(link).bytes_per_second() / kPicosecondsPerSecond;
    max_min_.set_capacity(link, healthy * faulty_->share(link));
    if (messages_on(link) > 0) faulty_->note_met(link);
    if (faulty_->is_down(link))
      for (const FlowId flow : max_min_.flows_over(link)) go_round(flow);
    if (link >= fabric_.topology().links()) recorder_.part(link, faulty_->parts(link));
  }
  for (LinkId link = first_bottleneck_; link < max_min_.links(); ++link) {
    const double through = faulty_->bottleneck(link - first_bottleneck_) / kPicosecondsPerSecond;
    max_min_.set_capacity(link, through);
    if (through == 0)
      for (const FlowId flow : max_min_.flows_over(link)) go_round(flow);
  }
  removed_ = true;  // rates are to be made fair again
}

/// What is left of it takes another way from now on: one path in place of one path.
void FluidNetwork::go_round(FlowId flow) {
  const Time now = engine_.now();
  Transfer transfer = transfers_[flow];
  transfer.remaining -= transfer.rate * static_cast<double>((now - transfer.since).ps());
  transfer.remaining = std::max(0.0, transfer.remaining);
  std::vector<LinkId> before;
  std::vector<StreamLink> tree;
  for (const MaxMin::Hop& hop : max_min_.hops(flow)) {
    if (hop.link >= first_bottleneck_) continue;
    before.push_back(hop.link);
    tree.push_back({hop.link, 1, false});
  }
  if (transfer.is_stream) return faulty_->require_up(tree);
  const Sending& start = sendings_[transfer.message];
  const std::vector<LinkId>& way = faulty_->way(start.from, start.to);
  for (const LinkId link : before) {
    recorder_.leave(link, now, messages_on(link) - 1);
    recorder_.carry(link, -transfer.remaining);
  }
  const double weight = max_min_.weight(flow);
  drain_times_.remove(flow);
  max_min_.remove(flow);
  recorder_.end(flow, now);

  transfer.rate = 0;
  transfer.since = now;
  transfer.announced = kNever;
  transfer.latency = fabric_.host_links();
  for (const LinkId link : way) transfer.latency += fabric_.latency(link);
  const FlowId round = max_min_.add(way, weight);
  transfer_of_new(round) = transfer;
  for (const LinkId link : way) {
    recorder_.carry(link, transfer.remaining);
    recorder_.enter(link, now, messages_on(link), start.round);
  }
  const double bytes = weight * static_cast<double>(start.bytes);
  recorder_.begin(round, {start.record, weight, bytes, transfer.alone}, way, now);
}

}  // namespace heddle::emu
