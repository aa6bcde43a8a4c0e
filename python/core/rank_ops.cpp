// SPDX-License-Identifier: Apache-2.0
#include "python/core/rank_ops.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cstring>
#include <utility>

#include "emu/engine/tasks.hpp"
#include "heddle/errors.hpp"
#include "python/core/rank_task.hpp"
#include "python/core/rank_values.hpp"

namespace heddle::python {

namespace {

/// Under the lock: what it makes of copies of both, which it may keep.
void combine(const std::string& name, const py::object& function, const std::byte* a, const std::byte* b, std::byte* result,
             std::size_t count, Datatype type) {
  const py::dtype numbers = numpy_type(type);
  const auto copy_of = [&](const std::byte* data) { return py::array(numbers, {count}, {}, data); };
  try {
    const py::object made = function(copy_of(a), copy_of(b));
    const py::array sums(numbers, {count}, {});
    const py::tuple shape = py::module_::import("numpy").attr("shape")(made);
    if (!shape.equal(py::make_tuple(count)))
      throw UsageError(fmt::format("op {} returned an array of shape {}; of {} elements {} are made", name,
                                   std::string(py::repr(shape)), count, count));
    py::module_::import("numpy").attr("copyto")(sums, made, py::arg("casting") = "same_kind");
    std::memcpy(result, sums.data(), count * type.size());
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();  // the user's, which the call comes to see
    const py::object exception = error.value();
    if (error.trace()) PyException_SetTraceback(exception.ptr(), error.trace().ptr());
    throw UsageError(fmt::format("op {}: {}", name, text_of_raised(exception).second));
  }
}

PythonOp make_op(const std::string& name, py::object function, bool commutative, bool idempotent) {
  if (PyCallable_Check(function.ptr()) == 0)
    throw InputError(fmt::format("op {}: not a function of two arrays: {}", name, std::string(py::repr(function))));
  const auto called = make_locked<py::object>(std::move(function));
  const auto apply = [called, name](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count,
                                    Datatype type) {
    if (count == 0) return;
    emu::call_outside([&] {
      const Locked locked;
      combine(name, *called, a, b, result, count, type);
    });
  };
  const ReduceOp::Properties properties{.commutative = commutative, .idempotent = idempotent};
  const auto own = std::make_shared<const ReduceOp>(name, apply, properties);
  return {own.get(), own, called};
}

}  // namespace

const ReduceOp* op_of(const py::handle& op) {
  if (py::isinstance<PythonOp>(op)) return op.cast<PythonOp>().op;
  return &parse_op(py::cast<std::string>(py::str(op)));
}

void add_rank_ops(py::module_& module) {
  py::class_<PythonOp>(module, "ReduceOp", R"(How two vectors become one: ReduceOp("absmax", function, commutative=True).

    `function(a, b)` gets two arrays of numpy, which it may keep, and returns a third one of as many elements. `a` is of the lower
    ranks. The operation must be associative. Unless it is commutative, algorithms that reorder contributions are left out. Elements of
    type bf16 are seen as uint16, and 8-bit floats as uint8.

    >>> import numpy, heddle
    >>> absmax = heddle.ReduceOp("absmax", lambda a, b: numpy.maximum(abs(a), abs(b)), commutative=True)
    >>> heddle.run("allreduce", "ring", topology="star:4", size=64, op=absmax).best.passed
    True
    )")
      .def(py::init(&make_op), py::arg("name"), py::arg("function"), py::kw_only(), py::arg("commutative") = false,
           py::arg("idempotent") = false)
      .def_property_readonly(
          "name", [](const PythonOp& op) { return op.op->name(); }, "As reports have it.")
      .def_property_readonly(
          "commutative", [](const PythonOp& op) { return op.op->commutative(); }, "Whether it may be reordered.")
      .def(py::pickle(
          [](const PythonOp& op) {
            const py::object function = op.function ? *op.function : py::object(py::none());
            return py::make_tuple(op.op->name(), function, op.op->commutative(), op.op->idempotent());
          },
          [](const py::tuple& state) {
            const auto name = state[0].cast<std::string>();
            if (state[1].is_none()) return PythonOp{&parse_op(name)};
            return make_op(name, state[1], state[2].cast<bool>(), state[3].cast<bool>());
          }))
      .def("__repr__", [](const PythonOp& op) { return "<heddle.ReduceOp " + op.op->name() + ">"; });
}

}  // namespace heddle::python
