// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/make_network.hpp"
#include "emu/network/max_min.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle::emu {

// The model without contention: every message is as fast as alone, α + L(P) + m / min B, however many share its links
// (Hockney's α-β; docs/model.md, "Without contention").

class AlphaBetaNetwork final : public Network, private Alarm {
 public:
  /// All references must outlive the network. Throws InputError for a load in the background, which could slow nobody down.
  AlphaBetaNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                   const NetworkLoad& load = {});

  void send(const Sending& sending) override { starts_.push_back(sending); }
  void stream(const Streaming& streaming) override;
  bool end_instant() override;
  const Crossing& crossing(MessageId message) const override { return crossings_[message]; }
  std::vector<BackgroundReport> background(Time) const override { return {}; }

 private:
  /// A path's part of a message, or a stream, in its links. Messages leave by their last path, streams have one.
  struct Transfer {
    std::uint32_t id = 0;
    Time full_rate;
    bool is_stream = false;
    bool is_last = false;  ///< the message has drained with it
    std::vector<LinkId> links;
  };

  struct StreamStart {
    Streaming streaming;  ///< its links are those below
    std::vector<StreamLink> links;
  };

  void ring(std::uint64_t transfer) override;
  void start(const Sending& sending);
  void start(const StreamStart& start);
  void enter(Transfer transfer, double share, double rate, int round, std::uint32_t record);
  void drained(MessageId message);

  const Fabric& fabric_;
  Engine& engine_;
  NetworkClient& client_;
  Arrivals arrivals_;
  FilledRoutes routes_;
  AloneTimes alone_times_;
  NetworkRecorder& recorder_;

  std::vector<Sending> starts_;
  std::vector<StreamStart> stream_starts_;
  Route route_;
  std::vector<int> flows_on_;  ///< by link and trunk
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> free_transfers_;
  std::vector<Crossing> crossings_;  ///< by message
  std::vector<Time> arrivals_at_;    ///< by message
};

AlphaBetaNetwork::AlphaBetaNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                                   const NetworkLoad& load)
    : fabric_(fabric),
      engine_(engine),
      client_(client),
      arrivals_(client),
      routes_(fabric),
      alone_times_(fabric, load.latency_only),
      recorder_(recorder),
      flows_on_(static_cast<std::size_t>(fabric.topology().links() + fabric.topology().trunks())) {
  if (!load.background.empty())
    throw InputError("the alpha-beta model has no contention: a load in the background would slow nobody down; try fluid");
}

void AlphaBetaNetwork::stream(const Streaming& streaming) {
  stream_starts_.push_back({streaming, {streaming.links.begin(), streaming.links.end()}});
}

bool AlphaBetaNetwork::end_instant() {
  // What drains at once lets its sender go on, which can start more: those start next time.
  for (const Sending& sending : std::exchange(starts_, {})) start(sending);
  for (const StreamStart& some : std::exchange(stream_starts_, {})) start(some);
  return !starts_.empty() || !stream_starts_.empty();
}

void AlphaBetaNetwork::start(const Sending& sending) {
  if (sending.message >= crossings_.size()) {
    crossings_.resize(sending.message + std::size_t{1});
    arrivals_at_.resize(sending.message + std::size_t{1});
  }
  const Time now = engine_.now();
  Crossing crossing{};
  routes_.find(sending.from, sending.to, route_);
  const std::span<const double> rates = alone_times_.rates(route_);
  std::size_t last = 0;
  std::vector<Time> full_rates;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Time full_rate = drained_at(Time(), static_cast<double>(sending.bytes), rates[i]);
    const Time arrived = full_rate + fabric_.path_latency(route_, route_.paths()[i]);
    if (arrived >= crossing.alone_arrived) crossing = {now + full_rate, full_rate, crossing.alone_drained, arrived};
    crossing.alone_drained = std::max(crossing.alone_drained, full_rate);
    full_rates.push_back(full_rate);
    if (full_rate >= full_rates[last]) last = i;
  }
  crossings_[sending.message] = crossing;
  arrivals_at_[sending.message] = now + crossing.alone_arrived;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Route::Path& path = route_.paths()[i];
    const auto first = route_.links().begin() + path.first;
    std::vector<LinkId> links(first, first + path.count);
    for (const LinkId link : links) recorder_.carry(link, path.share * static_cast<double>(sending.bytes));
    if (full_rates[i] > Time())
      enter({sending.message, full_rates[i], false, i == last, std::move(links)}, path.share, path.share * rates[i],
            sending.round, sending.record);
  }
  if (crossing.alone_drained == Time()) drained(sending.message);
}

void AlphaBetaNetwork::start(const StreamStart& start) {
  const Streaming& streaming = start.streaming;
  std::vector<LinkId> links;
  for (const StreamLink& link : start.links) {
    if (link.counts) recorder_.carry(link.link, link.use * streaming.bytes);
    links.push_back(link.link);
  }
  const double rate = alone_times_.rate(start.links);
  const Time full_rate = drained_at(Time(), streaming.bytes, rate);
  if (full_rate == Time()) return client_.streamed(streaming.stream, Time());
  enter({streaming.stream, full_rate, true, true, std::move(links)}, 1, rate, streaming.round, streaming.record);
}

void AlphaBetaNetwork::enter(Transfer transfer, double share, double rate, int round, std::uint32_t record) {
  const Time now = engine_.now();
  if (free_transfers_.empty()) {
    free_transfers_.push_back(static_cast<std::uint32_t>(transfers_.size()));
    transfers_.emplace_back();
  }
  const std::uint32_t id = free_transfers_.back();
  free_transfers_.pop_back();
  for (const LinkId link : transfer.links) recorder_.enter(link, now, ++flows_on_[static_cast<std::size_t>(link)], round);
  const double bytes = rate * static_cast<double>(transfer.full_rate.ps());
  recorder_.begin(id, {record, share, bytes, transfer.full_rate}, transfer.links, now);
  recorder_.rate(id, rate * kPicosecondsPerSecond, now);
  engine_.at(now + transfer.full_rate, *this, id);
  transfers_[id] = std::move(transfer);
}

void AlphaBetaNetwork::ring(std::uint64_t id) {
  const Transfer transfer = std::move(transfers_[id]);
  free_transfers_.push_back(static_cast<std::uint32_t>(id));
  const Time now = engine_.now();
  for (const LinkId link : transfer.links) recorder_.leave(link, now, --flows_on_[static_cast<std::size_t>(link)]);
  recorder_.end(static_cast<FlowId>(id), now);
  if (transfer.is_stream) return client_.streamed(transfer.id, transfer.full_rate);
  if (transfer.is_last) drained(transfer.id);
}

void AlphaBetaNetwork::drained(MessageId message) {
  const Time arrival = arrivals_at_[message];
  client_.drained(message);
  if (arrival == engine_.now())
    client_.arrived(message);
  else
    engine_.at(arrival, arrivals_, message);
}

NetworkModel alpha_beta_model() {
  return {.model = Model::alpha_beta,
          .summary = "not at all: each as fast as alone",
          .has_contention = false,
          .knows_link_faults = false,
          .make = &make_one<AlphaBetaNetwork>};
}

}  // namespace heddle::emu
