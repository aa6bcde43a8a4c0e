// SPDX-License-Identifier: Apache-2.0
// Rows with one mistake each. What a mistake is about is its file; what fuzzing must say of it stands in explanations.txt.
#pragma once

#include <string_view>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle::testing::bugs {

using Rows = std::vector<Algorithm>;
using Args = CollectiveArguments;

inline void plant(Rows& rows, Collective collective, const char* name, CollectiveFunction run) {
  rows.push_back({.collective = collective, .name = name, .run = std::move(run)});
}

/// heddle's own, which is right.
inline void right(Collective collective, std::string_view name, Communicator& comm, const Args& args) {
  find_algorithm(collective, name).run(comm, args);
}
inline void right_broadcast(Communicator& comm, const Args& args) {
  right(Collective::broadcast, "binomial_halving", comm, args);
}
inline void right_allreduce(Communicator& comm, const Args& args) {
  right(Collective::allreduce, args.op->commutative() ? "recursive_doubling" : "reduce_broadcast", comm, args);
}
inline void right_barrier(Communicator& comm) { right(Collective::barrier, "dissemination", comm, {}); }

inline Rank next(const Communicator& comm) { return Rank((comm.rank().value() + 1) % comm.size()); }
inline Rank before(const Communicator& comm) { return Rank((comm.rank().value() + comm.size() - 1) % comm.size()); }

/// The root sends what it has to one after the other.
template <class SendTo, class Receive>
void from_root(Communicator& comm, const Args& args, SendTo send_to, Receive receive) {
  if (comm.rank() != args.root) return receive();
  if (!args.in_place()) comm.copy(args.output, args.input);
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) != args.root) send_to(Rank(r));
  }
}

/// Of the vector, its first `count` elements.
inline void broadcast_of(Communicator& comm, const Args& args, std::int64_t count) {
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output.slice(0, count)); },
      [&] { comm.recv(args.root, args.output.slice(0, count)); });
}

void plant_counts(Rows& rows);
void plant_blocks(Rows& rows);
void plant_tags(Rows& rows);
void plant_arrival(Rows& rows);
void plant_state(Rows& rows);
void plant_large(Rows& rows);
void plant_types(Rows& rows);
void plant_places(Rows& rows);
void plant_deadlocks(Rows& rows);
void plant_barriers(Rows& rows);
void plant_memory(Rows& rows);
void plant_chance(Rows& rows);
void plant_ends(Rows& rows);
void plant_requests(Rows& rows);
void plant_bits(Rows& rows);
void plant_channels(Rows& rows);
void plant_buffers(Rows& rows);
void plant_by_hand(Rows& rows);
void plant_processes(Rows& rows);
void plant_pairs(Rows& rows);
void plant_beyond_31_bits(Rows& rows);
void plant_many_calls(Rows& rows);
void plant_sizes(Rows& rows);

}  // namespace heddle::testing::bugs
