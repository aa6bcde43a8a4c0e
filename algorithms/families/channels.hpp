// SPDX-License-Identifier: Apache-2.0
// Rings and trees over channels: several at once, each on its slice of the vector and each in an order of its own. Pure.
//
// A node of several GPUs often has a network card (NIC) for each of them. One ring enters each node at one rank, so one card of
// a node carries all. Channel c therefore begins in each node at the node's c-th rank, and enters by that rank's card. It ends
// there at the rank before that, so channels also leave by different cards.
//
//   two nodes of four      channel 0   0 1 2 3 | 4 5 6 7
//                          channel 1   1 2 3 0 | 5 6 7 4
//                          channel 2   2 3 0 1 | 6 7 4 5
//                          channel 4   0 3 2 1 | 4 7 6 5
//
// Once every rank of a node has begun a channel, the next ones go through the node in other steps: backwards, then in longer
// ones, which have no common divisor with the node's ranks. Where each two ranks have a link of their own, these channels use
// others of them; below a switch all steps are alike.
//
// A chain is a ring that begins at the root and lacks its last link. A tree joins nodes, and the ranks of each node hang on its
// c-th one as a chain in the same order:
//
//   channel 1, the tree whose root is node 0      1 - 5 between the nodes,  1 - 2 - 3 - 0 and 5 - 6 - 7 - 4 within
//
// Nodes are the innermost groups of Communicator::tiers(). More tiers order them: groups of nodes are passed one after the
// other, each begun at the next node once the ranks of a node have all had their turn. Nodes may have different numbers of
// ranks: each begins at c modulo its own.
//
// A flat fabric has no nodes. Each channel of a ring then goes in steps of its own: two go opposite ways, more of them use more
// of a full mesh, and where a rank has one link they gain nothing. On a grid all go forwards or backwards, as other steps leave
// its links. A tree is one over all ranks, moved on by c ranks.
//
// With one channel, rings and trees are those in rank order, whatever the fabric.
//
// Source: NCCL's channels (src/graph/connect.cc): rings that enter and leave a node at ranks of their own, double binary trees
// between nodes with a chain in each. NCCL searches the order within a node on the links that it finds there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/executors/pipeline.hpp"
#include "algorithms/executors/trees.hpp"
#include "algorithms/families/channel_graph.hpp"
#include "algorithms/families/ring.hpp"
#include "heddle/communicator.hpp"
#include "heddle/grid.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

/// One for each channel. `on_grid`: the fabric is a grid. Throws UsageError if a group of one tier does not lie within one of
/// the next.
std::vector<ChannelRing> channel_rings(const Tiers& tiers, int ranks, bool on_grid, int channels);

/// The same for a graph of NCCL's: node after node, each in the channel's order. The ranks are whole nodes.
std::vector<ChannelRing> channel_rings(const ChannelGraph& graph, int ranks);

/// The same as chains, begun at the root.
std::vector<Tree> channel_chains(const Tiers& tiers, int ranks, bool on_grid, int channels, int root);

/// Two trees for each channel, one after the other. With a root as in double_binary_trees, all of that root; without, for an
/// allreduce, as in mirrored_binary_trees.
std::vector<Tree> channel_trees(const Tiers& tiers, int ranks, int channels, std::optional<int> root = {});

// The same for the ranks of a communicator, made once for all of them.
std::shared_ptr<const std::vector<Tree>> shared_channel_chains(Communicator& comm, int channels, Rank root);
std::shared_ptr<const std::vector<Tree>> shared_channel_trees(Communicator& comm, int channels, std::optional<int> root = {});

/// How many slices one rank sends at most, where each tree carries a slice of its own: one to each child if it goes `down`, one
/// to the parent if it goes `up`.
std::int64_t most_slices_sent(const std::vector<Tree>& trees, bool up, bool down);

/// The ranks of the largest innermost group; 1 on a flat fabric.
int ranks_of_largest_node(const Tiers& tiers, int ranks);

/// How many steps round a ring of so many ranks pass all of them: the numbers below it that have no common divisor with it.
int steps_round(int ranks);

}  // namespace heddle::plans
