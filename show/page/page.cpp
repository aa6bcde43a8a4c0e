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

#include "heddle/registry.hpp"
#include "heddle/version.hpp"
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

/// What the page shows of a run: less than its document has.
Json json_of_shown(const SweepDocument& document, const SweepResult& run) {
  const Json all = heddle::json_of(run, fabric_of(document, run), {.spread = run.spread});
  Json shown;
  for (const char* key : {"fabric", "ranks", "placement", "algorithm", "bytes", "error", "time_s", "algbw_Bps", "busbw_Bps",
                          "rounds", "messages", "sent_bytes_max", "peak_flows", "contention_free_s", "idle_faults",
                          "idle_fault_reasons", "faults_gone_round", "worst_link", "over_seeds"})
    if (all.contains(key)) shown[key] = all.at(key);
  if (run.measured && run.spread) shown["over_seeds"].erase("median_s");  // time_s is it
  if (run.measured && run.measured->path.total() > Time()) shown["critical_path"] = all.at("critical_path");
  return shown;
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
    if (is_finished(run)) data["runs"].push_back(json_of_shown(document, run));
  data["notes"] = Json::array();
  for (const std::string& note : part_run_notes(all)) data["notes"].push_back(note + '.');
  data["crossings"] = json_of_crossings(document);
  return page_text(data);
}

}  // namespace heddle::pages
