// SPDX-License-Identifier: Apache-2.0
// Rooted spanning trees of ranks as values, and broadcast and reduce over any of them.
//
// A tree says of every rank but the root which rank is its parent, and in which step of a broadcast it hears from it: later
// than the parent did. A reduce takes the steps backwards. Everything else (children in the order of steps, depths, heights,
// the ranks below) follows from that.
//
//   binomial, distance halving, p = 8               binomial, distance doubling, p = 8
//   0 ----------- 4        step 0: 0->4             0 - 1                 step 0: 0->1
//   0 ----- 2     4 ----- 6     1: 0->2 4->6        0 ----- 2             1: 0->2 1->3
//   0 - 1   2 - 3 4 - 5   6 - 7 2: 0->1 2->3 …      1 ----- 3   …         2: 0->4 1->5 2->6 3->7
//
// Source: Bine trees (De Sensi et al.) §2.1 and Fig. 1 and 2; explainer 01 (Lu) §3.2, §4.2.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/registry/entry.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

/// Immutable; safe to share between threads.
class Tree {
 public:
  /// How a rank hangs on its parent.
  struct Edge {
    int parent;
    int step;  ///< of a broadcast, from 0
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  /// The edge of each rank but the root.
  using EdgeOf = std::function<Edge(int rank)>;

  /// Throws std::logic_error unless every parent is a rank that hears before its children.
  Tree(int ranks, int root, const EdgeOf& edge_of);

  int ranks() const { return static_cast<int>(nodes_.size()); }
  int root() const { return root_; }
  bool is_root(int rank) const { return rank == root_; }
  /// Of the root: -1.
  int parent(int rank) const { return node(rank).edge.parent; }
  int step(int rank) const { return node(rank).edge.step; }
  /// In the order of steps; several may share one.
  std::span<const int> children(int rank) const {
    return std::span(children_).subspan(node(rank).first_child, node(rank).children);
  }
  /// Edges between the root and a rank.
  int depth(int rank) const { return node(rank).depth; }
  /// Edges between a rank and the farthest rank below it.
  int height(int rank) const { return node(rank).height; }
  int height() const { return height(root_); }

  /// Of every rank: itself and all ranks below it.
  std::vector<RunSet> subtrees() const;

 private:
  struct Node {
    Edge edge{-1, -1};
    std::size_t first_child = 0;
    std::size_t children = 0;
    int depth = 0;
    int height = 0;
  };
  const Node& node(int rank) const { return nodes_[static_cast<std::size_t>(rank)]; }
  Node& node(int rank) { return nodes_[static_cast<std::size_t>(rank)]; }

  int root_;
  std::vector<Node> nodes_;
  std::vector<int> by_step_;   ///< all ranks, parents before children
  std::vector<int> children_;  ///< of all ranks, parent by parent
};

// Edges as pure functions. Trees with another root than 0 are those of root 0 with the ranks counted from the root on.

/// The lowest set bit cleared: 0 -> p/2 first, neighbours last. A subtree is a run of ranks (round the end) behind its root.
Tree::Edge binomial_halving_edge(int rank, int ranks, int root);
/// The highest set bit cleared: 0 -> 1 first, the greatest distance last.
Tree::Edge binomial_doubling_edge(int rank, int ranks, int root);

Tree binomial_halving_tree(int ranks, int root);
Tree binomial_doubling_tree(int ranks, int root);
/// Everyone hangs on the root, in one step.
Tree star_tree(int ranks, int root);
/// Everyone hangs on the rank before it, round the end.
Tree chain_tree(int ranks, int root);

/// What make(ranks, root) gives for the ranks of a communicator (a tree, say), made once for all of them. Nothing else of
/// the same type has that `name`.
template <class Make>
auto tree_plan(Communicator& comm, std::string_view name, Rank root, const Make& make) {
  using Plan = std::invoke_result_t<const Make&, int, int>;
  return comm.shared_plan<Plan>(std::string(name) + ", root " + std::to_string(root.value()),
                                [&] { return make(comm.size(), root.value()); });
}

/// Calls visit(children) for each step in which `rank` sends, with those that it sends to.
template <class Visit>
void for_each_step(const Tree& tree, int rank, const Visit& visit) {
  std::span<const int> rest = tree.children(rank);
  while (!rest.empty()) {
    std::size_t together = 1;
    while (together < rest.size() && tree.step(rest[together]) == tree.step(rest.front())) ++together;
    visit(rest.first(together));
    rest = rest.subspan(together);
  }
}

/// Blocks. From the root's vector to everyone's. A rank sends to the children of one step at once, step after step. Sends
/// messages even if the vector is empty.
void tree_broadcast(Communicator& comm, const Tree& tree, VectorView vector);

/// Blocks. From everyone's vector to their sum at the root; elsewhere the vector is then undefined. Takes children in by steps
/// from the last to the first, those of lower number on the left: rank order is kept if what a rank has taken in is a run of
/// ranks all the way (as in a binomial tree of distance halving with root 0), else the operation must be commutative. Sends
/// messages even if the vector is empty.
void tree_reduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op);

