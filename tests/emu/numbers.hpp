// SPDX-License-Identifier: Apache-2.0
// Numbers that ranks pass to each other, to see who hears whom.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/communicator.hpp"

namespace heddle {

using Numbers = std::vector<std::int32_t>;

inline void send_numbers(Communicator& comm, int dest, const Numbers& numbers, Tag tag = {}) {
  comm.send(Rank(dest), numbers, tag);
}

/// One number to `dest`, one from `source`: what came.
inline std::int32_t swap_numbers(Communicator& comm, int dest, int source, std::int32_t number, Tag tag = {}) {
  const Numbers out = {number};
  Numbers in(1);
  comm.sendrecv(Rank(dest), out, Rank(source), in, tag);
  return in[0];
}

inline int left(const Communicator& comm) { return (comm.rank().value() + comm.size() - 1) % comm.size(); }
inline int right(const Communicator& comm) { return (comm.rank().value() + 1) % comm.size(); }

}  // namespace heddle
