// SPDX-License-Identifier: Apache-2.0
// Reads "torus:8x8". A new family is one row of families().
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "topo/clos.hpp"
#include "topo/dragonfly.hpp"
#include "topo/dragonfly_plus.hpp"
#include "topo/file_graph.hpp"
#include "topo/full_mesh.hpp"
#include "topo/hamming_mesh.hpp"
#include "topo/hyperx.hpp"
#include "topo/offers_spec.hpp"
#include "topo/spec_fields.hpp"
#include "topo/star.hpp"
#include "topo/superpod.hpp"
#include "topo/topology.hpp"
#include "topo/torus.hpp"

namespace heddle {
namespace {

using TopologyPointer = std::unique_ptr<Topology>;

std::int64_t read_one_size(SpecFields& fields) {
  const std::vector<std::int64_t> sizes = fields.sizes(fields.bare());
  if (sizes.size() != 1) fields.refuse(fmt::format("one size is expected, not {}", sizes.size()));
  return sizes.front();
}

TopologyPointer build_ring(SpecFields& fields) {
  return std::make_unique<Torus>(Torus::Family::ring, std::vector{read_one_size(fields)});
}
TopologyPointer build_torus(SpecFields& fields) {
  return std::make_unique<Torus>(Torus::Family::torus, fields.sizes(fields.bare()));
}
TopologyPointer build_mesh(SpecFields& fields) {
  return std::make_unique<Torus>(Torus::Family::mesh, fields.sizes(fields.bare()));
}
TopologyPointer build_hypercube(SpecFields& fields) {
  constexpr std::int64_t kMostDimensions = 28;  // of two coordinates each; more are more endpoints than can be numbered
  const std::int64_t dimensions = read_one_size(fields);
  if (dimensions > kMostDimensions) fields.refuse(fmt::format("{} dimensions are more than {}", dimensions, kMostDimensions));
  return std::make_unique<Torus>(Torus::Family::hypercube, std::vector<std::int64_t>(static_cast<std::size_t>(dimensions), 2));
}
TopologyPointer build_full_mesh(SpecFields& fields) { return std::make_unique<FullMesh>(read_one_size(fields)); }
TopologyPointer build_star(SpecFields& fields) { return std::make_unique<Star>(read_one_size(fields)); }

struct Family {
  TopologyFamily facts;
  TopologyPointer (*build)(SpecFields&);
};

const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies = {
      {{"ring", "ring:16", "endpoints in a circle"}, build_ring},
      {{"torus", "torus:8x8x4", "a grid of endpoints whose lines close to rings"}, build_torus},
      {{"mesh", "mesh:4x4", "a grid of endpoints without wrap-around"}, build_mesh},
      {{"fullmesh", "fullmesh:8", "a cable between every two endpoints"}, build_full_mesh},
      {{"star", "star:72", "one switch with a cable to each endpoint"}, build_star},
      {{"clos", "clos:hosts=16,leaves=8,spines=4", "hosts below leaves below spines, and pods of them below cores"},
       build_clos},
      {{"fattree", "fattree:k=8", "three tiers of switches of k ports, half of them up"}, build_fat_tree},
      {{"superpod", "superpod:pods=2,gpus=72,trays=18", "pods of GPUs on NVLink, joined by a leaf-spine network for each rail"},
       build_superpod},
      {{"dragonfly", "dragonfly:groups=9,routers=4,hosts=2",
        "groups of fully connected routers, a cable between every two groups"},
       build_dragonfly},
      {{"dragonfly+", "dragonfly+:groups=23,leaves=18,spines=18,hosts=10", "leaf-spine groups whose spines join all groups"},
       build_dragonfly_plus},
      {{"hyperx", "hyperx:8x8", "a grid of endpoints whose lines are full meshes"}, build_hyperx},
      {{"hxmesh", "hxmesh:board=2x2,grid=32x32", "HammingMesh: boards of 2D meshes, a switch for each row and column"},
       build_hamming_mesh},
      {{"hypercube", "hypercube:6", "2^d endpoints, a cable wherever one bit of their numbers differs"}, build_hypercube},
      {{"file", "file:fabric.json", "any graph, from a JSON file"}, build_file_graph},
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
  SpecFields fields(spec, arguments, family->facts.example);
  TopologyPointer topology = family->build(fields);
  read_offers(fields, *topology);
  fields.require_all_known();
  return topology;
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
