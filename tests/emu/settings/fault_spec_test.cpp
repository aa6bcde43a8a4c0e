// SPDX-License-Identifier: Apache-2.0
// Faults as people write them, and what is no fault.
#include "emu/settings/faults.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;

Faults faults_on(std::string_view topology, std::string_view spec, int ranks = 4) {
  Faults faults;
  add_fault(faults, spec, *parse_topology(topology), ranks);
  return faults;
}

std::string fault_refusal(std::string_view topology, std::string_view spec, int ranks = 4) {
  try {
    faults_on(topology, spec, ranks);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("faults of links, by the names that reports give them") {
  const auto ring = parse_topology("ring:4");
  const Faults slow = faults_on("ring:4", "link:0->1,slow=4,at=10us");
  REQUIRE(slow.links.size() == 1);
  CHECK(ring->link_name(slow.links[0].link) == "0->1");
  CHECK_FALSE(slow.links[0].down);
  CHECK(slow.links[0].slower == 4);
  CHECK(slow.links[0].at == 10_us);
  CHECK(to_string(slow.links[0], *ring) == "link:0->1,slow=4,at=10us");

  const auto torus = parse_topology("torus:4x4");
  const Faults down = faults_on("torus:4x4", "link:(0,1)<->(0,2),down");
  REQUIRE(down.links.size() == 2);
  CHECK(torus->link_name(down.links[0].link) == "(0,1)->(0,2)");
  CHECK(torus->link_name(down.links[1].link) == "(0,2)->(0,1)");
  CHECK(down.links[1].down);
  CHECK(to_string(down.links[1], *torus) == "link:(0,2)->(0,1),down");
  CHECK(faults_on("torus:4x4", "link:1->2,down").links[0].link == down.links[0].link);
}

TEST_CASE("faults of ranks, messages, fabrics and switches read back as they are written") {
  for (const char* text : {"rank:3,late=20us", "rank:3,slow=2.5", "rank:0,throws,call=5", "rank:1,throws,at=2us",
                           "rank:2,stops", "rank:2,stops,call=7", "rank:2,stops,at=1ns"}) {
    INFO(text);
    const Faults faults = faults_on("star:4", text);
    REQUIRE(faults.ranks.size() == 1);
    CHECK(to_string(faults.ranks[0]) == text);
  }
  for (const char* text : {"message:0->1,lost", "message:2->3,lost,nth=3", "message:1->0,damaged,nth=2,byte=7"}) {
    INFO(text);
    CHECK(to_string(faults_on("star:4", text).messages.at(0)) == text);
  }
  const Faults unreliable = faults_on("star:4", "unreliable:lost=1%,damaged=0.25,seed=9");
  REQUIRE(unreliable.unreliable);
  CHECK(unreliable.unreliable->lost == 0.01);
  CHECK(unreliable.unreliable->damaged == 0.25);
  CHECK(unreliable.unreliable->seed == 9);
  CHECK(to_string(*unreliable.unreliable) == "unreliable:lost=0.01,damaged=0.25,seed=9");
  const auto star = parse_topology("star:4,alu");
  CHECK(to_string(faults_on("star:4,alu", "switch:s0,no-alu").switches.at(0), *star) == "switch:s0,no-alu");
}

TEST_CASE("what is no fault is refused in one line") {
  CHECK(fault_refusal("ring:4", "lnik:0->1,down") ==
        "unknown fault 'lnik': did you mean 'link'? Known: link, rank, message, unreliable, switch");
  CHECK(fault_refusal("ring:4", "link:0->1") ==
        "'link:0->1': a link is either down or slow=K; try link:0->1,slow=4,at=10us, link:0<->1,down or link:worst,slow=4");
  CHECK_THAT(fault_refusal("ring:4", "link:0->2,down"), Catch::Contains("no link of ring:4 leads from 0 to 2"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,slow=0.5"), Catch::Contains("slow= needs a factor of at least 1"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,slow=inf"), Catch::Contains("slow= needs a factor of at least 1"));
  CHECK_THAT(fault_refusal("ring:4", "link:0,down"), Catch::Contains("'0' names no two places"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,down,soon"), Catch::Contains("unknown word 'soon'"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,down,"), Catch::Contains("a comma too many"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,down,at=soon"), Catch::Contains("at= 'soon'"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,down,at=4000s"), Catch::Contains("it must be from 0 to an hour"));
  CHECK_THAT(fault_refusal("ring:4", "link:0->1,down,at=5"),
             Catch::Contains("at= '5': a time needs its unit; try 5ns, 5us or 5s"));
  CHECK_THAT(fault_refusal("ring:4", "rank:4,stops"), Catch::Contains("'4' is no rank; ranks are 0 to 3"));
  CHECK_THAT(fault_refusal("ring:4", "rank:1"), Catch::Contains("a rank is one of late=TIME, slow=K, throws and stops"));
  CHECK_THAT(fault_refusal("ring:4", "rank:1,throws,stops"), Catch::Contains("a rank is one of"));
  CHECK_THAT(fault_refusal("ring:4", "rank:1,stops,call=0"), Catch::Contains("call= needs a whole number from 1"));
  CHECK_THAT(fault_refusal("ring:4", "rank:1,stops,call=2,at=1us"), Catch::Contains("either at= or call= says when"));
  CHECK_THAT(fault_refusal("ring:4", "rank:1,late=1us,call=2"), Catch::Contains("unknown word 'call'"));
  CHECK_THAT(fault_refusal("ring:4", "message:1->1,lost"), Catch::Contains("messages of rank 1 to itself do not cross"));
  CHECK_THAT(fault_refusal("ring:4", "message:1->2"), Catch::Contains("a message is either lost or damaged"));
  CHECK_THAT(fault_refusal("ring:4", "message:1<->2,lost"), Catch::Contains("a message goes one way"));
  CHECK_THAT(fault_refusal("ring:4", "message:1->2,lost,byte=3"), Catch::Contains("'byte'"));
  CHECK_THAT(fault_refusal("ring:4", "unreliable:seed=3"), Catch::Contains("lost= or damaged= says how many"));
  CHECK_THAT(fault_refusal("ring:4", "unreliable:lost=101%"), Catch::Contains("a share from 0 to 1"));
  CHECK_THAT(fault_refusal("ring:4", "unreliable:lost=60%,damaged=60%"), Catch::Contains("a share is from 0 to 1"));
  CHECK_THAT(fault_refusal("star:4", "switch:s0,no-alu"), Catch::Contains("switch s0 of star:4 has no ALU to lose"));
  CHECK_THAT(fault_refusal("star:4,alu", "switch:2,no-alu"), Catch::Contains("vertex 2 is no switch"));
  CHECK_THAT(fault_refusal("ring:4", ""), Catch::StartsWith("unknown fault ''"));
}

TEST_CASE("a group's faults are those of its ranks, by their numbers there") {
  const std::vector<std::string> specs = {"rank:3,stops", "rank:0,slow=2", "message:3->1,lost", "message:0->1,lost"};
  const Faults among = faults_among(parse_faults(specs, *parse_topology("ring:4"), 4), std::vector<int>{3, 1});
  REQUIRE(among.ranks.size() == 1);
  CHECK(to_string(among.ranks[0]) == "rank:0,stops");
  REQUIRE(among.messages.size() == 1);
  CHECK(to_string(among.messages[0]) == "message:0->1,lost");
}

}  // namespace heddle
