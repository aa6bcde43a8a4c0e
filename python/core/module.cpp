// SPDX-License-Identifier: Apache-2.0
#include "heddle/version.hpp"
#include "python/core/bindings.hpp"

// `heddle._core`, beneath the package that users import.
PYBIND11_MODULE(_core, module) {
  using namespace heddle::python;
  module.attr("version") = heddle::version();
  add_errors(module);
  add_fabrics(module);
  add_rank_ops(module);
  add_experiments(module);
  add_rank_values(module);
  add_communicators(module);
  add_rank_rows(module);
  add_schedules(module);
  add_fuzzing(module);
  add_sweeps(module);
  add_measured(module);
  add_studies(module);
  add_runs(module);
}
