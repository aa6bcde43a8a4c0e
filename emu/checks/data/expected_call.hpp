// SPDX-License-Identifier: Apache-2.0
// One call of a checked run: what goes into each rank, and what must come out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/reduce_op.hpp"
#include "emu/checks/data/call_layout.hpp"
#include "emu/checks/data/reference.hpp"
#include "emu/checks/data/test_data.hpp"

namespace heddle::emu {

/// Reductions are expected as `Reference` has it; what is only moved, as its source's bytes. Immutable; safe from any thread.
class ExpectedCall {
 public:
  /// `number` counts the calls of a run; each has data of its own. `op` matters to collectives that reduce. `coarsest` is what
  /// those who reduce may round to (TestData), `rounded_to` what they did (Reference).
  ExpectedCall(const CallLayout& layout, Datatype type, const ReduceOp& op, std::uint64_t seed, int number,
               std::optional<Datatype> coarsest = {}, std::optional<Datatype> rounded_to = {},
               DataValues values = DataValues::usual);

  const CallLayout& layout() const { return layout_; }
  Datatype type() const { return data_.type(); }

  /// This rank's input, layout().input(rank).count elements.
  void fill_input(VectorView input, Rank rank) const;
  /// Whether it is what fill_input made.
  bool is_input(ConstVectorView input, Rank rank) const;
  /// Whether this rank's output, layout().output(rank).count elements, is right.
  bool accepts(ConstVectorView output, Rank rank) const;

  // For explanations: element i of a rank's input or output.

  std::string describe_input(Rank rank, std::int64_t i) const;
  bool is_input_element(ConstVectorView element, Rank rank, std::int64_t i) const;
  std::string describe_output(Rank rank, std::int64_t i) const;
  /// No value where several are right.
  std::optional<Buffer> exact_output(Rank rank, std::int64_t i) const;
  /// What the rank itself contributes to this place of the whole vector; no value if it contributes nothing.
  std::optional<Buffer> own_contribution(Rank rank, std::int64_t i) const;
  bool accepts_element(ConstVectorView element, Rank rank, std::int64_t i) const;
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
  /// Whether the element is that of a place, of the blocks that this rank might be given.
  bool is_of_block(ConstVectorView element, Rank rank, Place place) const;
  /// alltoall: whether it is element k of what rank `block` sends to `other`.
  bool is_sent_to(ConstVectorView element, Place place, Rank other) const;

 private:
  Reference make_result(const ReduceOp& op, std::optional<Datatype> rounded_to) const;
  /// alltoall: what this rank finds in a place, as an element of its source's data.
  std::int64_t element_of_source(Rank rank, Place place) const {
    return layout_.offset(Rank(place.block), rank.value()) + place.k;
  }

  CallLayout layout_;
  TestData data_;
  Reference result_;  ///< the whole vector; unused (empty) for an alltoall, where each rank has one of its own
};

}  // namespace heddle::emu
