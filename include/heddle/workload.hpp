// SPDX-License-Identifier: Apache-2.0
// What ranks do in a run: a collective call, or a program of one's own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/units.hpp"

namespace heddle {

/// A collective call on generated data, by a function of one's own or by an entry of the registry. All ranks make it.
struct Call {
  Collective collective = Collective::allreduce;
  /// It is called once per rank and call, from several threads at once where threads are kernel threads. Null: the entry's.
  CollectiveFunction function = nullptr;
  /// An entry's name with its options ("ring", "chain:segments=8"), or what reports call `function`.
  std::string algorithm = {};
  std::int64_t count = 0;  ///< elements of the whole vector
  std::optional<Bytes> size =
      {};  ///< of the whole vector, in place of `count`; rounded down to whole elements, but not below one
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();  ///< of a collective that reduces; outlives the call
  int root = 0;                           ///< of a collective that has one
};

/// A function on a Communicator, which each rank runs. It throws to fail.
using Program = std::function<void(Communicator&)>;

using Workload = std::variant<Call, Program>;

}  // namespace heddle
