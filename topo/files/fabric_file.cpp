// SPDX-License-Identifier: Apache-2.0
#include "topo/files/file_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <unordered_map>

#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/files/file_fields.hpp"

namespace heddle {
namespace {

using Kind = LocatedJson::Kind;

class Reader : private FileFields {
 public:
  /// `spec`: what the fabric is called.
  Reader(std::string path, std::string spec) : FileFields(std::move(path)), spec_(std::move(spec)) {}

  using FileFields::read_text;

  FabricFile read(std::string_view content) {
    require_no_other_format(content);
    const LocatedJson root = read_located_json(content, path());
    static constexpr std::array<std::string_view, 6> kFields = {"endpoints", "switches", "tiers", "links", "direct", "check"};
    require_object(root, "the fabric", kFields);
    file_.checksum = checksum_of_content(root);
    require_check(root);
    const LocatedJson* links = root.find("links");
    read_endpoints(required(root, "endpoints", "the fabric"), links == nullptr ? 0 : links->parts.size());
    if (const LocatedJson* switches = root.find("switches")) read_switches(*switches);
    read_tiers(root.find("tiers"));
    read_links(required(root, "links", "the fabric"));
    file_.direct = file_.switches == 0;
    if (const LocatedJson* direct = root.find("direct")) file_.direct = truth(*direct, "'direct'");
    return std::move(file_);
  }

 private:
  /// XML, a comment or a word begins a file of another tool, and no JSON.
  void require_no_other_format(std::string_view content) const {
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return;
    const std::string_view begin = content.substr(first);
    const bool is_word = std::isalpha(static_cast<unsigned char>(begin.front())) != 0;
    if (!is_word && begin.front() != '<' && begin.front() != '#') return;
    for (const std::string_view value : {"true", "false", "null"}) {
      if (begin.starts_with(value)) return;
    }
    throw InputError(fmt::format(
        "{}: it is no JSON; what wrote it? Read are nccl:FILE (NCCL_TOPO_DUMP_FILE), ibnetdiscover:FILE, slurm:FILE "
        "(topology.conf), astra:FILE (network.yml), simgrid:FILE (platform.xml) and htsim:FILE (.topo)",
        path()));
  }

  // The parts of the file.

  void add_vertex(const LocatedJson& at, const std::string& name) {
    const auto number = static_cast<VertexId>(file_.names.size());
    if (!vertices_.emplace(name, number).second) fail(at, fmt::format("there are two vertices '{}'", name));
    file_.names.push_back(name);
  }

  void read_endpoints(const LocatedJson& endpoints, std::size_t links) {
    if (endpoints.kind == Kind::number) {
      const int number = count(endpoints, "'endpoints'");
      // A number is short, and its names take gigabytes. Each endpoint needs a link; of few, who cannot be reached is named
      // later.
      constexpr int kFew = 1 << 16;
      if (number > kFew && static_cast<std::size_t>(number) > 2 * links)
        fail(endpoints, fmt::format("{} endpoints, and {} cannot reach them all", number, counted(links, "link")));
      require_storable(spec_, number, 2.0 * number);
      for (int i = 0; i < number; ++i) add_vertex(endpoints, fmt::format("{}", i));
    } else {
      require_kind(endpoints, Kind::array, "'endpoints', if not a number,");
      for (const LocatedJson& endpoint : endpoints.parts) read_endpoint(endpoint);
    }
    file_.endpoints = static_cast<int>(file_.names.size());
    if (file_.endpoints == 0) fail(endpoints, "there are no endpoints");
    file_.group.emplace_back(static_cast<std::size_t>(file_.endpoints), 0);
  }

