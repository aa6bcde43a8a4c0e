// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim's analytical network: a product of rings, full meshes and switches, innermost dimension first.
//
//   topology: [ Ring, FullyConnected, Switch ]
//   npus_count: [ 8, 4, 2 ]
//   bandwidth: [ 100.0, 50.0, 25.0 ]   # GB/s of a link, one way
//   latency: [ 500.0, 500.0, 500.0 ]   # ns of a link
//
// Of YAML it reads what these files need: `key: value`, `key: [a, b]` and `key:` with `- a` lines below.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/files/foreign_file.hpp"
#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/stored_links.hpp"
#include "topo/readers/fabric_builder.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

class AstraReader {
 public:
  using Line = ForeignFile::Line;

  AstraReader(std::string spec, std::string path) : file_(path), builder_(std::move(spec), std::move(path)) {}

  std::unique_ptr<Topology> read() {
    const std::vector<Line> lines = file_.lines();
    if (!lines.empty() && lines.front().text.starts_with('{'))
      file_.fail(lines.front().number,
                 "JSON, as ASTRA-sim had before 2.0; its network.yml (topology, npus_count, bandwidth, latency) is read");
    for (const Line& line : lines) read_line(line);
    if (rest_ != nullptr) refuse_open_list();
    for (const char* key : {"topology", "npus_count", "bandwidth", "latency"}) {
      if (!lists_.contains(key))
        file_.fail(fmt::format("it has no '{}'; an ASTRA-sim network has topology, npus_count, bandwidth and latency", key));
    }
    read_dimensions();
    add_npus();
    for (std::size_t d = 0; d < dimensions_.size(); ++d) add_dimension(d);
    // Whoever changes a dimension on the way does so at an NPU.
    if (dimensions_.size() > 1 || dimensions_.front().kind != Kind::a_switch) builder_.set_direct();
    set_groups();
    return builder_.build(file_.text());
  }

 private:
  enum class Kind : std::uint8_t { ring, full, a_switch };

  struct List {
    int line = 0;
    std::vector<std::string> values;
  };
  struct Dimension {
    Kind kind;
    std::int64_t size;
    LinkSpeed speed;
    std::int64_t stride;  ///< between NPUs that are neighbours in it
  };

  // ---- YAML ----

  void read_line(const Line& line) {
    if (rest_ != nullptr) {
      if (line.text.find(':') != std::string_view::npos) refuse_open_list();
      return read_values(line, line.text);
    }
    std::string_view text = line.text;
    if (text == "---" || text == "...") return;
    if (text.starts_with("- ") && open_ != nullptr) {
      open_->values.push_back(value_of(line.number, text.substr(2)));
      return;
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) file_.fail(line.number, fmt::format("'{}' is no 'key: value'", printable(text)));
    const std::string key = printable(stripped(text.substr(0, colon)));
    List& list = lists_[key];
    if (list.line != 0) file_.fail(line.number, fmt::format("'{}' is given twice", key));
    list.line = line.number;
    text = stripped(text.substr(colon + 1));
    open_ = text.empty() ? &list : nullptr;
    require_known(line.number, key);
    if (text.empty()) return;
    if (!text.starts_with('[')) {
      list.values.push_back(value_of(line.number, text));
      return;
    }
    rest_ = &list;
    rest_key_ = key;
    read_values(line, text.substr(1));
  }

  [[noreturn]] void refuse_open_list() const { file_.fail(rest_->line, fmt::format("'{}': a list ends in ]", rest_key_)); }

  /// Of a list in brackets, which may go on in the next line.
  void read_values(const Line& line, std::string_view text) {
    const bool is_last = text.ends_with(']');
    if (is_last) text.remove_suffix(1);
    for (text = stripped(text); !text.empty();) {
      const std::size_t end = std::min(text.find(','), text.size());
      rest_->values.push_back(value_of(line.number, text.substr(0, end)));
      const bool goes_on = end < text.size();
      text = stripped(text.substr(std::min(end + 1, text.size())));
      if (goes_on && text.empty() && is_last) value_of(line.number, "");
    }
    if (is_last) rest_ = nullptr;
  }

  void require_known(int line, const std::string& key) const {
    for (const char* known : {"topology", "npus_count", "bandwidth", "latency"}) {
      if (key == known) return;
    }
    file_.fail(line, fmt::format("unknown key '{}'; read are topology, npus_count, bandwidth and latency", key));
  }

  std::string value_of(int line, std::string_view text) const {
    text = stripped(text);
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
      text = text.substr(1, text.size() - 2);
    if (text.empty() || text.find_first_of("[]{}:&*") != std::string_view::npos)
      file_.fail(line, fmt::format("'{}' is no number and no name: values and flat lists are read of YAML", printable(text)));
    return printable(text);
  }

  // ---- dimensions ----

