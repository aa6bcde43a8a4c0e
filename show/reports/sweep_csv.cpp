// SPDX-License-Identifier: Apache-2.0
#include "show/reports/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/documents/context.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/document/document.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<Document::Cell>;

constexpr std::array<std::string_view, 12> kIdentity = {"run",       "fabric", "collective", "algorithm", "topology", "ranks",
                                                        "placement", "bytes",  "count",      "datatype",  "op",       "root"};
constexpr std::array<std::string_view, 7> kMeasured = {"time_s",   "algbw_Bps",      "busbw_Bps", "rounds",
                                                       "messages", "sent_bytes_max", "peak_flows"};
constexpr std::array<std::string_view, 5> kMore = {"contention_free_s", "payload_scale", "scale_assumed", "bytes_run",
                                                   "switch_precision"};
constexpr std::array<std::string_view, 4> kTier = {"bandwidth_Bps", "latency_s", "eta_alpha", "eta_beta"};

Document::Cell cell(const Json& object, std::string_view key) {
  const auto member = object.find(std::string(key));
  return {member == object.end() ? Json(nullptr) : *member, ""};
}

/// "9e+11;5e+10": by tier, innermost first.
std::string tiers_cell(const Json& fabric, std::string_view key) {
  std::vector<std::string> values;
  for (const Json& tier : fabric.at("tiers")) {
    const Json& value = tier.at(std::string(key));
    values.push_back(value.is_null() ? "inf" : value.is_string() ? value.get<std::string>() : value.dump());
  }
  return fmt::format("{}", fmt::join(values, ";"));
}

/// What describes a fabric and is no column of the run already.
std::vector<std::string> fabric_keys(const SweepDocument& document) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.context.at("fabrics").at(0).items())
    if (!value.is_structured() && std::ranges::find(kIdentity, key) == kIdentity.end()) keys.push_back(key);
  return keys;
}

std::string status_of(const SweepResult& run) {
  if (run.measured) return "ok";
  return run.failure ? to_string(run.failure->kind) : "not_run";
}

std::vector<Document::Column> columns_of(const std::vector<std::string>& of_fabric, bool has_base, bool has_spreads) {
  std::vector<Document::Column> columns;
  const auto add = [&](const auto& keys) {
    for (const auto& key : keys) columns.push_back({std::string(key)});
  };
  add(kIdentity);
  add(std::array{"status"});
  add(kMeasured);
  for (const auto& [key, part] : path_parts()) columns.push_back({key});
  add(kMore);
  add(std::array{"version"});
  add(kTier);
  add(of_fabric);
  if (has_base) add(std::array{"time_to_base"});
  if (has_spreads)
    for (const SpreadPart& part : spread_parts()) columns.push_back({fmt::format("over_seeds_{}", part.key)});
  return columns;
}

Row row_of(const SweepDocument& document, const SweepResult& run, const std::vector<std::string>& of_fabric) {
  const Json& fabric = fabric_of(document, run);
  const Json json = json_of(run, fabric);
  const Json path = json.value("critical_path", Json::object());
  Row row;
  for (const auto key : kIdentity) row.push_back(cell(json, key));
  row.emplace_back(status_of(run));
  for (const auto key : kMeasured) row.push_back(cell(json, key));
  for (const auto& [key, part] : path_parts()) row.push_back(cell(path, key));
  for (const auto key : kMore) row.push_back(cell(json, key));
  row.push_back(cell(document.context, "version"));
  for (const auto key : kTier) row.emplace_back(tiers_cell(fabric, key));
  for (const std::string& key : of_fabric) row.push_back(cell(fabric, key));
  return row;
}

}  // namespace

std::string csv_text_of(const SweepDocument& document) {
  const std::vector<std::string> of_fabric = fabric_keys(document);
  const std::vector<std::optional<double>> ratios = ratios_to_base(document);
  const std::vector<std::optional<SeedSpread>> spreads = spreads_of(document);
  const bool has_spreads = has_seeds(document);
  Document csv{.columns = columns_of(of_fabric, !ratios.empty(), has_spreads)};
  for (std::size_t i = 0; i < document.runs.size(); ++i) {
    Row row = row_of(document, document.runs[i], of_fabric);
    if (!ratios.empty()) row.emplace_back(or_null(ratios[i]), "");
    for (const SpreadPart& part : spread_parts())
      if (has_spreads) row.emplace_back(spreads[i] ? Json(seconds_for_json((*spreads[i]).*part.time)) : Json(nullptr), "");
    csv.rows.push_back(std::move(row));
  }
  return csv_text(csv);
}

}  // namespace heddle
