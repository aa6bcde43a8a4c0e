// SPDX-License-Identifier: Apache-2.0
#include "show/page/page.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/page/page_data.hpp"

namespace heddle::pages {

namespace {

using Json = nlohmann::ordered_json;

/// "<" would end the script that holds the data, or begin a comment in it.
void write_data(const Json& data, std::ostream& out) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = text;
  for (std::size_t place = rest.find('<'); place != std::string_view::npos; place = rest.find('<')) {
    out << rest.substr(0, place) << "\\u003c";
    rest.remove_prefix(place + 1);
  }
  out << rest;
}

void write_text(std::string_view text, std::ostream& out) {
  for (const char letter : text) {
    if (letter == '<')
      out << "&lt;";
    else if (letter == '>')
      out << "&gt;";
    else if (letter == '&')
      out << "&amp;";
    else
      out << letter;
  }
}

}  // namespace

void write_page(const Json& data, std::ostream& out) {
  const Json title = Json::parse(Json(data.at("title")).dump(-1, ' ', false, Json::error_handler_t::replace));
  struct Place {
    std::string_view name;
    std::function<void()> fill;
  };
  const Place places[] = {
      {"{{title}}", [&] { write_text(title.get<std::string>(), out); }},
      {"{{style}}", [&] { out << style(); }},
      {"{{data}}", [&] { write_data(data, out); }},
      {"{{scripts}}",
       [&] {
         for (const std::string_view script : scripts()) out << "<script>\n" << script << "\n</script>\n";
       }},
  };
  std::string_view rest = skeleton();
  for (const Place& place : places) {
    const std::size_t at = rest.find(place.name);
    out << rest.substr(0, at);
    place.fill();
    rest.remove_prefix(at + place.name.size());
  }
  out << rest;
}

std::string page_text(const Json& data) {
  std::ostringstream out;
  write_page(data, out);
  return std::move(out).str();
}

std::string page_of(const Document& document, std::string_view kind, std::string_view title, const std::string& command) {
  return page_text({{"kind", kind},
                    {"title", title},
                    {"version", version()},
                    {"command", command},
                    {"document", Json::parse(json_text(heddle::json_of(document)))}});
}

namespace {

using Json = nlohmann::ordered_json;

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
  if (!measured.idle_faults.empty()) {
    json["idle_faults"] = measured.idle_faults;
    json["idle_fault_reasons"] = measured.idle_reasons;
  }
  if (!measured.faults_gone_round.empty()) json["faults_gone_round"] = measured.faults_gone_round;
  if (measured.worst_link) json["worst_link"] = *measured.worst_link;
  if (run.spread)
    json["over_seeds"] = {{"seeds", run.spread->seeds},
                          {"least_s", seconds_for_json(run.spread->least)},
                          {"first_quartile_s", seconds_for_json(run.spread->first_quartile)},
                          {"third_quartile_s", seconds_for_json(run.spread->third_quartile)},
                          {"most_s", seconds_for_json(run.spread->most)}};
  if (measured.path.total() > Time()) json["critical_path"] = json_of(measured.path);
  return json;
}

}  // namespace

std::string sweep_page(const SweepDocument& all) {
  const SweepDocument document = with_marked_names(over_seeds(all));
  const bool is_tuned = document.context.contains("tuning");
  const std::vector<SweepResult> runs = is_tuned ? best_of_rows(document.runs) : document.runs;
  const Json& parameters = document.context.at("parameters");
  Json data = {{"kind", "sweep"},
               {"title", fmt::format("Sweep of {}", parameters.value("COLLECTIVE", std::string("collectives")))},
               {"version", std::string(version())},
               {"command", document.context.value("command", std::string())},
               {"context", document.context},
               {"planned", has_seeds(all) ? static_cast<int>(document.runs.size()) : all.planned},
               {"shard", document.shard.is_whole() ? Json(nullptr) : Json(to_string(document.shard))},
               {"complete", is_complete(all)},
               {"left_out", document.left_out}};
  data["runs"] = Json::array();
  for (const SweepResult& run : runs)
    if (is_finished(run)) data["runs"].push_back(json_of_shown(run));
  data["notes"] = Json::array();
  for (const std::string& note : part_run_notes(all)) data["notes"].push_back(note + '.');
  data["crossings"] = json_of_crossings(document);
  return page_text(data);
}

}  // namespace heddle::pages
