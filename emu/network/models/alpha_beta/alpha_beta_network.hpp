// SPDX-License-Identifier: Apache-2.0
// The model without contention: every message is as fast as alone, α + L(P) + m / min B, however many share its links
// (Hockney's α-β; docs/model.md, "Without contention").
#pragma once

#include <cstdint>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/arrivals.hpp"
#include "emu/network/flow_recorder.hpp"
#include "emu/network/link_recorder.hpp"
#include "emu/network/network.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/ways.hpp"

namespace heddle::emu {

class AlphaBetaNetwork final : public Network, private Alarm {
 public:
  /// All three must outlive the network. Throws InputError for a load in the background, which could slow nobody down.
  AlphaBetaNetwork(const Fabric& fabric, Engine& engine, NetworkClient& client, const NetworkLoad& load = {});

  void send(const Sending& sending) override { starts_.push_back(sending); }
  void stream(const Streaming& streaming) override;
  void solve() override;
  bool has_unsolved() const override { return !starts_.empty() || !stream_starts_.empty(); }
  const Crossing& crossing(MessageId message) const override { return crossings_[message]; }
  const LinkRecorder& recorder() const override { return recorder_; }
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
  LinkRecorder recorder_;
  FlowRecorder flow_recorder_;

  std::vector<Sending> starts_;
  std::vector<StreamStart> stream_starts_;
  Route route_;
  std::vector<int> flows_on_;  ///< by link and trunk
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> free_transfers_;
  std::vector<Crossing> crossings_;  ///< by message
  std::vector<Time> arrivals_at_;    ///< by message
};

}  // namespace heddle::emu
