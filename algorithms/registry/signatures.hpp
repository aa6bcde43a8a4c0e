// SPDX-License-Identifier: Apache-2.0
// From the signature that suits an algorithm to the one call that every collective has. An algorithm works on a vector that it
// may overwrite; whether that is the caller's output or scratch, and what must be copied before and after, is settled here.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle {

/// `vector` is the whole one: right at the root before, right everywhere after.
using BroadcastFunction = std::function<void(Communicator&, VectorView vector, Rank root)>;
/// `inout` is the rank's contribution before; after, the root's is the result and the others' are undefined.
using ReduceFunction = std::function<void(Communicator&, VectorView inout, const ReduceOp&, Rank root)>;
/// `inout` is the rank's contribution before, the result after.
using AllreduceFunction = std::function<void(Communicator&, VectorView inout, const ReduceOp&)>;
/// `inout` is the rank's contribution before; after, its own block is the result, in its place, and the rest is undefined.
using ReduceScatterFunction =
    std::function<void(Communicator&, VectorView inout, const BlockPartition& blocks, const ReduceOp&)>;
/// The rank's own block of `vector` is right before, all of it after.
using AllgatherFunction = std::function<void(Communicator&, VectorView vector, const BlockPartition& blocks)>;
/// `whole` is empty but at the root. There `own` may be the root's block of `whole` itself.
using GatherFunction =
    std::function<void(Communicator&, ConstVectorView own, VectorView whole, const BlockPartition& blocks, Rank root)>;
/// The same backwards.
using ScatterFunction =
    std::function<void(Communicator&, ConstVectorView whole, VectorView own, const BlockPartition& blocks, Rank root)>;
/// Block r of `outgoing`, cut by `sent`, goes to rank r; block r of `incoming`, cut by `received`, comes from rank r. They
/// do not overlap.
using AlltoallFunction = std::function<void(Communicator&, ConstVectorView outgoing, const BlockPartition& sent,
                                            VectorView incoming, const BlockPartition& received)>;
using BarrierFunction = std::function<void(Communicator&)>;

CollectiveFunction as_broadcast(BroadcastFunction function);
CollectiveFunction as_reduce(ReduceFunction function);
CollectiveFunction as_allreduce(AllreduceFunction function);
CollectiveFunction as_reduce_scatter(ReduceScatterFunction function);
CollectiveFunction as_allgather(AllgatherFunction function);
CollectiveFunction as_gather(GatherFunction function);
CollectiveFunction as_scatter(ScatterFunction function);
CollectiveFunction as_alltoall(AlltoallFunction function);
CollectiveFunction as_barrier(BarrierFunction function);

// What an algorithm cannot do without, checked where it is called directly; the registry's why_not says the same beforehand.

/// The half sentences, without the algorithm's name.
std::string needs_commutative(const ReduceOp& op);
std::string needs_grid();
std::string needs_equal_blocks();
std::string needs_in_network();

/// Throw UsageError ("swing_bandwidth: it needs …").
void require_commutative(std::string_view algorithm, const ReduceOp& op);
void require_grid(std::string_view algorithm, const Communicator& comm);
void require_equal_blocks(std::string_view algorithm, const BlockPartition& blocks);

}  // namespace heddle
