// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/fabric_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

std::string describe_tier(const LinkSpeed& speed) {
  std::string text = fmt::format("{}, {}", to_string(speed.bandwidth), to_string(speed.latency));
  if (speed.eta_alpha != 1 || speed.eta_beta != 1)
    text += fmt::format(" (eta_alpha {}, eta_beta {})", speed.eta_alpha, speed.eta_beta);
  return text;
}

}  // namespace

std::vector<NamedSpeed> speeds_by_tier(const Fabric& fabric) {
  const std::vector<LinkSpeed>& speeds = fabric.settings().tiers;
  std::vector<NamedSpeed> tiers;
  for (const TierProperties& tier : fabric.topology().properties().tiers)
    tiers.push_back({tier.name, speeds[std::min(tiers.size(), speeds.size() - 1)]});
  return tiers;
}

std::string tier_name(const std::vector<NamedSpeed>& tiers, const Topology& topology, LinkId link) {
  const auto tier = static_cast<std::size_t>(topology.tier(link));
  return tier < tiers.size() ? tiers[tier].name : fmt::format("tier {}", tier);
}

namespace {

/// `tiers`: one for each that has a speed of its own. `has_host_links`: whether hosts have links of their own.
std::string speeds_text(const FabricSettings& settings, const std::vector<NamedSpeed>& tiers, bool has_host_links) {
  std::string text;
  for (const NamedSpeed& tier : tiers) text += fmt::format("{} {}; ", tier.name, describe_tier(tier.speed));
  text += fmt::format("hop {}; alpha {}", to_string(settings.hop), to_string(settings.alpha));
  if (has_host_links) text += fmt::format("; host link {}", to_string(settings.host_link));
  if (settings.gamma != 0) text += fmt::format("; gamma {:g}s per byte", settings.gamma);
  if (settings.send_overhead != Time()) text += fmt::format("; send overhead {}", to_string(settings.send_overhead));
  if (settings.recv_overhead != Time()) text += fmt::format("; receive overhead {}", to_string(settings.recv_overhead));
  return text + fmt::format("; routing {}", to_string(settings.routing));
}

}  // namespace

std::string describe_speeds(const Fabric& fabric) {
  const FabricSettings& settings = fabric.settings();
  if (settings.tiers.size() == 1)
    return speeds_text(settings, {{"links", settings.tiers.front()}}, fabric.host_links() != Time());
  return speeds_text(settings, speeds_by_tier(fabric), fabric.host_links() != Time());
}

std::string describe_speeds(const FabricSettings& settings) {
  std::vector<NamedSpeed> tiers;
  for (const LinkSpeed& speed : settings.tiers)
    tiers.push_back({settings.tiers.size() == 1 ? "links" : fmt::format("tier {}", tiers.size()), speed});
  return speeds_text(settings, tiers, settings.host_link != Time());
}

void append_speeds(nlohmann::ordered_json& object, const Fabric& fabric) {
  const FabricSettings& settings = fabric.settings();
  nlohmann::ordered_json tiers = nlohmann::ordered_json::array();
  for (const auto& [name, speed] : speeds_by_tier(fabric))
    tiers.push_back({{"name", name},
                     {"bandwidth_Bps", bandwidth_for_json(speed.bandwidth)},
                     {"latency_s", seconds_for_json(speed.latency)},
                     {"eta_alpha", speed.eta_alpha},
                     {"eta_beta", speed.eta_beta}});
  object["tiers"] = tiers;
  object["hop_s"] = seconds_for_json(settings.hop);
  if (fabric.host_links() != Time()) object["host_link_s"] = seconds_for_json(settings.host_link);
  object["alpha_s"] = seconds_for_json(settings.alpha);
  object["gamma_s_per_byte"] = settings.gamma;
  object["send_overhead_s"] = seconds_for_json(settings.send_overhead);
  object["recv_overhead_s"] = seconds_for_json(settings.recv_overhead);
  object["routing"] = to_string(settings.routing);
}

double seconds_for_json(Time time) { return static_cast<double>(time.ps()) / 1e12; }

Time time_from_json(double seconds) {
  constexpr double kMostSeconds = 9e6;
  if (!(seconds >= 0 && seconds <= kMostSeconds))
    throw InputError(fmt::format("a time of {:g} s; 0 to {:g} s are possible", seconds, kMostSeconds));
  return Time::from_seconds(seconds);
}

nlohmann::ordered_json bandwidth_for_json(Bandwidth bandwidth) {
  if (bandwidth.is_unlimited()) return nullptr;
  return bandwidth.bytes_per_second();
}

std::span<const NamedPart> path_parts() {
  static constexpr NamedPart kParts[] = {{"startup_s", &PathParts::startup},
                                         {"propagation_s", &PathParts::propagation},
                                         {"serialisation_s", &PathParts::serialisation},
                                         {"contention_s", &PathParts::contention},
                                         {"local_work_s", &PathParts::local_work},
                                         {"waiting_s", &PathParts::waiting}};
  return kParts;
}

nlohmann::ordered_json json_of(const PathParts& parts) {
  nlohmann::ordered_json json;
  for (const auto& [name, part] : path_parts()) json[name] = seconds_for_json(parts.*part);
  return json;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace heddle
