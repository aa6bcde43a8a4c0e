// SPDX-License-Identifier: Apache-2.0
#include "algorithms/registry/entry.hpp"

#include <fmt/core.h>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// What an algorithm cannot do without, checked where it is called.
class Requirements {
 public:
  explicit Requirements(const Algorithm& facts)
      : name_(facts.name),
        commutative_(facts.needs.commutative),
        grid_(facts.needs.grid),
        equal_blocks_(facts.needs.equal_blocks) {}

  void check(const Communicator& comm, const CollectiveArguments& call) const {
    if (commutative_ && !call.op->commutative()) refuse(needs_commutative(*call.op));
    if (grid_ && !comm.grid()) refuse(needs_grid());
    if (equal_blocks_ && !(call.blocks.all_equal() && call.received.all_equal())) refuse(needs_equal_blocks());
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const { throw UsageError(fmt::format("{}: {}", name_, reason)); }

  std::string name_;
  bool commutative_;
  bool grid_;
  bool equal_blocks_;
};

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

bool has_nothing_to_do(const Communicator& comm, VectorView vector) { return comm.size() == 1 || vector.empty(); }

Algorithm completed(Algorithm& facts, Collective collective, CollectiveFunction run) {
  facts.collective = collective;
  facts.run = std::move(run);
  return std::move(facts);
}

}  // namespace

Algorithm broadcast::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::broadcast,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     if (comm.rank() == call.root) copy_unless_same(comm, call.output, call.input);
                     if (!has_nothing_to_do(comm, call.output)) run(comm, call.output, call.root);
                   });
}

Algorithm reduce::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::reduce,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     const WorkingVector vector(comm, call.input, call.output);
                     if (!has_nothing_to_do(comm, vector.view())) run(comm, vector.view(), *call.op, call.root);
                   });
}

Algorithm allreduce::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::allreduce,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     copy_unless_same(comm, call.output, call.input);
                     if (!has_nothing_to_do(comm, call.output)) run(comm, call.output, *call.op);
                   });
}

Algorithm reduce_scatter::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::reduce_scatter,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     Buffer scratch(call.input.type(), call.in_place() ? 0 : call.input.count());
                     const VectorView vector = call.in_place() ? call.output : scratch.view();
                     copy_unless_same(comm, vector, call.input);
                     if (!has_nothing_to_do(comm, vector)) run(comm, vector, call.blocks, *call.op);
                     if (!call.in_place()) copy_unless_same(comm, call.output, call.blocks.block(vector, own_block(comm)));
                   });
}

Algorithm allgather::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::allgather,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     if (!call.in_place()) copy_unless_same(comm, call.blocks.block(call.output, own_block(comm)), call.input);
                     if (!has_nothing_to_do(comm, call.output)) run(comm, call.output, call.blocks);
                   });
}

Algorithm gather::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::gather,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     const ConstVectorView own = call.in_place() ? call.blocks.block(call.input, own_block(comm)) : call.input;
                     run(comm, own, call.output, call.blocks, call.root);
                   });
}

Algorithm scatter::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::scatter,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     const VectorView own = call.in_place() ? call.blocks.block(call.output, own_block(comm)) : call.output;
                     run(comm, call.input, own, call.blocks, call.root);
                   });
}

Algorithm alltoall::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::alltoall,
                   [=, needs = Requirements(facts)](Communicator& comm, const CollectiveArguments& call) {
                     needs.check(comm, call);
                     if (call.input.empty() && call.output.empty()) return;
                     if (!call.in_place()) return run(comm, call.input, call.blocks, call.output, call.received);
                     Buffer outgoing(call.input.type(), call.input.count());
                     comm.copy(outgoing.view(), call.input);
                     run(comm, outgoing.view(), call.blocks, call.output, call.received);
                   });
}

Algorithm barrier::entry(Algorithm facts, Function run) {
  return completed(facts, Collective::barrier, [=](Communicator& comm, const CollectiveArguments&) { run(comm); });
}

Algorithm configurable(std::vector<Parameter> parameters, Algorithm (*make)(const Options&)) {
  Algorithm entry = make(Options(parameters));
  entry.parameters = std::move(parameters);
  entry.configured = make;
  return entry;
}

std::string needs_commutative(const ReduceOp& op) {
  return fmt::format("it needs a commutative operation, and '{}' is not one", op.name());
}

std::string needs_grid() { return "it needs a grid"; }

std::string needs_equal_blocks() { return "it needs blocks of equal size"; }

std::string needs_in_network() { return "it needs switches that compute"; }

}  // namespace heddle
