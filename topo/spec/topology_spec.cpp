// SPDX-License-Identifier: Apache-2.0
#include "topo/spec/topology_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "topo/spec/families.hpp"

namespace heddle {

namespace {

constexpr std::string_view kProduct = "ring:4*star:8";

const std::vector<FamilyEntry>& families() {
  static const std::vector<FamilyEntry> rows = family_entries();
  return rows;
}

}  // namespace

std::string read_file_name(SpecFields& fields) {
  std::string path(fields.bare());
  if (path.empty()) fields.refuse("the name of a file is missing (it cannot have a comma or '=')");
  return path;
}

std::int64_t read_one_size(SpecFields& fields) {
  const std::vector<std::int64_t> sizes = fields.sizes(fields.bare());
  if (sizes.size() != 1) fields.refuse(fmt::format("one size is expected, not {}", sizes.size()));
  return sizes.front();
}

namespace {

std::shared_ptr<const Topology> build_topology(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const auto family =
      std::find_if(families().begin(), families().end(), [name](const FamilyEntry& f) { return f.facts.name == name; });
  if (family == families().end()) {
    std::vector<std::string_view> names;
    for (const FamilyEntry& known : families()) names.push_back(known.facts.name);
    throw InputError(fmt::format("topology '{}': {}", spec, unknown_name_message("family", name, names)));
  }
  // A file's name may have a star.
  const bool is_product = !family->facts.reads_file && spec.substr(0, spec.find(',')).find('*') != std::string_view::npos;
  const std::string_view arguments = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  SpecFields fields(spec, is_product ? spec : arguments, is_product ? kProduct : family->facts.example);
  std::unique_ptr<Topology> topology = is_product ? build_product(fields) : family->build(fields);
  read_offers(fields, *topology);
  fields.require_all_known();
  return topology;
}

/// A topology that the thread asked for last, where it is small and no file's, which may change meanwhile.
struct LastTopology {
  std::string spec;
  std::shared_ptr<const Topology> topology = nullptr;
};

bool is_worth_keeping(std::string_view spec, const Topology& topology) {
  constexpr std::int64_t kMostLinks = std::int64_t{1} << 14;
  return topology.links() <= kMostLinks && std::ranges::none_of(families(), [spec](const FamilyEntry& family) {
           return family.facts.reads_file && spec.find(family.facts.name) != std::string_view::npos;
         });
}

}  // namespace

/// Who draws a case asks for its fabric, and so does who runs it then: a short run takes not much longer than to build it.
std::shared_ptr<const Topology> parse_topology(std::string_view spec) {
  thread_local LastTopology last;
  if (last.topology != nullptr && last.spec == spec) return last.topology;
  std::shared_ptr<const Topology> topology = build_topology(spec);
  last = is_worth_keeping(spec, *topology) ? LastTopology{std::string(spec), topology} : LastTopology();
  return topology;
}

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> kFacts = [] {
    std::vector<TopologyFamily> facts;
    for (const FamilyEntry& family : families()) facts.push_back(family.facts);
    return facts;
  }();
  return kFacts;
}

}  // namespace heddle
