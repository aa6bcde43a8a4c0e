// SPDX-License-Identifier: Apache-2.0
#include "emu/switches/in_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace heddle {

namespace {

/// Offers of which a switch has all or not.
struct Offers {
  bool alu;
  bool multicast;
  bool scatter_gather;
  std::string_view name;
};
constexpr std::array<Offers, 4> kOffersByUse = {{{true, false, false, "an ALU"},
                                                 {false, true, false, "multicast"},
                                                 {true, true, false, "an ALU and multicast"},
                                                 {false, false, true, "scatter-gather (a2a)"}}};

/// Which offers a collective takes (Collectives Explainer 04, §1.4); no value: none has been built for it.
std::optional<int> use_number(Collective collective) {
  switch (collective) {
    case Collective::reduce:
    case Collective::reduce_scatter:
      return 0;
    case Collective::broadcast:
    case Collective::allgather:
      return 1;
    case Collective::allreduce:
      return 2;
    case Collective::alltoall:
      return 3;
    case Collective::gather:
    case Collective::scatter:
    case Collective::barrier:
      return std::nullopt;
  }
  return std::nullopt;
}

bool has_all(const SwitchOffers& has, const Offers& wanted) {
  return has.alu >= wanted.alu && has.multicast >= wanted.multicast && has.scatter_gather >= wanted.scatter_gather;
}

}  // namespace

const SwitchGraph& LazySwitchGraph::get() {
  once_([this] { graph_ = std::make_unique<SwitchGraph>(topology_); });
  return *graph_;
}

InNetworkDomain::InNetworkDomain(const Fabric& fabric, Placement endpoints, std::shared_ptr<LazySwitchGraph> graph,
                                 std::vector<SwitchFault> faults)
    : fabric_(fabric), endpoints_(std::move(endpoints)), graph_(std::move(graph)), faults_(std::move(faults)) {}

bool InNetworkDomain::serves(VertexId a_switch, int number) const {
  const Offers& wanted = kOffersByUse[static_cast<std::size_t>(number)];
  if (!has_all(fabric_.topology().offers(a_switch), wanted)) return false;
  return !wanted.alu || std::ranges::find(faults_, a_switch, &SwitchFault::a_switch) == faults_.end();
}

/// What a refusal adds where faults may be its reason.
std::string InNetworkDomain::lost_offers(int number) const {
  std::string text;
  if (!kOffersByUse[static_cast<std::size_t>(number)].alu) return text;
  for (const SwitchFault& fault : faults_)
    text += fmt::format("{}{}", text.empty() ? " (fault " : " ", to_string(fault, fabric_.topology()));
  return text.empty() ? text : text + ")";
}

InNetworkDomain::Use& InNetworkDomain::use(Collective collective) const {
  const int number = use_number(collective).value();
  Use& use = uses_[static_cast<std::size_t>(number)];
  use.once([&] { build(use, number); });
  return use;
}

void InNetworkDomain::build(Use& use, int number) const {
  const Topology& topology = fabric_.topology();
  const Offers& wanted = kOffersByUse[static_cast<std::size_t>(number)];
  if (topology.switches() == 0) {
    use.refusal = fmt::format("{} has no switches", topology.spec());
    return;
  }
  bool any = false;
  for (VertexId s = topology.endpoints(); s < topology.endpoints() + topology.switches() && !any; ++s) any = serves(s, number);
  if (!any) {
    use.refusal = fmt::format("{} has no switch with {}{}", topology.spec(), wanted.name, lost_offers(number));
    return;
  }
  const auto offers = [&](VertexId s) { return serves(s, number); };
  use.tree = switch_tree(graph_->get(), endpoints_, offers);
  if (!use.tree) {
    const std::size_t outside = first_outside(graph_->get(), endpoints_, offers).value_or(0);
    use.refusal = outside == 0 ? fmt::format("rank 0 is at no switch with {}", wanted.name)
                               : fmt::format("rank {} is outside the domain of rank 0: no switches with {} join them", outside,
                                             wanted.name);
    use.refusal += lost_offers(number);
    return;
  }
  use.refusal = refusal_of_radix(*use.tree, number);
}

/// How many of a switch's ports a link of the tree takes: one, or all that the trunk has there.
int InNetworkDomain::ports(VertexId a_switch, LinkId link, int number) const {
  if (!is_striped(link, number)) return 1;
  const Topology& topology = fabric_.topology();
  const Trunk trunk = topology.trunk(topology.trunk_of(link));
  int ports = 0;
  for (int i = 0; i < trunk.count; ++i) {
    const LinkEnds ends = topology.ends(trunk[i]);
    ports += ends.from == a_switch || ends.to == a_switch ? 1 : 0;
  }
  return ports;
}

std::string InNetworkDomain::refusal_of_radix(const SwitchTree& tree, int number) const {
  std::vector<int> taken(tree.nodes.size(), 0);
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const SwitchTree::Node& node = tree.nodes[n];
    const auto parent = static_cast<std::size_t>(node.parent);
    taken[parent] += ports(tree.nodes[parent].vertex, node.down, number);
    if (node.participant == SwitchTree::kNone) taken[n] += ports(node.vertex, node.up, number);
  }
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const VertexId vertex = tree.nodes[n].vertex;
    if (tree.nodes[n].participant != SwitchTree::kNone) continue;
    const int radix = fabric_.topology().offers(vertex).radix;
    if (taken[n] > radix)
      return fmt::format("switch {} computes over {} ports at most, and {} take part", fabric_.topology().vertex_name(vertex),
                         radix, taken[n]);
  }
  return "";
}