  void read_dimensions() {
    const std::size_t count = lists_.at("topology").values.size();
    constexpr std::size_t kMostDimensions = 16;
    if (count == 0 || count > kMostDimensions)
      file_.fail(lists_.at("topology").line, fmt::format("{} dimensions: 1 to {} are possible", count, kMostDimensions));
    for (const auto& [key, list] : lists_) {
      if (list.values.size() != count)
        file_.fail(list.line,
                   fmt::format("'{}' has {} values, and topology has {} dimensions", key, list.values.size(), count));
    }
    std::int64_t stride = 1;
    for (std::size_t d = 0; d < count; ++d) {
      Dimension dimension{kind_of(d), whole("npus_count", d), {}, stride};
      dimension.speed.bandwidth =
          Bandwidth(file_.number(lists_.at("bandwidth").line, lists_.at("bandwidth").values[d], "bandwidth", true) * 1e9);
      dimension.speed.latency = file_.span(lists_.at("latency").line, lists_.at("latency").values[d], "latency", 1e-9);
      stride *= dimension.size;
      builder_.require_room(static_cast<double>(stride), 0);
      dimensions_.push_back(dimension);
    }
    npus_ = stride;
  }

  Kind kind_of(std::size_t d) const {
    const List& list = lists_.at("topology");
    const std::string name = lower_case(list.values[d]);
    if (name == "ring") return Kind::ring;
    if (name == "fullyconnected") return Kind::full;
    if (name == "switch") return Kind::a_switch;
    file_.fail(list.line, fmt::format("unknown topology '{}'; known are Ring, FullyConnected and Switch", list.values[d]));
  }
  std::int64_t whole(const char* key, std::size_t d) const {
    const List& list = lists_.at(key);
    return file_.whole(list.line, list.values[d], key, 1, kMaxEndpoints);
  }

  // ---- the graph ----

  void add_npus() {
    double cables = 0;
    for (const Dimension& dimension : dimensions_)
      cables += static_cast<double>(npus_) * (dimension.kind == Kind::full ? static_cast<double>(dimension.size - 1) / 2 : 1);
    builder_.require_room(static_cast<double>(npus_), cables);
    for (std::int64_t i = 0; i < npus_; ++i) builder_.add_endpoint(std::to_string(i));
  }

  void add_dimension(std::size_t d) {
    const Dimension& dimension = dimensions_[d];
    if (dimension.size == 1) return;
    const FabricBuilder::Tier tier = builder_.tier(static_cast<int>(d), fmt::format("dimension {}", d), dimension.speed);
    int switches = 0;
    for (std::int64_t first = 0; first < npus_; ++first) {
      if (first / dimension.stride % dimension.size != 0) continue;
      const auto npu = [&](std::int64_t i) { return static_cast<FabricBuilder::Vertex>(first + i * dimension.stride); };
      if (dimension.kind == Kind::a_switch) {
        const FabricBuilder::Vertex vertex = builder_.add_switch(fmt::format("d{}.s{}", d, switches++));
        for (std::int64_t i = 0; i < dimension.size; ++i) builder_.add_link(npu(i), vertex, tier);
      } else if (dimension.kind == Kind::ring) {
        // A ring of two is one cable.
        const std::int64_t cables = dimension.size == 2 ? 1 : dimension.size;
        for (std::int64_t i = 0; i < cables; ++i) builder_.add_link(npu(i), npu((i + 1) % dimension.size), tier);
      } else {
        for (std::int64_t i = 0; i < dimension.size; ++i) {
          for (std::int64_t k = i + 1; k < dimension.size; ++k) builder_.add_link(npu(i), npu(k), tier);
        }
      }
    }
  }

  /// Those that differ in the first dimensions alone.
  void set_groups() {
    std::vector<std::vector<int>> groups;
    for (std::size_t d = 0; d + 1 < dimensions_.size(); ++d) {
      const std::int64_t size = dimensions_[d + 1].stride;
      std::vector<int>& group = groups.emplace_back();
      for (std::int64_t i = 0; i < npus_; ++i) group.push_back(static_cast<int>(i / size));
    }
    builder_.set_groups(std::move(groups));
  }

  ForeignFile file_;
  FabricBuilder builder_;
  std::map<std::string, List> lists_;
  List* open_ = nullptr;  ///< whose values stand below it
  List* rest_ = nullptr;  ///< that has no ] yet
  std::string rest_key_;
  std::vector<Dimension> dimensions_;
  std::int64_t npus_ = 1;
};

std::unique_ptr<Topology> build_astra_network(SpecFields& fields) {
  const std::string path = read_file_name(fields);
  return AstraReader("astra:" + path, path).read();
}

}  // namespace

std::vector<FamilyEntry> astra_network_families() {
  return {{{"astra", "astra:network.yml", "rings, full meshes and switches by dimension, from ASTRA-sim's network file", true},
           build_astra_network}};
}

}  // namespace heddle