// Gather and scatter over any tree: a message carries the blocks of all ranks below an edge.
//
// The ranks of a subtree may be any set. A message holds their blocks in rank order, cut into as many pieces as the set has
// runs; nothing is copied. What a rank only passes on lies in scratch in the meantime, and nothing else does.

/// A tree and who is below each edge. Immutable; safe to share between threads.
struct BlockTree {
  explicit BlockTree(Tree shape) : tree(std::move(shape)), subtrees(tree.subtrees()) {}

  const RunSet& below(int rank) const { return subtrees[static_cast<std::size_t>(rank)]; }

  Tree tree;
  std::vector<RunSet> subtrees;
};

/// Blocks. Everyone's `own` block comes to lie in `whole`, which is empty but at the root; there `own` may be its place in
/// `whole`. A message of no elements is not sent.
void tree_gather(Communicator& comm, const BlockTree& tree, ConstVectorView own, VectorView whole,
                 const BlockPartition& blocks);
/// The same backwards. A rank sends to the children of one step at once, step after step.
void tree_scatter(Communicator& comm, const BlockTree& tree, ConstVectorView whole, VectorView own,
                  const BlockPartition& blocks);

/// The same with a whole vector on every rank: blocks pass through it, so a rank then has those of its whole subtree.
void tree_gather(Communicator& comm, const BlockTree& tree, VectorView vector, const BlockPartition& blocks);
void tree_scatter(Communicator& comm, const BlockTree& tree, VectorView vector, const BlockPartition& blocks);

// Two binary trees over the same ranks such that who passes data on in one is a leaf of the other. Pure.
//
// One tree on positions 0 … p-1: position 0 is the root with one child, below which 1 … p-1 hang as a binary tree in order. The
// parent of a position is its number with the lowest set bit b cleared and the bit above b set; where that is p or more, only
// cleared. So odd positions are leaves, and even ones pass on. p = 8, and p = 6:
//
//   0 ------------- 4                    0 ------------- 4
//           2 ------+------ 6                    2 ------+-- 5
//       1 --+-- 3       5 --+-- 7            1 --+-- 3
//
// A second tree with positions of the other parity for every rank makes a pair: each rank has at most two children in one tree
// and none in the other. With half of the vector on each tree, a rank passes on no more than one vector.
//
// Source: explainer 01 (Lu) §5.2; the idea is Sanders, Speck and Träff's, the bit rule NCCL's.

/// Of a position from 1 to positions - 1.
int binary_tree_parent(int position, int positions);

/// Both have one root. The other ranks are counted from it on, v = 1 … p-1: v is the position in the first tree; in the second
/// it is p - v if p is odd, and v - 1 if p is even, with p - 1 for v = 1, which is then a leaf of both.
std::vector<Tree> double_binary_trees(int ranks, int root);

/// For an allreduce, which has no root of its own. The second tree is the mirror of the first: position p-1 - rank if p is
/// even, so that its root is the last rank and every rank passes on in one tree exactly; (p - rank) mod p if p is odd, where
/// rank 0 is the root of both. A subtree is a run of ranks with its root among them.
std::vector<Tree> mirrored_binary_trees(int ranks);

using MakeTree = Tree (*)(int ranks, int root);

}  // namespace heddle::plans

// A family of trees makes its collectives from one tree, which make(ranks, root) gives. What `facts` leave open is what a binomial
// tree has. No other tree goes by the name of the entry.

namespace heddle {

namespace broadcast {
/// By default ⌈log2 p⌉ rounds, ⌈log2 p⌉ · M.
Algorithm tree_entry(Algorithm facts, plans::MakeTree make);
}  // namespace broadcast

namespace reduce {
/// For commutative operations. By default ⌊log2 p⌋ rounds, M.
Algorithm tree_entry(Algorithm facts, plans::MakeTree make);
}  // namespace reduce

namespace gather {
/// By default ⌊log2 p⌋ rounds. `facts` say the bytes.
Algorithm tree_entry(Algorithm facts, plans::MakeTree make);
}  // namespace gather

namespace scatter {
/// By default ⌈log2 p⌉ rounds, (p-1)/p · M.
Algorithm tree_entry(Algorithm facts, plans::MakeTree make);
}  // namespace scatter

}  // namespace heddle
