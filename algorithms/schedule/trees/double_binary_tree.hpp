// SPDX-License-Identifier: Apache-2.0
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
#pragma once

#include <array>

#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::schedule {

/// Of a position from 1 to positions - 1.
int binary_tree_parent(int position, int positions);

using TwinTrees = std::array<Tree, 2>;

/// Both have one root. The other ranks are counted from it on, v = 1 … p-1: v is the position in the first tree; in the second
/// it is p - v if p is odd, and v - 1 if p is even, with p - 1 for v = 1, which is then a leaf of both.
TwinTrees double_binary_trees(int ranks, int root);

/// For an allreduce, which has no root of its own. The second tree is the mirror of the first: position p-1 - rank if p is
/// even, so that its root is the last rank and every rank passes on in one tree exactly; (p - rank) mod p if p is odd, where
/// rank 0 is the root of both. A subtree is a run of ranks with its root among them.
TwinTrees mirrored_binary_trees(int ranks);

}  // namespace heddle::schedule
