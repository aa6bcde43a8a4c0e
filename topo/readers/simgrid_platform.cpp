// SPDX-License-Identifier: Apache-2.0
// SimGrid's platforms, as far as they are graphs: a <cluster> (flat, with a backbone, TORUS, FAT_TREE or DRAGONFLY), or a <zone> whose
// routes name the links between neighbours (Floyd, Dijkstra, DijkstraCache), or, where routing is Full, have a link for each pair, a
// link for each host and perhaps one that all cross, or links of their own. Zones and clusters lie in a zone where each has one
// gateway, so that no route leaves a zone and comes back. Other routes are lists of links that no graph gives back.
//
// A link that is SHARED has one bandwidth for both directions. It becomes a link one way that both cross.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/readers/simgrid_platform.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

struct Unit {
  std::string_view name;
  double value;
};

template <std::size_t n>
double with_unit(const XmlFile& file, const pugi::xml_node& node, const char* attribute, const std::array<Unit, n>& units,
                 bool is_positive) {
  const std::string text = file.required(node, attribute);
  const std::size_t letters = std::min(text.find_last_of("0123456789.") + 1, text.size());
  const std::string unit = text.substr(letters);
  const auto known = std::ranges::find(units, std::string_view(unit), &Unit::name);
  if (known == units.end()) file.fail(node, fmt::format("{}=\"{}\": unknown unit '{}'", attribute, text, unit));
  return known->value * file.number(file.line_of(node), text.substr(0, letters), attribute, is_positive);
}

}  // namespace

SimgridPlatform::SimgridPlatform(std::string spec, std::string path)
    : file(path, "platform", "SimGrid platform"), builder(std::move(spec), std::move(path)) {}

Bandwidth SimgridPlatform::bandwidth(const pugi::xml_node& node, const char* attribute) const {
  static constexpr std::array<Unit, 15> kUnits = {{{"", 1},
                                                   {"Bps", 1},
                                                   {"kBps", 1e3},
                                                   {"MBps", 1e6},
                                                   {"GBps", 1e9},
                                                   {"TBps", 1e12},
                                                   {"KiBps", 1024.0},
                                                   {"MiBps", 1048576.0},
                                                   {"GiBps", 1073741824.0},
                                                   {"bps", 0.125},
                                                   {"kbps", 125},
                                                   {"Mbps", 1.25e5},
                                                   {"Gbps", 1.25e8},
                                                   {"Tbps", 1.25e11},
                                                   {"Kibps", 128}}};
  return Bandwidth(with_unit(file, node, attribute, kUnits, true));
}

Time SimgridPlatform::latency(const pugi::xml_node& node, const char* attribute) const {
  static constexpr std::array<Unit, 7> kUnits = {
      {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"m", 60}}};
  if (!node.attribute(attribute)) return Time();
  const double seconds = with_unit(file, node, attribute, kUnits, false);
  if (seconds > 3600) file.fail(node, fmt::format("{}: more than an hour", attribute));
  return Time::from_seconds(seconds);
}

FabricBuilder::Tier SimgridPlatform::open_tier() {
  return builder.tier(1, "joints", {.bandwidth = Bandwidth(1e15), .latency = Time()});
}

namespace {

class SimgridReader {
 public:
  using Vertex = FabricBuilder::Vertex;
  using Tier = FabricBuilder::Tier;

  SimgridReader(std::string spec, std::string path) : platform_(std::move(spec), std::move(path)) {}

  std::unique_ptr<Topology> read() {
    // A zone with nothing but another is a name for it.
    pugi::xml_node zone = file_.root();
    while (const pugi::xml_node inner = only_part(zone)) {
      zone = inner;
      if (is_element(zone, "cluster")) break;
    }
    if (is_element(zone, "cluster"))
      add_cluster(platform_, zone, true);
    else if (is_zone(zone))
      add_zone(zone);
    else
      file_.fail(zone,
                 "a platform of several zones, or of none: one <cluster>, or one <zone> of hosts, links and routes is read");
    if (platform_.passes_on) builder_.set_direct();
    for (const auto& [at, ways] : full_) require_shortest(at, ways);
    return builder_.build(file_.text());
  }

