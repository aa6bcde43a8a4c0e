// SPDX-License-Identifier: Apache-2.0
// A <cluster> of SimGrid's: flat, with a backbone, TORUS, FAT_TREE or DRAGONFLY.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/readers/simgrid_platform.hpp"

namespace heddle {

namespace {

class SimgridCluster {
 public:
  using Vertex = FabricBuilder::Vertex;
  using Tier = FabricBuilder::Tier;

  SimgridCluster(SimgridPlatform& platform, bool is_alone) : platform_(platform), is_alone_(is_alone) {}

  void add(const pugi::xml_node& cluster) {
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
    const LinkSpeed speed{.bandwidth = platform_.bandwidth(cluster, "bw"), .latency = platform_.latency(cluster, "lat")};
    if (topology.empty() || topology == "flat")
      add_flat(cluster, hosts, speed);
    else if (topology == "torus")
      add_torus(cluster, hosts, speed);
    else if (topology == "fat_tree")
      add_fat_tree(cluster, hosts, speed);
    else if (topology == "dragonfly")
      add_dragonfly(cluster, hosts, speed);
    else
      file_.fail(cluster, fmt::format("topology=\"{}\": FLAT, TORUS, FAT_TREE and DRAGONFLY are read",
                                      file_.text_of(cluster, "topology")));
  }

 private:
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

  /// Of a cluster among others.
  std::string router_name(const pugi::xml_node& cluster) const {
    if (const std::string given = file_.text_of(cluster, "router_id"); !given.empty()) return given;
    return fmt::format("{}{}_router{}", file_.text_of(cluster, "prefix"), file_.text_of(cluster, "id"),
                       file_.text_of(cluster, "suffix"));
  }
  /// Of one inside a cluster: by itself, where the cluster is all.
  Vertex add_inner(const pugi::xml_node& cluster, const std::string& name) {
    const std::string whole = is_alone_ ? name : fmt::format("{}.{}", file_.text_of(cluster, "id"), name);
    const Vertex vertex = builder_.add_switch(whole);
    if (vertex < 0) file_.fail(cluster, fmt::format("there are two '{}'", whole));
    return vertex;
  }
  Vertex add_router(const pugi::xml_node& cluster) {
    const Vertex router = builder_.add_switch(router_name(cluster));
    if (router < 0) file_.fail(cluster, fmt::format("there are two '{}'", router_name(cluster)));
    return router;
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
      const Vertex middle = is_alone_ ? builder_.add_switch("switch") : add_router(cluster);
      for (const Vertex host : hosts) builder_.add_link(host, middle, tier);
      return;
    }
    // All messages cross the one backbone, whichever way they go.
    const std::string policy = file_.text_of(cluster, "bb_sharing_policy");
    if (!policy.empty() && policy != "SHARED")
      file_.fail(cluster, fmt::format("bb_sharing_policy=\"{}\": a backbone is read where all share it (SHARED)", policy));
    const Vertex in = add_inner(cluster, "in");
    const Vertex out = add_inner(cluster, "out");
    if (!is_alone_) {
      const Vertex router = add_router(cluster);
      builder_.add_link(out, router, platform_.open_tier(), 1, true);
      builder_.add_link(router, in, platform_.open_tier(), 1, true);
    }
    builder_.add_link(
        in, out,
        builder_.tier(1, "backbone",
                      {.bandwidth = platform_.bandwidth(cluster, "bb_bw"), .latency = platform_.latency(cluster, "bb_lat")}),
        1, true);
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
    platform_.passes_on = true;
  }

  /// "3,4;3,2;4,1;2": groups and links between two of them; chassis of a group and links; blades of a chassis and links; hosts of a
  /// blade. Several links are one that is as much faster. Blade b of a group's first chassis leads to group b.
  void add_dragonfly(const pugi::xml_node& cluster, const std::vector<Vertex>& hosts, const LinkSpeed& speed) {
    const std::string text = file_.required(cluster, "topo_parameters");
    std::vector<std::vector<std::int64_t>> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(';', begin), text.size());
      parts.push_back(numbers(cluster, std::string_view(text).substr(begin, end - begin), 0));
      begin = end + 1;
    }
    if (parts.size() != 4 || parts[0].size() != 2 || parts[1].size() != 2 || parts[2].size() != 2 || parts[3].size() != 1)
      file_.fail(cluster, fmt::format("topo_parameters=\"{}\": groups,links;chassis,links;blades,links;hosts, as in "
                                      "\"3,4;3,2;4,1;2\"",
                                      text));
    const std::int64_t groups = parts[0][0];
    const std::int64_t chassis = parts[1][0];
    const std::int64_t blades = parts[2][0];
    const std::int64_t hosts_of_blade = parts[3][0];
    require_count(cluster, {groups, chassis, blades, hosts_of_blade}, hosts.size());
    if (groups > blades)
      file_.fail(cluster, fmt::format("{} groups and {} blades in a chassis: SimGrid's routes need a blade for each group",
                                      groups, blades));
    const auto times = [&](std::int64_t links) {
      return LinkSpeed{.bandwidth = speed.bandwidth * static_cast<double>(links), .latency = speed.latency};
    };
    const Tier local = builder_.tier(0, "hosts", speed);
    const Tier green = builder_.tier(1, "green", times(parts[2][1]));
    const Tier black = builder_.tier(2, "black", times(parts[1][1]));
    const Tier blue = builder_.tier(3, "blue", times(parts[0][1]));
    builder_.require_room(static_cast<double>(hosts.size()),
                          static_cast<double>(groups * chassis * blades) * static_cast<double>(chassis + blades));
    std::vector<Vertex> routers;
    for (std::int64_t r = 0; r < groups * chassis * blades; ++r) routers.push_back(add_inner(cluster, fmt::format("r{}", r)));
    const auto router = [&](std::int64_t group, std::int64_t frame, std::int64_t blade) {
      return routers[static_cast<std::size_t>((group * chassis + frame) * blades + blade)];
    };
    for (std::size_t host = 0; host < hosts.size(); ++host)
      builder_.add_link(hosts[host], routers[host / static_cast<std::size_t>(hosts_of_blade)], local);
    for (std::int64_t group = 0; group < groups; ++group) {
      for (std::int64_t frame = 0; frame < chassis; ++frame) {
        for (std::int64_t blade = 0; blade < blades; ++blade) {
          for (std::int64_t other = blade + 1; other < blades; ++other)
            builder_.add_link(router(group, frame, blade), router(group, frame, other), green);
          for (std::int64_t other = frame + 1; other < chassis; ++other)
            builder_.add_link(router(group, frame, blade), router(group, other, blade), black);
        }
      }
      for (std::int64_t other = group + 1; other < groups; ++other)
        builder_.add_link(router(group, 0, other), router(other, 0, group), blue);
    }
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
      for (std::size_t s = 0; s < above; ++s) next.push_back(add_inner(cluster, fmt::format("l{}.s{}", level + 1, s)));
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

  SimgridPlatform& platform_;
  const XmlFile& file_ = platform_.file;
  FabricBuilder& builder_ = platform_.builder;
  bool is_alone_;
};

}  // namespace

void add_cluster(SimgridPlatform& platform, const pugi::xml_node& cluster, bool is_alone) {
  SimgridCluster(platform, is_alone).add(cluster);
}

}  // namespace heddle
