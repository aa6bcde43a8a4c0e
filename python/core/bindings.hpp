// SPDX-License-Identifier: Apache-2.0
// What each file of the module adds to it. Values go in and values come out; what the command's user could use, too, is in the
// libraries.
#pragma once

#include <pybind11/pybind11.h>

namespace heddle::python {

namespace py = pybind11;

void add_errors(py::module_& module);
void add_experiments(py::module_& module);
void add_fabrics(py::module_& module);
void add_rank_ops(py::module_& module);
void add_rank_values(py::module_& module);
void add_communicators(py::module_& module);
void add_rank_rows(py::module_& module);
void add_schedules(py::module_& module);
void add_fuzzing(py::module_& module);
void add_sweeps(py::module_& module);
void add_measured(py::module_& module);
void add_studies(py::module_& module);
void add_runs(py::module_& module);

}  // namespace heddle::python
