// SPDX-License-Identifier: Apache-2.0
// A run's numbers as numpy's structured arrays: one array each, made when it is asked for.
#pragma once

#include <pybind11/numpy.h>

#include <memory>

#include "lab/run/run_algorithm.hpp"
#include "python/core/bindings.hpp"

namespace heddle::python {

/// Tells numpy of the rows, once.
void add_arrays();

py::array ranks_array(const Report& report);
py::array rounds_array(const Report& report);
/// All links, by number.
py::array links_array(const Report& report, const Fabric& fabric);
/// A view: nothing is copied, it is read-only, and it keeps the timeline.
py::array messages_array(const std::shared_ptr<const Timeline>& timeline);

}  // namespace heddle::python
