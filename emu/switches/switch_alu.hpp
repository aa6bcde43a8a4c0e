// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a tree of switches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/reduce_op.hpp"
#include "core/vector_view.hpp"
#include "topo/graph/switch_tree.hpp"

namespace heddle::emu {

/// Reduces vectors as a tree of switches does: each switch combines what its children give in the order of its ports. f16 and
/// bf16 are widened to f32 in a switch and rounded to nearest even once, when they leave it. With a precision, f32 is rounded
/// to it as it leaves a rank and as it leaves a switch, and computed in f32 in between.
class SwitchAlu {
 public:
  /// All outlive the ALU. `type` is the vectors'.
  SwitchAlu(const SwitchTree& tree, const ReduceOp& op, Datatype type, std::optional<Datatype> precision);

  /// The most elements of one reduce().
  static constexpr std::int64_t kChunk = 2048;

  /// into = the tree's reduction of `inputs`, by participant, each of into.count() ≤ kChunk elements; `into` may be one of
  /// them.
  void reduce(std::span<const ConstVectorView> inputs, VectorView into);

 private:
  void reduce_node(int node, std::span<const ConstVectorView> inputs, std::int64_t count, std::size_t level);
  /// What a node gives to its parent, as the parent's ALU takes it.
  ConstVectorView given_by(int node, std::span<const ConstVectorView> inputs, std::int64_t count, std::size_t level);
  VectorView accumulator(std::size_t level, std::int64_t count);

  const SwitchTree& tree_;
  const ReduceOp& op_;
  Datatype type_;
  std::optional<Datatype> precision_;
  Datatype inside_;                         ///< what the ALU computes in
  std::optional<Datatype> outside_;         ///< what is rounded to between switches; none: the same
  std::vector<std::vector<int>> children_;  ///< by node
  std::vector<Buffer> accumulators_;        ///< by level
  Buffer widened_;                          ///< of a leaf
};

}  // namespace heddle::emu
