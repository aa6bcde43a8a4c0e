// SPDX-License-Identifier: Apache-2.0
// One call of a checked run: what goes into each rank, and what must come out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emu/data/call_layout.hpp"
#include "emu/data/test_data.hpp"
#include "heddle/collective.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

// What a collective must give, computed sequentially and straight from the definition of the data.

/// Whether to give up. Asked while data is made, by several threads at once; where it says so, RunStopped is thrown. Null: never.
using StopQuestion = std::function<bool()>;
/// Called between parts of long work on a rank's vector, on the rank's thread: a rank that is to stop does not return. Null: never.
using StopPoint = std::function<void()>;

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
  Reference(const TestData& data, const ReduceOp& op, std::int64_t count, std::optional<Datatype> rounded_to = {},
            const StopQuestion& interrupted = {});
  /// No reduction: the vector of one rank, to the bit.
  Reference(const TestData& data, Rank source, std::int64_t count, const StopQuestion& interrupted = {});
  /// No reduction: block b is that of rank b's vector, to the bit.
  Reference(const TestData& data, const BlockPartition& blocks, const StopQuestion& interrupted = {});

  /// Whether every element of `part`, which are elements first … of a result, is as it must be.
  bool accepts(ConstVectorView part, std::int64_t first = 0) const;

  /// Numbers of those that are not, the first element of `part` being `number`, in order.
  void add_wrong(ConstVectorView part, std::int64_t first, std::int64_t number, std::vector<std::int64_t>& wrong) const;

  /// Element number `element`, where there is but one that is accepted: false, and nothing written, where there are several.
  bool copy_exact(std::int64_t element, VectorView into) const;

  /// What is accepted: "7", "0.25 ± 3e-06".
  std::string describe(std::int64_t element) const;

 private:
  void fold_exactly(const TestData& data, const ReduceOp& op, const StopQuestion& interrupted);
  template <class T>
  void fold_rounded(const TestData& data, const ReduceOp& op, std::optional<Datatype> rounded_to,
                    const StopQuestion& interrupted);
  template <class T>
  bool within(ConstVectorView part, std::int64_t first) const;

  Buffer expected_;                ///< to the bit; unused (empty) for
  std::vector<double> value_;      ///< sums and products of floats,
  std::vector<double> tolerance_;  ///< and how far off a result may be
};

/// Reductions are expected as `Reference` has it; what is only moved, as its source's bytes. Immutable; safe from any thread.
class ExpectedCall {
 public:
  /// `number` counts the calls of a run; each has data of its own. `op` matters to collectives that reduce. `coarsest` is what
  /// those who reduce may round to (TestData), `rounded_to` what they did, `interrupted` whether to give up (Reference).
  ExpectedCall(const CallLayout& layout, Datatype type, const ReduceOp& op, std::uint64_t seed, int number,
               std::optional<Datatype> coarsest = {}, std::optional<Datatype> rounded_to = {},
               DataValues values = DataValues::usual, const StopQuestion& interrupted = {});

  const CallLayout& layout() const { return layout_; }
  Datatype type() const { return data_.type(); }

  /// This rank's input, layout().input(rank).count elements.
  void fill_input(VectorView input, Rank rank, const StopPoint& stop_point = {}) const;
  /// Whether it is what fill_input made.
  bool is_input(ConstVectorView input, Rank rank, const StopPoint& stop_point = {}) const;
  /// Whether this rank's output, layout().output(rank).count elements, is right.
  bool accepts(ConstVectorView output, Rank rank, const StopPoint& stop_point = {}) const;

  // For explanations: element i of a rank's input or output. Of what is only compared with a rank's data, `element` may be several in
  // a row, from i on.

  std::string describe_input(Rank rank, std::int64_t i) const;
  bool is_input_element(ConstVectorView element, Rank rank, std::int64_t i) const;
  std::string describe_output(Rank rank, std::int64_t i) const;
  /// No value where several are right.
  std::optional<Buffer> exact_output(Rank rank, std::int64_t i) const;
  /// What the rank itself contributes to this place of the whole vector; no value if it contributes nothing.
  std::optional<Buffer> own_contribution(Rank rank, std::int64_t i) const;
  bool accepts_element(ConstVectorView element, Rank rank, std::int64_t i) const;
  /// Which elements of `part`, elements first … of the rank's output, are not accepted, in order: numbers of the output.
  std::vector<std::int64_t> wrong_elements(ConstVectorView part, Rank rank, std::int64_t first) const;
  /// Whether the element is what the rank itself contributes to this place of the whole vector.
  bool is_own_contribution(ConstVectorView element, Rank rank, std::int64_t i) const;
  /// Whether it is what the rank had to find at this place after this call; false if it had to find nothing there. `i` is an
  /// element of the output that `of` had in another call of the same collective.
  bool would_be_right(ConstVectorView element, Rank rank, const CallLayout& of, std::int64_t i) const;

  /// An element of an output by its block: element k of block b.
  struct Place {
    int block;
    std::int64_t k;
  };
  /// No value where the collective has no blocks.
  std::optional<Place> place_of(Rank rank, std::int64_t i) const;
  /// Whether the element is that of a place, of the blocks that this rank might be given. Several in a row end with the block.
  bool is_of_block(ConstVectorView element, Rank rank, Place place) const;
  /// alltoall: whether it is element k of what rank `block` sends to `other`. So are several in a row.
  bool is_sent_to(ConstVectorView element, Place place, Rank other) const;

 private:
  Reference make_result(const ReduceOp& op, std::optional<Datatype> rounded_to, const StopQuestion& interrupted) const;
  /// alltoall: what this rank finds in a place, as an element of its source's data.
  std::int64_t element_of_source(Rank rank, Place place) const {
    return layout_.offset(Rank(place.block), rank.value()) + place.k;
  }

  CallLayout layout_;
  TestData data_;
  Reference result_;  ///< the whole vector; unused (empty) for an alltoall, where each rank has one of its own
};

}  // namespace heddle::emu
