// SPDX-License-Identifier: Apache-2.0
// A tree of switches as Slurm's topology.conf has it:
//
//   SwitchName=leaf0 Nodes=node[00-15] LinkSpeed=100
//   SwitchName=top Switches=leaf[0-3]
//
// or a topology.yaml, whose tree says the same (`- switch: leaf0`, `nodes: node[00-15]`, `children: leaf[0-3]`).
// Names may be lists with ranges. Slurm says neither how many cables lead from a switch to the next (`uplinks`, 1) nor what LinkSpeed
// means: one unit is `unit` (unit=1Gbps), and without it the command's speeds hold.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/files/foreign_file.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "topo/readers/fabric_builder.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostNames = std::size_t{1} << 20;

class SlurmReader {
 public:
  using Line = ForeignFile::Line;

  SlurmReader(std::string spec, std::string path, int uplinks, std::optional<Bandwidth> unit)
      : file_(path), builder_(std::move(spec), std::move(path)), uplinks_(uplinks), unit_(unit) {}

  std::unique_ptr<Topology> read() {
    if (const std::vector<Line> lines = file_.lines(); !lines.empty() && is_yaml(lines.front().text)) {
      for (const Line& line : lines) read_yaml(line);
      add_yaml_switch();
      if (!has_tree_ && other_) refuse_other(*other_);
    } else {
      for (const Line& line : joined_lines()) read_line(line);
    }
    if (switches_.empty())
      file_.fail("no switch in it: a topology.conf of Slurm's topology/tree has a SwitchName=… on each line");
    set_heights();
    add_vertices();
    add_links();
    set_groups();
    if (!unit_) builder_.leave_speeds_open();
    return builder_.build(file_.text());
  }

 private:
  struct Switch {
    int line = 0;
    std::string name;
    std::vector<std::string> nodes;
    std::vector<std::string> switches;
    double speed = 0;  ///< LinkSpeed; 0: not said
    int height = -1;   ///< above the nodes; -1: not known yet, -2: being worked out
    std::vector<std::size_t> parents;
  };

  // ---- lines ----

  /// A line that ends in a backslash goes on in the next.
  const std::vector<Line>& joined_lines() {
    for (const Line& line : file_.lines()) {
      const bool goes_on = line.text.ends_with('\\');
      std::string text(goes_on ? line.text.substr(0, line.text.size() - 1) : line.text);
      if (open_) {
        texts_.back() += ' ' + text;
      } else {
        texts_.push_back(std::move(text));
        numbers_.push_back(line.number);
      }
      open_ = goes_on;
    }
    for (std::size_t i = 0; i < texts_.size(); ++i) joined_.push_back({numbers_[i], texts_[i]});
    return joined_;
  }

  /// Blanks around a = go.
  static std::vector<std::string> pairs_of(std::string_view text) {
    std::string joined;
    for (const char c : text) {
      const bool is_after_equals = joined.ends_with('=');
      if (c == '=')
        while (joined.ends_with(' ') || joined.ends_with('\t')) joined.pop_back();
      if (!(is_after_equals && (c == ' ' || c == '\t'))) joined += c;
    }
    std::vector<std::string> pairs;
    for (const std::string_view word : words_of(joined)) pairs.emplace_back(word);
    return pairs;
  }

  static std::string_view unquoted(std::string_view text) {
    const bool is_quoted = text.size() > 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return is_quoted ? text.substr(1, text.size() - 2) : text;
  }

  void read_line(const Line& line) {
    Switch a_switch;
    a_switch.line = line.number;
    std::string name;
    const std::vector<std::string_view> words = words_of(line.text);  // none: a line that only goes on
    if (!words.empty() && lower_case(words.front()) == "include")
      file_.fail(line.number, "Include is not followed; put the other file's lines here");
    for (const std::string& word : pairs_of(line.text)) {
      const std::size_t equals = word.find('=');
      const std::string key = lower_case(word.substr(0, equals));
      if (equals == std::string::npos || equals + 1 == word.size())
        file_.fail(line.number, fmt::format("'{}' is no key=value, as in SwitchName=leaf0 Nodes=node[0-15]", printable(word)));
      const std::string_view value = unquoted(std::string_view(word).substr(equals + 1));
      if (key == "switchname") {
        name = value;
      } else if (key == "nodes") {
        a_switch.nodes = names_of(line.number, value);
      } else if (key == "switches") {
        a_switch.switches = names_of(line.number, value);
      } else if (key == "linkspeed") {
        a_switch.speed = file_.number(line.number, value, "LinkSpeed", true);
      } else if (key == "blockname" || key == "blocksizes") {
        refuse_other(line);
      } else {
        file_.fail(line.number, fmt::format("unknown key '{}'; known are SwitchName, Switches, Nodes and LinkSpeed",
                                            printable(word.substr(0, equals))));
      }
    }
    if (name.empty()) file_.fail(line.number, "a line without SwitchName");
    add_switches(std::move(a_switch), name);
  }

