// SPDX-License-Identifier: Apache-2.0
// Who belongs to a new communicator. Its ranks find it out together, without messages and virtual time. What they find is made once and
// shared by all: thousands of ranks would otherwise each hold a list of all.
#pragma once

#include <memory>
#include <vector>

#include "mpi/objects/process.hpp"

namespace heddle::mpi {

/// Waits until all ranks of a communicator have come here.
void meet(CommunicatorObject& on);

/// All ranks of a communicator tell each other a value, and meet. What `make` makes of the values, by rank of `on.messages`.
template <class T, class Make>
std::shared_ptr<const T> tell_all(Process& process, CommunicatorObject& on, std::vector<int> value, const Make& make) {
  World& world = process.world();
  const std::uint32_t number = on.values_told++;
  world.leave(on.id, number, on.messages->size(), on.messages->rank().value(), std::move(value));
  meet(on);
  return world.read<T>(on.id, number, make);
}

/// A communicator made of another: with its error handler, and no group yet.
CommunicatorPtr derived(const CommunicatorObject& from, std::shared_ptr<Communicator> messages);
/// Gives it its groups.
void set_members(const Process& process, CommunicatorObject& made, const Membership& members, bool local_is_first);

/// The ranks of one color, in the order of their keys; of an intercommunicator, both groups'. Null for a negative color, and where one of
/// two groups would be empty.
CommunicatorPtr split(Process& process, CommunicatorObject& on, int color, int key);

}  // namespace heddle::mpi
