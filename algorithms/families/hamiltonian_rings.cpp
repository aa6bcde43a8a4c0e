// SPDX-License-Identifier: Apache-2.0
// Two rings through all ranks of a two-dimensional torus that share no link.
#include "algorithms/families/grid_rings.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

std::vector<Node2d> hamiltonian_cycle(int rows, int columns, int cycle) {
  std::vector<Node2d> nodes;
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < columns; ++b) {
      if (cycle == 0) {
        nodes.push_back({a, (b + columns - a % columns) % columns});
      } else {
        const long turn = static_cast<long>(a) * (columns - 1) + b;
        nodes.push_back({static_cast<int>(turn % rows), a % columns});
      }
    }
  }
  return nodes;
}

std::optional<int> dimension_of_rows(const std::vector<int>& sizes) {
  if (sizes.size() != 2) return std::nullopt;
  if (has_hamiltonian_cycles(sizes[0], sizes[1])) return 0;
  if (has_hamiltonian_cycles(sizes[1], sizes[0])) return 1;
  return std::nullopt;
}

}  // namespace heddle::plans

namespace heddle::allreduce {

// hamiltonian_rings: four rings at once along two edge-disjoint Hamiltonian cycles of a 2D torus, in both directions of each.
//
// A ring of all ranks whose neighbours are neighbours on the torus uses one of the four ports. There are two such rings that
// share no cable (families/grid_rings.hpp), and a cable is full duplex: the vector is cut into four slices, and each
// goes round by `ring`: the first cycle forwards and backwards, the second forwards and backwards. All links carry one message
// in every round.
//
// Picture: the cycles of a 3x3 torus, ranks in the order in which they are visited (row by row: ranks 0 1 2, 3 4 5, 6 7 8).
//
//   first    0 -> 1 -> 2 -> 5 -> 3 -> 4 -> 7 -> 8 -> 6 -> 0
//   second   0 -> 3 -> 6 -> 7 -> 1 -> 4 -> 5 -> 8 -> 2 -> 0
//
// Rounds:  2(p-1), the four rings at the same time.
// Bytes:   2(p-1)/p · M sent by each rank, a quarter through each port.
// Time:    2(p-1)·α + (p-1)/(2p) · M·β.
// Limits:  two dimensions longer than 1, r x c with r a multiple of c and gcd(r, c-1) = 1, wrapping around. A dimension of 2
//          has one cable where the cycles want two: they share it. Each block's sum starts at another rank: the op must be
//          commutative.
// Source:  Swing (De Sensi et al.) §2.3.1.

namespace {

/// The ranks in the order of a cycle, and the place of each.
struct Cycle {
  std::vector<int> rank_at;
  std::vector<int> position_of;
};

Cycle make_cycle(const plans::Lattice& lattice, int number) {
  const int rows_dimension = plans::dimension_of_rows(lattice.sizes()).value();
  const int columns_dimension = 1 - rows_dimension;
  Cycle cycle;
  cycle.position_of.resize(static_cast<std::size_t>(lattice.ranks()));
  for (const plans::Node2d& node :
       plans::hamiltonian_cycle(lattice.size(rows_dimension), lattice.size(columns_dimension), number)) {
    const Rank in_row = lattice.neighbor(Rank(0), rows_dimension, node.row);
    const int rank = lattice.neighbor(in_row, columns_dimension, node.column).value();
    cycle.position_of[static_cast<std::size_t>(rank)] = static_cast<int>(cycle.rank_at.size());
    cycle.rank_at.push_back(rank);
  }
  return cycle;
}

plans::RingPlace place_in(const Cycle& cycle, Rank rank, int direction) {
  const int p = static_cast<int>(cycle.rank_at.size());
  const int position = cycle.position_of[static_cast<std::size_t>(rank.value())];
  const auto rank_at = [&](int other) { return Rank(cycle.rank_at[static_cast<std::size_t>(other % p)]); };
  return {.positions = p,
          .position = position,
          .direction = direction,
          .next = rank_at(position + p + direction),
          .previous = rank_at(position + p - direction)};
}

constexpr std::string_view kHamiltonianTorus = "a 2D torus of r x c with r a multiple of c and gcd(r, c-1) = 1";

bool is_hamiltonian_torus(const Shape& shape) {
  if (shape.dims.empty() || !shape.wraps) return false;
  return shape.ranks == 1 || plans::dimension_of_rows(plans::long_dimensions(shape.dims, shape.ranks)).has_value();
}

void hamiltonian_rings(Communicator& comm, VectorView inout, const ReduceOp& op) {
  if (!is_hamiltonian_torus({.ranks = comm.size(), .dims = comm.grid()->dims(), .wraps = comm.grid()->wraps()}))
    throw UsageError(fmt::format("hamiltonian_rings: it needs {}", kHamiltonianTorus));
  const plans::Lattice lattice(comm.grid(), comm.size());
  plans::on_ports(comm, 4, inout, [&](int port, Communicator& task, VectorView slice) {
    const int number = port / 2;
    const auto cycle = task.shared_plan<Cycle>("hamiltonian_rings, cycle " + std::to_string(number),
                                               [&] { return make_cycle(lattice, number); });
    const plans::RingPlace place = place_in(*cycle, task.rank(), port % 2 == 0 ? +1 : -1);
    const plans::RingBlocks blocks{.vector = slice, .partition = BlockPartition(slice.count(), place.positions)};
    Buffer scratch(slice.type(), blocks.longest(place.positions));
    plans::ring_reduce_scatter(task, place, blocks, scratch.view(), op);
    plans::ring_allgather(task, place, blocks);
  });
}

}  // namespace

std::vector<Algorithm> hamiltonian_rings_entries() {
  return {
      entry({.name = "hamiltonian_rings",
             .summary =
                 "Four rings at once along two edge-disjoint Hamiltonian cycles of a 2D torus: every link busy in every round.",
             .source = "[swing] §2.3.1; [bae-2000]",
             .needs = {.commutative = true, .grid = true, .more = kHamiltonianTorus, .has_more = is_hamiltonian_torus},
             .rounds = formulas::two_rounds_per_peer(),
             .bytes = formulas::all_blocks_twice(),
             .messages_a_round = formulas::message_per_port,
             .block_count = [](const Shape& shape) { return 4 * std::int64_t{shape.ranks}; },
             .tasks_share_credits = true},
            hamiltonian_rings)};
}

}  // namespace heddle::allreduce