  void read_endpoint(const LocatedJson& endpoint) {
    static constexpr std::array<std::string_view, 2> kFields = {"name", "groups"};
    const bool first = file_.names.empty();
    if (endpoint.kind == Kind::string) {
      add_vertex(endpoint, endpoint.text);
      if (!file_.group.empty()) fail(endpoint, fmt::format("endpoint '{}' has no 'groups', others have", endpoint.text));
      return;
    }
    require_object(endpoint, "an endpoint", kFields);
    const std::string& name = text(required(endpoint, "name", "an endpoint"), "an endpoint's name");
    add_vertex(endpoint, name);
    const LocatedJson* groups = endpoint.find("groups");
    const std::size_t tiers = groups == nullptr ? 0 : groups->parts.size();
    if (groups != nullptr) require_kind(*groups, Kind::array, "'groups'");
    if (first) file_.group.resize(tiers);
    if (file_.group.size() != tiers) {
      fail(endpoint, fmt::format("endpoint '{}' is in {} groups, those before in {}", name, tiers, file_.group.size()));
    }
    group_numbers_.resize(tiers);
    group_around_.resize(tiers);
    for (std::size_t tier = tiers; tier-- > 0;) read_group(groups->parts[tier], tier, tiers);
  }

  /// Outer groups are read first, so that this one's is known.
  void read_group(const LocatedJson& group, std::size_t tier, std::size_t tiers) {
    const std::string& name = text(group, "a group's name");
    const auto [known, is_new] = group_numbers_[tier].emplace(name, static_cast<int>(group_numbers_[tier].size()));
    const int around = tier + 1 < tiers ? file_.group[tier + 1].back() : 0;
    if (is_new) {
      group_around_[tier].push_back(around);
    } else if (group_around_[tier][static_cast<std::size_t>(known->second)] != around) {
      fail(group, fmt::format("group '{}' would be a part of two groups", name));
    }
    file_.group[tier].push_back(known->second);
  }

  void read_switches(const LocatedJson& switches) {
    require_kind(switches, Kind::array, "'switches'");
    for (const LocatedJson& a_switch : switches.parts) {
      if (a_switch.kind == Kind::string) {
        add_vertex(a_switch, a_switch.text);
        file_.offers.emplace_back();
      } else {
        read_switch(a_switch);
      }
    }
    file_.switches = static_cast<int>(file_.names.size()) - file_.endpoints;
  }

  void read_switch(const LocatedJson& a_switch) {
    static constexpr std::array<std::string_view, 7> kFields = {"name",  "alu",   "multicast", "a2a",
                                                                "radix", "align", "precision"};
    require_object(a_switch, "a switch", kFields);
    add_vertex(a_switch, text(required(a_switch, "name", "a switch"), "a switch's name"));
    SwitchOffers offers;
    if (const LocatedJson* alu = a_switch.find("alu")) offers.alu = truth(*alu, "'alu'");
    if (const LocatedJson* multicast = a_switch.find("multicast")) offers.multicast = truth(*multicast, "'multicast'");
    if (const LocatedJson* a2a = a_switch.find("a2a")) offers.scatter_gather = truth(*a2a, "'a2a'");
    if (const LocatedJson* radix = a_switch.find("radix")) offers.radix = count(*radix, "'radix'");
    if (const LocatedJson* align = a_switch.find("align")) offers.alignment = count(*align, "'align'");
    if (const LocatedJson* precision = a_switch.find("precision"))
      offers.precision = parsed(*precision, "'precision'", [](const std::string& name) { return parse_datatype(name); });
    file_.offers.push_back(offers);
  }

  void read_tiers(const LocatedJson* tiers) {
    if (tiers == nullptr) {
      file_.tiers = {"links"};
      return;
    }
    require_kind(*tiers, Kind::array, "'tiers'");
    constexpr std::size_t kMostTiers = 128;
    if (tiers->parts.empty() || tiers->parts.size() > kMostTiers)
      fail(*tiers, fmt::format("{} tiers: 1 to {} are possible", tiers->parts.size(), kMostTiers));
    bool any_speed = false;
    for (const LocatedJson& tier : tiers->parts) {
      static constexpr std::array<std::string_view, 5> kFields = {"name", "bandwidth", "latency", "eta_alpha", "eta_beta"};
      require_object(tier, "a tier", kFields);
      const std::string& name = text(required(tier, "name", "a tier"), "a tier's name");
      if (std::find(file_.tiers.begin(), file_.tiers.end(), name) != file_.tiers.end())
        fail(tier, fmt::format("there are two tiers '{}'", name));
      file_.tiers.push_back(name);
      file_.speeds.push_back(speed(tier));
      any_speed = any_speed || tier.parts.size() > 1;
    }
    if (!any_speed) file_.speeds.clear();
  }

