// SPDX-License-Identifier: Apache-2.0
// What must not compile. Without MISTAKES this file is correct; each mistake says what the compiler (g++ or clang) answers,
// which check_misuse.py compares.
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/units.hpp"

namespace heddle {

void correct_use(Communicator& comm, const std::vector<float>& input, std::vector<float>& output) {
  comm.send(Rank(1), input, Tag(2));
  comm.recv(Rank(1), output);
  Bytes size(4096);
  Time latency = Time::ps(100);
  Rank next(comm.rank().value() + 1);
  static_cast<void>(next);
  static_cast<void>(latency < Time() || size < Bytes());
}

#ifdef MISTAKES
// clang-format off
void mistakes(Communicator& comm, const std::vector<float>& input, Rank next, Bytes size, Time latency) {
  comm.send(1, input);  // error: cannot convert 'int' to 'heddle::Rank'|no viable conversion from 'int' to '(heddle::)?Rank'
  int number = comm.rank();  // error: cannot convert 'heddle::Rank' to 'int'|no viable conversion from '(heddle::)?Rank' to 'int'
  comm.send(Rank(1), input, Rank(2));  // error: cannot convert 'heddle::Rank' to 'heddle::Tag'|no viable conversion from '(heddle::)?Rank' to '(heddle::)?Tag'
  next = next + next;  // error: no match for 'operator\+'.*'heddle::Rank'|invalid operands .*Rank'
  latency = size;  // error: no match for 'operator='.*'heddle::Time' and 'heddle::Bytes'|no viable overloaded '='
  latency = latency + size;  // error: no match for 'operator\+'.*'heddle::Time' and 'heddle::Bytes'|invalid operands .*Time' and '(heddle::)?Bytes'
  size = 4096;  // error: no match for 'operator='.*'heddle::Bytes' and 'int'|no viable overloaded '='
  latency = Time(100);  // error: Time.* is private|calling a private constructor of class 'heddle::Time'
  comm.recv(Rank(1), input);  // error: cannot convert 'const std::vector<float>' to 'heddle::VectorView'|no viable conversion from 'const std::vector<float>' to '(heddle::)?VectorView'
  comm.send(Rank(1), std::vector<float>(4));  // error: cannot convert 'std::vector<float>' to 'heddle::ConstVectorView'|no viable conversion from 'std::vector<float>' to '(heddle::)?ConstVectorView'
  comm.isend(Rank(1), input);  // error: ignoring return value of
}
// clang-format on
#endif

}  // namespace heddle
