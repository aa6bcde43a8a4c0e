// SPDX-License-Identifier: Apache-2.0
#include "show/reports/study_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/printable.hpp"
#include "heddle/version.hpp"
#include "lab/documents/context.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSparedFirst = 1'000'000;  ///< --explain says the same

/// 0, 1, 2, 4, …: those with which some case was run.
std::vector<int> shown_credits(const CreditsStudy& study) {
  std::size_t most = 0;
  const CreditsCase* longest = nullptr;
  for (const CreditsCase& one : study.cases) {
    if (one.found() == nullptr || one.found()->outcomes.size() <= most) continue;
    longest = &one;
    most = one.found()->outcomes.size();
  }
  std::vector<int> credits;
  if (longest == nullptr) return credits;
  for (const CreditsOutcome& outcome : longest->found()->outcomes) credits.push_back(outcome.credits);
  return credits;
}

std::vector<Document::Column> columns_of(const std::vector<int>& credits) {
  std::vector<Document::Column> columns = {
      for_programs("collective"), {"algorithm", {"algorithm", "", Table::Align::left}}, for_programs("topology")};
  // As wide as their titles: what failed has more to say.
  const auto add = [&](std::string key, Table::Column shown) { columns.push_back({std::move(key), std::move(shown), false}); };
  add("ranks", {"ranks", ""});
  for (const char* key : {"bytes", "error"}) columns.push_back(for_programs(key));
  for (const char* title : {"least", "safe", "enough"}) add(title, {title, "credits"});
  for (const char* key : {"locked", "least_is_fixed", "order_is_fixed"}) columns.push_back(for_programs(key));
  add("eager_s", {"eager", "(us)", Table::Align::right, 9});
  for (const int count : credits)
    add("", {count == 0 ? "sync" : fmt::format("{}", count), "(x)", Table::Align::right, 5, count + 2});
  columns.push_back(for_programs("credits"));
  add("deadlock", {"deadlock below safe", "", Table::Align::left, 0, kSparedFirst});
  return columns;
}

/// "0 -> 1 -> 2 -> 0"
std::string cycle_text(const LeastCredits& found) {
  constexpr std::size_t kMostRanks = 8;
  if (found.safe == 0) return "";
  const std::vector<int>& cycle = found.cycle;
  if (cycle.empty()) return "without a cycle";
  if (cycle.size() <= kMostRanks) return fmt::format("{} -> {}", fmt::join(cycle, " -> "), cycle.front());
  return fmt::format("{} -> … -> {}, {} ranks", fmt::join(cycle.begin(), cycle.begin() + kMostRanks / 2, " -> "), cycle.front(),
                     cycle.size());
}

/// Times that of the eager run.
std::string cost_text(const LeastCredits& found, std::optional<Time> time) {
  if (!time) return "locks";
  if (found.eager == Time()) return "-";
  return fmt::format("{:.2f}", static_cast<double>(time->ps()) / static_cast<double>(found.eager.ps()));
}

std::vector<Document::Cell> cells_of(const CreditsCase& one, std::size_t columns) {
  const Setup& setup = *one.setup;
  std::vector<Document::Cell> cells = {to_string(setup.asked.collective), one.algorithm.name, setup.fabric.topology().spec(),
                                       setup.ranks(), setup.bytes()};
  const auto add = [&](Json value, std::string text = "") { cells.emplace_back(std::move(value), std::move(text)); };
  if (const Failure* failure = one.failure()) {
    add({{"kind", to_string(failure->kind)}, {"explanation", failure->explanation}});
    add(Json::value_t::discarded, "FAILED " + to_string(failure->kind));
    return cells;
  }
  const LeastCredits& found = *one.found();
  add(Json::value_t::discarded);
  add(found.least, fmt::format("{}{}", found.least, found.least_is_fixed ? "" : "*"));
  add(found.safe, fmt::format("{}{}", found.safe, found.order_is_fixed ? "" : "*"));
  add(found.enough, fmt::format("{}", found.enough));
  add(found.locked);
  add(found.least_is_fixed);
  add(found.order_is_fixed);
  add(seconds_for_json(found.eager), microseconds(found.eager));
  Json credits = Json::array();
  for (const CreditsOutcome& outcome : found.outcomes)
    credits.push_back(
        {{"credits", outcome.credits}, {"time_s", outcome.time ? Json(seconds_for_json(*outcome.time)) : Json(nullptr)}});
  for (std::size_t i = 0; i < columns; ++i)
    add(nullptr, cost_text(found, i < found.outcomes.size() ? found.outcomes[i].time : found.eager));
  add(std::move(credits));
  add(found.safe == 0 ? Json(nullptr)
                      : Json({{"credits", found.safe - 1}, {"cycle", found.cycle}, {"explanation", found.deadlock}}),
      cycle_text(found));
  return cells;
}

