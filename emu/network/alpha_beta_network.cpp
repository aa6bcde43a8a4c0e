// SPDX-License-Identifier: Apache-2.0
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
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle::emu {

// The model without contention: every message is as fast as alone, α + L(P) + m / min B, however many share its links
// (Hockney's α-β; docs/model.md, "Without contention").

class AlphaBetaNetwork final : public Network, private Alarm {
 public:
  /// All references must outlive the network.
  AlphaBetaNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                   const NetworkLoad& load)
      : fabric_(fabric),
        engine_(engine),
        client_(client),
        routes_(fabric),
        alone_(load.alone),
        recorder_(recorder),
        flows_on_(static_cast<std::size_t>(fabric.topology().links() + fabric.topology().trunks())) {}

  void send(const Sending& sending) override { starts_.push_back(sending); }
  void stream(const Streaming& streaming) override;
  bool end_timestamp() override;
  Time latency(MessageId message) const override { return latencies_[message]; }

 private:
  /// A path's part of a message, or a stream, in its links. Messages leave by their last path, streams have one.
  struct Transfer {
    std::uint32_t id = 0;
    Time alone;  ///< it drains in that time
    bool is_stream = false;
    bool is_last = false;  ///< the message has drained with it
    std::vector<LinkId> links;
  };

  struct StreamStart {
    Streaming streaming;  ///< its links are those below
    std::vector<StreamLink> links;
  };

  void on_timer(std::uint64_t transfer) override;
  void start(const Sending& sending);
  void start(const StreamStart& start);
  void enter(Transfer transfer, double share, double rate, int round, std::uint32_t record);
  void drained(MessageId message) { client_.drained(message, arrivals_at_[message]); }

  const Fabric& fabric_;
  Engine& engine_;
  NetworkClient& client_;
  FilledRoutes routes_;
  AloneTimes& alone_;
  NetworkRecorder& recorder_;

  std::vector<Sending> starts_;
  std::vector<StreamStart> stream_starts_;
  Route route_;
  std::vector<int> flows_on_;  ///< by link and trunk
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> free_transfers_;
  std::vector<Time> latencies_;    ///< by message
  std::vector<Time> arrivals_at_;  ///< by message
};

void AlphaBetaNetwork::stream(const Streaming& streaming) {
  stream_starts_.push_back({streaming, {streaming.links.begin(), streaming.links.end()}});
}

bool AlphaBetaNetwork::end_timestamp() {
  // What drains at once lets its sender go on, which can start more: those start next time.
  const std::vector<Sending> starts = std::exchange(starts_, {});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (i % kBetweenQuestions == 0 && engine_.asks_to_stop()) return true;
    start(starts[i]);
  }
  for (const StreamStart& some : std::exchange(stream_starts_, {})) start(some);
  return !starts_.empty() || !stream_starts_.empty();
}

void AlphaBetaNetwork::start(const Sending& sending) {
  if (sending.message >= latencies_.size()) {
    latencies_.resize(sending.message + std::size_t{1});
    arrivals_at_.resize(sending.message + std::size_t{1});
  }
  routes_.find(sending.from, sending.to, route_);
  const std::span<const AlonePath> alone = alone_.start(sending.message, sending.bytes, route_);
  const AloneTimes::Times whole = alone_.of(sending.message);
  arrivals_at_[sending.message] = engine_.now() + whole.arrived;
  std::size_t last = 0;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (alone[i].drained + alone[i].latency == whole.arrived) latencies_[sending.message] = alone[i].latency;
    if (alone[i].drained == whole.drained) last = i;
  }
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const Route::Path& path = route_.paths()[i];
    const auto first = route_.links().begin() + path.first;
    std::vector<LinkId> links(first, first + path.count);
    for (const LinkId link : links) recorder_.carry(link, path.share * static_cast<double>(sending.bytes));
    if (alone[i].drained > Time())
      enter({sending.message, alone[i].drained, false, i == last, std::move(links)}, path.share, path.share * alone[i].rate,
            sending.round, sending.record);
  }
  if (whole.drained == Time()) drained(sending.message);
}

void AlphaBetaNetwork::start(const StreamStart& start) {
  const Streaming& streaming = start.streaming;
  std::vector<LinkId> links;
  for (const StreamLink& link : start.links) {
    if (link.counts) recorder_.carry(link.link, link.use * streaming.bytes);
    links.push_back(link.link);
  }
  const Time alone = alone_.of(start.links, streaming.bytes);
  if (alone == Time()) return client_.streamed(streaming.stream);
  enter({streaming.stream, alone, true, true, std::move(links)}, 1, alone_.rate(start.links), streaming.round,
        streaming.record);
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
  const double bytes = rate * static_cast<double>(transfer.alone.ps());
  recorder_.begin(id, {record, share, bytes, transfer.alone}, transfer.links, now);
  recorder_.rate(id, rate * kPicosecondsPerSecond, now);
  engine_.at(now + transfer.alone, *this, id);
  transfers_[id] = std::move(transfer);
}

void AlphaBetaNetwork::on_timer(std::uint64_t id) {
  const Transfer transfer = std::move(transfers_[id]);
  free_transfers_.push_back(static_cast<std::uint32_t>(id));
  const Time now = engine_.now();
  for (const LinkId link : transfer.links) recorder_.leave(link, now, --flows_on_[static_cast<std::size_t>(link)]);
  recorder_.end(static_cast<FlowId>(id), now);
  if (transfer.is_stream) return client_.streamed(transfer.id);
  if (transfer.is_last) drained(transfer.id);
}

namespace {

std::string_view lack_of_alpha_beta(ModelNeed need) {
  switch (need) {
    case ModelNeed::contention:
      return "has no contention";
    case ModelNeed::background:
      return "has no contention: a load in the background would slow nobody down";
    case ModelNeed::streams:
      return "";
    case ModelNeed::slow_links:
    case ModelNeed::dead_links:
      break;
  }
  return "knows no faults of links";
}

}  // namespace

NetworkModel alpha_beta_model() {
  return {.model = Model::alpha_beta,
          .summary = "not at all: each as fast as alone",
          .why_not = &lack_of_alpha_beta,
          .why_not_on = nullptr,
          .make = &make_one<AlphaBetaNetwork>};
}

}  // namespace heddle::emu
