// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/value_lists.hpp"

#include <fmt/format.h>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

using Texts = std::vector<std::string>;

Texts some_of(const Texts& texts) {
  return drawn::some([texts] { return drawn::one_of(texts); });
}

}  // namespace

TEST_CASE("where a topology's options have commas, one topology is one") {
  CHECK(split_topologies("star:512,alu,multicast") == Texts{"star:512,alu,multicast"});
  CHECK(split_topologies("clos:hosts=2,leaves=4,torus:8x8") == Texts{"clos:hosts=2,leaves=4", "torus:8x8"});
  CHECK(split_topologies("ring:4,dragonfly+:a=1,b=2") == Texts{"ring:4", "dragonfly+:a=1,b=2"});
  CHECK(split_topologies("file:a.json,file:b.json") == Texts{"file:a.json", "file:b.json"});
}

TEST_CASE("models that are joined by commas are parted again, though their fields have commas") {
  testing::property([] {
    const Texts models =
        some_of({"fluid", "alpha-beta", "packets", "packets:buffer=8,queues=fifo", "packets:header=64B,vcs=2"});
    Texts parted;
    for (const Named<Model>& model : split_models(fmt::format("{}", fmt::join(models, ",")))) {
      parted.push_back(model.text);
      RC_ASSERT(to_string(model.value) == model.text);
    }
    RC_ASSERT(parted == models);
  });
  CHECK_THROWS_WITH(split_models("fluid,beta"), Catch::Contains("'fluid,beta' is no model"));
}

TEST_CASE("topologies that are joined by commas are parted again") {
  testing::property([] {
    const Texts specs = some_of({"ring:4", "star:512,alu,multicast", "clos:hosts=2,leaves=4,spines=2", "torus:4x4",
                                 "superpod:pods=2,gpus=4,trays=2,alu", "dragonfly+:groups=3,leaves=2,spines=2,hosts=2"});
    RC_ASSERT(split_topologies(fmt::format("{}", fmt::join(specs, ","))) == specs);
  });
}

TEST_CASE("points of faults that are joined by commas are parted again, and the faults of a point by +") {
  testing::property([] {
    const Texts kinds = {"link:0->1,slow=4,at=10us", "link:s0<->3,down",           "rank:3,late=20us",
                         "rank:3,throws,call=5",     "message:2->5,damaged,nth=3", "unreliable:lost=1%,damaged=1%,seed=7",
                         "switch:s0,no-alu",         "link:(0,1)->(0,2),slow=2"};
    std::vector<Named<Texts>> points;
    const int count = drawn::number(1, 6);
    for (int i = 0; i < count; ++i) {
      points.push_back({"none", {}});
      if (drawn::number(0, 3) == 0) continue;
      points.back().value = some_of(kinds);
      points.back().text = fmt::format("{}", fmt::join(points.back().value, "+"));
    }
    Texts texts;
    for (const auto& point : points) texts.push_back(point.text);
    RC_ASSERT(split_faults(fmt::format("{}", fmt::join(texts, ","))) == points);
  });
}

TEST_CASE("a point that begins with no kind of fault is refused by its text") {
  CHECK_THROWS_WITH(split_faults("lnik:0->1,slow=4"), Catch::StartsWith("'lnik:0->1,slow=4': no fault; try none, or"));
  CHECK_THROWS_WITH(split_faults(""), Catch::StartsWith("'': no fault; try none, or"));
  CHECK_THROWS_WITH(split_faults("none+rank:3,stops"), Catch::StartsWith("'none': no fault; try none, or"));
  CHECK_THROWS_AS(split_faults("slow=4,none"), InputError);
}

TEST_CASE("routings of a sweep: seeds of ECMP in a range are one point") {
  using Point = Named<std::vector<Routing>>;
  const std::vector<Point> points = split_routings("adaptive,ecmp:3:5,ecmp,deterministic,ecmp:7:7");
  REQUIRE(points.size() == 5);
  CHECK(points[0] == Point{"adaptive", {Routing::split()}});
  CHECK(points[1] == Point{"ecmp:3:5", {Routing::ecmp(3), Routing::ecmp(4), Routing::ecmp(5)}});
  CHECK(points[2] == Point{"ecmp:1", {Routing::ecmp(1)}});
  CHECK(points[3] == Point{"deterministic", {Routing::deterministic()}});
  CHECK(points[4] == Point{"ecmp:7", {Routing::ecmp(7)}});
  for (const char* wrong : {"ecmp:5:3", "ecmp:1:x", "ecmp::3", "ecmp:1:2:3", "ecmp:0:18446744073709551615", "adaptve", ""})
    CHECK_THROWS_AS(split_routings(wrong), InputError);
}

}  // namespace heddle