std::string head_text(const CreditsStudy& study) {
  const Setup& setup = *study.cases.front().setup;
  std::string text = fmt::format(
      "# heddle {}: least credits per channel of {} on {}{}, placement {}\n", version(), to_string(setup.asked.collective),
      study.topology, study.ranks.empty() ? "" : fmt::format(", {} rank{}", study.ranks, study.ranks == "1" ? "" : "s"),
      setup.asked.placement);
  if (!setup.groups.empty()) text += fmt::format("# groups {} at once\n", setup.asked.groups);
  const std::string preset = setup.asked.fabric.preset.empty() ? "" : fmt::format("preset {}: ", setup.asked.fabric.preset);
  text += fmt::format("# {}{}\n", preset, describe_speeds(setup.fabric));
  if (setup.asked.collective != Collective::barrier)
    text += fmt::format("# {}, {}{}\n", counted(setup.bytes(), "byte"), type_name(setup.asked),
                        reduces(setup.asked.collective) ? ' ' + op_name(setup.asked) : "");
  return text +
         "# sync: each send waits for its receive; k: at most k messages of a (sender, receiver) pair sent and not yet "
         "received.\n"
         "# safe: with that many or more a run ends; enough: as eager from there on. Costs are times the eager run's "
         "time.\n#\n";
}

/// The deadlock just below the safe count, and which others there are.
std::string deadlock_text(const CreditsCase& one) {
  if (one.found() == nullptr || one.found()->safe == 0) return "";
  const LeastCredits& found = *one.found();
  std::string text =
      fmt::format("{} on {} locks up with {}; with {}: {}", one.algorithm.name, counted(one.setup->ranks(), "rank"),
                  ranges_text(found.locked), found.safe - 1, found.deadlock);
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) text.insert(at + 1, "# ");
  return "# " + text + '\n';
}

std::string foot_text(const CreditsStudy& study) {
  std::string text;
  const auto is_open = [](const CreditsCase& one) { return one.found() != nullptr && !one.found()->order_is_fixed; };
  if (std::ranges::any_of(study.cases, is_open))
    text =
        "# *: tasks of a rank share its credits, or ranks see what has come first: true of these speeds and this order of\n"
        "#    what falls on one instant. What has no * is true of any.\n";
  for (const CreditsLeftOut& left : study.left_out)
    text += fmt::format("# left out: {} on {} ranks: {}\n", left.what.algorithm, ranges_text(left.ranks), left.what.reason);
  const auto failed = std::ranges::count_if(study.cases, [](const CreditsCase& one) { return one.failure() != nullptr; });
  text += fmt::format("# {} found", std::ssize(study.cases) - failed);
  if (failed > 0) text += fmt::format(", {} FAILED", failed);
  return text + '\n';
}

}  // namespace

Document credits_report(const CreditsStudy& study, bool explain) {
  const std::vector<int> credits = shown_credits(study);
  Document document{.columns = columns_of(credits),
                    .head = head_text(study),
                    .foot = foot_text(study),
                    .context = json_of_context(*study.cases.front().setup)};
  document.context["topology"] = study.topology;
  document.context["ranks"] = study.ranks.empty() ? Json(nullptr) : Json(study.ranks);
  document.context.erase("buffering");
  for (const CreditsCase& one : study.cases) {
    document.rows.push_back(cells_of(one, credits.size()));
    document.notes.push_back(explain ? deadlock_text(one) : "");
  }
  document.facts = {{"runs", nullptr}, {"left_out", Json::array()}};
  for (const CreditsLeftOut& left : study.left_out)
    document.facts["left_out"].push_back(
        {{"algorithm", left.what.algorithm}, {"reason", left.what.reason}, {"ranks", left.ranks}});
  return document;
}

