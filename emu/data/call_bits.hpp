// SPDX-License-Identifier: Apache-2.0
// The bits of one call's results, where they may differ though all are right: sums and products of floats. docs/model.md, "The
// same bits".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/once.hpp"
#include "emu/data/call_layout.hpp"
#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// Elements of which some ranks hold other bits than others.
struct DifferentBits {
  struct Value {
    std::string text;         ///< "0.25 (0x3e800000)"
    std::vector<Rank> ranks;  ///< in their order
  };
  std::int64_t count = 0;     ///< of such elements
  std::int64_t element = 0;   ///< the first of them
  std::vector<Value> values;  ///< there, the one of the lowest rank first
};

/// "2 of 7 elements; the first is element 1: 0.25 (0x3e800000) on ranks 0-1, 0.2500001 (0x3e800003) on rank 2".
std::string different_bits_text(const DifferentBits& different, std::int64_t elements);

/// An element's value and its bits: "0.25 (0x3e800000)". Of a built-in type.
std::string bits_text(ConstVectorView element);

/// A number that changes with each bit of the vector.
std::uint64_t hash_of_bits(ConstVectorView vector);

/// What it finds does not depend on which rank comes first.
class CallBits {
 public:
  CallBits(const CallLayout& layout, Datatype type, const ReduceOp& op);

  /// Of a rank whose output is right, on its own task as soon as its call has returned. Ranks may do so at the same time.
  void note(ConstVectorView output, Rank rank);

  // Once all ranks have returned.

  /// Whether all ranks hold one vector whose bits may differ: an allreduce of floats that round.
  bool are_shared() const { return shared_; }
  std::int64_t elements() const { return elements_; }
  /// No value: each rank has the same bits, or they share no result.
  std::optional<DifferentBits> difference() const;
  /// By rank; empty where nothing rounds.
  const std::vector<std::uint64_t>& hashes() const { return hashes_; }

 private:
  /// Where a rank's bits first differ from those of the rank that came first.
  struct Different {
    std::int64_t element = -1;  ///< nowhere
    std::array<std::byte, sizeof(double)> value = {};
  };

  void note_difference(ConstVectorView output, Rank rank);

  Datatype type_;
  std::int64_t elements_;
  bool shared_;
  std::vector<std::uint64_t> hashes_;

  Once first_has_come_;
  std::optional<Buffer> first_;       ///< the output of the rank that came first
  std::vector<Different> different_;  ///< by rank
  std::vector<char> has_returned_;
  std::mutex mutex_;                ///< of
  std::vector<bool> is_different_;  ///< by element: not all ranks have the same bits; empty as long as they do
};

/// Which rank's result a checked run is to keep, and what it was.
struct KeptOutput {
  int group = 0;
  int call = 0;
  int rank = 0;  ///< of the group
  std::optional<Buffer> output = {};
  std::int64_t first = 0;  ///< what its element 0 is called in explanations
};

}  // namespace heddle::emu
