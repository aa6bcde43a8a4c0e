// SPDX-License-Identifier: Apache-2.0
// What must not compile. Without a macro this file is correct; each macro adds one mistake
// (CMakeLists.txt here lists them, with what the compiler should say).
#include <vector>

#include "core/communicator.hpp"
#include "core/units.hpp"

namespace heddle {

void correct_use(Communicator& comm, const std::vector<float>& input, std::vector<float>& output) {
  comm.send(Rank(1), input, Tag(2));
  comm.recv(Rank(1), output);
  Bytes size(4096);
  Time latency = Time::ps(100);
  Rank next(comm.rank().value() + 1);

#ifdef INT_IS_NOT_A_RANK
  comm.send(1, input);
#endif
#ifdef RANK_IS_NOT_AN_INT
  int number = comm.rank();
#endif
#ifdef RANK_IS_NOT_A_TAG
  comm.send(Rank(1), input, Rank(2));
#endif
#ifdef RANKS_DO_NOT_ADD
  next = next + next;
#endif
#ifdef BYTES_ARE_NOT_TIME
  latency = size;
#endif
#ifdef BYTES_AND_TIME_DO_NOT_ADD
  latency = latency + size;
#endif
#ifdef NUMBER_IS_NOT_BYTES
  size = 4096;
#endif
#ifdef NUMBER_IS_NOT_TIME
  latency = Time(100);
#endif
#ifdef CONST_VECTOR_IS_NOT_WRITABLE
  comm.recv(Rank(1), input);
#endif
#ifdef TEMPORARY_VECTOR_IS_NOT_VIEWED
  comm.send(Rank(1), std::vector<float>(4));
#endif
#ifdef REQUEST_IS_NOT_DROPPED
  comm.isend(Rank(1), input);
#endif

  static_cast<void>(next);
  static_cast<void>(latency < Time() || size < Bytes());
}

}  // namespace heddle
