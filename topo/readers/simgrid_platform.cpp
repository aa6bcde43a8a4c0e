// SPDX-License-Identifier: Apache-2.0
// SimGrid's platforms, as far as they are graphs: one <cluster> (flat, with a backbone, TORUS or FAT_TREE), or one <zone> whose routes
// name the links between neighbours (Floyd, Dijkstra, DijkstraCache), or, where routing is Full, one link for each pair or a link for
// each host. Other routes are lists of links that no graph gives back.
//
// A link that is SHARED has one bandwidth for both directions. It becomes a link one way that both cross.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/files/xml_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/readers/fabric_builder.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

class SimgridReader {
 public:
  using Vertex = FabricBuilder::Vertex;
  using Tier = FabricBuilder::Tier;

  SimgridReader(std::string spec, std::string path)
      : file_(path, "platform", "SimGrid platform"), builder_(std::move(spec), std::move(path)) {}

  std::unique_ptr<Topology> read() {
    // A zone with nothing but another is a name for it.
    pugi::xml_node zone = file_.root();
    while (const pugi::xml_node inner = only_part(zone)) {
      zone = inner;
      if (is(zone, "cluster")) break;
    }
    if (is(zone, "cluster"))
      add_cluster(zone);
    else if (is(zone, "zone") || is(zone, "AS"))
      add_zone(zone);
    else
      file_.fail(zone,
                 "a platform of several zones, or of none: one <cluster>, or one <zone> of hosts, links and routes is read");
    return builder_.build(file_.text());
  }

 private:
  static bool is(const pugi::xml_node& node, std::string_view name) { return node.name() == name; }
  /// What says nothing of the network.
  static bool is_aside(const pugi::xml_node& node) {
    return node.type() != pugi::node_element || is(node, "config") || is(node, "prop") || is(node, "storage_type");
  }

  /// The zone or cluster that is all of a node, or none.
  static pugi::xml_node only_part(const pugi::xml_node& node) {
    pugi::xml_node only;
    for (const pugi::xml_node& part : node.children()) {
      if (is_aside(part)) continue;
      if (only || !(is(part, "zone") || is(part, "AS") || is(part, "cluster"))) return {};
      only = part;
    }
    return only;
  }

  // ---- values ----

  struct Unit {
    std::string_view name;
    double value;
  };

  template <std::size_t n>
  double with_unit(const pugi::xml_node& node, const char* attribute, const std::array<Unit, n>& units,
                   bool is_positive) const {
    const std::string text = file_.required(node, attribute);
    const std::size_t letters = std::min(text.find_last_of("0123456789.") + 1, text.size());
    const std::string unit = text.substr(letters);
    const auto known = std::ranges::find(units, std::string_view(unit), &Unit::name);
    if (known == units.end()) file_.fail(node, fmt::format("{}=\"{}\": unknown unit '{}'", attribute, text, unit));
    return known->value * file_.number(file_.line_of(node), text.substr(0, letters), attribute, is_positive);
  }

  Bandwidth bandwidth(const pugi::xml_node& node, const char* attribute) const {
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
    return Bandwidth(with_unit(node, attribute, kUnits, true));
  }

