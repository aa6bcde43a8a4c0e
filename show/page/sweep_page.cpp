// SPDX-License-Identifier: Apache-2.0
#include "show/page/sweep_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/grammar/shell_words.hpp"
#include "show/page/page_writer.hpp"

namespace heddle::pages {

namespace {

using Json = nlohmann::ordered_json;

/// "heddle sweep allreduce --algo ring --topo torus:4x4 …" of a context's parameters.
std::string command_of(const Json& parameters) {
  const auto word = [](const Json& value) {
    return value.is_string() ? shell_word(value.get<std::string>()) : shell_word(value.dump());
  };
  std::string command = "heddle sweep";
  if (parameters.contains("COLLECTIVE")) command += ' ' + word(parameters["COLLECTIVE"]);
  for (const auto& [flag, value] : parameters.items()) {
    if (!flag.starts_with("--")) continue;
    const Json values = value.is_array() ? value : Json::array({value});
    for (const Json& one : values) {
      if (one.is_boolean() && !one.get<bool>()) continue;
      command += one.is_boolean() ? fmt::format(" {}", flag) : fmt::format(" {} {}", flag, word(one));
    }
  }
  return command;
}

Json json_of(const PathParts& parts) {
  return {{"startup_s", seconds_for_json(parts.startup)},
          {"propagation_s", seconds_for_json(parts.propagation)},
          {"serialisation_s", seconds_for_json(parts.serialisation)},
          {"contention_s", seconds_for_json(parts.contention)},
          {"local_work_s", seconds_for_json(parts.local_work)},
          {"waiting_s", seconds_for_json(parts.waiting)}};
}

/// What the page shows of a run: less than its document has.
Json json_of_shown(const SweepResult& run) {
  Json json = {{"fabric", run.fabric},
               {"ranks", run.ranks},
               {"placement", run.placement},
               {"algorithm", run.algorithm},
               {"bytes", run.bytes}};
  if (run.failure) json["error"] = {{"kind", to_string(run.failure->kind)}, {"explanation", run.failure->explanation}};
  if (!run.measured) return json;
  const SweepMeasurement& measured = *run.measured;
  json["time_s"] = seconds_for_json(measured.time);
  json["algbw_Bps"] = or_null(measured.algbw);
  json["busbw_Bps"] = or_null(measured.busbw);
  json["rounds"] = measured.rounds;
  json["messages"] = measured.messages;
  json["sent_bytes_max"] = measured.sent_max.count();
  json["peak_flows"] = measured.peak_flows;
  json["contention_free_s"] = seconds_for_json(measured.contention_free);
  if (measured.path.total() > Time()) json["critical_path"] = json_of(measured.path);
  return json;
}

}  // namespace

std::string sweep_page(const SweepDocument& measured) {
  const SweepDocument document = with_marked_names(measured);
  const bool is_tuned = document.context.contains("tuning");
  const std::vector<SweepResult> runs = is_tuned ? best_of_rows(document.runs) : document.runs;
  const Json& parameters = document.context.at("parameters");
  Json data = {{"kind", "sweep"},
               {"title", fmt::format("Sweep of {}", parameters.value("COLLECTIVE", std::string("collectives")))},
               {"version", std::string(version())},
               {"command", command_of(parameters)},
               {"context", document.context},
               {"planned", document.planned},
               {"shard", document.shard.is_whole() ? Json(nullptr) : Json(to_string(document.shard))},
               {"complete", is_complete(document)},
               {"left_out", document.left_out}};
  data["runs"] = Json::array();
  for (const SweepResult& run : runs)
    if (is_finished(run)) data["runs"].push_back(json_of_shown(run));
  data["notes"] = Json::array();
  for (const std::string& note : part_run_notes(measured)) data["notes"].push_back(note + '.');
  data["crossings"] = Json::array();
  if (is_complete(document))
    for (const Crossing& crossing : crossings_of(runs))
      data["crossings"].push_back({{"fabric", crossing.fabric},
                                   {"from", crossing.from},
                                   {"to", crossing.to},
                                   {"below", crossing.below},
                                   {"above", crossing.above},
                                   {"at", crossing.at}});
  return page_text(data);
}

}  // namespace heddle::pages
