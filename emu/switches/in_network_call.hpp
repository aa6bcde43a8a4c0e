// SPDX-License-Identifier: Apache-2.0
// One operation of the switches as its ranks ask for it: what they agree on, and the data that comes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emu/switches/in_network.hpp"
#include "heddle/collective.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"
#include "topo/graph/switch_tree.hpp"

namespace heddle::emu {

// One operation in the network: how many bytes on each link, and how long after they have drained each rank has its part.

/// Elements that ranks give to each other. Of an alltoall, sizes differ by rank.
struct InNetworkSizes {
  std::int64_t count = 0;  ///< of the whole vector; of an alltoall, the most that one rank has
  Rank root = {};
  std::vector<std::int64_t> own = {};                          ///< reduce_scatter, allgather: of each rank's block
  std::function<std::int64_t(int from, int to)> between = {};  ///< alltoall
};

struct InNetworkPlan {
  double bytes = 0;                          ///< of the operation, real ones
  std::vector<InNetworkDomain::Load> loads;  ///< in real bytes
  std::vector<InNetworkDomain::Flow> ranks;  ///< what each sends up and gets down, in real bytes
  std::vector<Time> latency;                 ///< by rank: from drained to done; 0 where it gets nothing
};

/// `element_bytes` on the wire. The collective is one that the domain serves.
InNetworkPlan plan_in_network(const InNetworkDomain& domain, Collective collective, const InNetworkSizes& sizes,
                              std::size_t element_bytes);

/// Of a rank that has what the others have, too: the type and the elements of the whole vector.
Datatype type_of(Collective collective, const CollectiveArguments& arguments);
std::int64_t whole_count(Collective collective, const CollectiveArguments& arguments);

/// "allreduce of sum 4 x i32", "broadcast of 7 x f32 from root 2".
std::string call_text(Collective collective, const CollectiveArguments& arguments);

/// Whether two ranks ask for the same thing.
bool is_same_call(Collective collective, const CollectiveArguments& a, const CollectiveArguments& b);

/// `calls` by rank.
InNetworkSizes sizes_of(Collective collective, std::span<const CollectiveArguments* const> calls);

/// Empty if what each rank gives and takes fits together; else what does not.
std::string mismatch(Collective collective, std::span<const CollectiveArguments* const> calls);

/// What a rank gives to the switches and gets from them; empty where it is nothing.
ConstVectorView given_by(Collective collective, const CollectiveArguments& call, int rank);
VectorView got_by(Collective collective, const CollectiveArguments& call, int rank);

/// Does what the switches do with the data: reads every rank's input, writes every rank's output. Sums are those of the tree:
/// each switch adds up its children's in the order of its ports, floats narrower than f32 in 32 bits and rounded once as they leave it, and
/// f32 given and taken as `precision`, where there is one.
void move_data(Collective collective, const SwitchTree& tree, std::optional<Datatype> precision,
               std::span<const CollectiveArguments* const> calls);

// The arithmetic of a tree of switches.

/// Reduces vectors as a tree of switches does: each switch combines what its children give in the order of its ports. Sums and
/// products of narrower floats are made in f32 in a switch and rounded to nearest even once, when they leave it. With a precision, f32 is rounded
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
