// SPDX-License-Identifier: Apache-2.0
// A run as a document: the columns that its table and its JSON share, and what JSON has beside them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "emu/record/report.hpp"
#include "heddle/units.hpp"
#include "lab/documents/context.hpp"
#include "lab/documents/failure_facts.hpp"
#include "lab/documents/json_members.hpp"
#include "lab/documents/packets_brief.hpp"
#include "show/reports/program_report.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

/// What contention makes of the time: that of the run over that of one in which nobody shares a link.
std::string contention_text(const Setup& setup, const Report& report) {
  if (report.contention_free == Time() || !why_not(setup.settings.model, ModelNeed::contention).empty() ||
      setup.asked.clock.is_wall)
    return "-";
  return fmt::format("{:.2f}", static_cast<double>(report.completion.ps()) / static_cast<double>(report.contention_free.ps()));
}

/// A run, and its report if it is right.
struct RunRow {
  const Setup& setup;
  const Algorithm& algorithm;
  const Report* report = nullptr;
  std::optional<double> to_first_model = {};  ///< its time over that under the first of several models

  bool is_marked() const { return report != nullptr && setup.assumes_scale(algorithm, report->byte_scale); }
};

struct RunColumn {
  Document::Column column;
  std::function<Document::Cell(const RunRow& run)> cell;
  bool (*is_there)(const Setup& setup) = nullptr;  ///< nullptr: always
  bool is_of_call = false;                         ///< known of a run that is not right, too
};

bool has_packets(const Setup& setup) {
  const auto is_of_packets = [](const Setup& one) { return one.settings.model.name() == Model::packets.name(); };
  return is_of_packets(setup) ||
         std::ranges::any_of(setup.under_models, [&](const auto& other) { return is_of_packets(*other); });
}
bool has_errors(const Setup& setup) { return setup.asked.errors; }
Document::Cell error_cell(const Report& report, double SumErrors::*which) {
  if (!report.sum_errors) return {nullptr, "-"};
  const double error = (*report.sum_errors).*which;
  return {or_null(error), fmt::format("{:.3g}", error)};
}
bool is_one_of_models(const Setup& setup) { return setup.is_one_of_models; }

std::string queue_text(const Setup& setup, const Report& report) {
  return report.packets ? std::to_string(brief_of(*report.packets, setup.fabric.topology()).queue.number) : "-";
}

std::string stalled_text(const Setup& setup, const Report& report) {
  if (!report.packets) return "-";
  const Time most = brief_of(*report.packets, setup.fabric.topology()).stalled.number;
  return fmt::format("{:.1f}", 100 * part_of_time(most, report.completion));
}

Document::Cell rate_cell(std::optional<double> rate) { return {or_null(rate), gigabytes_per_second(rate)}; }

RunColumn of_call(RunColumn column) {
  column.is_of_call = true;
  return column;
}

Table::Column numbers(std::string title, std::string unit = "", std::size_t width = 0, int spared = Table::Column::kNeeded) {
  return {std::move(title), std::move(unit), Table::Align::right, width, spared};
}

