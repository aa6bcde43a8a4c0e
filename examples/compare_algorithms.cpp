// SPDX-License-Identifier: Apache-2.0
// Asks the registry which allreduce is fastest on a fabric, at a small and at a large size.
#include <algorithm>
#include <iostream>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

using namespace heddle;
using namespace heddle::literals;

int main() try {
  const Fabric fabric(parse_topology("torus:4x4"), find_fabric_preset("swing-nsdi24").settings);
  const Placement ranks = linear_placement(16, fabric.topology());
  for (const Bytes size : {1_KiB, 4_MiB}) {
    Time best = Time::max();
    std::string_view winner;
    const std::int64_t count = size.count() / 4;
    const Shape shape{.ranks = 16, .dims = {4, 4}, .count = count, .bytes = size.count()};
    for (const Algorithm* algorithm : algorithms_of(Collective::allreduce)) {
      if (!why_not(*algorithm, shape, ReduceOp::sum()).empty()) continue;  // a torus has no switches that compute
      const Report report =
          run_checked(fabric, ranks, {.function = algorithm->run, .count = count, .held = std::min<std::int64_t>(count, 4096)});
      if (report.completion < best) best = report.completion, winner = algorithm->name;
    }
    std::cout << to_string(size) << ": " << winner << " in " << to_string(best) << '\n';
  }
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
