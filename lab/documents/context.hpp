// SPDX-License-Identifier: Apache-2.0
// What documents say of their context: a fabric's speeds as text and as JSON, what was asked for, how options were tuned.
// Numbers carry their unit in their name (time_s, algbw_Bps). null is a rate that has no number: unlimited, or nothing took time.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "heddle/units.hpp"
#include "lab/describe/variants.hpp"
#include "lab/run/setup.hpp"
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

/// "0-3, 5": different numbers that ascend.
std::string ranges_text(std::span<const int> numbers);

/// The parts of a critical path, as JSON and CSV name them: "startup_s", ….
using NamedPart = std::pair<const char*, Time PathParts::*>;
std::span<const NamedPart> path_parts();

/// null where there is none.
nlohmann::ordered_json or_null(const std::optional<double>& value);

/// Bytes per second; null where unlimited, which JSON's numbers cannot say.
nlohmann::ordered_json bandwidth_for_json(Bandwidth bandwidth);

/// What was asked for: version, fabric, ranks, data. Nothing of the host.
nlohmann::ordered_json json_of_context(const Setup& setup);
/// What a run's and a sweep's documents say of tuning: `tune` ("options"), `budget`, and of all points together `points`, `rows`,
/// `combinations`, `tried`, `unfit` and `left_out`, a number for each row of which the budget left some out.
nlohmann::ordered_json json_of_tuning(const VariantCount& count, const Tuning& tuning);
/// tuning_text of what such a document says. Throws what nlohmann throws for what is none.
std::string tuning_text(const nlohmann::ordered_json& json);

// How reports mark a time that was measured on a part of the vector, of an algorithm that does not say that it is independent of
// size (Setup::assumes_scale): its name has a ~ in front, and a line says what was run.

/// Of these bytes of a whole vector, those that a run with this scale holds.
std::int64_t bytes_run(std::int64_t bytes, double byte_scale);

/// "~mine"
std::string marked_name(std::string_view algorithm);

/// "1MiB of 64MiB"
std::string part_text(std::int64_t bytes, double byte_scale);

/// "~mine ran a part of its vector, 1MiB of 64MiB, for the whole; …": one line without its end. `parts` as part_text says.
std::string part_run_note(std::string_view algorithm, const std::vector<std::string>& parts);

}  // namespace heddle