 private:
  static bool is_zone(const pugi::xml_node& node) { return is_element(node, "zone") || is_element(node, "AS"); }
  /// What says nothing of the network.
  static bool is_aside(const pugi::xml_node& node) {
    return node.type() != pugi::node_element || is_element(node, "config") || is_element(node, "prop") ||
           is_element(node, "storage_type");
  }

  /// The zone or cluster that is all of a node, or none.
  static pugi::xml_node only_part(const pugi::xml_node& node) {
    pugi::xml_node only;
    for (const pugi::xml_node& part : node.children()) {
      if (is_aside(part)) continue;
      if (only || !(is_zone(part) || is_element(part, "cluster"))) return {};
      only = part;
    }
    return only;
  }

  // ---- a zone ----

  struct Link {
    LinkSpeed speed;
    bool is_shared;
  };
  struct Way {
    pugi::xml_node node;
    Vertex from;
    Vertex to;
    std::vector<std::string> links;
    bool one_way;
    bool is_implied = false;  ///< two others, one after the other, with a router between them
  };

  /// Vertices of a zone or a cluster within another, and where routes to it end.
  struct Inner {
    Vertex begin;
    Vertex end;
    Vertex gateway = -1;
  };

  void add_zone(const pugi::xml_node& zone) {
    const std::string routing = file_.text_of(zone, "routing");
    std::map<std::string, Inner> inner;
    for (const pugi::xml_node& part : zone.children()) {
      if (is_zone(part) || is_element(part, "cluster")) {
        const Vertex begin = builder_.vertices();
        if (is_element(part, "cluster"))
          add_cluster(platform_, part, false);
        else
          add_zone(part);
        if (!inner.emplace(file_.required(part, "id"), Inner{begin, builder_.vertices()}).second)
          file_.fail(part, fmt::format("there are two zones '{}'", file_.required(part, "id")));
      } else if (!is_aside(part)) {
        add_part(part);
      }
    }
    std::vector<Way> ways;
    for (const pugi::xml_node& part : zone.children("route")) ways.push_back(way_of(part, "src", "dst"));
    for (const char* name : {"zoneRoute", "ASroute"})
      for (const pugi::xml_node& part : zone.children(name)) ways.push_back(way_between(part, inner));
    ways = joined(std::move(ways));
    if (routing == "Floyd" || routing == "Dijkstra" || routing == "DijkstraCache") {
      for (const Way& way : ways) add_way(way);
      platform_.passes_on = true;
    } else if (routing == "Full") {
      add_full(zone, ways);
    } else if (!(ways.empty() && routing == "None")) {
      file_.fail(zone, fmt::format("routing=\"{}\": Floyd, Dijkstra, DijkstraCache and Full are read", routing));
    }
  }

  Way way_between(const pugi::xml_node& route, std::map<std::string, Inner>& inner) {
    Way way = way_of(route, "gw_src", "gw_dst");
    for (const auto& [name, gateway] : {std::pair("src", way.from), std::pair("dst", way.to)}) {
      const std::string id = file_.required(route, name);
      const auto zone = inner.find(id);
      if (zone == inner.end()) file_.fail(route, fmt::format("{}=\"{}\": there is no such zone here", name, id));
      Inner& of = zone->second;
      if (gateway < of.begin || gateway >= of.end)
        file_.fail(route, fmt::format("gateway '{}' is not in zone '{}'", builder_.name(gateway), id));
      if (of.gateway >= 0 && of.gateway != gateway)
        file_.fail(route, fmt::format("zone '{}' has two gateways, '{}' and '{}': read is a zone with one", id,
                                      builder_.name(of.gateway), builder_.name(gateway)));
      of.gateway = gateway;
    }
    platform_.passes_on = true;  // where a gateway is a host
    return way;
  }

