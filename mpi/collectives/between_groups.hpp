// SPDX-License-Identifier: Apache-2.0
// Collectives on intercommunicators (MPI 5.0, §6.2.3): what one group gives, the other gets. The plain algorithms: the other group's
// ranks one by one, and reductions within a group before what they give leaves it.
#pragma once

#include <vector>

#include "mpi/collectives/work.hpp"

namespace heddle::mpi::between_groups {

// `root` as MPI has it: MPI_ROOT at the root, MPI_PROC_NULL at the others of its group, the root's rank in the other group.

CollectiveWork broadcast(Process& process, const CommunicatorPtr& on, const TypedBuffer& buffer, int root);
CollectiveWork gather(Process& process, const CommunicatorPtr& on, const TypedBuffer* own, const TypedBlocks* all, int root);
CollectiveWork scatter(Process& process, const CommunicatorPtr& on, const TypedBlocks* all, const TypedBuffer* own, int root);
CollectiveWork allgather(Process& process, const CommunicatorPtr& on, const TypedBuffer& own, const TypedBlocks& all);
CollectiveWork alltoall(Process& process, const CommunicatorPtr& on, const TypedBlocks& sent, const TypedBlocks& received);
CollectiveWork alltoallw(Process& process, const CommunicatorPtr& on, std::vector<TypedBuffer> sent,
                         std::vector<TypedBuffer> received);
CollectiveWork barrier(Process& process, const CommunicatorPtr& on);

/// `input` at the ranks that give, `output` at the root.
CollectiveWork reduce(Process& process, const CommunicatorPtr& on, const TypedBuffer* input, const TypedBuffer* output,
                      const Reducer& by, int root);
/// Each group gets what the other's ranks have come to.
CollectiveWork allreduce(Process& process, const CommunicatorPtr& on, const TypedBuffer& input, const TypedBuffer& output,
                         const Reducer& by);
/// `counts` are those of this group's ranks; their sum is that of the other group.
CollectiveWork reduce_scatter(Process& process, const CommunicatorPtr& on, const TypedBuffer& input, const TypedBuffer& output,
                              const BlockPartition& blocks, const Reducer& by);

}  // namespace heddle::mpi::between_groups
