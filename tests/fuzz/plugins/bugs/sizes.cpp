// SPDX-License-Identifier: Apache-2.0
// Right results of rows that say that they are independent of size, and are not: a part of the vector would be timed wrongly.
#include <algorithm>
#include <cmath>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void in_pieces(Communicator& comm, const Args& args, std::int64_t piece) {
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  for (std::int64_t first = 0; first < args.output.count(); first += piece) {
    const VectorView part = args.output.slice(first, std::min(piece, args.output.count() - first));
    if (comm.rank() != args.root) comm.recv(args.root, part);
    for (int r = 0; comm.rank() == args.root && r < comm.size(); ++r) {
      if (Rank(r) != args.root) comm.send(Rank(r), part);
    }
  }
}

std::int64_t elements(const Args& args, double bytes) {
  return std::max<std::int64_t>(1, std::llround(bytes / static_cast<double>(args.output.type().size())));
}

void segments_of_a_kilobyte(Communicator& comm, const Args& args) { in_pieces(comm, args, elements(args, 1024)); }

void segments_of_200_elements(Communicator& comm, const Args& args) { in_pieces(comm, args, 200); }

/// It asks, and turns the answer round.
void scale_turned_round(Communicator& comm, const Args& args) {
  in_pieces(comm, args, elements(args, 256 * comm.byte_scale()));
}

/// Two messages for what is large: one that says so, and the vector.
void announced_if_large(Communicator& comm, const Args& args) {
  const bool is_large = args.output.size_bytes() > 1000;
  for (int r = 0; is_large && comm.rank() == args.root && r < comm.size(); ++r) {
    if (Rank(r) != args.root) comm.send(Rank(r), ConstVectorView());
  }
  if (is_large && comm.rank() != args.root) comm.recv(args.root, VectorView());
  in_pieces(comm, args, std::max<std::int64_t>(1, args.output.count()));
}

void large_by_another_way(Communicator& comm, const Args& args) {
  const char* const name = args.output.count() > 500 ? "scatter_allgather" : "binomial_doubling";
  find_algorithm(Collective::broadcast, name).run(comm, args);
}

void small_all_at_once(Communicator& comm, const Args& args) {
  if (args.output.size_bytes() > 2048) return right_allreduce(comm, args);
  find_algorithm(Collective::allreduce, "reduce_broadcast").run(comm, args);
}

void as_many_as_kilobytes(Communicator& comm, const Args& args) {
  const auto pieces = static_cast<std::int64_t>(std::sqrt(static_cast<double>(args.output.size_bytes())) / 8) + 1;
  in_pieces(comm, args, std::max<std::int64_t>(1, (args.output.count() + pieces - 1) / pieces));
}

void plant_independent(Rows& rows, Collective collective, const char* name, CollectiveFunction run) {
  plant(rows, collective, name, std::move(run));
  rows.back().block_count = [](const Shape&) { return std::int64_t{1}; };
  rows.back().independent_of_size = true;
}

}  // namespace

void plant_sizes(Rows& rows) {
  plant_independent(rows, Collective::broadcast, "segments_of_a_kilobyte", segments_of_a_kilobyte);
  plant_independent(rows, Collective::broadcast, "segments_of_200_elements", segments_of_200_elements);
  plant_independent(rows, Collective::broadcast, "scale_turned_round", scale_turned_round);
  plant_independent(rows, Collective::broadcast, "announced_if_large", announced_if_large);
  plant_independent(rows, Collective::broadcast, "large_by_another_way", large_by_another_way);
  plant_independent(rows, Collective::allreduce, "small_all_at_once", small_all_at_once);
  plant_independent(rows, Collective::broadcast, "as_many_as_kilobytes", as_many_as_kilobytes);
}

}  // namespace heddle::testing::bugs