  Time latency(const pugi::xml_node& node, const char* attribute) const {
    static constexpr std::array<Unit, 7> kUnits = {
        {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"m", 60}}};
    if (!node.attribute(attribute)) return Time();
    const double seconds = with_unit(node, attribute, kUnits, false);
    if (seconds > 3600) file_.fail(node, fmt::format("{}: more than an hour", attribute));
    return Time::from_seconds(seconds);
  }

  std::vector<std::int64_t> numbers(const pugi::xml_node& node, std::string_view text, std::size_t expected) const {
    std::vector<std::int64_t> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      numbers.push_back(
          file_.whole(file_.line_of(node), stripped(text.substr(begin, end - begin)), "topo_parameters", 1, 1 << 20));
      begin = end + 1;
    }
    if (expected != 0 && numbers.size() != expected)
      file_.fail(node, fmt::format("topo_parameters \"{}\": {} numbers, and {} levels", text, numbers.size(), expected));
    return numbers;
  }

  // ---- a cluster ----

  void add_cluster(const pugi::xml_node& cluster) {
    if (cluster.attribute("limiter_link"))
      file_.fail(cluster, "limiter_link, a bound of each node, is not read; without it the cluster is");
    const std::vector<Vertex> hosts = add_hosts(cluster);
    const std::string topology = lower_case(file_.text_of(cluster, "topology"));
    const std::string policy = file_.text_of(cluster, "sharing_policy");
    if (!policy.empty() && policy != "SPLITDUPLEX")
      file_.fail(
          cluster,
          fmt::format("sharing_policy=\"{}\": links of a cluster are read where they are SPLITDUPLEX, one bandwidth each way",
                      policy));
    const LinkSpeed speed{.bandwidth = bandwidth(cluster, "bw"), .latency = latency(cluster, "lat")};
    if (topology.empty() || topology == "flat")
      add_flat(cluster, hosts, speed);
    else if (topology == "torus")
      add_torus(cluster, hosts, speed);
    else if (topology == "fat_tree")
      add_fat_tree(cluster, hosts, speed);
    else
      file_.fail(cluster,
                 fmt::format("topology=\"{}\": FLAT, TORUS and FAT_TREE are read; for a dragonfly see heddle topo --help",
                             file_.text_of(cluster, "topology")));
  }

  /// radical="0-15,20".
  std::vector<Vertex> add_hosts(const pugi::xml_node& cluster) {
    const std::string radical = file_.required(cluster, "radical");
    std::vector<Vertex> hosts;
    for (std::size_t begin = 0; begin <= radical.size();) {
      const std::size_t end = std::min(radical.find(',', begin), radical.size());
      const std::string_view range = std::string_view(radical).substr(begin, end - begin);
      const std::size_t dash = range.find('-');
      constexpr std::int64_t kMost = 1 << 28;
      const std::int64_t first = file_.whole(file_.line_of(cluster), stripped(range.substr(0, dash)), "radical", 0, kMost);
      const std::int64_t last =
          dash == std::string_view::npos
              ? first
              : file_.whole(file_.line_of(cluster), stripped(range.substr(dash + 1)), "radical", first, kMost);
      builder_.require_room(static_cast<double>(hosts.size()) + static_cast<double>(last - first), 0);
      for (std::int64_t i = first; i <= last; ++i) {
        hosts.push_back(builder_.add_endpoint(
            fmt::format("{}{}{}", file_.text_of(cluster, "prefix"), i, file_.text_of(cluster, "suffix"))));
        if (hosts.back() < 0) file_.fail(cluster, fmt::format("radical=\"{}\": {} is there twice", radical, i));
      }
      begin = end + 1;
    }
    return hosts;
  }

  void add_flat(const pugi::xml_node& cluster, const std::vector<Vertex>& hosts, const LinkSpeed& speed) {
    const Tier tier = builder_.tier(0, "hosts", speed);
    if (!cluster.attribute("bb_bw")) {
      const Vertex middle = builder_.add_switch("switch");
      for (const Vertex host : hosts) builder_.add_link(host, middle, tier);
      return;
    }
    // All messages cross the one backbone, whichever way they go.
    const std::string policy = file_.text_of(cluster, "bb_sharing_policy");
    if (!policy.empty() && policy != "SHARED")
      file_.fail(cluster, fmt::format("bb_sharing_policy=\"{}\": a backbone is read where all share it (SHARED)", policy));
    const Vertex in = builder_.add_switch("in");
    const Vertex out = builder_.add_switch("out");
    builder_.add_link(
        in, out,
        builder_.tier(1, "backbone", {.bandwidth = bandwidth(cluster, "bb_bw"), .latency = latency(cluster, "bb_lat")}), 1,
        true);
    for (const Vertex host : hosts) {
      builder_.add_link(host, in, tier, 1, true);
      builder_.add_link(out, host, tier, 1, true);
    }
  }

  void require_count(const pugi::xml_node& cluster, const std::vector<std::int64_t>& sizes, std::size_t hosts) const {
    double product = 1;
    for (const std::int64_t size : sizes) product *= static_cast<double>(size);
    if (product != static_cast<double>(hosts))
      file_.fail(cluster, fmt::format("topo_parameters are for {:.0f} hosts, and radical names {}", product, hosts));
  }

  void add_torus(const pugi::xml_node& cluster, const std::vector<Vertex>& hosts, const LinkSpeed& speed) {
    const std::vector<std::int64_t> sizes = numbers(cluster, file_.required(cluster, "topo_parameters"), 0);
    require_count(cluster, sizes, hosts.size());
    std::size_t stride = 1;
    for (const std::int64_t size : sizes) {
      const auto length = static_cast<std::size_t>(size);
      for (std::size_t host = 0; host < hosts.size() && length > 1; ++host) {
        const std::size_t at = host / stride % length;
        if (length == 2 && at == 1) continue;  // one cable for the two
        builder_.add_link(hosts[host], hosts[host - at * stride + (at + 1) % length * stride],
                          builder_.tier(0, "torus", speed));
      }
      stride *= length;
    }
    builder_.set_direct();
  }

  /// "2;4,4;1,2;1,2": levels, children, parents and cables of each. Hosts of one switch are neighbours.
  void add_fat_tree(const pugi::xml_node& cluster, const std::vector<Vertex>& hosts, const LinkSpeed& speed) {
    const std::string text = file_.required(cluster, "topo_parameters");
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(';', begin), text.size());
      parts.push_back(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    if (parts.size() != 4)
      file_.fail(cluster, fmt::format("topo_parameters=\"{}\": levels;children;parents;cables, as in \"2;4,4;1,2;1,2\"", text));
    const auto levels = static_cast<std::size_t>(file_.whole(file_.line_of(cluster), stripped(parts[0]), "levels", 1, 16));
    const std::vector<std::int64_t> children = numbers(cluster, parts[1], levels);
    const std::vector<std::int64_t> parents = numbers(cluster, parts[2], levels);
    const std::vector<std::int64_t> cables = numbers(cluster, parts[3], levels);
    require_count(cluster, children, hosts.size());
    std::vector<Vertex> below = hosts;  // of a level: by subtree, in it by which copy
    std::size_t copies = 1;
    std::size_t subtrees = hosts.size();
    for (std::size_t level = 0; level < levels; ++level) {
      const auto ups = static_cast<std::size_t>(parents[level]);
      const auto downs = static_cast<std::size_t>(children[level]);
      const Tier tier = builder_.tier(static_cast<int>(level), level == 0 ? "hosts" : fmt::format("level {}", level), speed);
      const std::size_t above = subtrees / downs * copies * ups;
      builder_.require_room(static_cast<double>(above),
                            static_cast<double>(below.size()) * static_cast<double>(ups) * static_cast<double>(cables[level]));
      std::vector<Vertex> next;
      for (std::size_t s = 0; s < above; ++s) next.push_back(builder_.add_switch(fmt::format("l{}.s{}", level + 1, s)));
      for (std::size_t at = 0; at < below.size(); ++at) {
        for (std::size_t up = 0; up < ups; ++up) {
          const std::size_t copy = up * copies + at % copies;
          builder_.add_link(below[at], next[at / copies / downs * copies * ups + copy], tier, static_cast<int>(cables[level]));
        }
      }
      below = std::move(next);
      copies *= ups;
      subtrees /= downs;
    }
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
  };

  void add_zone(const pugi::xml_node& zone) {
    const std::string routing = file_.text_of(zone, "routing");
    for (const pugi::xml_node& part : zone.children()) {
      if (!is_aside(part)) add_part(part);
    }
    std::vector<Way> ways;
    for (const pugi::xml_node& part : zone.children("route")) ways.push_back(way_of(part));
    if (routing == "Floyd" || routing == "Dijkstra" || routing == "DijkstraCache") {
      for (const Way& way : ways) add_way(way);
      builder_.set_direct();
    } else if (routing == "Full") {
      add_full(zone, ways);
    } else {
      file_.fail(zone, fmt::format("routing=\"{}\": Floyd, Dijkstra, DijkstraCache and Full are read", routing));
    }
  }

  void add_part(const pugi::xml_node& part) {
    const std::string id = is(part, "route") ? "" : file_.required(part, "id");
    if (is(part, "host")) {
      if (builder_.add_endpoint(id) < 0) file_.fail(part, fmt::format("there are two '{}'", id));
    } else if (is(part, "router")) {
      if (builder_.add_switch(id) < 0) file_.fail(part, fmt::format("there are two '{}'", id));
    } else if (is(part, "link")) {
      const std::string policy = file_.text_of(part, "sharing_policy");
      if (!policy.empty() && policy != "SHARED" && policy != "SPLITDUPLEX")
        file_.fail(part, fmt::format("sharing_policy=\"{}\": SHARED and SPLITDUPLEX are read", policy));
      const Link link{{.bandwidth = bandwidth(part, "bandwidth"), .latency = latency(part, "latency")},
                      policy != "SPLITDUPLEX"};
      any_shared_ = any_shared_ || link.is_shared;
      if (!links_.emplace(id, link).second) file_.fail(part, fmt::format("there are two links '{}'", id));
    } else if (!is(part, "route")) {
      file_.fail(part, fmt::format("<{}> in a zone: host, router, link and route are read", part.name()));
    }
  }

  Way way_of(const pugi::xml_node& route) const {
    const auto end = [&](const char* name) {
      const std::string id = file_.required(route, name);
      const Vertex vertex = builder_.find(id);
      if (vertex < 0) file_.fail(route, fmt::format("{}=\"{}\": there is no such host or router", name, id));
      return vertex;
    };
    Way way{route, end("src"), end("dst"), {}, lower_case(file_.text_of(route, "symmetrical")) == "no"};
    for (const pugi::xml_node& part : route.children()) {
      if (part.type() != pugi::node_element) continue;
      if (!is(part, "link_ctn")) file_.fail(part, fmt::format("<{}> in a route, which has link_ctn", part.name()));
      way.links.push_back(file_.required(part, "id"));
      if (!links_.contains(way.links.back())) file_.fail(part, fmt::format("there is no link '{}'", way.links.back()));
    }
    if (way.links.empty()) file_.fail(route, "a route without a link_ctn");
    if (way.from == way.to) file_.fail(route, "a route from a host to itself");
    return way;
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
    const Tier open = builder_.tier(1, "joints", {.bandwidth = Bandwidth(1e15), .latency = Time()});
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

  /// A link for each pair, or one for each host, from it to what all share.
  void add_full(const pugi::xml_node& zone, const std::vector<Way>& ways) {
    const auto has = [&](std::size_t links) {
      return std::ranges::all_of(ways, [&](const Way& way) { return way.links.size() == links; });
    };
    if (has(1)) {
      for (const Way& way : ways) add_way(way);
      return;
    }
    if (!has(2))
      file_.fail(
          zone,
          "routing=\"Full\": its routes are lists of links that no graph gives back; read are one link for each pair, two (one "
          "of each host), and Floyd or Dijkstra, where routes join neighbours");
    std::map<Vertex, std::string> access;
    std::map<std::string, Vertex> owner;
    for (const Way& way : ways) {
      for (const auto& [host, link] : {std::pair(way.from, way.links[0]), std::pair(way.to, way.links[1])}) {
        if (access.try_emplace(host, link).first->second != link || owner.try_emplace(link, host).first->second != host)
          file_.fail(
              way.node,
              fmt::format(
                  "'{}' and link '{}' do not go together in all routes, so this is no star; routing Floyd or Dijkstra is read "
                  "where routes join neighbours",
                  builder_.name(host), link));
      }
    }
    const Vertex middle = builder_.add_switch("_middle");
    for (const auto& [host, link] : access) add_edge(zone, host, middle, link, false);
  }

  XmlFile file_;
  FabricBuilder builder_;
  std::map<std::string, Link> links_;
  std::map<std::string, bool> used_;
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