/// The first of them are the same in each row, as nccl-tests has it; from the time on they are of a run that is right.
const std::vector<RunColumn>& all_run_columns() {
  using Run = const RunRow&;
  static const std::vector<RunColumn> kColumns = {
      of_call({{"bytes", numbers("size", "(B)", 7)}, [](Run run) { return run.setup.bytes(); }}),
      of_call({{"count", numbers("count", "(elements)")}, [](Run run) { return run.setup.count; }}),
      of_call({{"datatype", numbers("type", "", 5)}, [](Run run) { return type_name(run.setup.asked); }}),
      of_call({{"op", numbers("redop", "", 5)}, [](Run run) { return op_name(run.setup.asked); }}),
      of_call({{"root", numbers("root", "", 4)}, [](Run run) { return shown_root(run.setup.asked); }}),
      of_call({for_people({"algorithm", "", Table::Align::left}),
               [](Run run) { return run.is_marked() ? marked_name(run.algorithm.name) : run.algorithm.name; }}),
      of_call({{"model", {"model", "", Table::Align::left}},
               [](Run run) { return to_string(run.setup.settings.model); },
               &is_one_of_models}),
      {{"time_s", numbers("time", "(us)", 10)},
       [](Run run) { return Document::Cell(seconds_for_json(run.report->completion), microseconds(run.report->completion)); }},
      {{"time_to_first_model", numbers("x", "", 5)},
       [](Run run) {
         return Document::Cell(or_null(run.to_first_model),
                               run.to_first_model ? fmt::format("{:.3f}", *run.to_first_model) : std::string("-"));
       },
       &is_one_of_models},
      {{"algbw_Bps", numbers("algbw", "(GB/s)")}, [](Run run) { return rate_cell(rates_of(run.setup, *run.report).algbw); }},
      {{"busbw_Bps", numbers("busbw", "(GB/s)")}, [](Run run) { return rate_cell(rates_of(run.setup, *run.report).busbw); }},
      {{"wrong", numbers("#wrong")}, [](Run) { return 0; }},
      {{"rounds", numbers("rounds", "", 6, 2)}, [](Run run) { return run.report->rounds_max(); }},
      {{"messages", numbers("messages", "", 8, 5)}, [](Run run) { return run.report->messages(); }},
      {{"sent_bytes_max", numbers("max sent", "(B/rank)", 8, 3)}, [](Run run) { return run.report->sent_max().count(); }},
      {for_people(numbers("peak", "flows", 5, 4)), [](Run run) { return peak_flows(*run.report); }},
      {for_people(numbers("cont.", "(x)", 5, 1)), [](Run run) { return contention_text(run.setup, *run.report); }},
      {{"error_ulp_mean", numbers("mean err", "(ulp)", 8)},
       [](Run run) { return error_cell(*run.report, &SumErrors::mean); },
       &has_errors},
      {{"error_ulp_worst", numbers("worst", "(ulp)", 7)},
       [](Run run) { return error_cell(*run.report, &SumErrors::worst); },
       &has_errors},
      {{"payload_scale", numbers("scale", "", 5)},
       [](Run run) { return Document::Cell(run.report->byte_scale, fmt::format("{:g}", run.report->byte_scale)); }},
      {for_people(numbers("queue", "(packets)", 5, 6)), [](Run run) { return queue_text(run.setup, *run.report); },
       &has_packets},
      {for_people(numbers("stalled", "(%)", 7, 7)), [](Run run) { return stalled_text(run.setup, *run.report); },
       &has_packets}};
  return kColumns;
}

/// Those that tables of this setup have.
std::vector<RunColumn> run_columns(const Setup& setup) {
  std::vector<RunColumn> columns;
  std::ranges::copy_if(all_run_columns(), std::back_inserter(columns),
                       [&](const RunColumn& column) { return column.is_there == nullptr || column.is_there(setup); });
  return columns;
}

/// The values of these columns, as far as its table has them.
void append(Json& json, const RunRow& run, std::initializer_list<std::string_view> keys) {
  for (const RunColumn& column : all_run_columns()) {
    if (column.is_there != nullptr && !column.is_there(run.setup)) continue;
    if (std::ranges::find(keys, column.column.key) != keys.end()) json[column.column.key] = column.cell(run).value;
  }
}

Json json_of_links(const Setup& setup, const Report& report) {
  Json links = Json::array();
  const Topology& topology = setup.fabric.topology();
  const std::vector<NamedSpeed> tiers = speeds_by_tier(setup.fabric);
  for (const LinkReport& link : most_utilised_links(report, setup.fabric, setup.shown_links)) {
    links.push_back({{"name", topology.link_name(link.link)},
                     {"bytes", link.bytes.count()},
                     {"busy_s", seconds_for_json(link.busy)},
                     {"peak_flows", link.peak_flows},
                     {"tier", tier_name(tiers, topology, link.link)},
                     {"bandwidth_Bps", bandwidth_for_json(setup.fabric.bandwidth(link.link))},
                     {"utilisation", utilisation(link, setup.fabric, report.completion)}});
    if (link.had < 1) links.back()["bandwidth_left"] = link.had;
    if (report.packets) links.back().update(json_of(report.packets->links[static_cast<std::size_t>(link.link)]));
  }
  return links;
}

/// null for a group that did not run alone.
Json json_of_contention(const std::optional<Contention>& contention) {
  if (!contention) return nullptr;
  return {{"alone_s", seconds_for_json(contention->alone)},
          {"slowdown", or_null(contention->slowdown())},
          {"latency_s", seconds_for_json(contention->latency_together)},
          {"latency_alone_s", seconds_for_json(contention->latency_alone)},
          {"eta_alpha", or_null(contention->eta_alpha())},
          {"eta_beta", or_null(contention->eta_beta())}};
}

