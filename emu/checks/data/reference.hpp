// SPDX-License-Identifier: Apache-2.0
// What a collective must give, computed sequentially and straight from the definition of the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/block_partition.hpp"
#include "core/reduce_op.hpp"
#include "core/vector_view.hpp"
#include "emu/checks/data/test_data.hpp"

namespace heddle::emu {

/// Whether different orders of evaluation may give results that differ: a sum or a product of floats.
bool rounds(Datatype type, const ReduceOp& op);

/// The fold of all ranks' contributions in rank order, x_0 ∘ x_1 ∘ … ∘ x_{p-1}, element by element.
///
/// Integers, min and max, user types and user ops are expected to the bit. Sums and products of floats are computed in double
/// and expected within what the roundings of any order of evaluation allow, u being the type's unit roundoff and k the number
/// of operations that round (TestData::rounding_operations):
///   sum      |error| ≤ k·u·Σ|x_i|  (Jeannerod, Rump 2013, "Improved error bounds for inner products in floating-point
///   arithmetic";
///            to first order Higham 2002, "Accuracy and Stability of Numerical Algorithms", §4.2; any order of summation)
///   product  |error| ≤ ((1 + u)^k - 1)·|Πx_i|  (Higham §3.1)
/// plus the same with u = 2^-53 for the reference itself.
///
/// `rounded_to`, f16 or bf16, says that vectors of f32 may have been rounded to it wherever they were reduced (the ALUs of
/// switches): then u is that type's and k TestData::coarse_roundings, and a minimum or maximum is the rounded one.
///
/// Immutable after construction; safe from any thread. Memory in proportion to `count` alone.
class Reference {
 public:
  Reference(const TestData& data, const ReduceOp& op, std::int64_t count, std::optional<Datatype> rounded_to = {});
  /// No reduction: the vector of one rank, to the bit.
  Reference(const TestData& data, Rank source, std::int64_t count);
  /// No reduction: block b is that of rank b's vector, to the bit.
  Reference(const TestData& data, const BlockPartition& blocks);

  /// Whether every element of `part`, which are elements first … of a result, is as it must be.
  bool accepts(ConstVectorView part, std::int64_t first = 0) const;

  /// Element number `element`, where there is but one that is accepted: false, and nothing written, where there are several.
  bool copy_exact(std::int64_t element, VectorView into) const;

  /// What is accepted: "7", "0.25 ± 3e-06".
  std::string describe(std::int64_t element) const;

 private:
  void fold_exactly(const TestData& data, const ReduceOp& op);
  template <class T>
  void fold_rounded(const TestData& data, const ReduceOp& op, std::optional<Datatype> rounded_to);
  template <class T>
  bool within(ConstVectorView part, std::int64_t first) const;

  Buffer expected_;                ///< to the bit; unused (empty) for
  std::vector<double> value_;      ///< sums and products of floats,
  std::vector<double> tolerance_;  ///< and how far off a result may be
};

}  // namespace heddle::emu
