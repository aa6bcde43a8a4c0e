// SPDX-License-Identifier: Apache-2.0
// What a rank's function in Python is given, and what it gives: numpy's arrays as views of vectors, and the other way round.
#pragma once

#include <memory>
#include <string>

#include "heddle/collective.hpp"
#include "python/core/rank_task.hpp"

namespace heddle::python {

/// What elements are to numpy. bf16 is seen as uint16, 8-bit floats as uint8: numpy has no such types.
py::dtype numpy_type(Datatype type);

/// An array as a vector. Under the lock. Throws UsageError, with what the operation is called, for what is no contiguous array,
/// and where it is to be written and must not be.
VectorView vector_of(const py::handle& array, bool is_written, const RankTask& task, const char* operation);

/// One rank's arguments, as Python has them. Its arrays are the vectors themselves and keep their memory.
struct PythonArguments {
  /// Under the lock.
  explicit PythonArguments(const CollectiveArguments& arguments);

  py::object input;
  py::object output;
  const ReduceOp* op;
  int root;
  bool in_place;
  BlockPartition blocks;
  BlockPartition received;

  /// The output in p parts, cut as BlockPartition does.
  py::list split(std::int64_t parts) const;
};

}  // namespace heddle::python