Json json_of_groups(const Outcome& outcome) {
  const Setup& setup = *outcome.setup;
  Json groups = Json::array();
  for (std::size_t g = 0; g < outcome.group_completion.size(); ++g) {
    const std::vector<int>& ranks = setup.groups.members[g];
    const Time time = outcome.group_completion[g];
    const Setup& own = setup_of_group(setup, g);
    const Rates rates = rates_of(own, time, static_cast<int>(ranks.size()));
    groups.push_back({{"name", setup.groups.names[g].empty() ? Json(nullptr) : Json(setup.groups.names[g])},
                      {"ranks", ranks},
                      {"time_s", seconds_for_json(time)},
                      {"algbw_Bps", or_null(rates.algbw)},
                      {"busbw_Bps", or_null(rates.busbw)}});
    if (!setup.families.empty()) {
      groups.back()["collective"] = to_string(own.asked.collective);
      groups.back()["algorithm"] = algorithm_of_group(setup, g, *outcome.algorithm).name;
      groups.back()["bytes"] = own.bytes();
    }
    if (!outcome.contention.empty()) groups.back()["contention"] = json_of_contention(outcome.contention[g]);
  }
  return groups;
}

Json json_of_background(const Setup& setup, const Report& report) {
  Json flows = Json::array();
  for (std::size_t f = 0; f < report.background.size(); ++f)
    flows.push_back({{"flow", setup.background[f].name}, {"bytes", report.background[f].bytes.count()}});
  return flows;
}

Json json_of_host(const Setup& setup, const Report& report) {
  const HostReport& host = report.host;
  const auto a_second = [&](std::int64_t number) -> Json {
    if (host.wall_seconds > 0) return static_cast<double>(number) / host.wall_seconds;
    return nullptr;
  };
  Json json = {{"wall_s", host.wall_seconds},
               {"messages_per_s", a_second(host.messages)},
               {"peak_rss_bytes", host.peak_rss_bytes},
               {"threads", setup.settings.threads == Threads::user && !setup.asked.clock.is_wall ? "user" : "kernel"}};
  if (report.packets) json["packet_hops_per_s"] = a_second(report.packets->packet_hops);
  return json;
}

void append_packets(Json& json, const Setup& setup, const Report& report) {
  if (!report.packets) return;
  json["packets"] = {{"settings", to_string(setup.settings.model.packet_settings())}};
  json["packets"].update(Json(brief_of(*report.packets, setup.fabric.topology())));
}

Json json_of_wall(const WallClockOutcome& wall, const Report& measured) {
  if (!wall.over.empty())
    return {{"over", wall.network}, {"times_s", wall.over}, {"beside_s", seconds_for_json(wall.virtually.completion)}};
  if (!wall.in_memory.empty()) return {{"in_memory", true}, {"times_s", wall.in_memory}};
  return {{"dilation", measured.host.dilation},
          {"wall_time_s", measured.completion.seconds() * measured.host.dilation},
          {"virtual_time_s", seconds_for_json(wall.virtually.completion)},
          {"error", or_null(wall.error(measured))},
          {"lateness_s", wall.lateness > 0 ? Json(wall.lateness) : Json(nullptr)},
          {"expected_error", wall.lateness > 0 ? Json(wall.expected_error) : Json(nullptr)}};
}

Json json_of_path(const Setup& setup, const Report& report) {
  const Coefficients of = coefficients(report, Bytes(setup.bytes()));
  Json path = report.critical_path.parts;
  path.update({{"bytes", report.critical_path.bytes}, {"n_alpha", of.n_alpha}, {"n_beta", or_null(of.n_beta)}});
  return path;
}

/// null for what has none.
Json json_of_deficiencies(const Setup& setup, const Report& report) {
  if (!setup.groups.empty()) return nullptr;
  const auto of = deficiencies(report, setup.asked.collective, Bytes(setup.bytes()), setup.fabric, setup.placement);
  if (!of) return nullptr;
  return {{"latency", of->latency},
          {"bandwidth", or_null(of->bandwidth)},
          {"congestion", or_null(of->congestion)},
          {"latency_base_3", of->latency_base_3},
          {"sent", of->sent},
          {"transmission_delay", or_null(of->transmission_delay)}};
}

