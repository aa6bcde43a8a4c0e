// SPDX-License-Identifier: Apache-2.0
// In which order each channel passes the ranks, and what entries with the option "channels" say alike.
#include "algorithms/families/channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "algorithms/executors/hierarchy.hpp"
#include "heddle/errors.hpp"

namespace heddle::plans {

namespace {

constexpr int kNobody = -1;

/// 1, n-1 and so on inwards: those that have no common divisor with n ≥ 1.
std::vector<int> steps_of(int n) {
  std::vector<int> steps = {1};
  if (n > 2) steps.push_back(n - 1);
  for (int step = 2; 2 * step < n; ++step) {
    if (std::gcd(step, n) != 1) continue;
    steps.push_back(step);
    steps.push_back(n - step);
  }
  return steps;
}

/// Turned so that what was at `first` comes first.
template <class T>
void begin_at(std::vector<T>& values, std::size_t first) {
  std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
}

/// Of the tiers that join some ranks, but not all.
Hierarchy of_nodes(const Tiers& tiers, int ranks) {
  Tiers proper;
  auto groups_before = static_cast<std::size_t>(ranks);
  for (const std::vector<int>& group : tiers.group) {
    const std::size_t groups = std::set<int>(group.begin(), group.end()).size();
    if (groups > 1 && groups < groups_before) proper.group.push_back(group);
    groups_before = groups;
  }
  proper.group.emplace_back(static_cast<std::size_t>(ranks), 0);
  return {proper, ranks, std::numeric_limits<int>::max()};
}

/// The ranks of one node as a channel passes them.
struct Node {
  std::vector<int> order;
  int hub;  ///< at which the channel enters
};

class ChannelOrder {
 public:
  ChannelOrder(const Tiers& tiers, int ranks, bool on_grid) : hierarchy_(of_nodes(tiers, ranks)), on_grid_(on_grid) {
    for (int level = 0; level < hierarchy_.levels(); ++level) {
      std::vector<std::vector<int>>& parts_of = parts_.emplace_back();
      for (int rank = 0; rank < ranks; ++rank) {
        const auto group = static_cast<std::size_t>(hierarchy_.group(level, rank));
        if (group >= parts_of.size()) parts_of.resize(group + 1);
        std::vector<int>& parts = parts_of[group];
        parts.resize(static_cast<std::size_t>(hierarchy_.parts(level, rank)));
        parts[static_cast<std::size_t>(hierarchy_.position(level, rank))] =
            level == 0 ? rank : hierarchy_.group(level - 1, rank);
      }
    }
  }

  bool is_flat() const { return hierarchy_.levels() == 1; }

  /// All ranks.
  std::vector<int> ring(int channel) const {
    std::vector<int> order;
    for (const int group : groups(channel, kNobody)) {
      const Node node = node_of(group, channel, kNobody);
      order.insert(order.end(), node.order.begin(), node.order.end());
    }
    return order;
  }

  /// Of a tree: every channel's nodes are in one order, that of the root first. On a flat fabric each rank is a node, and those
  /// but the root are moved on by the channel's number.
  std::vector<Node> nodes(int channel, int root) const {
    std::vector<Node> all;
    if (!is_flat()) {
      for (const int group : groups(0, root)) all.push_back(node_of(group, channel, root));
      return all;
    }
    const int ranks = hierarchy_.ranks();
    const int first = root == kNobody ? 0 : 1;
    for (int i = 0; i < first; ++i) all.push_back({{root}, root});
    for (int i = 0; i + first < ranks; ++i) {
      const int rank = ((i + channel) % (ranks - first) + first + (root == kNobody ? 0 : root)) % ranks;
      all.push_back({{rank}, rank});
    }
    return all;
  }

 private:
  /// The innermost groups one after the other.
  std::vector<int> groups(int channel, int root) const {
    std::vector<int> all = {0};
    for (int level = hierarchy_.levels() - 1; level > 0; --level) {
      std::vector<int> inner;
      for (const int group : all) {
        std::vector<int> parts = parts_[static_cast<std::size_t>(level)][static_cast<std::size_t>(group)];
        begin_at(parts, first_part(parts, level, group, channel, root));
        inner.insert(inner.end(), parts.begin(), parts.end());
      }
      all = std::move(inner);
    }
    return all;
  }

  /// Of a tree that of the root; elsewhere the next one whenever the ranks of a part have all had their turn. Round all ranks
  /// it does not matter.
  std::size_t first_part(const std::vector<int>& parts, int level, int group, int channel, int root) const {
    if (root != kNobody && hierarchy_.group(level, root) == group)
      return static_cast<std::size_t>(hierarchy_.position(level, root));
    if (level + 1 == hierarchy_.levels()) return 0;
    return static_cast<std::size_t>(channel / hierarchy_.indices_beneath(level)) % parts.size();
  }

