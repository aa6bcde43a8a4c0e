// SPDX-License-Identifier: Apache-2.0
#include "tests/property/every_row.hpp"

#include <utility>

#include "fuzz/cases/case_data.hpp"
#include "fuzz/cases/run_case.hpp"
#include "tests/whole_path.hpp"

namespace heddle::testing {

Experiment call_of(const Algorithm& row, std::string topology) {
  Experiment what;
  what.collective = row.collective;
  what.algorithm = row.name;
  what.fabric.topology = std::move(topology);
  what.fabric.alpha = Time::ps(1'000'000);
  what.fabric.hop = Time::ps(50'000);
  set_count(what, 0);
  return what;
}

Report run(const Experiment& what) {
  Report report = run_case(what);
  require_whole_path(report);
  return report;
}

}  // namespace heddle::testing
