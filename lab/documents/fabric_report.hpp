// SPDX-License-Identifier: Apache-2.0
// A fabric's speeds as text and as JSON, for `run` and `topo` alike.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

struct NamedSpeed {
  std::string name;  ///< "leaf to spine"
  LinkSpeed speed;
};
/// The speed of each tier of links that the fabric has, innermost first.
std::vector<NamedSpeed> speeds_by_tier(const Fabric& fabric);
/// The name of a link's tier; `tiers` as speeds_by_tier lists them.
std::string tier_name(const std::vector<NamedSpeed>& tiers, const Topology& topology, LinkId link);

/// "links 50GB/s, 100ns; hop 300ns; alpha 0s; …": one line; each tier of links by its name where they have speeds of their own.
std::string describe_speeds(const Fabric& fabric);
/// The same of settings that no fabric has yet: "tier 0 …; tier 1 …" where tiers differ.
std::string describe_speeds(const FabricSettings& settings);

/// Appends tiers, hop_s, host_link_s where hosts have links, alpha_s, gamma_s_per_byte, send_overhead_s, recv_overhead_s and routing to an object.
void append_speeds(nlohmann::ordered_json& object, const Fabric& fabric);

/// The decimal that the picoseconds spell: 33.9ns is 3.39e-08, not 3.3900000000000004e-08.
double seconds_for_json(Time time);
/// Reads it back. Throws InputError if it is below 0 or more than some 100 days, which no run takes.
Time time_from_json(double seconds);

/// The parts of a critical path, as JSON and CSV name them: "startup_s", ….
using NamedPart = std::pair<const char*, Time PathParts::*>;
std::span<const NamedPart> path_parts();
nlohmann::ordered_json json_of(const PathParts& parts);

/// null where there is none.
nlohmann::ordered_json or_null(const std::optional<double>& value);

/// Bytes per second; null where unlimited, which JSON's numbers cannot say.
nlohmann::ordered_json bandwidth_for_json(Bandwidth bandwidth);

}  // namespace heddle
