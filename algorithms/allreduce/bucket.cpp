// SPDX-License-Identifier: Apache-2.0
// bucket: rings along the dimensions of a grid, one dimension after the other, on all 2D ports at once.
//
// One bucket: a ring reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector; another
// along the second cuts that share again; after D dimensions a rank holds one complete block. Ring allgathers along the same
// dimensions in reverse give everybody everything. All messages go to neighbours, and what is sent shrinks by the size of a
// dimension with each dimension.
//
// A grid of D dimensions has 2D ports, so the vector is cut into 2D slices and each runs a bucket of its own: slice i starts in
// dimension i and goes up, slice D + i starts there and goes down. In each round each port carries one slice's message.
//
// Picture: a 4x4 grid, slice 0; the share of the vector that the rank at (row 2, column 1) holds after each dimension.
//
//   start   [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
//   rows                     [8 9 10 11]               3 rounds among the ranks of column 1, 4 blocks each
//   columns                     [9]                    3 rounds among the ranks of row 2, 1 block each
//
// Unequal dimensions: slices that start in a short dimension run ahead into links that others still use. With stages=sync a rank
// begins the next dimension of all its slices when the present one of all is done, so that no two slices share a link, and each
// stage takes as many rounds as the longest dimension asks for (Swing §5.2).
//
// Dimensions of size 1 have no links and count neither in D nor in the order.
//
// Rounds:  2·Σ(dᵢ-1) over the dimensions; with stages=sync 2·D·(max dᵢ-1).
// Bytes:   2(p-1)/p · M sent by each rank, evenly over its ports.
// Time:    2·Σ(dᵢ-1)·α + 2(p-1)/p · M·β/(2D) on a square torus.
// Limits:  needs a grid; rounds grow with the sizes' sum. Sums start at different ranks: the op must be commutative. On a mesh
//          the ring closes over the whole line.
// Source:  Swing (De Sensi et al.) §2.3.4 and §5.2.
#include "algorithms/allreduce/allreduce.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/grids/grid_rings.hpp"
#include "core/errors.hpp"

namespace heddle::allreduce {

namespace {

constexpr auto kFree = "free";
constexpr auto kSync = "sync";

std::vector<Parameter> bucket_parameters() {
  return {{.name = "stages",
           .default_value = kFree,
           .meaning = "free: each slice goes on to its next dimension by itself; sync: when all slices of the rank are there",
           .examples = {kSync},
           .candidates = candidates_anywhere({kSync})}};
}

bool is_synchronous(const Options& options) {
  const std::string& stages = options.text("stages");
  if (stages != kFree && stages != kSync) throw InputError(fmt::format("stages={}: free or sync", stages));
  return stages == kSync;
}

void bucket(Communicator& comm, VectorView inout, const ReduceOp& op, bool is_synchronous) {
  require_commutative("bucket", op);
  require_grid("bucket", comm);
  if (comm.size() == 1 || inout.empty()) return;

  const schedule::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  const auto on_slices = [&](const std::function<void(schedule::GridRings&)>& work) {
    schedule::on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
      const int direction = port < dimensions ? +1 : -1;
      schedule::GridRings rings(task, schedule::grid_rings(lattice, task.rank(), port % dimensions, direction), slice);
      work(rings);
    });
  };
  if (!is_synchronous) {
    on_slices([&](schedule::GridRings& rings) {
      rings.reduce_scatter(op);
      rings.allgather();
    });
    return;
  }
  for (int d = 0; d < dimensions; ++d) on_slices([&](schedule::GridRings& rings) { rings.reduce_scatter_along(d, op); });
  for (int d = dimensions - 1; d >= 0; --d) on_slices([&](schedule::GridRings& rings) { rings.allgather_along(d); });
}

Algorithm bucket_row(const Options& options) {
  const bool sync = is_synchronous(options);
  return {
      .collective = Collective::allreduce,
      .name = "bucket",
      .summary = "Rings along one dimension of the grid after the other, on all 2D ports: least bytes to neighbours only.",
      .source = "[swing] §2.3.4, §5.2",
      .needs = {.commutative = true, .grid = true},
      .rounds = sync ? formulas::two_longest_ring_rounds() : formulas::two_ring_rounds(),
      .bytes = formulas::all_blocks_twice(),
      .messages_a_round = formulas::message_per_port,
      .granule = formulas::block_per_rank_and_port,
      .run = as_allreduce([sync](Communicator& comm, VectorView inout, const ReduceOp& op) { bucket(comm, inout, op, sync); }),
      .tasks_share_credits = true,
      .parameters = bucket_parameters(),
      .configured = bucket_row};
}

}  // namespace

void bucket(Communicator& comm, VectorView inout, const ReduceOp& op) { bucket(comm, inout, op, false); }

std::vector<Algorithm> bucket_rows() { return {bucket_row(Options(bucket_parameters()))}; }

}  // namespace heddle::allreduce
