// SPDX-License-Identifier: Apache-2.0
#include "show/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <sstream>
#include <utility>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/documents/context.hpp"
#include "lab/studies/block_steps.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/document/run_output.hpp"
#include "show/page/page_data.hpp"
#include "show/reports/explanation.hpp"

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

namespace {

// What a page has room for: some megabytes in all.
constexpr std::size_t kMessages = 24'000;
constexpr std::size_t kMostMessages = 4096;  // of one algorithm
constexpr std::size_t kFewestMessages = 128;
constexpr std::size_t kLoadCells = 400'000;
constexpr std::size_t kMostLoadCells = 250'000;
constexpr std::size_t kBytesOfSteps = 4'000'000;

std::string title_of(const Setup& setup) {
  if (setup.program) return fmt::format("{} on {}", setup.program->path, setup.fabric.topology().spec());
  std::string title = fmt::format("{} on {}", to_string(setup.asked.collective), setup.fabric.topology().spec());
  if (setup.asked.collective != Collective::barrier) title += fmt::format(", {}", to_string(Bytes(setup.bytes())));
  return title;
}

Json or_why(const auto& make) {
  try {
    return make();
  } catch (const InputError& error) {
    return {{"why_not", error.what()}};
  }
}

std::string path_text(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  const Report& report = *outcome.report();
  if (outcome.timeline) return explanation(setup, *outcome.algorithm, report, *outcome.timeline);
  const auto chain = outcome.sample->chain(report.critical_path);
  if (!chain) return "";
  const Timeline timeline = timeline_of(*outcome.sample, *chain);
  Report ending = report;
  ending.critical_path.last_record = chain->empty() ? CriticalPath::kNoRecord : static_cast<std::uint32_t>(chain->size() - 1);
  return explanation_of_path(setup, *outcome.algorithm, ending, timeline);
}

}  // namespace

void RunPageReporter::begin(const Setup& setup) {
  to_first_model_.begin(setup);
  data_ = {{"kind", "run"},
           {"title", title_of(setup)},
           {"version", std::string(version())},
           {"command", command_},
           {"speeds", describe_speeds(setup.fabric)},
           {"context", json_of_context(setup)},
           {"planned", setup.planned().size()}};
  data_["left_out"] = Json::array();
  for (const LeftOut& left : setup.algorithms.left_out)
    data_["left_out"].push_back({{"algorithm", left.algorithm}, {"reason", left.reason}});
  data_["fabric"] = or_why([&] {
    drawing_ = pictures::draw_loads(setup.fabric.topology(), setup.placement);
    links_ = links_of(*drawing_);
    return json_of_drawing(*drawing_, setup.fabric);
  });
  data_["legend"] = explanation_legend(setup);
  data_["notes"] = Json::array();
  data_["runs"] = Json::array();
  room_for_steps_ = kBytesOfSteps;
}

void RunPageReporter::add(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  Json run = json_of_run(outcome, to_first_model_.add(outcome));
  // The page knows runs by these names.
  const auto shown_name = [&](const std::string& name) {
    return setup.is_one_of_models ? fmt::format("{}, {}", name, to_string(setup.settings.model)) : name;
  };
  if (setup.program || setup.is_one_of_models) run["algorithm"] = shown_name(outcome.algorithm->name);
  if (outcome.stopped() == nullptr) run["about"] = outcome.algorithm->summary;
  if (run.contains("scale_assumed")) {
    run["algorithm"] = shown_name(marked_name(outcome.algorithm->name));
    data_["notes"].push_back(part_run_note(outcome.algorithm->name, {part_text(setup.bytes(), outcome.report()->byte_scale)}) +
                             '.');
  }
  if (const Report* report = outcome.report(); report != nullptr && !outcome.wall) {
    const std::string equivalent = equivalents_[outcome.setup.get()].add(outcome.algorithm->name, RunLikeness(*report));
    if (!equivalent.empty()) run["same_messages_as"] = shown_name(equivalent);
    run["peak_flows"] = peak_flows(*report);
  }
  if (outcome.report() != nullptr && outcome.sample) {
    add_sample(outcome, run);
    run["steps"] = steps(setup, *outcome.algorithm);
  }
  data_["runs"].push_back(std::move(run));
}

void RunPageReporter::add_sample(const Outcome& outcome, Json& run) const {
  const Setup& setup = *outcome.setup;
  const std::size_t algorithms = std::max<std::size_t>(1, data_["planned"].get<std::size_t>());
  const std::size_t messages = std::clamp(kMessages / algorithms, kFewestMessages, kMostMessages);
  const Report& report = *outcome.report();
  const RunSample& sample = *outcome.sample;
  run["completion_ps"] = report.completion.ps();
  run["explanation"] = path_text(outcome);
  run["path"] = json_of_chain(sample, report.critical_path);
  run["sample"] = {{"messages", json_of_messages(sample, messages)},
                   {"waits", json_of_waits(sample, messages)},
                   {"phases", json_of_phases(sample, messages)}};
  if (drawing_)
    run["loads"] = json_of_loads(sample, report, setup.fabric.topology(), links_, link_faults_of(outcome),
                                 std::min(kMostLoadCells, kLoadCells / algorithms));
}

Json RunPageReporter::steps(const Setup& setup, const Algorithm& algorithm) {
  if (setup.program) return {{"why_not", "a program has no steps of its own"}};
  return or_why([&] {
    if (room_for_steps_ == 0)
      throw InputError("the page is full of the steps of those before; run it alone, as in --algo " + algorithm.name);
    Json found = json_of_steps(block_steps(setup, algorithm));
    const std::size_t bytes = found.dump().size();
    room_for_steps_ -= std::min(room_for_steps_, bytes);
    return found;
  });
}

void RunPageReporter::end(const Setup&) {
  if (out_ != nullptr) return write_page(data_, *out_);
  file_->write_by([&](std::ostream& out) { write_page(data_, out); });
}

}  // namespace heddle::pages

namespace heddle {

RunOutput page_output() {
  return {
      .flag = "--html",
      .help =
          "Write one page that a browser opens, page.html: the table, the links' load over time, messages over time and the "
          "critical path, and each algorithm step by step (docs/page.md)",
      .example = "page.html",
      .needs_sample = true,
      .make = [](const RunOutputCall& call) -> std::unique_ptr<Reporter> {
        return read_flag("--html", call.path, [&](std::string_view name) {
          if (name == "-") throw InputError("'-': a page is a file; try page.html");
          auto file = std::make_unique<OutputFile>(std::string(name), call.is_interrupted);
          return std::make_unique<pages::RunPageReporter>(std::move(file), call.command);
        });
      }};
}

}  // namespace heddle
