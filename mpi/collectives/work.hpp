// SPDX-License-Identifier: Apache-2.0
// A collective call, ready to be made: what all ranks do together, and what is left for each afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/collectives/typed.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

/// Made from the arguments of one call. `run` is called once, on any task of the rank, with a communicator for it alone; `finish` after
/// that, on the rank's own task. Both keep what they need.
struct CollectiveWork {
  std::function<void(Communicator&)> run;
  std::function<void()> finish = [] {};
};

/// Runs a part of a collective: `run` of its CollectiveWork, with the communicator for it.
void carry_out(Process& process, const std::function<void(Communicator&)>& run, Communicator& over);

/// What a communicator's collectives run on: made by its first one. No rank waits for the others.
Communicator& collective_communicator(Process& process, CommunicatorObject& communicator);

/// All ranks of a communicator have called the same so far, this call included. Throws MpiError where they have not. Starts of a
/// persistent request are not compared: its ranks were when they made it. `type` and `count`
/// are data that all ranks must have alike; no type: they need not.
struct ComparedCall {
  std::optional<int> root = {};  ///< as the call names it; none: it has no root
  std::string_view operation = {};
  TypePtr type = {};
  std::int64_t count = 0;
  std::vector<std::int64_t> counts = {};  ///< of each rank's part, where all ranks name them
  bool counts_are_bytes = false;
  std::vector<std::int64_t> sent_to = {};        ///< bytes, where each rank names what it sends to each
  std::vector<std::int64_t> received_from = {};  ///< the same, of what it receives
  bool is_in_place = false;                      ///< where all ranks have to be
  TypePtr elements = {};                         ///< of data that is of one basic type on all ranks, if it is of one on each
  std::string arguments = {};                    ///< others that all ranks of a group name alike, in words
};
void compare_calls(Process& process, CommunicatorObject& communicator, const ComparedCall& call);

// ---- by heddle's algorithms. Buffers are bytes; blocks are those of ranks, in bytes ----

CollectiveWork broadcast(Process& process, const CommunicatorPtr& on, const TypedBuffer& buffer, int root);
/// `own` at each rank, `all` at the root; in place: the root's own block is in `all`.
CollectiveWork gather(Process& process, const TypedBuffer* own, const TypedBlocks* all, std::int64_t block_bytes, int root);
CollectiveWork scatter(Process& process, const TypedBlocks* all, const TypedBuffer* own, std::int64_t block_bytes, int root);
/// `own` null: in place.
CollectiveWork allgather(Process& process, const TypedBuffer* own, const TypedBlocks& all);
/// `sent` null: in place.
CollectiveWork alltoall(Process& process, const TypedBlocks* sent, const TypedBlocks& received);
CollectiveWork barrier(Process& process);

/// `input` null: in place. `output` null: nothing comes out here.
CollectiveWork reduce(Process& process, const TypedBuffer* input, const TypedBuffer* output, const Reducer& by, int root);
CollectiveWork allreduce(Process& process, const TypedBuffer* input, const TypedBuffer& output, const Reducer& by);
/// The first block of `output` is where the rank's own comes. `input` null: it lies in `output`.
CollectiveWork reduce_scatter(Process& process, const CommunicatorPtr& on, const TypedBuffer* input, const TypedBuffer& output,
                              const BlockPartition& blocks, const Reducer& by);

// ---- heddle has no algorithm for these: the plain ones of textbooks ----

/// Blocks whose sizes the root alone knows: it receives them one by one.
CollectiveWork gatherv(Process& process, const CommunicatorPtr& on, const TypedBuffer* own, const TypedBlocks* all, int root);
CollectiveWork scatterv(Process& process, const CommunicatorPtr& on, const TypedBlocks* all, const TypedBuffer* own, int root);
/// Each pair of ranks by itself, with a type of its own.
CollectiveWork alltoallw(Process& process, const CommunicatorPtr& on, std::vector<TypedBuffer> sent,
                         std::vector<TypedBuffer> received);
/// Of ranks 0 to this one, or of those before it (exclusive): ⌈log₂ p⌉ rounds, each with the sum so far to a rank twice as far (Hillis
/// and Steele 1986). `input` null: in place. `output` may be null on the first rank of an exclusive one.
CollectiveWork scan(Process& process, const CommunicatorPtr& on, const TypedBuffer* input, const TypedBuffer* output,
                    const Reducer& by, bool is_exclusive);

// ---- exchanges of blocks with given ranks: neighbours, other groups ----

struct TypedMessage {
  Rank peer;  ///< in CommunicatorObject::messages
  TypedBuffer buffer;
  int tag = 0;
};
/// All at once; messages to one rank in the order of the list. What comes is what is received: of the same types, and as much.
CollectiveWork exchange(Process& process, const CommunicatorPtr& on, std::vector<TypedMessage> sent,
                        std::vector<TypedMessage> received);

}  // namespace heddle::mpi
