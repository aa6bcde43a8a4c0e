// SPDX-License-Identifier: Apache-2.0
// What a part of a run needs around it, for tests of one part alone: a clock and a network that do what the test says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/messages/endpoint.hpp"
#include "emu/messages/groups.hpp"
#include "emu/messages/host.hpp"
#include "emu/network/alone_times.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/run/run_state.hpp"
#include "tests/emu/manual_engine.hpp"
#include "tests/emu/runs.hpp"

namespace heddle::emu {

/// Notes what it is given, and what that takes alone. The test says what becomes of it.
class NotedNetwork final : public Network {
 public:
  NotedNetwork(const Fabric& fabric, AloneTimes& alone) : routes_(fabric), alone_(alone) {}
  void send(const Sending& sending) override {
    Route route;
    routes_.find(sending.from, sending.to, route);
    latency_ = alone_.start(sending.message, sending.bytes, route).front().latency;
    sent.push_back(sending);
  }
  void stream(const Streaming& streaming) override { streams.push_back(streaming.stream); }
  bool end_timestamp() override { return false; }
  Time latency(MessageId) const override { return latency_; }

  std::vector<Sending> sent;
  std::vector<StreamId> streams;

 private:
  FilledRoutes routes_;
  AloneTimes& alone_;
  Time latency_;  ///< of the last one
};

/// Of communicators that ask for no more than messages.
class PlainHost final : public Host {
 public:
  explicit PlainHost(RunState& run)
      : Host(run.engine, run.plans, run.tasks, run.messages, run.costs, run.recorder.keeps_records()) {}
  void take_pending_now(TaskId) override {}
  void note_misuse(const std::string&) override {}
  void require_all_waited_for(TaskId) const override {}
  void begin_second_call(TaskId) override {}
  Time finish_line(TaskId) override { return now(); }
  std::optional<Datatype> switch_precision() const override { return std::nullopt; }
};

/// Ranks on a ring of as many endpoints, with nanosecond_speeds(). Task r is rank r itself; it waits for whatever it asks for.
struct RunParts {
  explicit RunParts(int ranks, std::vector<RecordSink*> sinks = {})
      : fabric(fabric_of("ring:" + std::to_string(ranks))),
        placement(linear_placement(ranks, fabric.topology())),
        run(engine, RankCosts(fabric.settings(), 1, false), static_cast<std::size_t>(ranks), false, sinks),
        alone(fabric, false),
        network(fabric, alone),
        links(fabric.topology()),
        groups(fabric, placement),
        world(groups.make_world()),
        host(run) {
    for (int rank = 0; rank < ranks; ++rank) {
      TaskState& task = run.tasks.begin(static_cast<TaskId>(rank));
      task.rank = rank;
      task.group = world;
      task.number = run.ranks.take_task_number(rank);
    }
  }

  /// The rank's place in the communicator of all.
  Endpoint endpoint(int rank) { return {host, static_cast<TaskId>(rank), rank, 0, world}; }

  Fabric fabric;
  Placement placement;
  ManualEngine engine;
  RunState run;
  AloneTimes alone;
  NotedNetwork network;
  NetworkRecorder links;
  GroupMaker groups;
  std::shared_ptr<const Group> world;
  PlainHost host;
};

}  // namespace heddle::emu
