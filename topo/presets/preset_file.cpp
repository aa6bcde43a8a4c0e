// SPDX-License-Identifier: Apache-2.0
#include "topo/presets/preset_file.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "heddle/errors.hpp"
#include "topo/files/file_fields.hpp"

namespace heddle {
namespace {

using PresetJson = nlohmann::ordered_json;

constexpr std::size_t kMostPresetTiers = 128;

std::vector<LinkSpeed> speeds_of(const FileFields& fields, const LocatedJson& tiers) {
  static constexpr std::array<std::string_view, 4> kFields = {"bandwidth", "latency", "eta_alpha", "eta_beta"};
  fields.require_kind(tiers, LocatedJson::Kind::array, "'tiers'");
  if (tiers.parts.empty() || tiers.parts.size() > kMostPresetTiers)
    fields.fail(tiers, fmt::format("{} tiers: 1 to {} are possible", tiers.parts.size(), kMostPresetTiers));
  std::vector<LinkSpeed> speeds;
  for (const LocatedJson& tier : tiers.parts) {
    fields.require_object(tier, "a tier", kFields);
    speeds.push_back(fields.speed(tier));
  }
  return speeds;
}

/// The root, all of whose fields are known, and its checksum right.
LocatedJson checked_root(const FileFields& fields) {
  static constexpr std::array<std::string_view, 11> kFields = {
      "summary", "fitted", "tiers", "hop", "host_link", "alpha", "send_overhead", "recv_overhead", "gamma", "routing", "check"};
  LocatedJson root = fields.read_root();
  fields.require_object(root, "the preset", kFields);
  fields.require_check(root);
  return root;
}

std::optional<FitRecord> fit_record_of(const FileFields& fields, const LocatedJson& root) {
  static constexpr std::array<std::string_view, 3> kFields = {"topology", "runs", "predicted"};
  const LocatedJson* fitted = root.find("fitted");
  if (fitted == nullptr) return std::nullopt;
  fields.require_object(*fitted, "'fitted'", kFields);
  const auto text_of = [&](const char* name) {
    return fields.text(fields.required(*fitted, name, "'fitted'"), fmt::format("'{}'", name));
  };
  FitRecord record{text_of("topology"), text_of("runs"), {}};
  if (const LocatedJson* predicted = fitted->find("predicted")) record.predicted = fields.text(*predicted, "'predicted'");
  return record;
}

}  // namespace

std::string gamma_text(double seconds_per_byte) { return fmt::format("{:.4g}ps", seconds_per_byte * 1e12); }

FabricSettings read_preset_file(const std::string& path) {
  const FileFields fields(path);
  const LocatedJson root = checked_root(fields);
  fit_record_of(fields, root);
  if (const LocatedJson* summary = root.find("summary")) fields.text(*summary, "'summary'");
  FabricSettings settings;
  if (const LocatedJson* tiers = root.find("tiers")) settings.tiers = speeds_of(fields, *tiers);
  const auto read_time = [&](const char* name, Time& time) {
    if (const LocatedJson* value = root.find(name))
      time = fields.parsed(*value, fmt::format("'{}'", name), [](const std::string& text) { return parse_time(text); });
  };
  read_time("hop", settings.hop);
  read_time("host_link", settings.host_link);
  read_time("alpha", settings.alpha);
  read_time("send_overhead", settings.send_overhead);
  read_time("recv_overhead", settings.recv_overhead);
  if (const LocatedJson* gamma = root.find("gamma"))
    settings.gamma = fields.parsed(*gamma, "'gamma'", [](const std::string& text) { return parse_seconds(text); });
  if (const LocatedJson* routing = root.find("routing"))
    settings.routing = fields.parsed(*routing, "'routing'", [](const std::string& text) { return parse_routing(text); });
  return settings;
}

std::optional<FitRecord> read_fit_record(const std::string& path) {
  const FileFields fields(path);
  const LocatedJson root = checked_root(fields);
  if (root.find("check") == nullptr) return std::nullopt;
  return fit_record_of(fields, root);
}

std::string preset_file_text(const FabricSettings& settings, std::string_view summary, const std::optional<FitRecord>& fitted) {
  PresetJson tiers = PresetJson::array();
  for (const LinkSpeed& speed : settings.tiers)
    tiers.push_back({{"bandwidth", to_string(speed.bandwidth)},
                     {"latency", to_string(speed.latency)},
                     {"eta_alpha", speed.eta_alpha},
                     {"eta_beta", speed.eta_beta}});
  PresetJson preset = {{"summary", summary},
                       {"tiers", std::move(tiers)},
                       {"hop", to_string(settings.hop)},
                       {"host_link", to_string(settings.host_link)},
                       {"alpha", to_string(settings.alpha)},
                       {"send_overhead", to_string(settings.send_overhead)},
                       {"recv_overhead", to_string(settings.recv_overhead)},
                       {"gamma", gamma_text(settings.gamma)},
                       {"routing", to_string(settings.routing)}};
  if (fitted) {
    preset["fitted"] = {{"topology", fitted->topology}, {"runs", fitted->runs}};
    if (!fitted->predicted.empty()) preset["fitted"]["predicted"] = fitted->predicted;
  }
  const auto text = [&] { return preset.dump(2, ' ', false, PresetJson::error_handler_t::replace) + '\n'; };
  preset["check"] = checksum_of_content(read_located_json(text(), "preset"));
  return text();
}

}  // namespace heddle