  void add_part(const pugi::xml_node& part) {
    const bool is_way = is_element(part, "route") || is_element(part, "zoneRoute") || is_element(part, "ASroute");
    const std::string id = is_way || std::string_view(part.name()).starts_with("bypass") ? "" : file_.required(part, "id");
    if (is_element(part, "host")) {
      if (builder_.add_endpoint(id) < 0) file_.fail(part, fmt::format("there are two '{}'", id));
    } else if (is_element(part, "router")) {
      if (builder_.add_switch(id) < 0) file_.fail(part, fmt::format("there are two '{}'", id));
    } else if (is_element(part, "link")) {
      const std::string policy = file_.text_of(part, "sharing_policy");
      if (!policy.empty() && policy != "SHARED" && policy != "SPLITDUPLEX")
        file_.fail(part, fmt::format("sharing_policy=\"{}\": SHARED and SPLITDUPLEX are read", policy));
      const Link link{{.bandwidth = platform_.bandwidth(part, "bandwidth"), .latency = platform_.latency(part, "latency")},
                      policy != "SPLITDUPLEX"};
      any_shared_ = any_shared_ || link.is_shared;
      if (!links_.emplace(id, link).second) file_.fail(part, fmt::format("there are two links '{}'", id));
    } else if (!is_way) {
      file_.fail(part,
                 fmt::format("<{}> in a zone: zone, cluster, host, router, link, route and zoneRoute are read", part.name()));
    }
  }

  Way way_of(const pugi::xml_node& route, const char* source, const char* destination) const {
    const auto end = [&](const char* name) {
      const std::string id = file_.required(route, name);
      const Vertex vertex = builder_.find(id);
      if (vertex < 0) file_.fail(route, fmt::format("{}=\"{}\": there is no such host or router", name, id));
      return vertex;
    };
    Way way{route, end(source), end(destination), {}, lower_case(file_.text_of(route, "symmetrical")) == "no"};
    for (const pugi::xml_node& part : route.children()) {
      if (part.type() != pugi::node_element) continue;
      if (!is_element(part, "link_ctn")) file_.fail(part, fmt::format("<{}> in a route, which has link_ctn", part.name()));
      way.links.push_back(file_.required(part, "id"));
      if (!links_.contains(way.links.back())) file_.fail(part, fmt::format("there is no link '{}'", way.links.back()));
    }
    if (way.links.empty()) file_.fail(route, "a route without a link_ctn");
    if (way.from == way.to) file_.fail(route, "a route from a host to itself");
    return way;
  }

  /// There and back as one way, where both have the same links.
  static std::vector<Way> joined(std::vector<Way> ways) {
    std::map<std::pair<Vertex, Vertex>, std::size_t> one_way;  // in `both`
    std::vector<Way> both;
    for (Way& way : ways) {
      const auto back = one_way.find({way.to, way.from});
      const auto is_mirrored = [&](const Way& other) {
        return std::equal(way.links.begin(), way.links.end(), other.links.rbegin(), other.links.rend());
      };
      if (way.one_way && back != one_way.end() && is_mirrored(both[back->second])) {
        both[back->second].one_way = false;
        continue;
      }
      if (way.one_way) one_way.emplace(std::pair(way.from, way.to), both.size());
      both.push_back(std::move(way));
    }
    return both;
  }

  /// Its links one after the other, with vertices between.
  void add_way(const Way& way) {
    Vertex at = way.from;
    for (std::size_t i = 0; i < way.links.size(); ++i) {
      const bool is_last = i + 1 == way.links.size();
      const Vertex next = is_last ? way.to : inner_vertex();
      add_edge(way.node, at, next, way.links[i], way.one_way);
      at = next;
    }
  }

  Vertex inner_vertex() { return builder_.add_switch(fmt::format("_{}", inner_++)); }

