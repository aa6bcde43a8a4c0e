// SPDX-License-Identifier: Apache-2.0
// A trunk is a link of its links' bandwidths together: where a fabric is loaded evenly, messages take as long over trunks as
// over all the paths they stand for.
#include <cstdlib>
#include <memory>
#include <string>

#include "emu/run/emulate.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "tests/topo/every_walk.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

TEST_CASE("an alltoall takes as long over trunks as over every path") {
  const std::string_view spec =
      GENERATE("clos:hosts=4,leaves=4,spines=2", "clos:hosts=4,leaves=3,spines=2,cables=2", "fattree:k=4",
               "clos:hosts=4,leaves=2,spines=2,pods=2,cores=2", "superpod:pods=4,gpus=4,trays=2,ports=8");
  CAPTURE(spec);
  const auto topology = parse_topology(spec);
  const FabricSettings speeds = nanosecond_speeds();
  std::vector<Transfer> transfers;
  for (int from = 0; from < topology->endpoints(); ++from) {
    for (int to = 0; to < topology->endpoints(); ++to) {
      if (from != to) transfers.push_back({from, to, 4800});
    }
  }
  const Report trunks = run_on(Fabric(topology, speeds), at_once(transfers));
  const Report paths = run_on(Fabric(std::make_shared<EveryWalk>(topology), speeds), at_once(transfers));
  CHECK(trunks.completion.seconds() == Approx(paths.completion.seconds()).epsilon(1e-9));
  REQUIRE(trunks.links.size() == paths.links.size());
  for (std::size_t i = 0; i < trunks.links.size(); ++i)
    CHECK(std::abs(trunks.links[i].bytes.count() - paths.links[i].bytes.count()) <= 1);
}

TEST_CASE("across an oversubscribed leaf a message among s others takes s times as long") {
  // 4 hosts a leaf, 2 uplinks: each of the 4 flows to the other leaf has 2·B/4; 1,000 bytes at 0.5 byte/ns take 2 us. The way
  // has 4 links of 100 ns and 3 switches of 300 ns, α = 1 us.
  const Fabric fabric = fabric_of("clos:hosts=4,leaves=2,spines=2");
  const Report alone = run_on(fabric, at_once({{0, 4, 1000}}));
  CHECK(alone.completion == Time::ps((1000 + 4 * 100 + 3 * 300 + 1000) * 1000));
  const Report together = run_on(fabric, at_once({{0, 4, 1000}, {1, 5, 1000}, {2, 6, 1000}, {3, 7, 1000}}));
  CHECK(together.completion == Time::ps((1000 + 4 * 100 + 3 * 300 + 2000) * 1000));
}

}  // namespace heddle