namespace {

std::string percent_less(double part) {
  const double tenths = std::round(1000 * part);
  return fmt::format("{:.1f}", tenths == 0 ? 0 : tenths / 10);  // not -0.0
}

/// least |-----[  first  median | third ]------| most, on a scale from -50 % to 50 %.
std::string box_plot(const Quartiles& of) {
  static constexpr int kHalf = 25;  // characters each side of 0: 2 % each
  const auto place = [](double part) { return std::clamp(static_cast<int>(std::lround(part * 50)), -kHalf, kHalf) + kHalf; };
  std::string line(2 * kHalf + 1, ' ');
  line[kHalf] = ':';
  const auto at = [&](double part) -> char& { return line[static_cast<std::size_t>(place(part))]; };
  for (int x = place(of.least); x <= place(of.most); ++x) line[static_cast<std::size_t>(x)] = '-';
  for (int x = place(of.first); x <= place(of.third); ++x) line[static_cast<std::size_t>(x)] = '=';
  at(of.least) = at(of.most) = '|';
  at(of.median) = 'M';
  return line;
}

std::vector<Document::Column> traffic_columns(std::span<const Algorithm> algorithms) {
  std::size_t longest = 0;
  for (const Algorithm& algorithm : algorithms) longest = std::max(longest, letters(algorithm.name));
  std::vector<Table::Column> columns = {{"ranks", ""},
                                        {"placed", "times"},
                                        {"groups", "mean", Table::Align::right, 0, 1},
                                        {"algorithm", "", Table::Align::left, longest},
                                        {"between", "vectors", Table::Align::right, 9}};
  for (const char* title : {"least", "q1", "median", "q3", "most"})
    columns.push_back({title, "% less", Table::Align::right, 6, title == std::string_view("median") ? 0 : 2});
  columns.push_back({"more", "times"});
  columns.push_back(
      {"50% more" + std::string(17, ' ') + ":" + std::string(17, ' ') + "50% less", "", Table::Align::left, 0, 3});
  std::vector<Document::Column> shown;
  for (Table::Column& column : columns) shown.push_back({{}, std::move(column), false});
  return shown;
}

std::vector<Document::Cell> cells_of(const TrafficStudy& study, std::size_t a, const Algorithm& algorithm) {
  const TrafficComparison& comparison = study.comparisons[a];
  std::vector<Document::Cell> cells = {"", "", "", algorithm.name, fmt::format("{:.2f}", comparison.mean_vectors)};
  if (a == 0) cells[0] = study.ranks, cells[1] = study.placements, cells[2] = fmt::format("{:.1f}", study.mean_groups);
  if (a == 0 || !comparison.reduction) return cells;
  const Quartiles& of = *comparison.reduction;
  for (const double part : {of.least, of.first, of.median, of.third, of.most}) cells.emplace_back(percent_less(part));
  cells.emplace_back(comparison.more);
  cells.emplace_back(box_plot(of));
  return cells;
}

Json json_of_study(const TrafficStudy& study, std::span<const Algorithm> algorithms) {
  Json json = {{"ranks", study.ranks},
               {"mean_groups", study.mean_groups},
               {"placements", study.placements},
               {"placements_in_one_group", study.inside},
               {"algorithms", Json::array()}};
  for (std::size_t a = 0; a < algorithms.size(); ++a) {
    const TrafficComparison& comparison = study.comparisons[a];
    Json row = {{"algorithm", algorithms[a].name}, {"mean_vectors_between_groups", comparison.mean_vectors}};
    if (a > 0) {
      row["reduction"] = nullptr;
      if (const auto& of = comparison.reduction)
        row["reduction"] = {
            {"least", of->least}, {"q1", of->first}, {"median", of->median}, {"q3", of->third}, {"most", of->most}};
      row["placements_with_more"] = comparison.more;
    }
    json["algorithms"].push_back(row);
  }
  return json;
}

}  // namespace

Document traffic_report(const TrafficPlan& plan, std::span<const TrafficStudy> studies) {
  Document document{
      .columns = traffic_columns(plan.algorithms),
      .head = fmt::format("{}: {}\n% less than {}\n\n", to_string(plan.collective), plan.title, plan.algorithms.front().name),
      .margins = {.titles = "", .rows = ""},
      .context = {{"collective", to_string(plan.collective)}},
      .facts = {{"studies", Json::array()}},
      .rows_name = ""};
  document.context.update(plan.parameters);
  for (const TrafficStudy& study : studies) {
    for (std::size_t a = 0; a < plan.algorithms.size(); ++a) document.rows.push_back(cells_of(study, a, plan.algorithms[a]));
    document.facts["studies"].push_back(json_of_study(study, plan.algorithms));
  }
  return document;
}

}  // namespace heddle
