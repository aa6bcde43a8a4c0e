// SPDX-License-Identifier: Apache-2.0
#include "python/core/rank_values.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <vector>

#include "heddle/errors.hpp"
#include "python/core/rank_ops.hpp"

namespace heddle::python {

namespace {}  // namespace

py::dtype numpy_type(Datatype type) {
  switch (type.kind()) {
    case Datatype::Kind::i32:
      return py::dtype("i4");
    case Datatype::Kind::i64:
      return py::dtype("i8");
    case Datatype::Kind::u32:
      return py::dtype("u4");
    case Datatype::Kind::u64:
      return py::dtype("u8");
    case Datatype::Kind::f16:
      return py::dtype("f2");
    case Datatype::Kind::bf16:
      return py::dtype("u2");
    case Datatype::Kind::f8e4m3:
    case Datatype::Kind::f8e5m2:
      return py::dtype("u1");
    case Datatype::Kind::f32:
      return py::dtype("f4");
    case Datatype::Kind::f64:
      return py::dtype("f8");
    case Datatype::Kind::user:
      break;
  }
  return py::dtype(fmt::format("V{}", type.size()));
}

namespace {

/// Of a program's array; `of_call` says what one or two bytes are that no number of numpy's is made of.
Datatype type_of_array(const py::dtype& type, Datatype of_call) {
  const auto size = static_cast<std::uint32_t>(type.itemsize());
  const char kind = type.kind();
  if (kind == 'i' && size == 4) return Datatype::i32();
  if (kind == 'i' && size == 8) return Datatype::i64();
  if (kind == 'u' && size == 4) return Datatype::u32();
  if (kind == 'u' && size == 8) return Datatype::u64();
  if (kind == 'f' && size == 2) return Datatype::f16();
  if (kind == 'f' && size == 4) return Datatype::f32();
  if (kind == 'f' && size == 8) return Datatype::f64();
  const bool is_narrow = of_call == Datatype::bf16() || of_call == Datatype::f8e4m3() || of_call == Datatype::f8e5m2();
  if (is_narrow && size == of_call.size()) return of_call;
  return Datatype::user(size);
}

py::object array_of(const VectorView& vector, const py::object& owner, bool is_written) {
  py::array array(numpy_type(vector.type()), {static_cast<py::ssize_t>(vector.count())}, {}, vector.data(), owner);
  if (!is_written) py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace

VectorView vector_of(const py::handle& array, bool is_written, const RankTask& task, const char* operation) {
  if (!py::isinstance<py::array>(array))
    throw UsageError(fmt::format("rank {}: {}() takes numpy's arrays, and this is of type {}", task.rank, operation,
                                 std::string(py::str(py::type::of(array).attr("__name__")))));
  const auto numbers = py::reinterpret_borrow<py::array>(array);
  if ((numbers.flags() & py::array::c_style) == 0)
    throw UsageError(
        fmt::format("rank {}: {}() takes contiguous arrays; numpy.ascontiguousarray() makes one", task.rank, operation));
  constexpr char kHasObjects = 1;  // numpy's NPY_ITEM_REFCOUNT
  if ((numbers.dtype().flags() & kHasObjects) != 0)
    throw UsageError(fmt::format("rank {}: {}() takes arrays of numbers or bytes, and this one has Python's objects in it",
                                 task.rank, operation));
  if (is_written && !numbers.writeable())
    throw UsageError(
        fmt::format("rank {}: {}() writes to an array that is read-only, as an input is that must stay", task.rank, operation));
  auto* data = static_cast<std::byte*>(const_cast<void*>(numbers.data()));
  return {data, static_cast<std::int64_t>(numbers.size()), type_of_array(numbers.dtype(), task.type)};
}

PythonArguments::PythonArguments(const CollectiveArguments& arguments)
    : op(arguments.op),
      root(arguments.root.value()),
      in_place(arguments.in_place()),
      blocks(arguments.blocks),
      received(arguments.received) {
  if (!arguments.memory)
    throw UsageError("a function in Python needs data to work on: this run has none (positions, or a vector beyond what fits)");
  auto kept = std::make_unique<std::shared_ptr<const void>>(arguments.memory);
  const py::capsule owner(kept.get(), [](void* owned) { delete static_cast<std::shared_ptr<const void>*>(owned); });
  kept.release();
  output = array_of(arguments.output, owner, true);
  const ConstVectorView& from = arguments.input;
  input = in_place ? output : array_of({const_cast<std::byte*>(from.data()), from.count(), from.type()}, owner, false);
}

py::list PythonArguments::split(std::int64_t parts) const {
  const BlockPartition partition(py::len(output), parts);
  py::list all(static_cast<py::ssize_t>(parts));
  for (std::int64_t b = 0; b < parts; ++b) {
    const py::slice part(partition.offset(b), partition.offset(b + 1), 1);
    all[static_cast<std::size_t>(b)] = output[part];
  }
  return all;
}

void add_rank_values(py::module_& module) {
  py::class_<Status>(module, "Status", "What a completed receive received; of a send, its own.")
      .def_property_readonly("peer", [](const Status& status) { return status.peer.value(); })
      .def_property_readonly("tag", [](const Status& status) { return status.tag.value(); })
      .def_readonly("count", &Status::count, "Elements.");
  const auto sizes = [](const BlockPartition& blocks) {
    std::vector<std::int64_t> all;
    for (std::int64_t b = 0; b < blocks.blocks(); ++b) all.push_back(blocks.size(b));
    return all;
  };
  py::class_<PythonArguments>(module, "Arguments", "One rank's arguments, with MPI's meaning.")
      .def_readonly("input", &PythonArguments::input, "An array; in place it is the output.")
      .def_readonly("output", &PythonArguments::output, "An array.")
      .def_readonly("root", &PythonArguments::root)
      .def_readonly("in_place", &PythonArguments::in_place)
      .def_property_readonly("op",
                             [](const PythonArguments& arguments) -> py::object {
                               if (arguments.op == nullptr) return py::none();
                               return py::cast(PythonOp{arguments.op});
                             })
      .def_property_readonly(
          "blocks", [=](const PythonArguments& arguments) { return sizes(arguments.blocks); },
          "Elements of each rank's block, of a collective that has blocks.")
      .def_property_readonly(
          "received", [=](const PythonArguments& arguments) { return sizes(arguments.received); },
          "alltoall: elements of each block of the output, by source.")
      .def("split", &PythonArguments::split, "The output in so many parts, as even as it goes: views of it.");
}

}  // namespace heddle::python
