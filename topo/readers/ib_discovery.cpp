// SPDX-License-Identifier: Apache-2.0
// An InfiniBand fabric as ibnetdiscover prints it: a block for each switch and each channel adapter (a host's port, an endpoint here),
// with a line for each cable.
//
//   Switch  36 "S-0002c902400a8"    # "leaf-1" base port 0 lid 1 lmc 0
//   [1]  "H-0002c9030001"[1](2c9030002)    # "node01 HCA-1" lid 5 4xHDR
//
//   Ca  1 "H-0002c9030001"    # "node01 HCA-1"
//   [1](2c9030002)  "S-0002c902400a8"[1]    # lid 5 lmc 0 "leaf-1" lid 1 4xHDR
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/files/foreign_file.hpp"
#include "core/printable.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "topo/readers/fabric_builder.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

/// What a lane carries without its coding, in Gb/s (IBTA; SDR, DDR and QDR code 8 bits as 10, the others 64 as 66).
constexpr std::array<std::pair<std::string_view, double>, 9> kLanes = {
    {{"SDR", 2}, {"DDR", 4}, {"QDR", 8}, {"FDR10", 10}, {"FDR", 13.64}, {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}}};

class DiscoveryReader {
 public:
  using Line = ForeignFile::Line;

  DiscoveryReader(std::string spec, std::string path) : file_(path), builder_(std::move(spec), std::move(path)) {}

  std::unique_ptr<Topology> read() {
    for (const Line& line : file_.lines(false)) read_line(line);
    if (nodes_.empty()) file_.fail("no Switch and no Ca in it: what ibnetdiscover prints has a block for each");
    require_both_ends();
    add_vertices();
    add_cables();
    set_groups();
    return builder_.build(file_.text());
  }

 private:
  enum class Kind : std::uint8_t { adapter, a_switch, left_out };

  struct Node {
    int line;
    Kind kind;
    std::string id;           ///< "S-…", "H-…"
    std::string description;  ///< "node01 HCA-1"
    std::string name = {};    ///< of the vertex
  };
  struct Port {
    int line;
    std::string peer;
    std::int64_t peer_port;
    std::string speed;  ///< "4xHDR"; empty: not said
  };

  // ---- lines ----

  void read_line(const Line& line) {
    const std::string_view text = line.text;
    if (text.starts_with('[')) return read_port(line);
    const std::vector<std::string_view> words = words_of(text);
    if (words.front() == "Switch" || words.front() == "Ca" || words.front() == "Rt") return read_node(line, words.front());
    static constexpr std::array<std::string_view, 9> kKnown = {"vendid", "devid", "sysimgguid",  "switchguid", "caguid",
                                                               "rtguid", "#",     "Non-Chassis", "Chassis"};
    const std::string_view first = text.starts_with('#') ? "#" : words.front().substr(0, words.front().find('='));
    if (std::ranges::find(kKnown, first) != kKnown.end()) return;
    file_.fail(line.number,
               fmt::format("'{}' is nothing that ibnetdiscover prints (Switch, Ca, Rt, [port])", printable(words.front())));
  }

  void read_node(const Line& line, std::string_view kind) {
    const std::size_t hash = std::min(line.text.find('#'), line.text.size());
    std::string_view rest = line.text.substr(hash);
    std::string_view head = line.text.substr(0, hash);
    const std::optional<std::string_view> id = quoted(head);
    if (!id || id->empty())
      file_.fail(line.number, fmt::format("a {} without its name in quotes, as in \"S-0002c902400a8\"", kind));
    const std::string description(quoted(rest).value_or(""));
    Node node{line.number,
              kind == "Switch" ? Kind::a_switch
              : kind == "Ca"   ? Kind::adapter
                               : Kind::left_out,
              printable(*id), printable(description)};
    // A switch's own, for reductions: no host.
    if (node.description.find("Aggregation Node") != std::string::npos) node.kind = Kind::left_out;
    if (!numbers_.emplace(node.id, nodes_.size()).second)
      file_.fail(line.number,
                 fmt::format("'{}' has a second block (the first is in line {})", node.id, nodes_[numbers_.at(node.id)].line));
    nodes_.push_back(std::move(node));
    ports_.emplace_back();
  }

  void read_port(const Line& line) {
    if (nodes_.empty()) file_.fail(line.number, "a port before the first Switch or Ca");
    std::string_view rest = line.text;
    const std::int64_t port = bracketed(line, rest, "a port");
    const std::optional<std::string_view> peer = quoted(rest);
    if (!peer) file_.fail(line.number, "a port without the other end in quotes");
    const std::int64_t peer_port = bracketed(line, rest, "the other end's port");
    std::string speed;
    if (const std::size_t hash = rest.find('#'); hash != std::string_view::npos) {
      // Behind the description, which may have such words; -f says more behind it.
      const std::string_view facts = rest.substr(std::max(hash, std::min(rest.rfind('"'), rest.size() - 1)) + 1);
      for (const std::string_view word : words_of(facts))
        if (speed.empty() && is_speed(word)) speed = printable(word);
    }
    if (!ports_.back().emplace(port, Port{line.number, printable(*peer), peer_port, std::move(speed)}).second)
      file_.fail(line.number, fmt::format("port {} of '{}' is there twice", port, nodes_.back().id));
  }