void append_measured(Json& json, const RunRow& run) {
  const Setup& setup = run.setup;
  const Algorithm& algorithm = run.algorithm;
  const Report& report = *run.report;
  append(json, run, {"time_s", "time_to_first_model", "algbw_Bps", "busbw_Bps"});
  json["contention_free_s"] = seconds_for_json(report.contention_free);
  json["critical_path"] = json_of_path(setup, report);
  json["deficiencies"] = json_of_deficiencies(setup, report);
  append(json, run, {"wrong", "rounds", "messages", "sent_bytes_max"});
  const StreamsReport& streams = report.streams;
  if (report.sum_errors) append(json, run, {"error_ulp_mean", "error_ulp_worst"});
  json["largest_tag"] = streams.most_tag;
  json["context_bits"] = streams.most_context ? Json(std::bit_width(*streams.most_context)) : Json(nullptr);
  json["longest_message_bytes"] = streams.longest_message.count();
  Json peaks = Json::array();
  for (const RoundReport& round : report.rounds) peaks.push_back(round.peak_flows);
  json["round_peak_flows"] = std::move(peaks);
  json["links"] = json_of_links(setup, report);
  append_packets(json, setup, report);
  append(json, run, {"payload_scale"});
  if (run.is_marked()) {
    json["scale_assumed"] = true;
    json["bytes_run"] = bytes_run(setup.bytes(), report.byte_scale);
  }
  if (report.switch_precision) json["switch_precision"] = to_string(*report.switch_precision);
  if (report.different_bits) json["same_bits"] = report.different_bits->empty();
  json["checks"] = checks_of(setup.call(algorithm));
  json["host"] = json_of_host(setup, report);
}

Json json_of_call(const RunRow& run) {
  Json json = {{"collective", to_string(run.setup.asked.collective)},
               {"algorithm", run.algorithm.name},
               {"topology", run.setup.fabric.topology().spec()},
               {"ranks", run.setup.ranks()}};
  append(json, run, {"model", "bytes", "count", "datatype", "op", "root"});
  json["seed"] = run.setup.asked.seed;
  return json;
}

Json json_of_stopped(const RunStopped& stopped) {
  const Report& so_far = stopped.so_far();
  return {{"reason", stopped.reason() == RunStopped::Reason::deadline ? "deadline" : "interrupted"},
          {"time_s", seconds_for_json(so_far.completion)},
          {"wall_s", so_far.host.wall_seconds},
          {"dilation", so_far.host.dilation},
          {"messages", so_far.messages()},
          {"sent_bytes", so_far.sent_total().count()}};
}

/// What a program's run has beside a call's, and in place of it.
Json json_of_program(const Setup& setup) {
  return {{"program", setup.program->path},
          {"arguments", setup.program->arguments},
          {"topology", setup.fabric.topology().spec()},
          {"ranks", setup.ranks()}};
}

void append_program(Json& run, const Outcome& outcome, const Report& report) {
  const Setup& setup = *outcome.setup;
  run["time_s"] = seconds_for_json(report.completion);
  run["contention_free_s"] = seconds_for_json(report.contention_free);
  run["critical_path"] = json_of_path(setup, report);
  append(run, {setup, *outcome.algorithm, &report}, {"messages", "sent_bytes_max"});
  run["sent_bytes"] = report.sent_total().count();
  run["links"] = json_of_links(setup, report);
  append_packets(run, setup, report);
  if (const auto& program = outcome.program) {
    run["exit_status"] = program->exit_status;
    run["calls"] = json_rows(calls_document(*program));
    run["notes"] = program->notes;
    run["checks"] = program->checks;
  }
  run["host"] = json_of_host(setup, report);
}

void append_faults(Json& run, const Outcome& outcome, const Report& report) {
  run["idle_faults"] = report.idle_faults;
  run["idle_fault_reasons"] = report.idle_reasons;
  run["faults_gone_round"] = report.faults_gone_round;
  if (const auto& worst = outcome.worst_link)
    run["worst_link"] = {{"fault", worst->text},
                         {"time_without_s", seconds_for_json(worst->without)},
                         {"tried", worst->tried},
                         {"candidates", worst->candidates},
                         {"as_bad", worst->as_bad}};
}

}  // namespace

std::optional<double> TimesToFirstModel::add(const Outcome& outcome) {
  if (outcome.report() == nullptr || !outcome.setup->is_one_of_models) return std::nullopt;
  const Time time = outcome.report()->completion;
  if (outcome.setup.get() == first_) times_.insert_or_assign(outcome.algorithm->name, time);
  const auto first = times_.find(outcome.algorithm->name);
  if (first == times_.end() || first->second == Time()) return std::nullopt;
  return time.seconds() / first->second.seconds();
}

