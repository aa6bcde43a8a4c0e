// SPDX-License-Identifier: Apache-2.0
// The communicator of a rank's function in Python. A coroutine gets what it is to await; a plain function's calls are made at
// once.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heddle/errors.hpp"
#include "python/core/rank_collectives.hpp"
#include "python/core/rank_ops.hpp"
#include "python/core/rank_task.hpp"
#include "python/core/rank_values.hpp"

namespace heddle::python {

namespace {

using Kind = Operation::Kind;

struct PythonCommunicator {
  std::shared_ptr<RankTask> task;
  Communicator* communicator;
};

using Self = const PythonCommunicator&;

/// Throws UsageError where the rank's function has returned: a communicator that was kept.
RankTask& live(Self self) {
  if (self.task->is_over) throw UsageError("this communicator's call is over: what was kept of it can do nothing");
  return *self.task;
}

/// Of instances of Operation, the C++ object.
Operation& operation_in(PyObject* object) {
  return *static_cast<Operation*>(reinterpret_cast<py::detail::instance*>(object)->simple_value_holder[0]);
}

PyTypeObject*& operation_type() {
  static PyTypeObject* type = nullptr;
  return type;
}

std::unique_ptr<Operation> make(Self self, Kind kind, const char* name) {
  live(self);
  return std::make_unique<Operation>(self.task, self.communicator, kind, name);
}

/// To be awaited, or made at once.
py::object start(std::unique_ptr<Operation> made) {
  Operation& operation = *made;
  RankTask& task = *operation.task;
  if (task.is_coroutine) {
    operation.list();
    return py::cast(std::move(made));
  }
  task.make_now([&] { operation.perform(); });
  const py::object result = operation.result();
  return result ? result : py::object(py::none());
}

py::object isend(Self self, int dest, const py::object& data, int tag) {
  auto made = make(self, Kind::wait, "isend");
  made->sends = true;
  made->dest = Rank(dest);
  made->tag = Tag(tag);
  made->data = vector_of(data, false, live(self), "isend");
  made->held = data;
  py::object request = py::cast(std::move(made));
  live(self).begin(request);
  return request;
}

py::object irecv(Self self, int source, const py::object& into, int tag) {
  auto made = make(self, Kind::wait, "irecv");
  made->source = Rank(source);
  made->tag = Tag(tag);
  made->into = vector_of(into, true, live(self), "irecv");
  made->held = into;
  py::object request = py::cast(std::move(made));
  live(self).begin(request);
  return request;
}

py::object send(Self self, int dest, const py::object& data, int tag) {
  auto made = make(self, Kind::send, "send");
  made->dest = Rank(dest);
  made->tag = Tag(tag);
  made->data = vector_of(data, false, *self.task, "send");
  made->held = data;
  return start(std::move(made));
}

py::object recv(Self self, int source, const py::object& into, int tag) {
  auto made = make(self, Kind::recv, "recv");
  made->source = Rank(source);
  made->tag = Tag(tag);
  made->into = vector_of(into, true, *self.task, "recv");
  made->held = into;
  return start(std::move(made));
}

py::object sendrecv(Self self, int dest, const py::object& data, int source, const py::object& into, int tag) {
  auto made = make(self, Kind::sendrecv, "sendrecv");
  made->dest = Rank(dest);
  made->source = Rank(source);
  made->tag = Tag(tag);
  made->data = vector_of(data, false, *self.task, "sendrecv");
  made->into = vector_of(into, true, *self.task, "sendrecv");
  made->held = py::make_tuple(data, into);
  return start(std::move(made));
}

/// `request` is one of this task's.
Operation& request_of(Self self, const py::handle& request, const char* name) {
  if (Py_TYPE(request.ptr()) == operation_type()) {
    Operation& operation = operation_in(request.ptr());
    if (operation.kind == Kind::wait && operation.task == self.task) return operation;
  }
  throw UsageError(
      fmt::format("rank {}: {}() takes requests that isend() and irecv() of this rank returned", self.task->rank, name));
}

py::object wait(Self self, const py::object& request) {
  live(self);
  Operation& operation = request_of(self, request, "wait");
  if (self.task->is_coroutine) return request;
  self.task->make_now([&] { operation.perform(); });
  return operation.result();
}

py::object wait_all(Self self, const py::iterable& requests) {
  auto made = make(self, Kind::wait_all, "wait_all");
  const py::tuple all(requests);
  for (const py::handle request : all) made->requests.push_back(&request_of(self, request, "wait_all"));
  made->held = all;
  return start(std::move(made));
}

Side side_of(const std::string& text) {
  if (text == "right") return Side::right;
  if (text == "left") return Side::left;
  throw InputError(fmt::format("side='{}': \"right\" or \"left\"", text));
}

py::object reduce_into(Self self, const py::object& into, const py::object& from, const py::object& op,
                       const std::string& side) {
  auto made = make(self, Kind::reduce_into, "reduce_into");
  made->into = vector_of(into, true, *self.task, "reduce_into");
  made->data = vector_of(from, false, *self.task, "reduce_into");
  made->held = py::make_tuple(into, from);
  made->op = op_of(op);
  made->side = side_of(side);
  return start(std::move(made));
}

py::object copy(Self self, const py::object& into, const py::object& from) {
  auto made = make(self, Kind::copy, "copy");
  made->into = vector_of(into, true, *self.task, "copy");
  made->data = vector_of(from, false, *self.task, "copy");
  made->held = py::make_tuple(into, from);
  return start(std::move(made));
}

py::object wait_for_room(Self self, int dest, int tag) {
  auto made = make(self, Kind::wait_for_room, "wait_for_room");
  made->dest = Rank(dest);
  made->tag = Tag(tag);
  return start(std::move(made));
}

py::object split(Self self, int color, int key) {
  auto made = make(self, Kind::split, "split");
  made->number = color;
  made->key = key;
  return start(std::move(made));
}

py::object probe(Self self, int source, int tag) {
  auto made = make(self, Kind::probe, "probe");
  made->source = Rank(source);
  made->tag = Tag(tag);
  return start(std::move(made));
}

py::object now(Self self) { return start(make(self, Kind::now, "now")); }

py::object call(Self self, const std::string& collective, const py::object& into, const py::object& data, const py::object& op,
                int root, const std::optional<std::vector<std::int64_t>>& counts,
                const std::optional<std::vector<std::int64_t>>& received, const std::string& algorithm) {
  auto made = make(self, Kind::collective, "call");
  const Collective of = parse_collective(collective);
  made->call = collective_call({of, into, data, reduces(of) ? op_of(op) : nullptr, root, counts, received, algorithm},
                               *self.task, *self.communicator);
  made->held = py::make_tuple(into, data, op);
  return start(std::move(made));
}

py::object concurrently(Self self, int n, const py::object& body) {
  auto made = make(self, Kind::concurrently, "concurrently");
  made->number = n;
  made->held = body;
  return start(std::move(made));
}

/// What `await` gets: the operation itself, which yields itself once.
PyObject* await_operation(PyObject* self) {
  Operation& operation = operation_in(self);
  operation.leave_list();
  operation.is_given = false;
  Py_INCREF(self);
  return self;
}

PyObject* next_of_operation(PyObject* self) {
  Operation& operation = operation_in(self);
  if (!std::exchange(operation.is_given, true)) {
    Py_INCREF(self);
    return self;
  }
  try {
    const py::object result = operation.result();
    if (result) PyErr_SetObject(PyExc_StopIteration, result.ptr());
  } catch (py::error_already_set& error) {
    error.restore();
  }
  return nullptr;
}

}  // namespace

py::object communicator_object(const std::shared_ptr<RankTask>& task, Communicator* communicator) {
  return py::cast(PythonCommunicator{task, communicator});
}

Operation* operation_of(PyObject* yielded) { return Py_TYPE(yielded) == operation_type() ? &operation_in(yielded) : nullptr; }

void add_communicators(py::module_& module) {
  const py::class_<Operation> operation(module, "Operation", py::custom_type_setup([](PyHeapTypeObject* type) {
                                          type->as_async.am_await = await_operation;
                                          type->ht_type.tp_as_async = &type->as_async;
                                          type->ht_type.tp_iter = PyObject_SelfIter;
                                          type->ht_type.tp_iternext = next_of_operation;
                                        }),
                                        "What a rank awaits: an operation of its communicator, or a request.");
  operation_type() = reinterpret_cast<PyTypeObject*>(operation.ptr());

  const auto tag = py::arg("tag") = 0;
  py::class_<PythonCommunicator>(module, "Communicator", "What a rank's function sees of the world (heddle/communicator.hpp).")
      .def_property_readonly("rank", [](Self self) { return live(self), self.communicator->rank().value(); })
      .def_property_readonly("size", [](Self self) { return live(self), self.communicator->size(); })
      .def_property_readonly(
          "grid",
          [](Self self) -> py::object {
            live(self);
            const Grid* grid = self.communicator->grid();
            if (grid == nullptr) return py::none();
            return py::tuple(py::cast(grid->dims()));
          },
          "The dimensions of the grid that the ranks fill, or None.")
      .def("coordinates",
           [](Self self, int rank) {
             live(self);
             const Grid* grid = self.communicator->grid();
             if (grid == nullptr) throw UsageError("coordinates(): these ranks fill no grid");
             return py::tuple(py::cast(grid->coordinates(Rank(rank))));
           })
      .def("rank_at",
           [](Self self, const std::vector<int>& coordinates) {
             live(self);
             const Grid* grid = self.communicator->grid();
             if (grid == nullptr) throw UsageError("rank_at(): these ranks fill no grid");
             return grid->rank_at(coordinates).value();
           })
      .def("phase", [](Self self, const std::string& name) { live(self).make_now([&] { self.communicator->phase(name); }); })
      .def("isend", &isend, py::arg("dest"), py::arg("data"), tag)
      .def("irecv", &irecv, py::arg("source"), py::arg("into"), tag)
      .def("wait", &wait, py::arg("request"))
      .def("wait_all", &wait_all, py::arg("requests"))
      .def("send", &send, py::arg("dest"), py::arg("data"), tag)
      .def("recv", &recv, py::arg("source"), py::arg("into"), tag)
      .def("sendrecv", &sendrecv, py::arg("dest"), py::arg("data"), py::arg("source"), py::arg("into"), tag)
      .def("wait_for_room", &wait_for_room, py::arg("dest"), tag)
      .def("reduce_into", &reduce_into, py::arg("into"), py::arg("data"), py::arg("op"), py::arg("side") = "right")
      .def("copy", &copy, py::arg("into"), py::arg("data"))
      .def("split", &split, py::arg("color"), py::arg("key") = 0)
      .def("probe", &probe, py::arg("source"), tag)
      .def("now", &now, "The time on the run's clock, in seconds.")
      .def("call", &call, py::arg("collective"), py::arg("into") = py::none(), py::arg("data") = py::none(), py::kw_only(),
           py::arg("op") = "sum", py::arg("root") = 0, py::arg("counts") = py::none(), py::arg("received") = py::none(),
           py::arg("algorithm") = "auto",
           "A collective by one of heddle's algorithms. Without data, or without into, it is in place.")
      .def("concurrently", &concurrently, py::arg("n"), py::arg("body"));
}

}  // namespace heddle::python
