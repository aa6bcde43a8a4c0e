// SPDX-License-Identifier: Apache-2.0
// Reads "torus:8x8". A new family is one row of families().
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "topo/full_mesh.hpp"
#include "topo/star.hpp"
#include "topo/topology.hpp"
#include "topo/torus.hpp"

namespace heddle {
namespace {

/// A spec taken apart at its colon.
struct SpecText {
  std::string_view whole;
  std::string_view arguments;
  std::string_view example;

  [[noreturn]] void refuse(std::string_view fault) const {
    throw InputError(fmt::format("topology '{}': {}; try {}", whole, fault, example));
  }
};

std::int64_t read_size(std::string_view text, const SpecText& spec) {
  if (text.empty()) spec.refuse("a size is missing");
  std::int64_t size = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, size);
  if (error == std::errc::result_out_of_range) spec.refuse(fmt::format("size '{}' is too large", text));
  if (error != std::errc() || stop != end) spec.refuse(fmt::format("size '{}' is not a whole number", text));
  if (size < 1) spec.refuse(fmt::format("size '{}' is less than 1", text));
  return size;
}

/// "8x8x4"
std::vector<std::int64_t> read_sizes(const SpecText& spec) {
  std::vector<std::int64_t> sizes;
  std::string_view rest = spec.arguments;
  for (;;) {
    const std::size_t x = rest.find('x');
    sizes.push_back(read_size(rest.substr(0, x), spec));
    if (x == std::string_view::npos) return sizes;
    rest.remove_prefix(x + 1);
  }
}

std::int64_t read_one_size(const SpecText& spec) {
  const std::vector<std::int64_t> sizes = read_sizes(spec);
  if (sizes.size() != 1) spec.refuse(fmt::format("one size is expected, not {}", sizes.size()));
  return sizes.front();
}

std::shared_ptr<const Topology> build_ring(const SpecText& spec) {
  return std::make_shared<Torus>(Torus::Family::ring, std::vector{read_one_size(spec)});
}
std::shared_ptr<const Topology> build_torus(const SpecText& spec) {
  return std::make_shared<Torus>(Torus::Family::torus, read_sizes(spec));
}
std::shared_ptr<const Topology> build_mesh(const SpecText& spec) {
  return std::make_shared<Torus>(Torus::Family::mesh, read_sizes(spec));
}
std::shared_ptr<const Topology> build_full_mesh(const SpecText& spec) {
  return std::make_shared<FullMesh>(read_one_size(spec));
}
std::shared_ptr<const Topology> build_star(const SpecText& spec) { return std::make_shared<Star>(read_one_size(spec)); }

struct Family {
  TopologyFamily facts;
  std::shared_ptr<const Topology> (*build)(const SpecText&);
};

const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies = {
      {{"ring", "ring:16", "endpoints in a circle"}, build_ring},
      {{"torus", "torus:8x8x4", "a grid of endpoints whose lines close to rings"}, build_torus},
      {{"mesh", "mesh:4x4", "a grid of endpoints without wrap-around"}, build_mesh},
      {{"fullmesh", "fullmesh:8", "a cable between every two endpoints"}, build_full_mesh},
      {{"star", "star:72", "one switch with a cable to each endpoint"}, build_star},
  };
  return kFamilies;
}

}  // namespace

std::shared_ptr<const Topology> parse_topology(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const auto family =
      std::find_if(families().begin(), families().end(), [name](const Family& f) { return f.facts.name == name; });
  if (family == families().end()) {
    std::vector<std::string_view> names;
    for (const Family& known : families()) names.push_back(known.facts.name);
    throw InputError(fmt::format("topology '{}': {}", spec, unknown_name_message("family", name, names)));
  }
  const std::string_view arguments = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  return family->build({spec, arguments, family->facts.example});
}

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> kFacts = [] {
    std::vector<TopologyFamily> facts;
    for (const Family& family : families()) facts.push_back(family.facts);
    return facts;
  }();
  return kFacts;
}

}  // namespace heddle