  /// Where any link is shared, each is three, so that routes of the fewest links stay those of the fewest of the platform's.
  void add_edge(const pugi::xml_node& at, Vertex from, Vertex to, const std::string& id, bool one_way) {
    if (!used_.insert({id, true}).second)
      file_.fail(at, fmt::format("link '{}' is in two routes between neighbours: a graph has it in one place", id));
    const Link& link = links_.at(id);
    const Tier tier = builder_.tier(0, "links", link.speed);
    if (!any_shared_) {
      builder_.add_link(from, to, tier, 1, one_way);
      return;
    }
    const Tier open = platform_.open_tier();
    const Vertex in = inner_vertex();
    const Vertex out = inner_vertex();
    if (!link.is_shared || one_way) {
      builder_.add_link(from, in, open, 1, one_way);
      builder_.add_link(in, out, tier, 1, one_way);
      builder_.add_link(out, to, open, 1, one_way);
      return;
    }
    builder_.add_link(in, out, tier, 1, true);
    for (const Vertex end : {from, to}) {
      builder_.add_link(end, in, open, 1, true);
      builder_.add_link(out, end, open, 1, true);
    }
  }

  /// A link for each pair, one that all cross, or both ends' and perhaps one between; else links that no other route has.
  void add_full(const pugi::xml_node& zone, std::vector<Way> ways) {
    note_implied(ways);
    full_.emplace_back(zone, ways);
    std::erase_if(ways, &Way::is_implied);
    const auto have = [&](std::size_t links) {
      return std::ranges::all_of(ways, [&](const Way& way) { return way.links.size() == links; });
    };
    const auto share = [&](std::size_t number) {
      return ways.size() > 1 &&
             std::ranges::all_of(ways, [&](const Way& way) { return way.links[number] == ways.front().links[number]; });
    };
    if (have(1) && share(0)) {
      std::map<Vertex, std::string> ends;
      for (const Way& way : ways) ends[way.from] = ends[way.to] = "";
      return add_crossed(zone, ends, ways.front().links[0]);
    }
    const bool is_crossed = have(3) && share(1);
    if (is_crossed || have(2)) {
      if (const std::map<Vertex, std::string> access = access_links(ways); !access.empty()) {
        if (is_crossed) return add_crossed(zone, access, ways.front().links[1]);
        const Vertex middle = inner_vertex();
        for (const auto& [host, link] : access) add_edge(zone, host, middle, link, false);
        return;
      }
    }
    for (const Way& way : ways) add_way(way);
  }

  void note_implied(std::vector<Way>& ways) const {
    std::map<std::pair<Vertex, Vertex>, std::vector<std::string>> known;
    for (const Way& way : ways) {
      known[{way.from, way.to}] = way.links;
      if (!way.one_way) known[{way.to, way.from}] = {way.links.rbegin(), way.links.rend()};
    }
    for (Way& way : ways) {
      const auto is_by = [&](Vertex router) {
        const auto first = known.find({way.from, router});
        const auto second = known.find({router, way.to});
        if (first == known.end() || second == known.end()) return false;
        std::vector<std::string> both = first->second;
        both.insert(both.end(), second->second.begin(), second->second.end());
        return both == way.links;
      };
      if (way.links.size() < 2) continue;
      for (auto at = known.lower_bound({way.from, 0}); at != known.end() && at->first.first == way.from; ++at)
        way.is_implied = way.is_implied || (!builder_.is_endpoint(at->first.second) && is_by(at->first.second));
    }
  }

  /// The link that all routes of an end begin or end with, and no other's; empty: there are others.
  static std::map<Vertex, std::string> access_links(const std::vector<Way>& ways) {
    std::map<Vertex, std::string> access;
    std::map<std::string, Vertex> owner;
    for (const Way& way : ways) {
      for (const auto& [host, link] : {std::pair(way.from, way.links.front()), std::pair(way.to, way.links.back())}) {
        if (access.try_emplace(host, link).first->second != link || owner.try_emplace(link, host).first->second != host)
          return {};
      }
    }
    return access;
  }

