// SPDX-License-Identifier: Apache-2.0
// How an algorithm becomes an entry of the registry: its facts, and its function in the form of its collective.
//
// An algorithm is written in the form in which it reads best. What is the same for all of a collective is settled here: an input
// apart from the output, what is copied before and after, and what an algorithm cannot do without. A function is not called where
// there is nothing to do: for one rank, or for vectors without elements. That holds for all but gather, scatter and alltoall,
// which have blocks of one's own to copy.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

// entry(facts, run): `facts` says all but the collective and the function. If `facts.needs` has commutative, grid or equal_blocks,
// a call without them throws UsageError ("swing_bandwidth: it needs …"). The registry's why_not() says the same beforehand.

namespace heddle::broadcast {

/// `vector` is the whole one: right at the root before, right everywhere after.
using Function = std::function<void(Communicator&, VectorView vector, Rank root)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::broadcast

namespace heddle::reduce {

/// `inout` is the rank's contribution before; after, the root's is the result and the others' are undefined.
using Function = std::function<void(Communicator&, VectorView inout, const ReduceOp&, Rank root)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::reduce

namespace heddle::allreduce {

/// `inout` is the rank's contribution before, the result after.
using Function = std::function<void(Communicator&, VectorView inout, const ReduceOp&)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

/// `inout` is the rank's contribution before; after, its own block is the result, in its place, and the rest is undefined.
using Function = std::function<void(Communicator&, VectorView inout, const BlockPartition& blocks, const ReduceOp&)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

/// The rank's own block of `vector` is right before, all of it after.
using Function = std::function<void(Communicator&, VectorView vector, const BlockPartition& blocks)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::allgather

namespace heddle::gather {

/// `whole` is empty but at the root. There `own` may be the root's block of `whole` itself.
using Function =
    std::function<void(Communicator&, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::gather

namespace heddle::scatter {

/// The same backwards.
using Function =
    std::function<void(Communicator&, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::scatter

namespace heddle::alltoall {

/// Block r of `outgoing`, cut by `sent`, goes to rank r; block r of `incoming`, cut by `received`, comes from rank r. They
/// do not overlap, and one of them has elements.
using Function = std::function<void(Communicator&, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                                    const BlockPartition& received)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::alltoall

namespace heddle::barrier {

using Function = std::function<void(Communicator&)>;
Algorithm entry(Algorithm facts, Function run);

}  // namespace heddle::barrier

namespace heddle {

/// `function` with the values of options as its last arguments.
template <class Function, class... Values>
auto with(Function function, Values... values) {
  return [function, values...](auto&&... arguments) { function(std::forward<decltype(arguments)>(arguments)..., values...); };
}

/// The entry that `make` gives for values of the parameters, with the defaults.
Algorithm configurable(std::vector<Parameter> parameters, Algorithm (*make)(const Options&));

// Why an algorithm does not serve, in half a sentence without its name.

std::string needs_commutative(const ReduceOp& op);
std::string needs_grid();
std::string needs_equal_blocks();
std::string needs_in_network();

}  // namespace heddle
