// SPDX-License-Identifier: Apache-2.0
// Operations as Python has them: heddle's, and those that are written in Python.
#pragma once

#include <memory>
#include <string>

#include "heddle/reduce_op.hpp"
#include "python/core/bindings.hpp"

namespace heddle::python {

/// An operation. What is not of one's own lives as long as the process.
struct PythonOp {
  const ReduceOp* op;
  std::shared_ptr<const ReduceOp> own = {};   ///< `op`, of one's own
  std::shared_ptr<py::object> function = {};  ///< of one's own
};

/// Of "sum", or of what arguments have as their op. It lives as long as `op`. Throws InputError.
const ReduceOp* op_of(const py::handle& op);

}  // namespace heddle::python
