// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/run_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "emu/record/report.hpp"
#include "heddle/units.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

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

Json json_of_groups(const Setup& setup, const Outcome& outcome) {
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

Json json_of_host(const Setup& setup, const HostReport& host) {
  Json rate;  // null where no time has passed
  if (host.wall_seconds > 0) rate = static_cast<double>(host.messages) / host.wall_seconds;
  return {{"wall_s", host.wall_seconds},
          {"messages_per_s", std::move(rate)},
          {"peak_rss_bytes", host.peak_rss_bytes},
          {"threads", setup.settings.threads == Threads::user && !setup.asked.clock.is_wall ? "user" : "kernel"}};
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
  Json path = json_of(report.critical_path.parts);
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

void append_measured(Json& run, const Setup& setup, const Algorithm& algorithm, const Report& report) {
  const Rates rates = rates_of(setup, report);
  run["time_s"] = seconds_for_json(report.completion);
  run["algbw_Bps"] = or_null(rates.algbw);
  run["busbw_Bps"] = or_null(rates.busbw);
  run["contention_free_s"] = seconds_for_json(report.contention_free);
  run["critical_path"] = json_of_path(setup, report);
  run["deficiencies"] = json_of_deficiencies(setup, report);
  run["wrong"] = 0;
  run["rounds"] = report.rounds_max();
  run["messages"] = report.messages();
  run["sent_bytes_max"] = report.sent_max().count();
  Json peaks = Json::array();
  for (const RoundReport& round : report.rounds) peaks.push_back(round.peak_flows);
  run["round_peak_flows"] = std::move(peaks);
  run["links"] = json_of_links(setup, report);
  run["payload_scale"] = report.byte_scale;
  if (setup.assumes_scale(algorithm, report.byte_scale)) {
    run["scale_assumed"] = true;
    run["bytes_run"] = bytes_run(setup.bytes(), report.byte_scale);
  }
  if (report.switch_precision) run["switch_precision"] = to_string(*report.switch_precision);
  if (report.different_bits) run["same_bits"] = report.different_bits->empty();
  run["checks"] = checks_of(setup.call(algorithm));
  run["host"] = json_of_host(setup, report.host);
}

/// What its row says that a context has of it, unless that is there.
void append_flag(Json& context, const Experiment& asked, const ExperimentFlag& flag) {
  const auto& [key, value] = flag.context;
  if (key.empty() || context.contains(key)) return;
  if (value) {
    context[key] = value(asked);
  } else if (const std::vector<std::string> texts = flag.value.get(asked); !texts.empty()) {
    context[key] = flag.takes == ExperimentFlag::Takes::values ? Json(texts) : Json(texts.front());
  }
}

}  // namespace

Json json_of_context(const Setup& setup) {
  Json context = {{"version", version()},
                  {"collective", to_string(setup.asked.collective)},
                  {"topology", setup.fabric.topology().spec()},
                  {"ranks", setup.ranks()}};
  const auto append = [&](std::initializer_list<std::string_view> flags) {
    for (const std::string_view flag : flags) append_flag(context, setup.asked, *find_experiment_flag(flag));
  };
  append({"--preset"});
  if (setup.fitted)
    context["fitted"] = {
        {"topology", setup.fitted->topology}, {"runs", setup.fitted->runs}, {"predicted", setup.fitted->predicted}};
  append_speeds(context, setup.fabric);
  append({"--model", "--clock", "--buffering", "--placement", "--groups", "--background", "--fault"});
  context["bytes"] = setup.bytes();
  if (setup.rounded_up_from) context["bytes_asked"] = setup.rounded_up_from->count();
  append({"--datatype", "--values", "--op", "--root", "--in-place", "--blocks", "--skew", "--counts", "--data-memory", "--seed",
          "--order-seed", "--order"});
  for (const ExperimentFlag& flag : experiment_flags()) append_flag(context, setup.asked, flag);
  return context;
}

namespace {

Json json_of_call(const Setup& setup, const Algorithm& algorithm) {
  return {{"collective", to_string(setup.asked.collective)},
          {"algorithm", algorithm.name},
          {"topology", setup.fabric.topology().spec()},
          {"ranks", setup.ranks()},
          {"bytes", setup.bytes()},
          {"count", setup.count},
          {"datatype", type_name(setup.asked)},
          {"op", op_name(setup.asked)},
          {"root", shown_root(setup.asked)},
          {"seed", setup.asked.seed}};
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

Json json_of_run(const Setup& setup, const Outcome& outcome) {
  Json run = json_of_call(setup, *outcome.algorithm);
  if (std::string remark = remark_on(setup, *outcome.algorithm); !remark.empty()) run["remark"] = std::move(remark);
  if (const Report* report = outcome.report()) {
    append_measured(run, setup, *outcome.algorithm, *report);
    if (!setup.background.empty()) run["background"] = json_of_background(setup, *report);
    if (!setup.groups.empty())
      run["groups"] = json_of_groups(setup, outcome);
    else if (!outcome.contention.empty())
      run["contention"] = json_of_contention(outcome.contention.front());
    if (!setup.asked.faults.empty()) append_faults(run, outcome, *report);
    if (const auto& positions = outcome.positions)
      run["positions"] = {{"checked", positions->why_not.empty()},
                          {"why_not", positions->why_not.empty() ? Json(nullptr) : Json(positions->why_not)}};
    if (outcome.wall) run["wall_clock"] = json_of_wall(*outcome.wall, *report);
  } else {
    run["error"] = {{"kind", to_string(outcome.failure()->kind)}, {"explanation", outcome.failure()->explanation}};
  }
  return run;
}

Json json_of_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) {
  const Report& so_far = stopped.so_far();
  Json run = json_of_call(setup, algorithm);
  run["stopped"] = {{"reason", stopped.reason() == RunStopped::Reason::deadline ? "deadline" : "interrupted"},
                    {"time_s", seconds_for_json(so_far.completion)},
                    {"wall_s", so_far.host.wall_seconds},
                    {"dilation", so_far.host.dilation},
                    {"messages", so_far.messages()},
                    {"sent_bytes", so_far.sent_total().count()}};
  return run;
}

Json json_of_tuning(const VariantCount& count, const Tuning& tuning) {
  Json left_out = Json::object();
  for (const auto& [row, number] : count.left_out) left_out[row] = number;
  return {{"tune", "options"},
          {"budget", tuning.budget},
          {"points", count.points},
          {"rows", count.rows},
          {"combinations", count.combinations},
          {"tried", count.tried},
          {"unfit", count.unfit},
          {"left_out", std::move(left_out)}};
}

std::string tuning_text(const Json& json) {
  VariantCount count{.points = json.at("points"),
                     .rows = json.at("rows"),
                     .combinations = json.at("combinations"),
                     .tried = json.at("tried"),
                     .unfit = json.at("unfit")};
  for (const auto& [row, number] : json.at("left_out").items()) count.left_out.emplace_back(row, number);
  return tuning_text(count, Tuning{.budget = json.at("budget")});
}

std::int64_t bytes_run(std::int64_t bytes, double byte_scale) { return std::llround(static_cast<double>(bytes) / byte_scale); }

std::string marked_name(std::string_view algorithm) { return fmt::format("~{}", algorithm); }

std::string part_text(std::int64_t bytes, double byte_scale) {
  return fmt::format("{} of {}", to_string(Bytes(bytes_run(bytes, byte_scale))), to_string(Bytes(bytes)));
}

std::string part_run_note(std::string_view algorithm, const std::vector<std::string>& parts) {
  return fmt::format(
      "{} ran a part of its vector, {}, for the whole: its entry does not say that it is independent of size; if it cuts or "
      "chooses by size, the whole takes another time (--data-memory full)",
      marked_name(algorithm), fmt::join(parts, ", "));
}

}  // namespace heddle
