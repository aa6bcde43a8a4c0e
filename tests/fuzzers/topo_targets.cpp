// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "heddle/collective.hpp"
#include "heddle/datatype.hpp"
#include "heddle/reduce_op.hpp"
#include "heddle/units.hpp"
#include "tests/fuzzers/memory_file.hpp"
#include "tests/fuzzers/refusal.hpp"
#include "tests/fuzzers/targets.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/routing.hpp"
#include "topo/placement/placement.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::fuzzers {

namespace {

constexpr int kRanksPlaced = 8;

/// Large on purpose, not by mistake: what takes seconds and gigabytes to build as it is meant to. What is larger still is
/// refused at once, or should be. `most`: the product of the numbers that is not large yet.
bool is_just_large(std::string_view text, double most) {
  double product = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t digits = text.find_first_not_of("0123456789", at) == text.npos
                                   ? text.size() - at
                                   : text.find_first_not_of("0123456789", at) - at;
    if (digits > 0 && digits < 10) product *= std::max(1, std::atoi(std::string(text.substr(at, digits)).c_str()));
    if (digits >= 10) product *= 1e10;
    at += digits + 1;
  }
  return product > most && product < 1e15;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Of a file of any name, which is no matter of a text.
bool names_a_file(std::string_view text) { return text.find("file:") != std::string_view::npos; }

}  // namespace

void topology(std::string_view text) {
  if (names_a_file(text) || is_just_large(text, 3e3)) return;  // of which a hyperx has the square as links
  may_refuse([text] {
    const auto built = parse_topology(text);
    demand(parse_topology(built->spec())->spec() == built->spec(), "a topology's spec() is not its spec");
  });
}

void units(std::string_view text) {
  may_refuse([text] { demand(parse_bytes(text).count() >= 0, "a negative size"); });
  may_refuse([text] { demand(parse_bandwidth(text).bytes_per_second() > 0, "a bandwidth that is not positive"); });
  may_refuse([text] { demand(parse_time(text) >= Time(), "a negative time"); });
  may_refuse([text] { demand(parse_seconds(text) >= 0, "negative seconds"); });
  may_refuse([text] { parse_datatype(text); });
  may_refuse([text] { parse_op(text); });
  may_refuse([text] { parse_collective(text); });
  may_refuse([text] { parse_routing(text); });
}

void placement(std::string_view text) {
  if (names_a_file(text)) return;
  may_refuse([text] { ranks_of_placement(text); });
  static const auto kTorus = parse_topology("torus:4x4");
  static const auto kLeaves = parse_topology("clos:hosts=4,leaves=4,spines=2");
  for (const auto& on : {kTorus, kLeaves}) {
    may_refuse(
        [&] { demand(parse_placement(text, kRanksPlaced, *on).size() == kRanksPlaced, "not an endpoint for each rank"); });
  }
}

void fabric_file(std::string_view text) {
  const MemoryFile file(text);
  may_refuse([&] { parse_topology("file:" + file.path()); });
}

namespace {

/// Of another tool. Each says of itself what reads it again.
void foreign_file(const std::string& family, std::string_view text, const std::string& fields) {
  const MemoryFile file(text);
  may_refuse([&] {
    const std::string spec = family + ':' + file.path() + fields;
    const auto topology = parse_topology(spec);
    demand(topology->spec() == spec, "another text than the one that was read");
    demand(topology->endpoints() > 0, "no endpoints");
    FabricSettings settings;
    if (!topology->tier_speeds().empty()) settings.tiers = topology->tier_speeds();
    const Fabric fabric(topology, settings);
    if (topology->endpoints() > 1)
      demand(message_cost(fabric, 0, topology->endpoints() - 1).seconds_per_byte > 0, "bytes take no time");
  });
}

}  // namespace

void nccl(std::string_view text) {
  foreign_file("nccl", text, "");
  foreign_file("nccl", text, ",nodes=2");
}
void ibnetdiscover(std::string_view text) { foreign_file("ibnetdiscover", text, ""); }
void slurm(std::string_view text) {
  foreign_file("slurm", text, "");
  foreign_file("slurm", text, ",uplinks=2,unit=1Gbps");
}
void astra(std::string_view text) {
  // A line makes full meshes of thousands, whose routes are all looked up.
  for (std::size_t at = 0; (at = text.find("count", at)) != text.npos;) {
    at += std::string_view("count").size();
    const std::string_view sizes = text.substr(at);
    if (is_just_large(sizes.substr(0, std::find_if(sizes.begin(), sizes.end(), is_letter) - sizes.begin()), 1e3)) return;
  }
  foreign_file("astra", text, "");
}
void simgrid(std::string_view text) { foreign_file("simgrid", text, ""); }
void htsim(std::string_view text) { foreign_file("htsim", text, ""); }

void preset_file(std::string_view text) {
  static const auto kStar = parse_topology("star:4");
  const MemoryFile file(text);
  may_refuse([&] { Fabric(kStar, preset_settings("file:" + file.path())); });
}

}  // namespace heddle::fuzzers