  /// By way of each end's link, if it has one, all messages cross another, whichever way they go.
  void add_crossed(const pugi::xml_node& zone, const std::map<Vertex, std::string>& access, const std::string& all) {
    if (any_split()) file_.fail(zone, fmt::format("link '{}' is in all routes, which is read where all links are SHARED", all));
    const auto add_one = [&](const std::string& id) {
      const std::pair<Vertex, Vertex> ends(inner_vertex(), inner_vertex());
      builder_.add_link(ends.first, ends.second, builder_.tier(0, "links", links_.at(id).speed), 1, true);
      used_[id] = true;
      return ends;
    };
    const auto join = [&](Vertex from, Vertex to) { builder_.add_link(from, to, platform_.open_tier(), 1, true); };
    const auto [in, out] = add_one(all);
    for (const auto& [end, id] : access) {
      const auto [from, to] = id.empty() ? std::pair(end, end) : add_one(id);
      if (!id.empty()) join(end, from);
      join(to, in);
      join(out, from);
      if (!id.empty()) join(to, end);
    }
  }

  bool any_split() const {
    return std::ranges::any_of(links_, [](const auto& link) { return !link.second.is_shared; });
  }

  /// Else messages would go another way than the route that is named.
  void require_shortest(const pugi::xml_node& zone, const std::vector<Way>& ways) const {
    std::map<Vertex, std::size_t> numbers;
    for (const Way& way : ways) {
      numbers.try_emplace(way.from, numbers.size());
      numbers.try_emplace(way.to, numbers.size());
    }
    const std::size_t n = numbers.size();
    if (std::ranges::all_of(ways,
                            [](const Way& way) { return way.links.size() == 1 || (way.is_implied && way.links.size() == 2); }))
      return;
    constexpr std::size_t kMost = 256;
    if (n > kMost)
      file_.fail(zone, fmt::format("routing=\"Full\" between {} ends with routes of several links; at most {}", n, kMost));
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max() / 2;
    std::vector<std::size_t> links(n * n, kNone);
    const auto note = [&](Vertex from, Vertex to, std::size_t count) {
      std::size_t& least = links[numbers.at(from) * n + numbers.at(to)];
      least = std::min(least, count);
    };
    for (const Way& way : ways) {
      note(way.from, way.to, way.links.size());
      if (!way.one_way) note(way.to, way.from, way.links.size());
    }
    std::vector<std::size_t> through(n * n, kNone);
    std::vector<std::size_t> least = links;
    for (const auto& [end, k] : numbers) {
      if (!platform_.passes_on && builder_.is_endpoint(end)) continue;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (i == k || j == k || i == j) continue;
          through[i * n + j] = std::min(through[i * n + j], least[i * n + k] + least[k * n + j]);
          least[i * n + j] = std::min(least[i * n + j], through[i * n + j]);
        }
      }
    }
    for (const Way& way : ways) {
      const std::size_t count = way.links.size();
      const auto is_longer = [&](Vertex from, Vertex to) {
        const std::size_t others = through[numbers.at(from) * n + numbers.at(to)];
        return way.is_implied ? others < count : others <= count;
      };
      if (is_longer(way.from, way.to) || (!way.one_way && is_longer(way.to, way.from)))
        file_.fail(way.node,
                   fmt::format("its {} links are no fewer than those by way of others: in a graph messages would not take "
                               "them",
                               count));
    }
  }

  SimgridPlatform platform_;
  const XmlFile& file_ = platform_.file;
  FabricBuilder& builder_ = platform_.builder;
  std::map<std::string, Link> links_;
  std::map<std::string, bool> used_;
  std::vector<std::pair<pugi::xml_node, std::vector<Way>>> full_;  ///< zones whose routes have links of their own
  bool any_shared_ = false;
  int inner_ = 0;
};

std::unique_ptr<Topology> build_simgrid_platform(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  return SimgridReader("simgrid:" + path, path).read();
}

}  // namespace

std::vector<FamilyEntry> simgrid_platform_families() {
  return {{{"simgrid", "simgrid:platform.xml", "a cluster or a zone of hosts, links and routes, from SimGrid's platform", true},
           build_simgrid_platform}};
}

}  // namespace heddle