  void read_links(const LocatedJson& links) {
    require_kind(links, Kind::array, "'links'");
    double total = 0;
    for (const LocatedJson& link : links.parts) {
      static constexpr std::array<std::string_view, 5> kFields = {"from", "to", "tier", "cables", "one_way"};
      require_object(link, "a link", kFields);
      const std::string from = vertex_text(required(link, "from", "a link"));
      const std::string to = vertex_text(required(link, "to", "a link"));
      const std::string what = fmt::format("link from '{}' to '{}'", from, to);
      FabricFile::Bundle bundle{
          .from = vertex(link, from, what), .to = vertex(link, to, what), .tier = 0, .cables = 1, .one_way = false};
      if (bundle.from == bundle.to) fail(link, fmt::format("{}: it leads nowhere", what));
      if (const LocatedJson* tier = link.find("tier")) bundle.tier = tier_number(*tier, what);
      if (const LocatedJson* cables = link.find("cables")) bundle.cables = count(*cables, "'cables'");
      if (const LocatedJson* one_way = link.find("one_way")) bundle.one_way = truth(*one_way, "'one_way'");
      total += 2.0 * bundle.cables;
      file_.bundles.push_back(bundle);
    }
    require_storable(spec_, file_.endpoints, total);
  }

  /// An endpoint of a number may be written as one.
  std::string vertex_text(const LocatedJson& value) const {
    if (value.kind == Kind::number) return fmt::format("{}", count(value, "a vertex, if not a name,", 0));
    return text(value, "a vertex");
  }

  VertexId vertex(const LocatedJson& link, const std::string& name, const std::string& what) const {
    const auto known = vertices_.find(name);
    if (known != vertices_.end()) return known->second;
    const std::vector<std::string_view> names(file_.names.begin(), file_.names.end());
    const std::string_view nearest = nearest_name(name, names);
    fail(link,
         fmt::format("{}: no such vertex{}", what,
                     nearest.empty() ? fmt::format(" '{}'", name) : fmt::format(" '{}'; did you mean '{}'?", name, nearest)));
  }

  int tier_number(const LocatedJson& tier, const std::string& what) const {
    if (tier.kind == Kind::number) {
      const int number = count(tier, "'tier', if not a name,", 0);
      if (number >= static_cast<int>(file_.tiers.size()))
        fail(tier, fmt::format("{}: there is no tier {}; they are 0 to {}", what, number, file_.tiers.size() - 1));
      return number;
    }
    const std::string& name = text(tier, "'tier'");
    const auto known = std::find(file_.tiers.begin(), file_.tiers.end(), name);
    if (known == file_.tiers.end()) {
      const std::vector<std::string_view> names(file_.tiers.begin(), file_.tiers.end());
      fail(tier, fmt::format("{}: {}", what, unknown_name_message("tier", name, names)));
    }
    return static_cast<int>(known - file_.tiers.begin());
  }

  std::string spec_;
  FabricFile file_;
  std::unordered_map<std::string, VertexId> vertices_;
  std::vector<std::map<std::string, int>> group_numbers_;  ///< by tier
  std::vector<std::vector<int>> group_around_;             ///< by tier and group: the group of the next tier
};

}  // namespace

FabricFile read_fabric_file(const std::string& path) {
  Reader reader(path, "file:" + path);
  return reader.read(reader.read_text());
}

FabricFile read_fabric_text(std::string_view text, const std::string& name) {
  return Reader(name, std::string(kGivenFabric) + name).read(text);
}

}  // namespace heddle
