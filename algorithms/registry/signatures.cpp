// SPDX-License-Identifier: Apache-2.0
#include "algorithms/registry/signatures.hpp"

#include <fmt/core.h>

#include <utility>

#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// A vector that an algorithm may overwrite, with `input` in it: the caller's output where that is long enough, else scratch.
class WorkingVector {
 public:
  WorkingVector(Communicator& comm, ConstVectorView input, VectorView output)
      : scratch_(input.type(), output.count() < input.count() ? input.count() : 0),
        view_(output.count() < input.count() ? scratch_.view() : output) {
    if (input.data() != view_.data()) comm.copy(view_, input);
  }

  VectorView view() const { return view_; }

 private:
  Buffer scratch_;
  VectorView view_;
};

void copy_unless_same(Communicator& comm, VectorView into, ConstVectorView from) {
  if (into.data() != from.data() && !from.empty()) comm.copy(into, from);
}

std::int64_t own_block(const Communicator& comm) { return comm.rank().value(); }

}  // namespace

CollectiveFunction as_broadcast(BroadcastFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    if (comm.rank() == call.root) copy_unless_same(comm, call.output, call.input);
    function(comm, call.output, call.root);
  };
}

CollectiveFunction as_reduce(ReduceFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    const WorkingVector vector(comm, call.input, call.output);
    function(comm, vector.view(), *call.op, call.root);
  };
}

CollectiveFunction as_allreduce(AllreduceFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    copy_unless_same(comm, call.output, call.input);
    function(comm, call.output, *call.op);
  };
}

CollectiveFunction as_reduce_scatter(ReduceScatterFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    if (call.in_place()) return function(comm, call.output, call.blocks, *call.op);
    Buffer scratch(call.input.type(), call.input.count());
    copy_unless_same(comm, scratch.view(), call.input);
    function(comm, scratch.view(), call.blocks, *call.op);
    copy_unless_same(comm, call.output, call.blocks.block(scratch.view(), own_block(comm)));
  };
}

CollectiveFunction as_allgather(AllgatherFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    if (!call.in_place()) copy_unless_same(comm, call.blocks.block(call.output, own_block(comm)), call.input);
    function(comm, call.output, call.blocks);
  };
}

CollectiveFunction as_gather(GatherFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    const ConstVectorView own = call.in_place() ? call.blocks.block(call.input, own_block(comm)) : call.input;
    function(comm, own, call.output, call.blocks, call.root);
  };
}

CollectiveFunction as_scatter(ScatterFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    const VectorView own = call.in_place() ? call.blocks.block(call.output, own_block(comm)) : call.output;
    function(comm, call.input, own, call.blocks, call.root);
  };
}

CollectiveFunction as_alltoall(AlltoallFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments& call) {
    if (!call.in_place()) return function(comm, call.input, call.blocks, call.output, call.received);
    Buffer outgoing(call.input.type(), call.input.count());
    comm.copy(outgoing.view(), call.input);
    function(comm, outgoing.view(), call.blocks, call.output, call.received);
  };
}

CollectiveFunction as_barrier(BarrierFunction function) {
  return [function = std::move(function)](Communicator& comm, const CollectiveArguments&) { function(comm); };
}

std::string needs_commutative(const ReduceOp& op) {
  return fmt::format("it needs a commutative operation, and '{}' is not one", op.name());
}

std::string needs_grid() { return "it needs a grid"; }

std::string needs_equal_blocks() { return "it needs blocks of equal size"; }

std::string needs_in_network() { return "it needs switches that compute"; }

void require_commutative(std::string_view algorithm, const ReduceOp& op) {
  if (!op.commutative()) throw UsageError(fmt::format("{}: {}", algorithm, needs_commutative(op)));
}

void require_grid(std::string_view algorithm, const Communicator& comm) {
  if (!comm.grid()) throw UsageError(fmt::format("{}: {}", algorithm, needs_grid()));
}

void require_equal_blocks(std::string_view algorithm, const BlockPartition& blocks) {
  if (!blocks.all_equal()) throw UsageError(fmt::format("{}: {}", algorithm, needs_equal_blocks()));
}

}  // namespace heddle