  [[noreturn]] void refuse_other(const Line& line) const {
    const bool is_flat = lower_case(line.text).starts_with("flat");
    file_.fail(line.number, fmt::format("{}; a tree (SwitchName=…, tree:) is read",
                                        is_flat ? "topology/flat, which says nothing of switches"
                                                : "topology/block, which groups nodes and has no switches"));
  }

  void add_switches(Switch a_switch, std::string_view name) {
    const int line = a_switch.line;
    if (a_switch.nodes.empty() == a_switch.switches.empty())
      file_.fail(line, fmt::format("switch '{}' has {}; a switch has nodes or switches below it", printable(name),
                                   a_switch.nodes.empty() ? "neither Nodes nor Switches" : "Nodes and Switches"));
    // Several names on one line are several switches with the same below them.
    std::vector<std::string> names = names_of(line, name);
    require_few(line, names.size() * (a_switch.nodes.size() + a_switch.switches.size()));
    for (std::string& one : names) {
      Switch named = a_switch;
      named.name = std::move(one);
      if (!numbers_of_.emplace(named.name, switches_.size()).second)
        file_.fail(line, fmt::format("switch '{}' is there twice (line {} too)", named.name,
                                     switches_[numbers_of_.at(named.name)].line));
      switches_.push_back(std::move(named));
    }
  }

  // ---- topology.yaml ----

  static bool is_yaml(std::string_view first) { return first == "---" || first.starts_with("- ") || first.starts_with("-\t"); }

  /// One `key: value` a line, as Slurm's own examples are written; a - begins a list's next entry. Of several topologies the tree counts.
  void read_yaml(const Line& line) {
    std::string_view text = line.text;
    if (text == "---" || text == "...") return;
    while (text.starts_with('-')) text = stripped(text.substr(1));
    const std::size_t colon = text.find(':');
    const std::string key = lower_case(stripped(text.substr(0, colon)));
    if (is_other_ && key != "topology") return;
    if (colon == std::string_view::npos)
      file_.fail(line.number, fmt::format("'{}' is no 'key: value', as in '- switch: leaf0'", printable(line.text)));
    const std::string_view value = unquoted(stripped(text.substr(colon + 1)));
    if (key == "topology") {
      is_other_ = false;
    } else if (key == "block" || key == "flat") {
      is_other_ = true;
      other_ = line;
    } else if (key == "tree") {
      if (has_tree_) file_.fail(line.number, "a second tree; a file of one is read");
      has_tree_ = true;
    } else if (key == "switch") {
      add_yaml_switch();
      yaml_.line = line.number;
      yaml_name_ = value;
    } else if (key == "nodes" || key == "children") {
      if (yaml_.line == 0) file_.fail(line.number, fmt::format("'{}' before the first switch", key));
      (key == "nodes" ? yaml_.nodes : yaml_.switches) = names_of(line.number, value);
    } else if (key != "cluster_default" && key != "switches") {
      file_.fail(line.number, fmt::format("unknown key '{}'; known are topology, cluster_default, tree, block, flat, "
                                          "switches, switch, children and nodes",
                                          printable(key)));
    }
  }

  void add_yaml_switch() {
    if (yaml_.line != 0) add_switches(std::move(yaml_), yaml_name_);
    yaml_ = {};
  }

  // ---- lists of hosts ----