std::optional<Datatype> InNetworkDomain::precision(Collective collective, Datatype type) const {
  if (!reduces(collective) || type != Datatype::f32()) return std::nullopt;
  const SwitchTree& over = tree(collective);
  return fabric_.topology().offers(over.nodes.front().vertex).precision;
}

std::string InNetworkDomain::why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op,
                                     double scale) const {
  if (!use_number(collective)) return fmt::format("no switch does a {}", to_string(collective));
  if (reduces(collective) && !op->offered_by_switches())
    return fmt::format("the ALUs of switches do not have {}: they have sum, min, max, band, bor, bxor", op->name());
  if (reduces(collective) && !op->supports(type))
    return fmt::format("the ALUs of switches have no {} on {}", op->name(), to_string(type));
  const Use& of = use(collective);
  if (!of.refusal.empty()) return of.refusal;
  const std::size_t element = precision(collective, type).value_or(type).size();
  const std::int64_t bytes = std::llround(static_cast<double>(count) * static_cast<double>(element) * scale);
  for (const SwitchTree::Node& node : of.tree->nodes) {
    if (node.participant != SwitchTree::kNone) continue;
    const std::int64_t alignment = fabric_.topology().offers(node.vertex).alignment;
    if (bytes % alignment != 0)
      return fmt::format("switch {} takes vectors of a multiple of {} bytes, and this one has {}",
                         fabric_.topology().vertex_name(node.vertex), alignment, bytes);
  }
  return "";
}

const SwitchTree& InNetworkDomain::tree(Collective collective) const { return *use(collective).tree; }

/// Whether the operation is spread over all links of the link's trunk, as messages are: then it needs the switches at all of
/// their ends.
bool InNetworkDomain::is_striped(LinkId link, int number) const {
  const Topology& topology = fabric_.topology();
  if (!fabric_.settings().routing.splits() || topology.trunk_of(link) == link) return false;
  const Trunk trunk = topology.trunk(topology.trunk_of(link));
  const auto is_no_obstacle = [&](VertexId v) { return v < topology.endpoints() || serves(v, number); };
  for (int i = 0; i < trunk.count; ++i) {
    const LinkEnds ends = topology.ends(trunk[i]);
    if (!is_no_obstacle(ends.from) || !is_no_obstacle(ends.to)) return false;
  }
  return true;
}

std::vector<InNetworkDomain::Load> InNetworkDomain::loads(Collective collective, const std::vector<Flow>& by_node) const {
  const Topology& topology = fabric_.topology();
  const int number = use_number(collective).value();
  const bool splits = fabric_.settings().routing.splits();
  std::vector<Load> loads;
  const auto add = [&](LinkId link, double bytes) {
    if (bytes == 0) return;
    const LinkId trunk = splits ? topology.trunk_of(link) : link;
    if (is_striped(link, number)) return loads.push_back({trunk, bytes, true});
    loads.push_back({link, bytes, true});
    // Messages take the whole trunk, each link alike: what is taken of one link is taken of it.
    if (trunk != link) loads.push_back({trunk, bytes, false});
  };
  const std::vector<SwitchTree::Node>& nodes = tree(collective).nodes;
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    add(nodes[n].up, by_node[n].up);
    add(nodes[n].down, by_node[n].down);
  }
  std::stable_sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.link < b.link; });
  std::vector<Load> merged;
  for (const Load& load : loads) {
    if (!merged.empty() && merged.back().link == load.link)
      merged.back().bytes += load.bytes;
    else
      merged.push_back(load);
  }
  return merged;
}

/// Fabric included: questions outlive where they were made.
struct InNetworkQuestion::Known {
  Known(Fabric on, Placement by_rank, std::vector<SwitchFault> lost)
      : fabric(std::move(on)),
        endpoints(std::move(by_rank)),
        faults(std::move(lost)),
        graph(std::make_shared<LazySwitchGraph>(fabric.topology())),
        all(fabric, endpoints, graph, faults) {}

  Fabric fabric;
  Placement endpoints;
  std::vector<SwitchFault> faults;
  std::shared_ptr<LazySwitchGraph> graph;
  InNetworkDomain all;
};

InNetworkQuestion::InNetworkQuestion(const Fabric& fabric, Placement endpoints, Datatype type, std::vector<SwitchFault> faults)
    : known_(std::make_shared<Known>(fabric, std::move(endpoints), std::move(faults))), type_(type) {}

std::string InNetworkQuestion::operator()(Collective collective, std::int64_t count, const ReduceOp& op,
                                          std::span<const int> ranks) const {
  if (ranks.empty()) return known_->all.why_not(collective, type_, count, &op);
  Placement endpoints;
  for (const int rank : ranks) endpoints.push_back(known_->endpoints[static_cast<std::size_t>(rank)]);
  return InNetworkDomain(known_->fabric, std::move(endpoints), known_->graph, known_->faults)
      .why_not(collective, type_, count, &op);
}

std::optional<Datatype> alu_precision(const Topology& topology, Datatype type) {
  if (type != Datatype::f32()) return std::nullopt;
  for (VertexId s = topology.endpoints(); s < topology.endpoints() + topology.switches(); ++s) {
    if (topology.offers(s).precision) return topology.offers(s).precision;
  }
  return std::nullopt;
}

bool has_computing_switches(const Topology& topology) {
  for (VertexId s = topology.endpoints(); s < topology.endpoints() + topology.switches(); ++s) {
    if (topology.offers(s).computes()) return true;
  }
  return false;
}

}  // namespace heddle
