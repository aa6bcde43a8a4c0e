// SPDX-License-Identifier: Apache-2.0
// Collectives that a rank's function in Python calls: heddle's algorithms do them.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/run/chosen_algorithm.hpp"
#include "python/core/bindings.hpp"

namespace heddle::python {

class RankTask;

/// Which algorithm does a collective: one by name, or one that is good for the call. Any thread.
class CollectiveChoice {
 public:
  /// The algorithm of that name; nullptr: the name is "auto". Throws InputError with the nearest name.
  const Algorithm* named(Collective collective, const std::string& name);
  /// `chosen`, or the one that is taken for the shape where that is nullptr. Throws UsageError for one that does not serve it.
  const Algorithm& operator()(Collective collective, const Algorithm* chosen, const Shape& shape, const ReduceOp* op) const;

 private:
  const mpi::ChosenAlgorithms automatic_;
  std::mutex mutex_;
  std::map<std::pair<Collective, std::string>, Algorithm> named_;
};

/// What a rank asks for.
struct CollectiveRequest {
  Collective collective = Collective::barrier;
  py::object into = {};  ///< an array; None where nothing comes out, or where the input takes it
  py::object data = {};  ///< an array; None where nothing goes in, or where it is `into`
  const ReduceOp* op = nullptr;
  int root = 0;
  /// Elements of each rank's block, or to each rank; no value: all equal, or of what has the whole vector as even as it goes.
  std::optional<std::vector<std::int64_t>> counts = {};
  std::optional<std::vector<std::int64_t>> received = {};  ///< alltoall: from each rank; no value: as `counts`
  std::string algorithm = {};
};

/// Its call, ready to be made by the rank, on a communicator like `over` that has no other messages. Under the lock. Throws UsageError
/// for vectors that the collective cannot be of.
std::function<void(Communicator&)> collective_call(const CollectiveRequest& request, RankTask& task, const Communicator& over);

}  // namespace heddle::python
