// SPDX-License-Identifier: Apache-2.0
// The predefined datatypes of MPI (MPI 5.0, §3.2.2 and appendix A), and sequences of them, which are what messages have to agree in.
// Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heddle/datatype.hpp"

namespace heddle::mpi {

/// A predefined type by the number of its handle: 0x209 is MPI_INT.
using BasicId = std::uint16_t;
inline constexpr BasicId kLowerBound = 0x204;  ///< MPI_LB
inline constexpr BasicId kUpperBound = 0x205;  ///< MPI_UB

/// `quadruple`: Fortran's reals of 16 bytes, which are not C's long double. `bound`: MPI_LB and MPI_UB, of no bytes, which set a bound.
enum class BasicKind : std::uint8_t {
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  logical,
  character,
  byte,
  pair,
  quadruple,
  bound,
};

struct BasicFacts {
  BasicId id;
  std::string_view name;  ///< "MPI_INT"
  BasicKind kind;
  std::int64_t size;       ///< in bytes; of a pair, without the hole between its parts
  std::int64_t alignment;  ///< its extent is a multiple of that
  BasicId first = 0;       ///< of a pair
  BasicId second = 0;
};

/// In the order of the handles. Fortran's types that no C type of this machine stands for (MPI_REAL2, MPI_REAL16) are moved, and no
/// operation is defined on them.
std::span<const BasicFacts> basic_types();
/// Nullptr where the number is no predefined type's.
const BasicFacts* find_basic(BasicId id);
/// heddle's datatype of the same kind and size: MPI_INT is i32. No value for what heddle's own operations do not reduce.
std::optional<Datatype> heddle_datatype(BasicId id);

// ---- sequences ----

struct Signature;
using SignaturePtr = std::shared_ptr<const Signature>;

/// Equal basic types or, if `of` is there, equal sequences of them, one after the other.
struct BasicRun {
  BasicId basic;
  std::int64_t count;
  SignaturePtr of = nullptr;
  friend bool operator==(const BasicRun&, const BasicRun&) = default;
};

/// How much a sequence of basic types is.
struct BasicExtent {
  std::int64_t basics = 0;
  std::int64_t bytes = 0;
};

/// Equal for equal sequences, however they are written down: a polynomial in a number for each basic type, and its base to the length.
struct SequenceDigest {
  std::uint64_t sum = 0;
  std::uint64_t power = 1;

  SequenceDigest followed_by(const SequenceDigest& next) const;
  SequenceDigest repeated(std::int64_t times) const;
};

/// The basic types of an element in order: the runs, so many times one after the other.
struct Signature {
  std::vector<BasicRun> runs = {};
  std::int64_t times = 1;
  BasicExtent once = {};  ///< the runs one time, as the digest
  SequenceDigest digest = {};

  void add(const BasicRun& run);
  BasicExtent all() const { return {once.basics * times, once.bytes * times}; }
};

/// Calls visit(basic, count) for the runs of basic types in order, until it returns false. Returns whether all were visited.
template <class Visit>
bool for_each_run(const Signature& signature, const Visit& visit) {
  for (std::int64_t time = 0; time < signature.times; ++time) {
    for (const BasicRun& run : signature.runs) {
      if (!run.of && !visit(run.basic, run.count)) return false;
      for (std::int64_t i = 0; run.of && i < run.count; ++i) {
        if (!for_each_run(*run.of, visit)) return false;
      }
    }
  }
  return true;
}

/// As many whole basic types of a sequence, from its first on, as do not exceed `limit`.
BasicExtent beginning_of(const Signature& signature, const BasicExtent& limit);

}  // namespace heddle::mpi
