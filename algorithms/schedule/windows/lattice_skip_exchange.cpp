// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/windows/lattice_skip_exchange.hpp"

#include <fmt/core.h>

#include <memory>

#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/grids/lattice.hpp"

namespace heddle::schedule {

namespace {

using Layout = LatticeSkipSchedule::Layout;

std::shared_ptr<const LatticeSkipSchedule> plan(Communicator& comm, const Lattice& lattice, const SkipPattern& pattern,
                                                int first_dimension, Layout layout) {
  const char* order = layout == Layout::compact ? "compact" : "in rank order";
  return comm.shared_plan<LatticeSkipSchedule>(
      fmt::format("{}, blocks {}, from dimension {} on", pattern.name, order, first_dimension),
      [&] { return LatticeSkipSchedule(lattice, pattern, first_dimension, layout); });
}

/// Calls collective(exchange) for each dimension at once, on its piece of every block.
template <class Collective>
void on_pieces(Communicator& comm, const SkipPattern& pattern, VectorView vector, const BlockPartition& blocks,
               const Collective& collective) {
  const Lattice lattice(comm.grid(), comm.size());
  comm.concurrently(lattice.dimensions(), [&](int dimension, Communicator& task) {
    const auto schedule = plan(task, lattice, pattern, dimension, Layout::rank_order);
    BlockExchange exchange(task, *schedule, vector, blocks, Piece{dimension, lattice.dimensions()});
    collective(exchange);
  });
}

}  // namespace

void allreduce_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const ReduceOp& op) {
  const Lattice lattice(comm.grid(), comm.size());
  on_ports(comm, lattice.dimensions(), inout, [&](int dimension, Communicator& task, VectorView slice) {
    const auto schedule = plan(task, lattice, pattern, dimension, Layout::compact);
    BlockExchange exchange(task, *schedule, slice);
    exchange.reduce_scatter(op);
    exchange.allgather();
  });
}

void reduce_scatter_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const BlockPartition& blocks,
                             const ReduceOp& op) {
  on_pieces(comm, pattern, inout, blocks, [&op](BlockExchange& exchange) { exchange.reduce_scatter(op); });
}

void allgather_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView vector, const BlockPartition& blocks) {
  on_pieces(comm, pattern, vector, blocks, [](BlockExchange& exchange) { exchange.allgather(); });
}

}  // namespace heddle::schedule
