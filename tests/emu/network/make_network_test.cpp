// SPDX-License-Identifier: Apache-2.0
#include "emu/network/make_network.hpp"

#include "emu/network/alone_times.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/manual_engine.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

class NoClient final : public emu::NetworkClient {
 public:
  void drained(emu::MessageId, Time) override {}
  void left(emu::MessageId) override {}
  void arrived(emu::MessageId) override {}
  void streamed(emu::StreamId) override {}
};

}  // namespace

TEST_CASE("network models: each has a name and makes a network") {
  const Fabric fabric = fabric_of("ring:3");
  emu::ManualEngine engine;
  NoClient client;
  for (const Model& model : {Model::fluid, Model::alpha_beta, Model::packets}) {
    CHECK(parse_model(to_string(model)) == model);
    emu::NetworkRecorder recorder(fabric.topology());
    emu::AloneTimes alone(fabric, false);
    const auto network = emu::make_network(model, fabric, engine, client, recorder, {alone});
    CHECK_FALSE(network->end_timestamp());
    CHECK(recorder.links().size() == 6);
  }
  CHECK(why_not(Model::fluid, ModelNeed::dead_links) == "");
  CHECK(why_not(Model::alpha_beta, ModelNeed::slow_links) == "knows no faults of links");
  CHECK(why_not(Model::packets, ModelNeed::slow_links) == "");
  CHECK(why_not(Model::packets, ModelNeed::dead_links) ==
        "has no links that are down: ways around may cross channels out of order and lock up");
  CHECK_THROWS_WITH(parse_model("ether"), "'ether' is no model; fluid or alpha-beta or packets");
}

}  // namespace heddle
