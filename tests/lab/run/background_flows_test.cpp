// SPDX-License-Identifier: Apache-2.0
// --background: flows as people write them, and what a run says of them.
#include "lab/run/setup.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace literals;
using test::run_heddle;
using Json = nlohmann::json;

namespace {

/// 50 GB/s each link.
std::vector<NamedBackgroundFlow> flows_on(std::string_view topology, std::string_view text) {
  return parse_background(text, Fabric(parse_topology(topology), FabricSettings{}));
}

std::string refusal(std::string_view topology, std::string_view text) {
  try {
    flows_on(topology, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("background: flows between endpoints, by number or name") {
  const auto flows = flows_on("torus:4x4", "0->5,(1,1)->(1,2)@100Gbps");
  REQUIRE(flows.size() == 2);
  CHECK(flows[0].name == "0->5");
  CHECK(flows[0].flow.from == 0);
  CHECK(flows[0].flow.to == 5);
  CHECK_FALSE(flows[0].flow.link.has_value());
  CHECK(flows[0].flow.rate.is_unlimited());
  CHECK(flows[1].name == "(1,1)->(1,2)@100Gbps");
  CHECK(flows[1].flow.from == 5);
  CHECK(flows[1].flow.to == 6);
  CHECK(flows[1].flow.rate == 100_Gbps);
}

TEST_CASE("background: a share is of what a message alone on that way gets") {
  CHECK(flows_on("star:4", "0->1@50%")[0].flow.rate.bytes_per_second() == Approx(25e9));
  // Half-way round a ring of 4 a message goes both ways at once.
  CHECK(flows_on("ring:4", "0->2@50%")[0].flow.rate.bytes_per_second() == Approx(50e9));
}

TEST_CASE("background: over one link by its name") {
  const auto flows = flows_on("star:4", "s0->3@20%,1->s0");
  const auto star = parse_topology("star:4");
  CHECK(star->link_name(flows[0].flow.link.value()) == "s0->3");
  CHECK(flows[0].flow.rate.bytes_per_second() == Approx(10e9));
  CHECK(star->link_name(flows[1].flow.link.value()) == "1->s0");
}

TEST_CASE("background flows that there are not") {
  CHECK_THAT(refusal("star:4", "0-5"), Catch::StartsWith("'0-5': no background flow; flows are as 0->5, "));
  CHECK_THAT(refusal("star:4", "0->1,"), Catch::StartsWith("'': no background flow"));
  CHECK(refusal("star:4", "0->9") == "'9': not a whole number from 0 to 3");
  CHECK(refusal("star:4", "s1->0") == "'s1': nothing on star:4 is called so; did you mean 's0'?");
  CHECK(refusal("star:4", "0->0") == "'0->0': a flow leads to another place than it comes from");
  CHECK(refusal("star:4", "0->1@200%") == "'200%': a share is above 0% and at most 100%");
  CHECK(refusal("star:4", "0->1@0%") == "'0%': a share is above 0% and at most 100%");
  CHECK(refusal("star:4", "0->1@x%") == "'x%': a share is above 0% and at most 100%");
  CHECK_THAT(refusal("star:4", "0->1@fast"), Catch::StartsWith("'fast': not a bandwidth"));
}

TEST_CASE("background: one uplink of a leaf, where routes take one at a time") {
  const std::string clos = "clos:hosts=4,leaves=2,spines=2";
  CHECK(
      refusal(clos, "leaf0->spine1@50%") ==
      "link leaf0->spine1 is one of several that adaptive routes take evenly, and load on it alone would make them uneven; use "
      "--routing ecmp or deterministic, or load a whole way between two endpoints as 0->5");
  CHECK(refusal(clos, "0->5@50%") == "accepted");
  // 0->4 by the first way: leaf0->spine0. 50,000 B take 4·100 ns + 1 us, 400 ns + 2 us where half of that is taken.
  const std::string run = "run broadcast --algo binomial_halving --topo " + clos +
                          " --ranks 5 --groups 0,4 --size 50000 --routing deterministic --json - --background ";
  const auto time_beside = [&](const std::string& flow) {
    return Json::parse(run_heddle(run + flow).out)["runs"][0]["time_s"].get<double>();
  };
  CHECK(time_beside("leaf0->spine0@50%") == Approx(2.4e-6));
  CHECK(time_beside("leaf0->spine1") == Approx(1.4e-6));
}

TEST_CASE("a run beside background flows reports what they carried and what they cost") {
  // star:2, 50 GB/s, 2·100 ns: M = 50,000 B swapped takes 200 ns + 1 us; beside half of each link 200 ns + 2 us. Meanwhile the
  // flows carry 25 GB/s for 2 us and, in the second that arrives last, 50 GB/s for 200 ns.
  const std::string run =
      "run allreduce --algo recursive_doubling --topo star:2 --size 50000 --background 0->1 --background 1->0@50%";
  const auto result = run_heddle(run);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("\n# background: 0->1,1->0@50%\n"));
  CHECK_THAT(result.out, Catch::Contains("\n#   alone (us): 1.200\n#   slowdown: 1.83\n#   (eta_alpha, eta_beta): (1, 0.5)\n"));
  const Json json = Json::parse(run_heddle(run + " --json -").out);
  CHECK(json["context"]["background"] == "0->1,1->0@50%");
  const Json& first = json["runs"][0];
  CHECK(first["time_s"] == 2.2e-6);
  CHECK(first["background"] == Json{{{"flow", "0->1"}, {"bytes", 60'000}}, {{"flow", "1->0@50%"}, {"bytes", 55'000}}});
  CHECK(first["contention"]["alone_s"] == 1.2e-6);
  CHECK(first["contention"]["eta_beta"] == 0.5);
  CHECK(Json::parse(run_heddle("run allreduce --algo ring --topo ring:4 --size 1KiB --json -").out)["context"]["background"]
            .is_null());
  CHECK(run_heddle("run allreduce --algo ring --topo star:4 --size 1KiB --background 0->7").err ==
        "heddle: --background '7': not a whole number from 0 to 3\n");
}

}  // namespace heddle
