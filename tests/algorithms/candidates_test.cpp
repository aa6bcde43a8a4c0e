// SPDX-License-Identifier: Apache-2.0
// What tuning tries of each row's options.
#include <set>
#include <string>
#include <vector>

#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

Shape shape_on(const std::string& topology, Collective collective, std::int64_t bytes = 1 << 20) {
  Experiment what;
  what.collective = collective;
  what.fabric.topology = topology;
  if (collective != Collective::barrier) what.size = Bytes(bytes);
  what.algorithm = algorithms_of(collective).front()->name;
  return what.shape();
}

const std::vector<std::string> kFabrics = {"ring:1",
                                           "ring:2",
                                           "ring:7",
                                           "torus:4x4",
                                           "mesh:2x3",
                                           "star:16,alu,multicast",
                                           "superpod:pods=2,gpus=8,trays=2",
                                           "superpod:pods=2,gpus=4,trays=2,alu,multicast",
                                           "clos:hosts=2,leaves=3,spines=1,pods=2,cores=1",
                                           "file:" HEDDLE_SOURCE_DIR "/tests/algorithms/four_levels.json"};

std::vector<std::string> candidates(Collective collective, std::string_view name, std::string_view option, const Shape& shape) {
  const Algorithm row = find_algorithm(collective, name);
  for (const Parameter& parameter : row.parameters)
    if (parameter.name == option) return parameter.candidates(shape);
  throw std::logic_error("no such option");
}

}  // namespace

TEST_CASE("every option of every row has candidates") {
  for (const Algorithm& row : registry()) {
    CAPTURE(to_string(row.collective), row.name);
    for (const Parameter& parameter : row.parameters) {
      CAPTURE(parameter.name);
      CHECK(parameter.candidates);
    }
  }
}

TEST_CASE("every candidate is a value of its option, and named once") {
  for (const std::string& fabric : kFabrics) {
    for (const Collective collective : all_collectives()) {
      const Shape shape = shape_on(fabric, collective);
      for (const Algorithm* row : algorithms_of(collective)) {
        for (const Parameter& parameter : row->parameters) {
          std::set<std::string> seen;
          for (const std::string& value : parameter.candidates(shape)) {
            CAPTURE(fabric, to_string(collective), row->name, parameter.name, value);
            CHECK(seen.insert(value).second);
            const std::string text = std::string(parameter.name) + "=" + value;
            Algorithm variant;
            CHECK_NOTHROW(variant = with_options(*row, Options(row->parameters, text)));
            if (value != parameter.default_value) CHECK(variant.name == row->name + ":" + text);
          }
        }
      }
    }
  }
}

TEST_CASE("a composed algorithm tries phases that serve where it is, and none where it has no groups") {
  using Texts = std::vector<std::string>;
  const auto inner = [](const std::string& fabric) {
    return candidates(Collective::allreduce, "hierarchical", "inner", shape_on(fabric, Collective::allreduce));
  };
  CHECK(inner("ring:7").empty());
  CHECK(candidates(Collective::allreduce, "hierarchical", "outer", shape_on("ring:7", Collective::allreduce)).empty());

  const std::string superpod = "superpod:pods=2,gpus=8,trays=2";
  const Texts flat = inner(superpod);
  const std::set<std::string> names(flat.begin(), flat.end());
  CHECK(names.contains("circulant"));
  CHECK(names.contains("circulant/skips=sqrt"));
  CHECK_FALSE(names.contains("in_network"));         // no switch of it computes
  CHECK_FALSE(names.contains("recursive_halving"));  // a reduce-scatter alone
  CHECK_FALSE(names.contains("hierarchical"));
  CHECK(inner(superpod + ",alu,multicast").front() == "in_network");

  const auto middle = [](const std::string& fabric) {
    return candidates(Collective::reduce, "hierarchical", "middle", shape_on(fabric, Collective::reduce));
  };
  CHECK(middle("clos:hosts=2,leaves=3,spines=1").empty());
  CHECK_FALSE(middle("clos:hosts=2,leaves=3,spines=1,pods=2,cores=1").empty());
  const auto tiers = [](const std::string& fabric) {
    return candidates(Collective::broadcast, "hierarchical", "tiers", shape_on(fabric, Collective::broadcast));
  };
  CHECK(tiers("clos:hosts=2,leaves=3,spines=1").empty());
  CHECK(tiers(kFabrics.back()) == Texts{"3", "2"});
}

TEST_CASE("candidates by hand") {
  using Texts = std::vector<std::string>;
  const Shape seven = shape_on("ring:7", Collective::allgather);
  CHECK(candidates(Collective::allgather, "pat", "aggregation", seven) == Texts{"2", "1"});
  CHECK(candidates(Collective::allgather, "pat", "aggregation", shape_on("star:16", Collective::allgather)) ==
        Texts{"4", "2", "1"});
  CHECK(candidates(Collective::allreduce, "bruck_latency", "ports", seven) == Texts{"3", "1", "4", "6"});
  CHECK(candidates(Collective::allreduce, "bucket", "stages", seven) == Texts{"sync"});
  CHECK(candidates(Collective::broadcast, "torus_ring", "direction", seven) == Texts{"uni"});
  const auto channels = [](const std::string& fabric) {
    return candidates(Collective::allreduce, "ring", "channels", shape_on(fabric, Collective::allreduce));
  };
  CHECK(channels("superpod:pods=2,gpus=8,trays=1") == Texts{"8"});
  CHECK(channels("superpod:pods=2,gpus=72,trays=18") == Texts{"8", "16"});
  CHECK(channels("ring:7") == Texts{"2"});
  CHECK(channels("star:16") == Texts{"2", "8"});
  CHECK(channels("ring:2").empty());
}

TEST_CASE("a row with options can have others: what is not named goes back to its default") {
  const Algorithm chain = find_algorithm(Collective::broadcast, "torus_ring:direction=uni");
  REQUIRE(chain.configured);
  CHECK(with_options(chain, Options(chain.parameters, "segments=4")).name == "torus_ring:segments=4");
  CHECK(bare_name("chain:segments=8") == "chain");
  CHECK(bare_name("hierarchical,inner=ring") == "hierarchical");
  CHECK(bare_name("ring") == "ring");
}

}  // namespace heddle
