// SPDX-License-Identifier: Apache-2.0
// The contributions of a checked run, as a pure function of (seed, call, rank, element): nothing is stored, any part can be
// made anywhere, and it is the same on every machine.
#pragma once

#include <cstdint>
#include <optional>

#include "emu/data/collective_call.hpp"
#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// Data in which failures show: a contribution that is left out or added twice changes the result, where type and op let it.
///
/// - Integers: any value for sum, xor, min and max; odd ones for prod (even factors multiply to zero); one bit each from a few
///   ranks for bit-or and bit-and (many random operands would give all ones, all zeros).
/// - Floats, sum: even elements are whole numbers so small that every order of summation is exact; odd ones use all bits of the
///   significand and do round. Where p contributions would not fit the significand (or where their rounding could hide one of
///   them), only every k-th rank contributes to an element, a different one to each, and the others give zero.
/// - Floats, prod: factors of up to eight ranks lie in ±[1/2, 2) (even elements: ±1/2 or ±2, exact), the others are ±1: no
///   overflow. Floats, min and max: any of ±[1/2, 2); where p such numbers of the type would often be alike, only every k-th rank
///   contributes one to an element, and the others give what changes nothing, 2 or -2.
///   Where f32 may be rounded to a coarser type on its way, a sum's elements are as that type's would be, but odd ones have all
///   bits of an f32.
/// - A user's op: on floats small whole numbers, on integers and user types any bits.
/// - What is only moved: any bits, of floats too.
/// - Runs: stretches of elements, the same on all ranks, that are 0, or of each rank all alike; single 0 elsewhere.
/// - Special values: in half of what is moved a NaN with any payload, an infinity, a zero of either sign, a subnormal number. For
///   min and max elements take turns: one with a NaN on some ranks, one of infinities, one of zeros of either sign, one of
///   subnormal numbers, and others as usual.
///
/// Cheap to copy; safe from any thread.
class TestData {
 public:
  /// `call` numbers the calls of one run; each has data of its own. Throws UsageError if `op` does not support `type`.
  /// `coarsest`: what the type may be rounded to by who reduces it, f16 or bf16 for f32; none for all others.
  TestData(Datatype type, const ReduceOp& op, int ranks, std::uint64_t seed, int call, std::optional<Datatype> coarsest = {},
           DataValues values = DataValues::usual);
  /// To be moved, not reduced.
  TestData(Datatype type, int ranks, std::uint64_t seed, int call, DataValues values = DataValues::usual);

  /// Elements first … first + into.count() - 1 of this rank's contribution. `into` is of the data's type and aligned for it.
  void fill(VectorView into, Rank rank, std::int64_t first = 0) const;

  /// How many of the p - 1 operations that reduce this element may round: 0 for integers and where every order is exact.
  int rounding_operations(std::int64_t element) const;
  /// How often a sum may be rounded to the coarsest type: each contribution as it goes in, each partial sum as it comes out or
  /// goes in again. 0 where every order is exact in it.
  int coarse_roundings(std::int64_t element) const;

  Datatype type() const { return type_; }
  int ranks() const { return ranks_; }

 private:
  enum class Pattern : std::uint8_t {
    bits,
    any,
    odd,
    few_ones,
    few_zeros,
    summands,
    factors,
    comparands,
    whole_numbers,
    special_bits,
    special_comparands
  };
  static Pattern pattern_for(Datatype type, const ReduceOp& op, DataValues values);

  /// As usual.
  void fill_usual(VectorView into, Rank rank, std::int64_t first) const;
  void put_runs(VectorView into, Rank rank, std::int64_t first) const;

  template <class Word>
  void fill_integers(VectorView into, Rank rank, std::int64_t first) const;
  template <class T>
  void fill_floats(VectorView into, Rank rank, std::int64_t first) const;
  void fill_bytes(VectorView into, Rank rank, std::int64_t first) const;
  void fill_bits(VectorView into, Rank rank, std::int64_t first) const;

  Datatype type_;
  int ranks_;
  std::uint64_t key_;
  Pattern pattern_;
  bool has_runs_ = false;
  bool has_zeros_ = true;           ///< where it has runs
  int whole_bits_ = 0;              ///< whole numbers are ±1 … ±2^whole_bits_
  std::uint32_t exact_period_ = 1;  ///< ranks r with (r + element) mod period = 0 contribute; a power of two
  std::uint32_t rounded_period_ = 1;
  float idle_comparand_ = 0;  ///< of ranks that do not contribute
};

}  // namespace heddle::emu
