// SPDX-License-Identifier: Apache-2.0
// A fat tree as htsim's .topo files have it: numbers of hosts, tiers (2 or 3) and hosts of a pod, and of each tier its switches.
//
//   Nodes 128
//   Tiers 2
//   Podsize 128
//   Tier 0
//   Downlink_speed_Gbps 400
//   Radix_Down 16
//   Radix_Up 16
//   Downlink_Latency_ns 500
//   Switch_Latency_ns 300
//   Tier 1
//   …
//
// Radixes count cables, Bundle (1) of which lead side by side from a switch to the one below. A switch's latency is shared out to the
// links at both of its sides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/files/foreign_file.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/readers/fabric_builder.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

class HtsimReader {
 public:
  using Line = ForeignFile::Line;

  HtsimReader(std::string spec, std::string path) : file_(path), builder_(std::move(spec), std::move(path)) {}

  std::unique_ptr<Topology> read() {
    for (const Line& line : file_.lines()) read_line(line);
    nodes_ = needed(whole_, "nodes", "Nodes");
    const std::int64_t tiers = needed(whole_, "tiers", "Tiers");
    if (tiers != 2 && tiers != 3)
      file_.fail(whole_.at("tiers").line, fmt::format("Tiers {}: htsim's fat trees have 2 or 3", tiers));
    if (static_cast<std::int64_t>(parts_.size()) != tiers)
      file_.fail(fmt::format("it has {} blocks 'Tier …', and says Tiers {}", parts_.size(), tiers));
    pod_ = tiers == 2 && !whole_.contains("podsize") ? nodes_ : needed(whole_, "podsize", "Podsize");
    builder_.require_room(static_cast<double>(nodes_), static_cast<double>(nodes_));
    add_tree();
    return builder_.build(file_.text());
  }

 private:
  struct Value {
    int line;
    std::string text;
  };
  using Values = std::map<std::string, Value>;

  void read_line(const Line& line) {
    const std::vector<std::string_view> words = words_of(line.text);
    const std::string key = lower_case(words.front());
    if (key == "connections" || line.text.find("->") != std::string_view::npos)
      file_.fail(line.number, "a connection matrix of htsim, which is traffic and no fabric; the .topo file beside it is one");
    if (words.size() != 2) file_.fail(line.number, fmt::format("'{}' is no 'Key value'", printable(line.text)));
    if (key == "tier") {
      const auto next = static_cast<std::int64_t>(parts_.size());
      if (file_.whole(line.number, words[1], "Tier", 0, 2) != next)
        file_.fail(line.number, fmt::format("Tier {} where Tier {} is expected", printable(words[1]), next));
      parts_.push_back({.line = line.number, .values = {}});
      return;
    }
    static constexpr std::array<std::string_view, 3> kWhole = {"nodes", "tiers", "podsize"};
    static constexpr std::array<std::string_view, 9> kTier = {
        "downlink_speed_gbps", "radix_up", "radix_down",        "queue_up",           "queue_down",
        "oversubscribed",      "bundle",   "switch_latency_ns", "downlink_latency_ns"};
    const bool is_of_tier = std::ranges::find(kTier, std::string_view(key)) != kTier.end();
    if (!is_of_tier && std::ranges::find(kWhole, std::string_view(key)) == kWhole.end())
      file_.fail(line.number, fmt::format("unknown key '{}'; htsim's fat trees have Nodes, Tiers, Podsize, and in each Tier "
                                          "Downlink_speed_Gbps, Radix_Up, Radix_Down, "
                                          "Bundle and latencies",
                                          printable(words.front())));
    if (is_of_tier && parts_.empty())
      file_.fail(line.number, fmt::format("'{}' before the first Tier", printable(words.front())));
    Values& values = is_of_tier ? parts_.back().values : whole_;
    if (!values.emplace(key, Value{line.number, std::string(words[1])}).second)
      file_.fail(line.number, fmt::format("'{}' is given twice", printable(words.front())));
  }

  std::int64_t needed(const Values& values, const char* key, const char* name) const {
    const auto value = values.find(key);
    if (value == values.end()) file_.fail(fmt::format("it has no {}", name));
    return file_.whole(value->second.line, value->second.text, name, 1, kMaxEndpoints);
  }
  std::int64_t of_tier(std::size_t tier, const char* key, const char* name, std::int64_t otherwise = 0) const {
    const auto value = parts_[tier].values.find(key);
    if (value != parts_[tier].values.end()) return file_.whole(value->second.line, value->second.text, name, 1, 1 << 20);
    if (otherwise == 0) file_.fail(parts_[tier].line, fmt::format("Tier {} has no {}", tier, name));
    return otherwise;
  }
  Time span_of(std::size_t tier, const char* key, const char* name) const {
    const auto value = parts_[tier].values.find(key);
    return value == parts_[tier].values.end() ? Time() : file_.span(value->second.line, value->second.text, name, 1e-9);
  }

  /// Of the links below a tier's switches.
  FabricBuilder::Tier tier_of(std::size_t tier) {
    const auto value = parts_[tier].values.find("downlink_speed_gbps");
    if (value == parts_[tier].values.end())
      file_.fail(parts_[tier].line, fmt::format("Tier {} has no Downlink_speed_Gbps", tier));
    const double gigabits = file_.number(value->second.line, value->second.text, "Downlink_speed_Gbps", true);
    const double crossed = span_of(tier, "switch_latency_ns", "Switch_Latency_ns").seconds() +
                           (tier > 0 ? span_of(tier - 1, "switch_latency_ns", "Switch_Latency_ns").seconds() : 0);
    const Time latency = span_of(tier, "downlink_latency_ns", "Downlink_Latency_ns") + Time::from_seconds(crossed / 2);
    static constexpr std::array<const char*, 3> kNames = {"hosts", "tors", "cores"};
    return builder_.tier(static_cast<int>(tier), kNames[tier],
                         {.bandwidth = Bandwidth(gigabits * 1e9 / 8), .latency = latency});
  }

