// SPDX-License-Identifier: Apache-2.0
//   <graphs version="1">
//     <graph id="0" pattern="4" …>                       4: a ring; trees and switches have other patterns
//       <channel> <net dev="0"/> <gpu dev="0"/> <gpu dev="1"/> <net dev="1"/> </channel>
//
// Source: NCCL, src/graph/search.cc: what it writes of a graph, and reads back from NCCL_GRAPH_FILE.
#include "algorithms/families/channel_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/files/xml_file.hpp"

namespace heddle::plans {

namespace {

constexpr std::int64_t kRing = 4;
constexpr std::size_t kMostRings = 128;
constexpr std::size_t kMostGpus = 4096;

std::string_view pattern_name(std::int64_t pattern) {
  switch (pattern) {
    case 1:
      return "a balanced tree";
    case 2:
      return "a split tree";
    case 3:
      return "a tree";
    case 5:
      return "NVLS";
    case 6:
      return "CollNet";
    default:
      return "none that is known";
  }
}

class GraphReader {
 public:
  explicit GraphReader(const std::string& path) : file_(path, "graphs", "NCCL graph (NCCL_GRAPH_DUMP_FILE)") {}

  ChannelGraph read() {
    const pugi::xml_node ring = find_ring();
    for (const pugi::xml_node& channel : ring.children()) {
      if (channel.type() != pugi::node_element) continue;
      if (channel.name() != std::string_view("channel"))
        file_.fail(channel, fmt::format("<{}> in a <graph>, which has <channel>", channel.name()));
      if (devs_.size() == kMostRings) file_.fail(channel, fmt::format("more than {} channels", kMostRings));
      devs_.push_back(read_channel(channel));
    }
    if (devs_.empty()) file_.fail(ring, "a <graph> without a <channel>");
    return numbered();
  }

 private:
  pugi::xml_node find_ring() const {
    pugi::xml_node ring;
    std::optional<std::int64_t> other;
    for (const pugi::xml_node& graph : file_.root().children()) {
      if (graph.type() != pugi::node_element) continue;
      if (graph.name() != std::string_view("graph"))
        file_.fail(graph, fmt::format("<{}> in <graphs>, which has <graph>", graph.name()));
      const std::optional<std::int64_t> pattern = file_.whole_of(graph, "pattern", 0, 1 << 16);
      if (!pattern) file_.fail(graph, "<graph> without pattern");
      if (*pattern != kRing) {
        other = other.value_or(*pattern);
      } else if (ring) {
        file_.fail(graph, "a second <graph> with pattern 4; NCCL writes one ring");
      } else {
        ring = graph;
      }
    }
    if (ring) return ring;
    if (!other) file_.fail(file_.root(), "no <graph> in it; a ring is one with pattern 4");
    file_.fail(file_.root(), fmt::format("no ring in it: pattern {} is {}; a ring is a <graph> with pattern 4", *other,
                                         pattern_name(*other)));
  }

  /// In decimal, or in hexadecimal behind 0x.
  std::int64_t dev_of(const pugi::xml_node& gpu) const {
    const std::string text = file_.required(gpu, "dev");
    const bool is_hexadecimal = text.starts_with("0x");
    const char* const first = text.data() + (is_hexadecimal ? 2 : 0);
    const char* const end = text.data() + text.size();
    std::int64_t dev = -1;
    const auto [stop, error] = std::from_chars(first, end, dev, is_hexadecimal ? 16 : 10);
    if (error != std::errc() || stop != end || dev < 0)
      file_.fail(gpu, fmt::format("dev '{}': a whole number is needed", text));
    return dev;
  }

  std::vector<std::int64_t> read_channel(const pugi::xml_node& channel) const {
    std::vector<std::int64_t> devs;
    for (const pugi::xml_node& part : channel.children()) {
      if (part.type() != pugi::node_element || part.name() == std::string_view("net")) continue;
      if (part.name() != std::string_view("gpu"))
        file_.fail(part, fmt::format("<{}> in a <channel>, which has <gpu> and <net>", part.name()));
      const std::int64_t dev = dev_of(part);
      if (std::ranges::count(devs, dev) > 0)
        file_.fail(part, fmt::format("gpu {} twice in a channel, which passes each once", dev));
      if (devs.size() == kMostGpus) file_.fail(part, fmt::format("more than {} GPUs", kMostGpus));
      devs.push_back(dev);
    }
    if (devs.empty()) file_.fail(channel, "a <channel> without a <gpu>");
    if (!devs_.empty() && sorted(devs) != sorted(devs_.front()))
      file_.fail(channel, "other GPUs than in the first channel; a ring passes all of a node");
    return devs;
  }

  static std::vector<std::int64_t> sorted(std::vector<std::int64_t> devs) {
    std::ranges::sort(devs);
    return devs;
  }

  ChannelGraph numbered() const {
    const std::vector<std::int64_t> in_order = sorted(devs_.front());
    ChannelGraph graph{file_.path(), static_cast<int>(in_order.size()), {}};
    for (const std::vector<std::int64_t>& devs : devs_) {
      std::vector<int>& chain = graph.chains.emplace_back();
      for (const std::int64_t dev : devs)
        chain.push_back(static_cast<int>(std::ranges::lower_bound(in_order, dev) - in_order.begin()));
    }
    return graph;
  }

  XmlFile file_;
  std::vector<std::vector<std::int64_t>> devs_;  ///< by channel
};

}  // namespace

std::shared_ptr<const ChannelGraph> read_channel_graph(const std::string& path) {
  return std::make_shared<const ChannelGraph>(GraphReader(path).read());
}

}  // namespace heddle::plans