  Node node_of(int group, int channel, int root) const {
    const std::vector<int>& members = parts_[0][static_cast<std::size_t>(group)];
    const auto n = static_cast<int>(members.size());
    std::vector<int> steps = steps_of(n);
    if (is_flat() && on_grid_) steps.resize(std::min<std::size_t>(steps.size(), 2));
    const auto start = static_cast<std::size_t>(channel % n);
    const auto turn = static_cast<std::size_t>(is_flat() ? channel : channel / n);
    const auto step = static_cast<std::size_t>(steps[turn % steps.size()]);
    Node node{{}, members[start]};
    for (std::size_t i = 0; i < members.size(); ++i) node.order.push_back(members[(start + i * step) % members.size()]);
    if (const auto at = std::ranges::find(node.order, root); at != node.order.end())
      std::rotate(node.order.begin(), at, at + 1);
    return node;
  }

  Hierarchy hierarchy_;
  bool on_grid_;
  std::vector<std::vector<std::vector<int>>> parts_;  ///< by level, group and position: ranks, or groups of the level beneath
};

/// The nodes as `between` joins them, the ranks of each as a chain.
Tree joined(const std::vector<Node>& nodes, const Tree& between, int ranks) {
  std::vector<int> parents(static_cast<std::size_t>(ranks), kNobody);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto number = static_cast<int>(i);
    int above = between.is_root(number) ? kNobody : nodes[static_cast<std::size_t>(between.parent(number))].hub;
    for (const int rank : nodes[i].order) parents[static_cast<std::size_t>(rank)] = std::exchange(above, rank);
  }
  const auto depth_of = [&parents](int rank) {
    int depth = 0;
    for (int above = parents[static_cast<std::size_t>(rank)]; above != kNobody;
         above = parents[static_cast<std::size_t>(above)])
      ++depth;
    return depth;
  };
  const int root = nodes[static_cast<std::size_t>(between.root())].order.front();
  return {ranks, root, [&](int rank) { return Tree::Edge{parents[static_cast<std::size_t>(rank)], depth_of(rank) - 1}; }};
}

std::vector<Tree> trees_of(const Tiers& tiers, int ranks, int channels, int root) {
  const ChannelOrder order(tiers, ranks, false);
  std::vector<Tree> trees;
  for (int channel = 0; channel < channels; ++channel) {
    const std::vector<Node> nodes = order.nodes(channel, root);
    const auto count = static_cast<int>(nodes.size());
    for (const Tree& between : root == kNobody ? mirrored_binary_trees(count) : double_binary_trees(count, 0))
      trees.push_back(joined(nodes, between, ranks));
  }
  return trees;
}

}  // namespace

namespace {

ChannelRing ring_of(std::vector<int> order) {
  ChannelRing ring{std::move(order), {}};
  ring.position.resize(ring.order.size());
  for (std::size_t position = 0; position < ring.order.size(); ++position)
    ring.position[static_cast<std::size_t>(ring.order[position])] = static_cast<int>(position);
  return ring;
}

}  // namespace

std::vector<ChannelRing> channel_rings(const Tiers& tiers, int ranks, bool on_grid, int channels) {
  const ChannelOrder order(tiers, ranks, on_grid);
  std::vector<ChannelRing> rings;
  for (int channel = 0; channel < channels; ++channel) rings.push_back(ring_of(order.ring(channel)));
  return rings;
}

std::vector<ChannelRing> channel_rings(const ChannelGraph& graph, int ranks) {
  std::vector<ChannelRing> rings;
  for (const std::vector<int>& chain : graph.chains) {
    std::vector<int> order;
    for (int first = 0; first < ranks; first += graph.gpus)
      for (const int gpu : chain) order.push_back(first + gpu);
    rings.push_back(ring_of(std::move(order)));
  }
  return rings;
}

std::vector<Tree> channel_chains(const Tiers& tiers, int ranks, bool on_grid, int channels, int root) {
  if (channels == 1) return {chain_tree(ranks, root)};
  const ChannelOrder all(tiers, ranks, on_grid);
  std::vector<Tree> chains;
  for (int channel = 0; channel < channels; ++channel) {
    std::vector<int> order = all.ring(channel);
    begin_at(order, static_cast<std::size_t>(std::ranges::find(order, root) - order.begin()));
    std::vector<Tree::Edge> edges(order.size());
    for (std::size_t i = 1; i < order.size(); ++i)
      edges[static_cast<std::size_t>(order[i])] = {order[i - 1], static_cast<int>(i) - 1};
    chains.push_back(Tree(ranks, root, [&](int rank) { return edges[static_cast<std::size_t>(rank)]; }));
  }
  return chains;
}

std::vector<Tree> channel_trees(const Tiers& tiers, int ranks, int channels, std::optional<int> root) {
  if (channels > 1) return trees_of(tiers, ranks, channels, root.value_or(kNobody));
  return root ? double_binary_trees(ranks, *root) : mirrored_binary_trees(ranks);
}

