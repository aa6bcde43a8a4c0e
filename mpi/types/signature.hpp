// SPDX-License-Identifier: Apache-2.0
// Whether what is sent is what is received: the sequence of basic types on both sides (MPI 5.0, §3.3.1).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/types/type.hpp"

namespace heddle::mpi {

/// Two basic types that messages may mix up: those of one kind and size have several names (MPI_INT, MPI_INT32_T, MPI_INTEGER).
/// MPI tells them apart, but no transport on one machine can, and programs that mix them are right everywhere.
bool are_alike(BasicId a, BasicId b);
/// The basic type of which alone the type is made, unless that stands for any bytes.
std::optional<BasicId> only_basic(const Type& type);

/// A number for `count` elements of a type, which a message carries: equal for equal sequences of basic types, however the types
/// were made. 0: no element. Any thread.
class SignatureLabels {
 public:
  std::uint64_t label(const Type& type, std::int64_t count);

  /// Whether a receive with label `received` may take a message with label `sent`: the message's basic types are those that the
  /// receive begins with. MPI_BYTE and MPI_PACKED stand for any bytes, on either side.
  bool may_receive(std::uint64_t sent, std::uint64_t received) const;
  /// Whether ranks may reduce one with the other: they are of the same basic types, and MPI_BYTE is one of these.
  bool may_reduce(std::uint64_t one, std::uint64_t other) const;
  /// "3 x MPI_INT", "2 x (MPI_DOUBLE, MPI_INT)".
  std::string text(std::uint64_t label) const;

 private:
  Signature signature(std::uint64_t label) const;

  mutable std::mutex mutex_;
  std::vector<Signature> mixed_;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::uint64_t> label_of_;  ///< by digest and length
};

}  // namespace heddle::mpi