Json json_of_run(const Outcome& outcome, std::optional<double> to_first_model) {
  const Setup& setup = *outcome.setup;
  Json run = setup.program ? json_of_program(setup) : json_of_call({setup, *outcome.algorithm});
  if (const RunStopped* stopped = outcome.stopped()) {
    run["stopped"] = json_of_stopped(*stopped);
    return run;
  }
  if (setup.program && outcome.report() != nullptr) {
    append_program(run, outcome, *outcome.report());
    if (!setup.background.empty()) run["background"] = json_of_background(setup, *outcome.report());
    if (!setup.asked.faults.empty()) append_faults(run, outcome, *outcome.report());
    return run;
  }
  if (std::string remark = remark_on(setup, *outcome.algorithm); !remark.empty()) run["remark"] = std::move(remark);
  if (const Report* report = outcome.report()) {
    append_measured(run, {setup, *outcome.algorithm, report, to_first_model});
    if (!setup.background.empty()) run["background"] = json_of_background(setup, *report);
    if (!setup.groups.empty())
      run["groups"] = json_of_groups(outcome);
    else if (!outcome.contention.empty())
      run["contention"] = json_of_contention(outcome.contention.front());
    if (!setup.asked.faults.empty()) append_faults(run, outcome, *report);
    if (const auto& positions = outcome.positions)
      run["positions"] = {{"checked", positions->why_not.empty()},
                          {"why_not", positions->why_not.empty() ? Json(nullptr) : Json(positions->why_not)}};
    if (!outcome.left_over.empty()) run["notes"] = Json::array({outcome.left_over});
    if (outcome.wall) run["wall_clock"] = json_of_wall(*outcome.wall, *report);
  } else {
    run["error"] = *outcome.failure();
  }
  return run;
}

Document run_document(const Setup& setup) {
  Document document;
  std::size_t longest = 0;
  for (const Algorithm& algorithm : setup.algorithms.chosen) longest = std::max(longest, letters(algorithm.name));
  for (const RunColumn& column : run_columns(setup)) document.columns.push_back(column.column);
  const auto column_titled = [&](std::string_view title) -> Table::Column& {
    return std::ranges::find(document.columns, title, [](const Document::Column& column) { return column.shown.title; })->shown;
  };
  if (setup.is_one_of_models) {
    Table::Column& models = column_titled("model");
    const auto fit = [&](const Setup& one) { models.width = std::max(models.width, letters(to_string(one.settings.model))); };
    fit(setup);
    for (const auto& other : setup.under_models) fit(*other);
    column_titled("x").title = fmt::format("x {}", setup.settings.model.name());
  }
  Table::Column& names = column_titled("algorithm");
  names.width = longest;
  // Columns stand under their titles whatever a name is like; only one that would fill the line runs into the blanks behind it.
  constexpr std::size_t kLongName = 48;
  names.shrinks_to = std::min(longest, kLongName);
  return document;
}

std::vector<std::string> texts_of_run(const Setup& table, const RunTexts& run) {
  std::vector<std::string> texts;
  for (const RunColumn& column : run_columns(table))
    if (run.report != nullptr || column.is_of_call)
      texts.push_back(column.cell({*run.setup, *run.algorithm, run.report, run.to_first_model}).text);
  return texts;
}

void JsonReporter::begin(const Setup& setup) {
  document_["context"] = json_of_context(setup);
  if (const auto& tuning = setup.algorithms.tuning)
    document_["context"]["tuning"] = json_of_tuning(setup.algorithms.variants, *tuning);
  planned_ = setup.planned().size();
  to_first_model_.begin(setup);
  document_["complete"] = planned_ == 0;
  document_["runs"] = Json::array();
  document_["left_out"] = Json::array();
  for (const LeftOut& left : setup.algorithms.left_out)
    document_["left_out"].push_back({{"algorithm", left.algorithm}, {"reason", left.reason}});
}

void JsonReporter::add(const Outcome& outcome) {
  Json run = json_of_run(outcome, to_first_model_.add(outcome));
  if (const Report* report = outcome.report(); report != nullptr && !outcome.wall) {
    EquivalentRuns& equivalents = equivalents_[outcome.setup.get()];
    if (std::string equivalent = equivalents.add(outcome.algorithm->name, RunLikeness(*report)); !equivalent.empty())
      run["same_messages_as"] = std::move(equivalent);
  }
  document_["runs"].push_back(std::move(run));
  are_whole_ = are_whole_ && outcome.stopped() == nullptr;
  document_["complete"] = are_whole_ && document_["runs"].size() == planned_;
  if (file_ && !file_->is_stream()) file_->write(json_text(document_));
}

void JsonReporter::end(const Setup&) {
  if (out_ != nullptr) *out_ << json_text(document_) << std::flush;
  if (file_ && file_->is_stream()) file_->write(json_text(document_));
}

}  // namespace heddle
