// SPDX-License-Identifier: Apache-2.0
// A verified run of a registry row with nothing said but what a model test needs to say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

/// A vector of `count` i32 on every endpoint of `topology`; all of it held, or `held` elements that stand for it.
inline Report run_algorithm(std::string_view algorithm, std::string_view topology, const FabricSettings& settings,
                            std::int64_t count, std::optional<std::int64_t> held = {}) {
  const Fabric fabric(parse_topology(topology), settings);
  CollectiveCall call;
  call.name = algorithm;
  call.function = find_algorithm(Collective::allreduce, algorithm).run;
  call.count = count;
  call.sampled = held.value_or(count);
  return run_checked(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), call);
}

}  // namespace heddle