  /// Of `all` in parts of `part`, what `what` is.
  std::int64_t quotient(std::size_t tier, std::int64_t all, std::int64_t part, const std::string& what) const {
    if (all % part != 0) file_.fail(parts_[tier].line, fmt::format("Tier {}: {} do not divide evenly", tier, what));
    return all / part;
  }

  void add_tree() {
    const std::int64_t hosts = of_tier(0, "radix_down", "Radix_Down");
    const std::int64_t tors = quotient(0, pod_, hosts, fmt::format("the {} hosts of a pod by {} of a switch", pod_, hosts));
    const std::int64_t pods = quotient(0, nodes_, pod_, fmt::format("{} nodes by {} of a pod", nodes_, pod_));
    if (parts_.size() == 2 && pods != 1)
      file_.fail(parts_[1].line, fmt::format("Tiers 2 with {} pods, which nothing joins; Podsize is Nodes there", pods));
    const std::int64_t bundle = of_tier(1, "bundle", "Bundle", 1);
    const std::int64_t aggs = quotient(0, of_tier(0, "radix_up", "Radix_Up"), bundle, "cables up by those of a bundle");
    const std::int64_t down = of_tier(1, "radix_down", "Radix_Down");
    if (down != tors * bundle)
      file_.fail(parts_[1].line, fmt::format("Radix_Down {}: a pod has {} switches of Tier 0, with {} to each", down, tors,
                                             counted(bundle, "cable")));
    const FabricBuilder::Tier host_tier = tier_of(0);
    const FabricBuilder::Tier tor_tier = tier_of(1);
    for (std::int64_t h = 0; h < nodes_; ++h) builder_.add_endpoint(std::to_string(h));
    builder_.require_room(static_cast<double>(nodes_ + pods * (tors + aggs)),
                          static_cast<double>(pods * tors) * static_cast<double>(aggs * bundle));
    std::vector<FabricBuilder::Vertex> agg;  // by pod
    for (std::int64_t p = 0; p < pods; ++p) {
      for (std::int64_t a = 0; a < aggs; ++a) agg.push_back(builder_.add_switch(fmt::format("agg{}.{}", p, a)));
    }
    for (std::int64_t t = 0; t < pods * tors; ++t) {
      const FabricBuilder::Vertex tor = builder_.add_switch(fmt::format("tor{}.{}", t / tors, t % tors));
      for (std::int64_t h = 0; h < hosts; ++h)
        builder_.add_link(static_cast<FabricBuilder::Vertex>(t * hosts + h), tor, host_tier);
      for (std::int64_t a = 0; a < aggs; ++a)
        builder_.add_link(tor, agg[static_cast<std::size_t>(t / tors * aggs + a)], tor_tier, static_cast<int>(bundle));
    }
    if (parts_.size() == 3) add_cores(pods, aggs, agg);
    set_groups(hosts);
  }

  /// Each switch of a place in its pod has cores of its own, which join all pods.
  void add_cores(std::int64_t pods, std::int64_t aggs, const std::vector<FabricBuilder::Vertex>& agg) {
    const std::int64_t bundle = of_tier(2, "bundle", "Bundle", 1);
    const std::int64_t cores = quotient(1, of_tier(1, "radix_up", "Radix_Up"), bundle, "cables up by those of a bundle");
    const std::int64_t down = of_tier(2, "radix_down", "Radix_Down");
    if (down != pods * bundle)
      file_.fail(parts_[2].line,
                 fmt::format("Radix_Down {}: there are {} pods, with {} to each", down, pods, counted(bundle, "cable")));
    builder_.require_room(static_cast<double>(aggs * cores),
                          static_cast<double>(aggs * cores) * static_cast<double>(pods * bundle));
    const FabricBuilder::Tier tier = tier_of(2);
    for (std::int64_t a = 0; a < aggs; ++a) {
      for (std::int64_t c = 0; c < cores; ++c) {
        const FabricBuilder::Vertex core = builder_.add_switch(fmt::format("core{}", a * cores + c));
        for (std::int64_t p = 0; p < pods; ++p)
          builder_.add_link(agg[static_cast<std::size_t>(p * aggs + a)], core, tier, static_cast<int>(bundle));
      }
    }
  }

  void set_groups(std::int64_t hosts) {
    std::vector<std::vector<int>> groups(parts_.size() - 1);
    for (std::int64_t h = 0; h < nodes_; ++h) {
      groups[0].push_back(static_cast<int>(h / hosts));
      if (groups.size() > 1) groups[1].push_back(static_cast<int>(h / pod_));
    }
    builder_.set_groups(std::move(groups));
  }

  struct Part {
    int line;
    Values values;
  };

  ForeignFile file_;
  FabricBuilder builder_;
  Values whole_;
  std::vector<Part> parts_;
  std::int64_t nodes_ = 0;
  std::int64_t pod_ = 0;
};

std::unique_ptr<Topology> build_htsim_topology(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  return HtsimReader("htsim:" + path, path).read();
}

}  // namespace

std::vector<FamilyEntry> htsim_topology_families() {
  return {{{"htsim", "htsim:fat_tree.topo", "a fat tree of two or three tiers, from htsim's .topo files", true},
           build_htsim_topology}};
}

}  // namespace heddle