  /// "a[0-2,7]b,c": a0b, a1b, a2b, a7b, c.
  std::vector<std::string> names_of(int line, std::string_view list) {
    std::vector<std::string> names;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= list.size(); ++at) {
      if (at < list.size() && list[at] == '[' && depth++ > 0)
        file_.fail(line, fmt::format("'{}': brackets in brackets", printable(list)));
      if (at < list.size() && list[at] == ']' && --depth < 0)
        file_.fail(line, fmt::format("'{}': a ] without its [", printable(list)));
      if (at < list.size() && (list[at] != ',' || depth > 0)) continue;
      const std::string_view part = list.substr(begin, at - begin);
      if (part.empty()) file_.fail(line, fmt::format("'{}': a name is empty", printable(list)));
      if (depth > 0) file_.fail(line, fmt::format("'{}': a [ without its ]", printable(list)));
      for (std::string& name : expanded(line, part)) names.push_back(std::move(name));
      begin = at + 1;
    }
    return names;
  }

  std::vector<std::string> expanded(int line, std::string_view part) {
    std::vector<std::string> names = {""};
    while (!part.empty()) {
      const std::size_t open = std::min(part.find('['), part.size());
      for (std::string& name : names) name += printable(part.substr(0, open));
      part.remove_prefix(open);
      if (part.empty()) break;
      const std::size_t close = part.find(']');
      const std::vector<std::string> numbers = numbers_of(line, part.substr(1, close - 1));
      part.remove_prefix(close + 1);
      require_few(line, names.size() * numbers.size());
      std::vector<std::string> longer;
      for (const std::string& name : names) {
        for (const std::string& number : numbers) longer.push_back(name + number);
      }
      names = std::move(longer);
    }
    require_few(line, names.size());
    named_ += names.size();
    return names;
  }

  void require_few(int line, std::size_t more) const {
    if (named_ + more > kMostNames) file_.fail(line, fmt::format("up to here more than {} names", kMostNames));
  }

  /// "00-03,7"; zeros in front stay.
  std::vector<std::string> numbers_of(int line, std::string_view ranges) const {
    std::vector<std::string> numbers;
    for (std::size_t begin = 0; begin <= ranges.size();) {
      const std::size_t end = std::min(ranges.find(',', begin), ranges.size());
      const std::string_view range = ranges.substr(begin, end - begin);
      const std::size_t dash = range.find('-');
      const std::string_view first = range.substr(0, dash);
      const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
      constexpr std::int64_t kMost = 1'000'000'000;
      const std::int64_t from = file_.whole(line, first, "in a list of names", 0, kMost);
      const std::int64_t to = file_.whole(line, last, "in a list of names", 0, kMost);
      if (to < from) file_.fail(line, fmt::format("[{}]: the range ends before it begins", printable(range)));
      require_few(line, numbers.size() + static_cast<std::size_t>(to - from) + 1);
      for (std::int64_t i = from; i <= to; ++i) numbers.push_back(fmt::format("{:0{}}", i, first.size()));
      begin = end + 1;
    }
    return numbers;
  }

  // ---- the tree ----

  void set_heights() {
    for (std::size_t s = 0; s < switches_.size(); ++s) {
      for (const std::string& below : switches_[s].switches) {
        const auto known = numbers_of_.find(below);
        if (known == numbers_of_.end())
          file_.fail(switches_[s].line,
                     fmt::format("switch '{}' is above '{}', which no SwitchName names", switches_[s].name, below));
        switches_[known->second].parents.push_back(s);
      }
    }
    // From the leaves up, each when all below it are known.
    std::vector<std::size_t> open;
    std::vector<std::size_t> ready;
    for (std::size_t s = 0; s < switches_.size(); ++s) {
      open.push_back(switches_[s].switches.size());
      if (open.back() > 0) continue;
      switches_[s].height = 0;
      ready.push_back(s);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      for (const std::size_t parent : switches_[ready[i]].parents) {
        switches_[parent].height = std::max(switches_[parent].height, switches_[ready[i]].height + 1);
        if (--open[parent] == 0) ready.push_back(parent);
      }
    }
    const auto in_ring = std::ranges::find_if(open, [](std::size_t below) { return below > 0; });
    if (in_ring == open.end()) return;
    const Switch& which = switches_[static_cast<std::size_t>(in_ring - open.begin())];
    file_.fail(which.line, fmt::format("switch '{}' is above itself", which.name));
  }

  void add_vertices() {
    for (const Switch& a_switch : switches_) {
      for (const std::string& node : a_switch.nodes) builder_.add_endpoint(node);
    }
    for (const Switch& a_switch : switches_) {
      if (builder_.add_switch(a_switch.name) < 0)
        file_.fail(a_switch.line, fmt::format("'{}' is a switch and a node", a_switch.name));
    }
  }

  FabricBuilder::Tier tier_of(const Switch& a_switch) {
    LinkSpeed speed;
    if (unit_ && a_switch.speed == 0)
      file_.fail(a_switch.line, fmt::format("switch '{}' has no LinkSpeed, and unit says what it means", a_switch.name));
    if (unit_) speed.bandwidth = *unit_ * a_switch.speed;
    return builder_.tier(a_switch.height, a_switch.height == 0 ? "nodes" : fmt::format("level {}", a_switch.height), speed);
  }

  void add_links() {
    for (const Switch& a_switch : switches_) {
      const FabricBuilder::Vertex vertex = builder_.find(a_switch.name);
      const FabricBuilder::Tier tier = tier_of(a_switch);
      require_once(a_switch, a_switch.nodes);
      require_once(a_switch, a_switch.switches);
      for (const std::string& node : a_switch.nodes) builder_.add_link(builder_.find(node), vertex, tier);
      for (const std::string& below : a_switch.switches) builder_.add_link(builder_.find(below), vertex, tier, uplinks_);
    }
  }

  void require_once(const Switch& a_switch, std::vector<std::string> names) const {
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end())
      file_.fail(a_switch.line, fmt::format("switch '{}' has '{}' twice below it", a_switch.name, *twice));
  }

  /// Of a tree whose leaves are all as deep: the switches of each level but the last.
  void set_groups() {
    std::vector<std::vector<int>> groups;
    std::vector<std::size_t> above(static_cast<std::size_t>(builder_.endpoints()));
    std::vector<bool> has_switch(above.size(), false);
    for (std::size_t s = 0; s < switches_.size(); ++s) {
      for (const std::string& node : switches_[s].nodes) {
        const auto number = static_cast<std::size_t>(builder_.find(node));  // endpoints were added first
        if (has_switch[number]) return;
        has_switch[number] = true;
        above[number] = s;
      }
    }
    for (;;) {
      std::map<std::size_t, int> seen;
      std::vector<int>& group = groups.emplace_back();
      for (const std::size_t a_switch : above)
        group.push_back(seen.try_emplace(a_switch, static_cast<int>(seen.size())).first->second);
      if (seen.size() == 1) groups.pop_back();
      if (seen.size() == 1 || !climb(above)) break;
    }
    builder_.set_groups(std::move(groups));
  }

  bool climb(std::vector<std::size_t>& above) const {
    for (std::size_t& a_switch : above) {
      if (switches_[a_switch].parents.size() != 1) return false;
      a_switch = switches_[a_switch].parents.front();
    }
    return true;
  }

  ForeignFile file_;
  FabricBuilder builder_;
  int uplinks_;
  std::optional<Bandwidth> unit_;
  std::vector<std::string> texts_;
  std::vector<int> numbers_;
  std::vector<Line> joined_;
  bool open_ = false;
  std::vector<Switch> switches_;
  std::map<std::string, std::size_t> numbers_of_;
  std::size_t named_ = 0;
  bool has_tree_ = false;
  bool is_other_ = false;  ///< what is read is of a topology that is no tree
  std::optional<Line> other_;
  Switch yaml_;  ///< the one that is read; without a line: none is
  std::string yaml_name_;
};

std::unique_ptr<Topology> build_slurm_topology(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  constexpr std::int64_t kMostUplinks = 1 << 16;
  const std::int64_t uplinks = fields.number("uplinks").value_or(1);
  if (uplinks > kMostUplinks) fields.refuse(fmt::format("uplinks={}: at most {} are possible", uplinks, kMostUplinks));
  std::string spec = "slurm:" + path + (uplinks == 1 ? "" : fmt::format(",uplinks={}", uplinks));
  std::optional<Bandwidth> unit;
  if (const auto text = fields.text("unit")) {
    unit = parse_bandwidth(*text);
    spec += fmt::format(",unit={}", *text);
  }
  return SlurmReader(spec, path, static_cast<int>(uplinks), unit).read();
}

}  // namespace

std::vector<FamilyEntry> slurm_topology_families() {
  return {{{"slurm", "slurm:topology.conf,uplinks=4", "a tree of switches, from Slurm's topology.conf", true},
           build_slurm_topology}};
}

}  // namespace heddle