void on_channel_rings(Communicator& comm, const RingChannels& channels,
                      const std::function<void(int channel, Communicator&, const ChannelRing&, int position)>& ring) {
  const int count = channels.channels;
  const std::string key = fmt::format("{} channels, rings {}", count, channels.graph ? channels.graph->path : "");
  const auto rings = comm.shared_plan<std::vector<ChannelRing>>(key, [&] {
    return channels.graph ? channel_rings(*channels.graph, comm.size())
                          : channel_rings(comm.tiers(), comm.size(), comm.grid() != nullptr, count);
  });
  comm.concurrently(count, [&](int channel, Communicator& task) {
    const ChannelRing& order = (*rings)[static_cast<std::size_t>(channel)];
    ring(channel, task, order, order.position[static_cast<std::size_t>(comm.rank().value())]);
  });
}

std::shared_ptr<const std::vector<Tree>> shared_channel_chains(Communicator& comm, int channels, Rank root) {
  return comm.shared_plan<std::vector<Tree>>(fmt::format("{} channels, chains, root {}", channels, root.value()), [&] {
    return channel_chains(comm.tiers(), comm.size(), comm.grid() != nullptr, channels, root.value());
  });
}

std::shared_ptr<const std::vector<Tree>> shared_channel_trees(Communicator& comm, int channels, std::optional<int> root) {
  return comm.shared_plan<std::vector<Tree>>(fmt::format("{} channels, trees, root {}", channels, root.value_or(kNobody)),
                                             [&] { return channel_trees(comm.tiers(), comm.size(), channels, root); });
}

std::int64_t most_slices_sent(const std::vector<Tree>& trees, bool up, bool down) {
  std::int64_t most = 0;
  for (int rank = 0; rank < trees.front().ranks(); ++rank) {
    std::int64_t sent = 0;
    for (const Tree& tree : trees) {
      if (up && !tree.is_root(rank)) ++sent;
      if (down) sent += static_cast<std::int64_t>(tree.children(rank).size());
    }
    most = std::max(most, sent);
  }
  return most;
}

int ranks_of_largest_node(const Tiers& tiers, int ranks) {
  const Hierarchy hierarchy = of_nodes(tiers, ranks);
  if (hierarchy.levels() == 1) return 1;
  int most = 1;
  for (int rank = 0; rank < ranks; ++rank) most = std::max(most, hierarchy.parts(0, rank));
  return most;
}

int steps_round(int ranks) { return static_cast<int>(steps_of(ranks).size()); }

}  // namespace heddle::plans

namespace heddle {

namespace {

constexpr int kMostChannels = 128;

/// Where there are nodes, one channel for each rank of a node, or eight where there are more. On a flat fabric two, which go
/// opposite ways, and off a grid as many as a full mesh has links for, up to eight.
std::vector<std::string> channel_candidates(const Shape& shape) {
  constexpr int kUsual = 8;  // NICs of a node
  std::vector<int> channels;
  if (const int node = plans::ranks_of_largest_node(shape.tiers, shape.ranks); node > 1)
    channels = {std::min(node, kUsual), std::min(node, 2 * kUsual)};
  else if (shape.ranks > 2)
    channels = {2, shape.dims.empty() ? std::min(plans::steps_round(shape.ranks), kUsual) : 2};
  channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
  std::vector<std::string> values;
  for (const int number : channels) values.push_back(std::to_string(number));
  return values;
}

}  // namespace

Parameter channels_parameter() {
  return {.name = "channels",
          .default_value = "1",
          .meaning =
              "how many at once, each on its slice and begun at another rank of a node, for nodes with several NICs: 1 … 128",
          .examples = {"2"},
          .candidates = channel_candidates};
}

int channels_of(const Options& options) { return static_cast<int>(options.number("channels", 1, kMostChannels)); }

std::vector<Parameter> ring_parameters() {
  return {channels_parameter(),
          {.name = "order",
           .default_value = "ranks",
           .meaning =
               "in which rings pass the ranks: ranks, or FILE.xml, NCCL's graph (NCCL_GRAPH_DUMP_FILE) with a ring for each of "
               "its channels",
           .candidates = candidates_anywhere({})}};
}

plans::RingChannels ring_channels_of(const Options& options) {
  if (options.is_default("order")) return {channels_of(options)};
  const std::string& path = options.text("order");
  if (!options.is_default("channels"))
    throw InputError(
        fmt::format("option channels={}: {} has its own channels; leave channels out", options.text("channels"), path));
  auto graph = plans::read_channel_graph(path);
  const auto channels = static_cast<int>(graph->chains.size());
  return {channels, std::move(graph)};
}

std::function<std::string(const Shape&, const ReduceOp&)> refusal_of(const plans::RingChannels& channels) {
  if (channels.graph == nullptr) return nullptr;
  return [graph = channels.graph](const Shape& shape, const ReduceOp&) {
    if (shape.ranks % graph->gpus == 0) return std::string();
    return fmt::format("it needs whole nodes of the {} GPUs that {} has", graph->gpus, graph->path);
  };
}

}  // namespace heddle
