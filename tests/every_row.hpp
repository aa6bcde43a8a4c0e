// SPDX-License-Identifier: Apache-2.0
// A call of any row of the registry as an experiment, and a checked run of it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "emu/record/report.hpp"
#include "fuzz/cases/case_data.hpp"
#include "fuzz/cases/run_case.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "tests/whole_path.hpp"

namespace heddle::testing {

/// On all endpoints of the topology, where messages and hops take time besides.
inline Experiment where_all_takes_time(std::string topology) {
  return {{.fabric = {.topology = std::move(topology), .hop = Time::ps(50'000), .alpha = Time::ps(1'000'000)}}, {}, {}};
}

/// In place, also where that is not usual.
inline Experiment in_place_on(std::string topology, std::string placement = "linear") {
  return {{.fabric = {.topology = std::move(topology)}, .placement = std::move(placement)}, {.in_place = true}, {}};
}

/// A call of this row, with so many elements; for the rest as `like` has it.
inline Experiment call_of(const Algorithm& row, Experiment like, std::int64_t count = 0) {
  like.collective = row.collective;
  like.algorithm = row.name;
  set_count(like, count);
  return like;
}

/// Whether the experiment's algorithm fits, where one that does not is left out.
inline bool serves(const Setup& setup) { return setup.algorithms.left_out.empty(); }

/// Runs this row with all checks and that of its critical path. Throws what these throw.
inline Report run(const Setup& setup, const Algorithm& row) {
  Report report = run_call(setup, row, setup.settings).report;
  require_whole_path(report);
  return report;
}

/// The same of the row that was set up.
inline Report run(const Setup& setup) { return run(setup, setup.algorithms.chosen.at(0)); }

/// The same, and the checks of what its row promises.
inline Report run(const Experiment& what) {
  Report report = run_case(what);
  require_whole_path(report);
  return report;
}

}  // namespace heddle::testing