  /// The next text in quotes, after which `rest` goes on.
  static std::optional<std::string_view> quoted(std::string_view& rest) {
    const std::size_t begin = rest.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('"', begin + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest.substr(begin + 1, end - begin - 1);
    rest.remove_prefix(end + 1);
    return text;
  }

  /// "[12]" at the beginning.
  std::int64_t bracketed(const Line& line, std::string_view& rest, std::string_view what) const {
    const std::size_t end = rest.starts_with('[') ? rest.find_first_not_of("0123456789", 1) : std::string_view::npos;
    if (end == std::string_view::npos || rest[end] != ']')
      file_.fail(line.number, fmt::format("{} in brackets is missing, as in [12]", what));
    const std::string_view text = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return file_.whole(line.number, text, what, 0, 1 << 16);
  }

  static bool is_speed(std::string_view word) {
    const std::size_t x = word.find('x');
    return x != std::string_view::npos && read_number<int>(word.substr(0, x)).value_or(0) > 0;
  }

  // ---- what they say together ----

  void require_both_ends() const {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (const auto& [number, port] : ports_[n]) {
        const auto peer = numbers_.find(port.peer);
        if (peer == numbers_.end())
          file_.fail(port.line,
                     fmt::format("port {} of '{}' leads to '{}', which has no block", number, nodes_[n].id, port.peer));
        const auto back = ports_[peer->second].find(port.peer_port);
        if (back == ports_[peer->second].end())
          file_.fail(port.line, fmt::format("port {} of '{}' leads to port {} of '{}', whose block lacks it", number,
                                            nodes_[n].id, port.peer_port, port.peer));
        if (back->second.peer != nodes_[n].id || back->second.peer_port != number)
          file_.fail(port.line, fmt::format("port {} of '{}' leads to port {} of '{}', which leads elsewhere (line {})", number,
                                            nodes_[n].id, port.peer_port, port.peer, back->second.line));
        if (back->second.speed != port.speed)
          file_.fail(port.line, fmt::format("a cable is '{}' at one end and '{}' at the other (line {})", port.speed,
                                            back->second.speed, back->second.line));
      }
    }
  }

  /// By their descriptions; where several have the same, by their GUIDs.
  void add_vertices() {
    std::map<std::string, int> times;
    for (const Node& node : nodes_) ++times[node.description];
    for (const Kind kind : {Kind::adapter, Kind::a_switch}) {
      for (Node& node : nodes_) {
        if (node.kind != kind) continue;
        node.name = node.description.empty() || times[node.description] > 1 ? node.id : node.description;
        const FabricBuilder::Vertex vertex =
            kind == Kind::adapter ? builder_.add_endpoint(node.name) : builder_.add_switch(node.name);
        if (vertex < 0) file_.fail(node.line, fmt::format("a second '{}'", node.name));
      }
    }
  }

  void add_cables() {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (const auto& [number, port] : ports_[n]) {
        const std::size_t peer = numbers_.at(port.peer);
        // Each end says it.
        if (peer < n || (peer == n && port.peer_port <= number)) continue;
        if (nodes_[n].kind == Kind::left_out || nodes_[peer].kind == Kind::left_out) continue;
        if (peer == n) file_.fail(port.line, fmt::format("a cable of '{}' leads back to it", nodes_[n].id));
        builder_.add_link(builder_.find(nodes_[n].name), builder_.find(nodes_[peer].name),
                          tier_of(port, nodes_[n].kind, nodes_[peer].kind));
      }
    }
  }

  FabricBuilder::Tier tier_of(const Port& port, Kind one, Kind other) {
    const bool is_to_host = one == Kind::adapter || other == Kind::adapter;
    LinkSpeed speed;
    if (!port.speed.empty()) {
      const std::size_t x = port.speed.find('x');
      const std::int64_t lanes = file_.whole(port.line, std::string_view(port.speed).substr(0, x), "lanes", 1, 12);
      const std::string name = port.speed.substr(x + 1);
      const auto known = std::ranges::find(kLanes, std::string_view(name), [](const auto& lane) { return lane.first; });
      if (known == kLanes.end())
        file_.fail(port.line,
                   fmt::format("speed '{}': known are SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR and XDR", port.speed));
      speed.bandwidth = Bandwidth(static_cast<double>(lanes) * known->second * 1e9 / 8);
    }
    return builder_.tier(is_to_host ? 0 : 1, is_to_host ? "hosts" : "switches", speed);
  }

  /// Endpoints of one leaf, where each is at one.
  void set_groups() {
    std::vector<int> leaf;
    std::map<std::size_t, int> seen;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind != Kind::adapter) continue;
      std::optional<std::size_t> at;
      for (const auto& [number, port] : ports_[n]) {
        const std::size_t peer = numbers_.at(port.peer);
        if (at && *at != peer) return;
        at = peer;
      }
      if (!at) return;
      leaf.push_back(seen.try_emplace(*at, static_cast<int>(seen.size())).first->second);
    }
    if (seen.size() > 1) builder_.set_groups({std::move(leaf)});
  }

  ForeignFile file_;
  FabricBuilder builder_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::map<std::int64_t, Port>> ports_;  ///< by node and number
};

std::unique_ptr<Topology> build_ib_discovery(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  return DiscoveryReader("ibnetdiscover:" + path, path).read();
}

}  // namespace

std::vector<FamilyEntry> ib_discovery_families() {
  return {{{"ibnetdiscover", "ibnetdiscover:fabric.txt", "an InfiniBand fabric, from what ibnetdiscover prints", true},
           build_ib_discovery}};
}

}  // namespace heddle
